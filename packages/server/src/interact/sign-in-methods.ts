/** The account page of sign-in methods: passkeys, authenticator app, recovery codes, trusted browsers. */
import { deviceOf, type FactorAddition, providerChoice, type SignInMethods } from '@grantor/authority'
import { displayTextProblem } from '@grantor/protocol/oauth'
import { base32, otpauthUri } from '@grantor/protocol/people'
import type { FastifyReply } from 'fastify'
import { authenticatorPage } from '../pages/account/authenticator.ts'
import { sectionPaths } from '../pages/account/layout.ts'
import { recoveryCodesPage } from '../pages/account/recovery-codes.ts'
import { type SignInMethodsData, signInMethodsPage } from '../pages/account/sign-in-methods.ts'
import { passkeyField } from '../pages/components/passkey.ts'
import { accountForm } from './own-account/account-form.ts'
import { type AccountRequest, accountRoute } from './account.ts'
import { goTo, showPage } from './page-answer.ts'
import { problemIn, problemQuery, sendToProvider } from './providers/departure.ts'
import { confirmPath } from './account-sign-in.ts'

const home = `/account${sectionPaths.methods}`
const authenticatorPath = '/authenticator'

const factorsOf = ({ browser }: AccountRequest) => browser.account.factors

/** Sends a person who signed in too long ago, or too weakly, to sign in again and come back. */
const toConfirm = (request: AccountRequest): FastifyReply => goTo(request, `${request.visit.base}${confirmPath}`)

export const signInMethods = accountRoute({
  section: 'methods',
  async show(request) {
    const served = providerChoice(await request.catalogue()).providers
    return showMethods(request, problemIn(request.visit.form, served))
  },
  async act(request) {
    const { visit, account } = request
    const { form, visitor } = visit
    const passkey = form.get(passkeyField)
    if (passkey !== undefined) return addPasskey(request, passkey)
    if (form.get('new-codes') !== undefined) {
      const codes = await factorsOf(request).newRecoveryCodes(account, visitor)
      return codes === 'stale' ? toConfirm(request) : showCodes(request, codes, false)
    }
    const browser = form.get('forget')
    if (browser !== undefined) {
      await factorsOf(request).forgetBrowser(account, browser, visitor)
      return 'browser_forgotten'
    }
    const linking = form.get('link-provider')
    if (linking !== undefined) return linkProvider(request, linking)
    const unlinking = form.get('unlink-provider')
    return unlinking === undefined ? remove(request) : unlinkProvider(request, unlinking)
  },
})

async function linkProvider(request: AccountRequest, provider: string): Promise<FastifyReply> {
  const { visit, account, browser } = request
  const left = await browser.account.links.link(account, provider, visit.visitor)
  if (left === 'stale') return toConfirm(request)
  if (left.did === 'left') return sendToProvider(request, left)
  return goTo(request, `${visit.base}${home}?${problemQuery('unavailable', provider)}`)
}

async function unlinkProvider(request: AccountRequest, provider: string): Promise<FastifyReply | 'provider_unlinked'> {
  const { visit, account, browser } = request
  const outcome = await browser.account.links.unlink(account, provider, visit.visitor)
  if (outcome === 'stale') return toConfirm(request)
  return outcome === 'last' ? showMethods(request, 'last') : 'provider_unlinked'
}

async function remove(request: AccountRequest) {
  const { visit, account } = request
  const id = visit.form.get('remove-passkey')
  const isApp = visit.form.get('remove-authenticator') !== undefined
  if (id === undefined && !isApp) return showMethods(request, null)
  const what = id === undefined ? 'totp' : { passkey: id }
  const outcome = await factorsOf(request).remove(account, what, visit.visitor)
  if (outcome === 'stale') return toConfirm(request)
  if (outcome === 'last') return showMethods(request, 'last')
  return id === undefined ? 'authenticator_removed' : 'passkey_removed'
}

async function addPasskey(request: AccountRequest, answer: string) {
  const { visit, account } = request
  const suggestion = nameFor(request)
  const typed = visit.form.get('name')?.trim() ?? ''
  const name = displayTextProblem(typed) === null ? typed : suggestion
  const outcome = await factorsOf(request).addPasskey(account, { answer, name }, visit.visitor)
  if (outcome.did === 'added') return afterAdding(request, outcome, 'passkey_added')
  if (outcome.did === 'stale') return toConfirm(request)
  return showMethods(request, outcome.did === 'full' || outcome.did === 'outrun' ? outcome.did : 'passkey')
}

