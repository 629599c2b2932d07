/** The sections of the account: apps with access, sessions, recent activity, password. */
import { minPasswordLength, type PasswordChange } from '@grantor/authority'
import { catalogueIndex } from '@grantor/protocol/oauth'
import { activityPage } from '../pages/account/activity.ts'
import { appsPage } from '../pages/account/apps.ts'
import { passwordPage } from '../pages/account/password.ts'
import { sessionsPage } from '../pages/account/sessions.ts'
import { logoAddress } from '../routes/logos.ts'
import { scopeWords } from '../pages/language/scope-words.ts'
import { type AccountRequest, accountRoute } from './account.ts'
import { accountFormPurpose } from './account-sign-in.ts'
import { showPage } from './page-answer.ts'
import { deviceOf } from './device-name.ts'

export const apps = accountRoute({
  section: 'apps',
  async show(request) {
    const { browser, visit, account, pageContext } = request
    const held = await browser.account.apps(account)
    const catalogue = await browser.catalogue(visit.visitor)
    const words = catalogue === null ? null : catalogueIndex(catalogue)
    const nameOf = (identifier: string) => words?.resources.get(identifier)?.name ?? identifier
    const shown = held.map(({ clientId, scope, resources, logo, ...app }) => ({
      ...app,
      reference: clientId,
      logo: logoAddress(visit.base, clientId, logo),
      scopes: [...scope].map((name) => scopeWords(pageContext.language, name, words?.scopes.get(name) ?? null)),
      resources: resources.map(nameOf),
    }))
    return showPage(
      request,
      appsPage(pageContext, { form: visit.formTarget('/account', accountFormPurpose), apps: shown, now: Date.now() }),
    )
  },
  async act({ browser, visit, account }) {
    const one = visit.form.get('revoke')
    const all = visit.form.get('revoke-all') === undefined ? [] : await browser.account.apps(account)
    const wanted = one === undefined ? all.map((app) => app.clientId) : [one]
    for (const clientId of wanted) await browser.account.disconnect(clientId, account, visit.visitor)
    return one === undefined ? 'all_access_removed' : 'access_removed'
  },
})

export const sessions = accountRoute({
  section: 'sessions',
  async show(request) {
    const { browser, visit, account, pageContext } = request
    const held = await browser.account.sessions(account)
    const shown = held.map((session) => ({
      reference: session.id,
      device: deviceOf(session.userAgent),
      address: session.ip,
      startedAt: session.createdAt,
      seenAt: session.lastSeenAt,
      current: session.id === account.session.id,
    }))
    const data = { form: visit.formTarget('/account/sessions', accountFormPurpose), sessions: shown, now: Date.now() }
    return showPage(request, sessionsPage(pageContext, data))
  },
  async act({ browser, visit, account }) {
    const one = visit.form.get('end')
    const held = visit.form.get('end-others') === undefined ? [] : await browser.account.sessions(account)
    const ending = one === undefined ? held.filter((it) => it.id !== account.session.id).map((it) => it.id) : [one]
    for (const id of ending) await browser.account.endSession(id, account, visit.visitor)
    return one === undefined ? 'other_sessions_ended' : 'session_ended'
  },
})

export const activity = accountRoute({
  section: 'activity',
  async show(request) {
    const { browser, visit, account, pageContext } = request
    const asked = /^[1-9]\d{0,14}$/.exec(visit.form.get('before') ?? '')
    const page = await browser.account.activity(account, asked === null ? null : Number(asked[0]))
    const events = page.events.map(({ ip, ...event }) => ({ ...event, address: ip }))
    const older = page.older === null ? null : `${visit.base}/account/activity?before=${page.older}`
    return showPage(request, activityPage(pageContext, { events, older, now: Date.now() }))
  },
})

export const password = accountRoute({
  section: 'password',
  show: (request) => showPasswordPage(request, null),
  async act(request) {
    const { browser, visit, account } = request
    const by = { current: visit.form.get('password') ?? '', next: visit.form.get('new-password') ?? '' }
    const outcome = await browser.account.changePassword(account, by, visit.visitor)
    return outcome === 'changed' ? 'password_changed' : showPasswordPage(request, passwordErrors[outcome])
  },
})

const passwordErrors: Readonly<Record<Exclude<PasswordChange, 'changed'>, PasswordError>> = {
  wrong: 'wrong',
  // Saying how long to wait would tell whoever found the browser open how to go on.
  throttled: 'wrong',
  too_short: 'short',
  too_long: 'long',
  is_name: 'common',
  unchanged: 'same',
}

type PasswordError = Parameters<typeof passwordPage>[1]['error']

function showPasswordPage(request: AccountRequest, error: PasswordError) {
  const data = {
    form: request.visit.formTarget('/account/password', accountFormPurpose),
    leastLength: minPasswordLength,
    error,
  }
  return showPage(request, passwordPage(request.pageContext, data), { status: error === null ? 200 : 400 })
}
