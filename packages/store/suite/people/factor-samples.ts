/** Samples of what people sign in with beside the password, and one call of every verb about it. */
import type { PasskeyRow, RememberedBrowserRow, TotpRow } from '../../src/contract/people/factors.ts'
import type { Store } from '../../src/contract/store.ts'
import type { VerbArgs, VerbName } from '../../src/verbs/index.ts'
import { acme, at, entries, event, handle } from '../samples.ts'

export const passkey = (id: string, more: Partial<PasskeyRow> = {}): PasskeyRow => ({
  tenant: acme,
  id,
  subject: 'ada',
  name: 'Ada’s phone ✓',
  publicKey: Uint8Array.of(0, 1, 255),
  counter: 7,
  transports: ['internal', 'hybrid'],
  synced: false,
  createdAt: at(1_000),
  lastUsedAt: null,
  ...more,
})

export const totp = (more: Partial<TotpRow> = {}): TotpRow => ({
  tenant: acme,
  subject: 'ada',
  sealedSecret: Uint8Array.of(9, 0, 9),
  lastStep: 100,
  createdAt: at(1_000),
  lastUsedAt: null,
  ...more,
})

export const remembered = (id: string, more: Partial<RememberedBrowserRow> = {}): RememberedBrowserRow => ({
  tenant: acme,
  id,
  handle: handle(`remembered ${id}`),
  subject: 'ada',
  userAgent: 'Browser/1.0',
  createdAt: at(1_000),
  lastUsedAt: at(1_000),
  expiresAt: at(900_000),
  ...more,
})

export const codes = (...names: string[]) => names.map((name) => handle(`code ${name}`))

export const challenge = (name: string) => ({
  tenant: acme,
  handle: handle(`challenge ${name}`),
  browser: handle('browser 1'),
  purpose: 'sign-in',
})

/** A person with everything. */
export async function enrolled(store: Store): Promise<void> {
  await store.factors.addTotp(totp(), codes('a', 'b'), [event('factor.added')])
  await store.factors.addPasskey(passkey('k1'), null, [event('factor.added')])
  await store.factors.rememberBrowser(remembered('r1'), [event('browser.remembered')])
  await store.factors.poseChallenge({ ...challenge('c1'), expiresAt: at(300_000) })
}

export const factorTables = [
  'passkeys',
  'totp_secrets',
  'recovery_codes',
  'remembered_browsers',
  'passkey_challenges',
] as const

const ada = { tenant: acme, subject: 'ada' }

type FactorVerb = Extract<VerbName, `factors.${string}`>

export const factorCalls: { readonly [N in FactorVerb]: () => VerbArgs<N> } = {
  'factors.addPasskey': () => [passkey('new'), null, entries('factor.added')],
  'factors.addTotp': () => [totp({ subject: 'bob' }), codes('x', 'y'), entries('factor.added')],
  'factors.remove': () => [{ ...ada, what: 'everything' }, entries('factor.removed')],
  'factors.replaceRecoveryCodes': () => [{ ...ada, handles: codes('x', 'y'), at: at(2_000) }, entries('factor.added')],
  'factors.useTotp': () => [{ ...ada, step: 101, createdAt: at(1_000), at: at(2_000) }],
  'factors.usePasskey': () => [{ tenant: acme, id: 'k1', counter: 8, at: at(2_000) }],
  'factors.useRecoveryCode': () => [{ ...ada, handle: handle('code a') }, entries('factor.recovered')],
  'factors.rememberBrowser': () => [remembered('new'), entries('browser.remembered')],
  'factors.seenBrowser': () => [acme, 'r1', at(2_000)],
  'factors.forgetBrowser': () => [{ ...ada, id: 'r1' }, entries('browser.forgotten')],
  'factors.poseChallenge': () => [{ ...challenge('new'), expiresAt: at(9_000) }],
  'factors.takeChallenge': () => [{ ...challenge('c1'), now: at(2_000) }],
}