const afterAdding = <N extends string>(
  request: AccountRequest,
  { codes, cookies }: Extract<FactorAddition, { did: 'added' }>,
  notice: N,
) => {
  if (cookies !== null) request.visit.setCookies(request.reply, cookies)
  return codes === null ? notice : showCodes(request, codes, true)
}

/** The only answer that ever contains the codes: a redirect to a page of codes would allow seeing them again. */
const showCodes = (request: AccountRequest, codes: readonly string[], isFirst: boolean): FastifyReply =>
  showPage(request, recoveryCodesPage(request.pageContext, { codes, isFirst, onward: `${request.visit.base}${home}` }))

/** "Chrome · Linux": the suggested name of a passkey made in this browser. */
const nameFor = ({ visit }: AccountRequest): string => deviceOf(visit.visitor.userAgent) ?? 'Passkey'

async function showMethods(request: AccountRequest, failed: SignInMethodsData['failed']): Promise<FastifyReply> {
  const { visit, account, pageContext } = request
  const held = await factorsOf(request).methods(account)
  const links = await request.browser.account.links.list(account)
  const form = accountForm(request, home)
  const options = held.mayChange
    ? await factorsOf(request).passkeyQuestion(account, pageContext.theme.name, visit.visitor)
    : null
  const data: SignInMethodsData = {
    ...shownMethods(held),
    form,
    confirmHref: held.mayChange ? null : `${visit.base}${confirmPath}`,
    addPasskey: options === null ? null : { form, options, suggestion: nameFor(request) },
    authenticatorHref: `${visit.base}${home}${authenticatorPath}`,
    providers: links,
    failed,
    now: Date.now(),
  }
  return showPage(request, signInMethodsPage(pageContext, data), { status: failed === null ? 200 : 400 })
}

const shownMethods = ({ passkeys, totp, factors, browsers }: SignInMethods) => ({
  passkeys: passkeys.map((passkey) => ({
    reference: passkey.id,
    name: passkey.name,
    synced: passkey.synced,
    createdAt: passkey.createdAt,
    usedAt: passkey.lastUsedAt,
  })),
  authenticator: totp && { createdAt: totp.createdAt, usedAt: totp.lastUsedAt },
  recoveryCodes: factors.recoveryCodes,
  browsers: browsers.map((browser) => ({
    reference: browser.id,
    device: deviceOf(browser.userAgent),
    usedAt: browser.lastUsedAt,
    endsAt: browser.expiresAt,
  })),
})

export const authenticator = accountRoute({
  section: 'methods',
  below: authenticatorPath,
  async show(request) {
    const { mayChange, totp } = await factorsOf(request).methods(request.account)
    if (totp !== null) return goTo(request, `${request.visit.base}${home}`)
    return mayChange
      ? showAuthenticator(request, factorsOf(request).offerTotp(request.account), false)
      : toConfirm(request)
  },
  async act(request) {
    const { visit, account } = request
    const sealed = visit.form.get('sealed') ?? ''
    const outcome = await factorsOf(request).addTotp(
      account,
      { sealed, otp: visit.form.get('otp') ?? '' },
      visit.visitor,
    )
    if (outcome.did === 'added') return afterAdding(request, outcome, 'authenticator_added')
    const offer = factorsOf(request).offeredTotp(account, sealed)
    if (outcome.did === 'outrun') return showMethods(request, 'outrun')
    if (outcome.did === 'refused' && offer !== null) return showAuthenticator(request, offer, true)
    return outcome.did === 'exists' ? goTo(request, `${visit.base}${home}`) : toConfirm(request)
  },
})

function showAuthenticator(
  request: AccountRequest,
  { secret, sealed }: { readonly secret: Uint8Array; readonly sealed: string },
  failed: boolean,
): FastifyReply {
  const { visit, pageContext } = request
  const data = {
    form: accountForm(request, `${home}${authenticatorPath}`),
    sealed,
    uri: otpauthUri(secret, { service: pageContext.theme.name, account: pageContext.account.username }),
    secret: base32(secret),
    back: `${visit.base}${home}`,
    failed,
  }
  return showPage(request, authenticatorPage(pageContext, data), { status: failed ? 400 : 200 })
}
