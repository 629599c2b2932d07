/** What people sign in with beside the password: passkeys, an authenticator app, recovery codes; and remembered browsers. */
import type { Factors } from '@grantor/protocol/authorize'
import type { NewEvent } from '@grantor/protocol/events'
import type { Proven } from './sessions.ts'
import type { Handle, Instant, TenantId } from '@grantor/protocol/types'

export interface PasskeyRow {
  readonly tenant: TenantId
  /** The credential id, base64url: unique in its tenant. */
  readonly id: string
  readonly subject: string
  /** What its owner calls it. */
  readonly name: string
  /** COSE. */
  readonly publicKey: Uint8Array
  /** How often it was used, as it says itself; synced ones always say 0. */
  readonly counter: number
  readonly transports: readonly string[]
  readonly synced: boolean
  readonly createdAt: Instant
  readonly lastUsedAt: Instant | null
}

export interface TotpRow {
  readonly tenant: TenantId
  readonly subject: string
  readonly sealedSecret: Uint8Array
  /** The last step (RFC 6238 §4.2) whose code was used. */
  readonly lastStep: number
  readonly createdAt: Instant
  readonly lastUsedAt: Instant | null
}

/** A browser that need not show a second factor for this person. */
export interface RememberedBrowserRow {
  readonly tenant: TenantId
  readonly id: string
  /** Handle of the secret in its cookie. */
  readonly handle: Handle
  readonly subject: string
  readonly userAgent: string | null
  readonly createdAt: Instant
  readonly lastUsedAt: Instant
  readonly expiresAt: Instant
}

export interface Challenge {
  readonly tenant: TenantId
  readonly handle: Handle
  /** Handle of the browser it was posed to, and what for: an answer from elsewhere is none. */
  readonly browser: Handle
  readonly purpose: string
}

/** Whose, and of what; the id where there may be several. */
export interface Removal {
  readonly tenant: TenantId
  readonly subject: string
  readonly what: 'totp' | 'recovery_codes' | 'everything' | { readonly passkey: string }
  /** Of those who remove something of their own: the providers that they could still sign in by. 'last': there would be no way in. */
  readonly served?: readonly string[]
}

/** 'changed-meanwhile': it is the first factor and came without recovery codes, or is not and came with them. */
export type Enrolment = 'added' | 'exists' | 'changed-meanwhile'

type Person = Pick<TotpRow, 'tenant' | 'subject'>

export interface FactorStore {
  /** What a person has, in short: all that the next step is decided on. */
  of(tenant: TenantId, subject: string): Promise<Factors>
  passkey(tenant: TenantId, id: string): Promise<PasskeyRow | null>
  passkeys(tenant: TenantId, subject: string): Promise<readonly PasskeyRow[]>
  totp(tenant: TenantId, subject: string): Promise<TotpRow | null>
  /** Of a whole tenant, by subject: for whoever seals them anew. */
  totps(tenant: TenantId, page: { readonly after: string; readonly limit: number }): Promise<readonly TotpRow[]>
  browser(tenant: TenantId, handle: Handle): Promise<RememberedBrowserRow | null>
  browsers(tenant: TenantId, subject: string): Promise<readonly RememberedBrowserRow[]>

  /** `recovery`: codes together with the first factor; null says that there is one already. */
  addPasskey(
    passkey: PasskeyRow & Proven,
    recovery: readonly Handle[] | null,
    events: readonly NewEvent[],
  ): Promise<Enrolment>
  addTotp(totp: TotpRow & Proven, recovery: readonly Handle[] | null, events: readonly NewEvent[]): Promise<Enrolment>
  /** Remembered browsers are forgotten with any factor, recovery codes with the last one, or by themselves. */
  remove(removal: Removal, events: readonly NewEvent[]): Promise<'removed' | 'absent' | 'last'>
  /** 'outdated' as a session would be (see sessions.start). */
  replaceRecoveryCodes(
    person: Person & Proven & { readonly handles: readonly Handle[]; readonly at: Instant },
    events: readonly NewEvent[],
  ): Promise<'replaced' | 'no-factor' | 'outdated'>

  /** A step is used once, and none before it afterwards. `createdAt` names the secret that was looked at. */
  useTotp(
    use: Person & { readonly step: number; readonly createdAt: Instant; readonly at: Instant },
  ): Promise<'used' | 'already-used'>
  /** 'regressed': it says that it was used less often than before, so there are two of it (WebAuthn §6.1.1). */
  usePasskey(use: {
    readonly tenant: TenantId
    readonly id: string
    readonly counter: number
    readonly at: Instant
  }): Promise<'used' | 'regressed'>
  useRecoveryCode(
    use: Person & { readonly handle: Handle },
    events: readonly NewEvent[],
  ): Promise<'used' | 'already-used'>

  /** 'outdated' as a session would be (see sessions.start). */
  rememberBrowser(
    browser: RememberedBrowserRow & Proven,
    events: readonly NewEvent[],
  ): Promise<'remembered' | 'outdated'>
  seenBrowser(tenant: TenantId, id: string, at: Instant): Promise<void>
  forgetBrowser(which: Person & { readonly id: string }, events: readonly NewEvent[]): Promise<'forgotten' | 'absent'>

  poseChallenge(challenge: Challenge & { readonly expiresAt: Instant }): Promise<void>
  /** Whatever comes of the answer, the challenge is gone. */
  takeChallenge(challenge: Challenge & { readonly now: Instant }): Promise<'taken' | 'absent'>
}
