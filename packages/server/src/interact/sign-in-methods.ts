/** The account page of sign-in methods: passkeys, authenticator app, recovery codes, trusted browsers. */
import type { FactorAddition, SignInMethods } from '@grantor/authority'
import { base32, otpauthUri } from '@grantor/protocol/people'
import type { FastifyReply } from 'fastify'
import { authenticatorPage } from '../pages/account/authenticator.ts'
import { sectionPaths } from '../pages/account/layout.ts'
import { recoveryCodesPage } from '../pages/account/recovery-codes.ts'
import { type SignInMethodsData, signInMethodsPage } from '../pages/account/sign-in-methods.ts'
import { passkeyField } from '../pages/components/passkey.ts'
import { type AccountScene, accountRoute } from './account.ts'
import { goTo, showPage } from './page-answer.ts'
import { deviceOf } from './device-name.ts'
import { confirmPath, purpose } from './account-sign-in.ts'

const home = `/account${sectionPaths.methods}`
const authenticatorPath = '/authenticator'

const factorsOf = ({ responder }: AccountScene) => responder.authority.browser.account.factors

/** Whoever signed in too long ago, or too weakly, does so once more and comes back. */
const toConfirm = (scene: AccountScene): FastifyReply => goTo(scene, `${scene.visit.base}${confirmPath}`)

export const signInMethods = accountRoute({
  section: 'methods',
  show: (scene) => showMethods(scene, null),
  async act(scene) {
    const { visit, account } = scene
    const { form, visitor } = visit
    const passkey = form.get(passkeyField)
    if (passkey !== undefined) return addPasskey(scene, passkey)
    if (form.get('new-codes') !== undefined) {
      const codes = await factorsOf(scene).newRecoveryCodes(account, visitor)
      return codes === 'stale' ? toConfirm(scene) : showCodes(scene, codes, false)
    }
    const browser = form.get('forget')
    if (browser !== undefined) {
      await factorsOf(scene).forgetBrowser(account, browser, visitor)
      return 'browser_forgotten'
    }
    return remove(scene)
  },
})

async function remove(scene: AccountScene) {
  const { visit, account } = scene
  const id = visit.form.get('remove-passkey')
  const isApp = visit.form.get('remove-authenticator') !== undefined
  if (id === undefined && !isApp) return showMethods(scene, null)
  const what = id === undefined ? 'totp' : { passkey: id }
  const outcome = await factorsOf(scene).remove(account, what, visit.visitor)
  if (outcome === 'stale') return toConfirm(scene)
  return id === undefined ? 'authenticator_removed' : 'passkey_removed'
}

async function addPasskey(scene: AccountScene, answer: string) {
  const { visit, account } = scene
  const suggestion = nameFor(scene)
  const name = visit.form.get('name')?.trim() || suggestion
  const outcome = await factorsOf(scene).addPasskey(account, { answer, name }, visit.visitor)
  if (outcome.did === 'added') return added(scene, outcome, 'passkey_added')
  if (outcome.did === 'stale') return toConfirm(scene)
  return showMethods(scene, outcome.did === 'full' || outcome.did === 'outrun' ? outcome.did : 'passkey')
}

const added = <N extends string>(
  scene: AccountScene,
  { codes }: Extract<FactorAddition, { did: 'added' }>,
  notice: N,
) => (codes === null ? notice : showCodes(scene, codes, true))

/** The only answer that ever holds them: a way back to a page of them would be a way to see them again. */
const showCodes = (scene: AccountScene, codes: readonly string[], isFirst: boolean): FastifyReply =>
  showPage(scene, recoveryCodesPage(scene.pageContext, { codes, isFirst, onward: `${scene.visit.base}${home}` }))

/** "Chrome · Linux": what a person would call a passkey that they made here. */
const nameFor = ({ visit }: AccountScene): string => deviceOf(visit.visitor.userAgent) ?? 'Passkey'

async function showMethods(scene: AccountScene, failed: SignInMethodsData['failed']): Promise<FastifyReply> {
  const { visit, account, pageContext } = scene
  const held = await factorsOf(scene).methods(account)
  const form = visit.target(home, purpose)
  const options = held.mayChange
    ? await factorsOf(scene).passkeyQuestion(account, pageContext.theme.name, visit.visitor)
    : null
  const data: SignInMethodsData = {
    ...shown(held),
    form,
    confirmHref: held.mayChange ? null : `${visit.base}${confirmPath}`,
    addPasskey: options === null ? null : { form, options, suggestion: nameFor(scene) },
    authenticatorHref: `${visit.base}${home}${authenticatorPath}`,
    failed,
    now: Date.now(),
  }
  return showPage(scene, signInMethodsPage(pageContext, data), { status: failed === null ? 200 : 400 })
}

const shown = ({ passkeys, totp, factors, browsers }: SignInMethods) => ({
  passkeys: passkeys.map((it) => ({
    reference: it.id,
    name: it.name,
    synced: it.synced,
    createdAt: it.createdAt,
    usedAt: it.lastUsedAt,
  })),
  authenticator: totp && { createdAt: totp.createdAt, usedAt: totp.lastUsedAt },
  recoveryCodes: factors.recoveryCodes,
  browsers: browsers.map((it) => ({
    reference: it.id,
    device: deviceOf(it.userAgent),
    usedAt: it.lastUsedAt,
    endsAt: it.expiresAt,
  })),
})

export const authenticator = accountRoute({
  section: 'methods',
  below: authenticatorPath,
  async show(scene) {
    const { mayChange, totp } = await factorsOf(scene).methods(scene.account)
    if (totp !== null) return goTo(scene, `${scene.visit.base}${home}`)
    return mayChange ? showAuthenticator(scene, factorsOf(scene).offerTotp(scene.account), false) : toConfirm(scene)
  },
  async act(scene) {
    const { visit, account } = scene
    const sealed = visit.form.get('sealed') ?? ''
    const outcome = await factorsOf(scene).addTotp(account, { sealed, otp: visit.form.get('otp') ?? '' }, visit.visitor)
    if (outcome.did === 'added') return added(scene, outcome, 'authenticator_added')
    const offer = factorsOf(scene).offeredTotp(account, sealed)
    if (outcome.did === 'outrun') return showMethods(scene, 'outrun')
    if (outcome.did === 'refused' && offer !== null) return showAuthenticator(scene, offer, true)
    return outcome.did === 'exists' ? goTo(scene, `${visit.base}${home}`) : toConfirm(scene)
  },
})

function showAuthenticator(
  scene: AccountScene,
  { secret, sealed }: { readonly secret: Uint8Array; readonly sealed: string },
  failed: boolean,
): FastifyReply {
  const { visit, pageContext } = scene
  const data = {
    form: visit.target(`${home}${authenticatorPath}`, purpose),
    sealed,
    uri: otpauthUri(secret, { service: pageContext.theme.name, account: pageContext.account.username }),
    secret: base32(secret),
    back: `${visit.base}${home}`,
    failed,
  }
  return showPage(scene, authenticatorPage(pageContext, data), { status: failed ? 400 : 200 })
}
