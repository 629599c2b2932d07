/** The sections of the account: apps with access, sessions, recent activity, password. */
import { type ActivityGroup, activityGroups, deviceOf, type PasswordChange } from '@grantor/authority'
import { catalogueIndex } from '@grantor/protocol/oauth'
import { activityPage } from '../pages/account/activity.ts'
import { appsPage } from '../pages/account/apps.ts'
import { passwordPage } from '../pages/account/password.ts'
import { sessionsPage } from '../pages/account/sessions.ts'
import { logoAddress } from '../routes/logos.ts'
import { scopeWords } from '../pages/language/scope-words.ts'
import { accountForm } from './own-account/account-form.ts'
import { type AccountRequest, accountRoute } from './account.ts'
import { showPage } from './page-answer.ts'

export const apps = accountRoute({
  section: 'apps',
  async show(request) {
    const { browser, visit, account, pageContext } = request
    const page = await browser.account.apps(account, visit.form.get('after') ?? null)
    const catalogue = await request.catalogue()
    const words = catalogue === null ? null : catalogueIndex(catalogue)
    const nameOf = (identifier: string) => words?.resources.get(identifier)?.name ?? identifier
    const shown = page.apps.map(({ clientId, scope, resources, logo, ...app }) => ({
      ...app,
      reference: clientId,
      logo: logoAddress(visit.base, clientId, logo),
      scopes: [...scope].map((name) => scopeWords(pageContext.language, name, words?.scopes.get(name) ?? null)),
      resources: resources.map(nameOf),
    }))
    const { further } = page
    const next = further === null ? null : `${visit.base}/account?after=${encodeURIComponent(further)}`
    const form = accountForm(request, '/account')
    return showPage(request, appsPage(pageContext, { form, apps: shown, further: next, now: Date.now() }))
  },
  async act({ browser, visit, account }) {
    const clientId = visit.form.get('revoke')
    if (clientId !== undefined) await browser.account.disconnect(clientId, account, visit.visitor)
    else if (visit.form.get('revoke-all') !== undefined) await browser.account.disconnectAll(account, visit.visitor)
    return clientId === undefined ? 'all_access_removed' : 'access_removed'
  },
})

export const sessions = accountRoute({
  section: 'sessions',
  async show(request) {
    const { browser, visit, account, pageContext } = request
    const page = await browser.account.sessions(account, visit.form.get('before') ?? null)
    const shown = page.sessions.map((session) => ({
      reference: session.id,
      device: deviceOf(session.userAgent),
      address: session.ip,
      startedAt: session.createdAt,
      seenAt: session.lastSeenAt,
      current: session.id === account.session.id,
    }))
    const older = page.older === null ? null : `${visit.base}/account/sessions?before=${page.older}`
    const form = accountForm(request, '/account/sessions')
    return showPage(request, sessionsPage(pageContext, { form, sessions: shown, older, now: Date.now() }))
  },
  async act({ browser, visit, account }) {
    const session = visit.form.get('end')
    if (session !== undefined) await browser.account.endSession(session, account, visit.visitor)
    else if (visit.form.get('end-others') !== undefined) await browser.account.endOtherSessions(account, visit.visitor)
    return session === undefined ? 'other_sessions_ended' : 'session_ended'
  },
})

export const activity = accountRoute({
  section: 'activity',
  async show(request) {
    const { browser, visit, account, pageContext } = request
    const asked = /^[1-9]\d{0,14}$/.exec(visit.form.get('before') ?? '')
    const group = activityGroups.find((it) => it === visit.form.get('show')) ?? null
    const page = await browser.account.activity(account, { before: asked === null ? null : Number(asked[0]), group })
    const events = page.events.map(({ ip, ...event }) => ({ ...event, address: ip }))
    const path = `${visit.base}/account/activity`
    const addressOf = (of: ActivityGroup | null): string => (of === null ? path : `${path}?show=${of}`)
    const older = page.older === null ? null : `${addressOf(group)}${group === null ? '?' : '&'}before=${page.older}`
    return showPage(request, activityPage(pageContext, { events, group, addressOf, older, now: Date.now() }))
  },
})

export const password = accountRoute({
  section: 'password',
  show: (request) => showPasswordPage(request, null),
  async act(request) {
    const { browser, visit, account } = request
    const passwords = { current: visit.form.get('password') ?? '', next: visit.form.get('new-password') ?? '' }
    const outcome = await browser.account.changePassword(account, passwords, visit.visitor)
    return outcome === 'changed' ? 'password_changed' : showPasswordPage(request, passwordErrors[outcome])
  },
})

const passwordErrors: Readonly<Record<Exclude<PasswordChange, 'changed'>, PasswordError>> = {
  wrong: 'wrong',
  // Telling how long to wait would help somebody who guesses passwords in another person's open browser.
  throttled: 'wrong',
  too_short: 'short',
  too_long: 'long',
  is_name: 'common',
  breached: 'common',
  unchanged: 'same',
}

type PasswordError = Parameters<typeof passwordPage>[1]['error']

async function showPasswordPage(request: AccountRequest, error: PasswordError) {
  const data = {
    form: accountForm(request, '/account/password'),
    leastLength: request.browser.leastPasswordLength,
    hasPassword: await request.browser.account.hasPassword(request.account),
    error,
  }
  return showPage(request, passwordPage(request.pageContext, data), { status: error === null ? 200 : 400 })
}
