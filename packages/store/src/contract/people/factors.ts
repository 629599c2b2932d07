/** A person's factors besides the password: passkeys, an authenticator app, recovery codes; and remembered browsers. */
import type { Factors } from '@grantor/protocol/authorize'
import type { NewEvent } from '@grantor/protocol/events'
import type { Proven } from './sessions.ts'
import type { Handle, Instant, TenantId } from '@grantor/protocol/types'

export interface PasskeyRow {
  readonly tenant: TenantId
  /** The credential id, base64url: unique in its tenant. */
  readonly id: string
  readonly subject: string
  /** The name that its owner gave it. */
  readonly name: string
  /** COSE. */
  readonly publicKey: Uint8Array
  /** The use counter that the authenticator reports; synced passkeys always report 0. */
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

/** A browser that may skip the second factor for this person. */
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
  /**
   * The handle of the browser that it was posed to, and its purpose: an answer from another browser, or for another
   * purpose, is refused.
   */
  readonly browser: Handle
  readonly purpose: string
}

/** The factor to remove; with an id where there may be several. */
export interface Removal {
  readonly tenant: TenantId
  readonly subject: string
  readonly what: 'totp' | 'recovery_codes' | 'everything' | { readonly passkey: string }
  /**
   * For people who remove their own factor: the providers by which they could still sign in. 'last': no way to sign in
   * would remain.
   */
  readonly served?: readonly string[]
}

/**
 * 'changed-meanwhile': it is the first factor and came without recovery codes, or it is not the first and came with
 * them.
 */
export type Enrolment = 'added' | 'exists' | 'changed-meanwhile'

type Person = Pick<TotpRow, 'tenant' | 'subject'>

export interface FactorStore {
  /** A summary of the person's factors, from which the next step is decided. */
  of(tenant: TenantId, subject: string): Promise<Factors>
  passkey(tenant: TenantId, id: string): Promise<PasskeyRow | null>
  passkeys(tenant: TenantId, subject: string): Promise<readonly PasskeyRow[]>
  totp(tenant: TenantId, subject: string): Promise<TotpRow | null>
  /** All of a tenant, in the order of subjects, for sealing them anew. */
  totps(tenant: TenantId, page: { readonly after: string; readonly limit: number }): Promise<readonly TotpRow[]>
  browser(tenant: TenantId, handle: Handle): Promise<RememberedBrowserRow | null>
  browsers(tenant: TenantId, subject: string): Promise<readonly RememberedBrowserRow[]>

  /** `recovery`: the codes that accompany the first factor; null if there is a factor already. */
  addPasskey(
    passkey: PasskeyRow & Proven,
    recovery: readonly Handle[] | null,
    events: readonly NewEvent[],
  ): Promise<Enrolment>
  addTotp(totp: TotpRow & Proven, recovery: readonly Handle[] | null, events: readonly NewEvent[]): Promise<Enrolment>
  /**
   * Removing any factor forgets the remembered browsers; removing the last one deletes the recovery codes, which can
   * also be removed alone.
   */
  remove(removal: Removal, events: readonly NewEvent[]): Promise<'removed' | 'absent' | 'last'>
  /** 'outdated' as for a session (see sessions.start). */
  replaceRecoveryCodes(
    person: Person & Proven & { readonly handles: readonly Handle[]; readonly at: Instant },
    events: readonly NewEvent[],
  ): Promise<'replaced' | 'no-factor' | 'outdated'>

  /** A step is used once. `createdAt` identifies the secret that was checked. */
  useTotp(
    use: Person & { readonly step: number; readonly createdAt: Instant; readonly at: Instant },
  ): Promise<'used' | 'already-used'>
  /** 'regressed': its counter is lower than before, so a copy of the passkey exists (WebAuthn §6.1.1). */
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

  /** 'outdated' as for a session (see sessions.start). */
  rememberBrowser(
    browser: RememberedBrowserRow & Proven,
    events: readonly NewEvent[],
  ): Promise<'remembered' | 'outdated'>
  seenBrowser(tenant: TenantId, id: string, at: Instant): Promise<void>
  forgetBrowser(which: Person & { readonly id: string }, events: readonly NewEvent[]): Promise<'forgotten' | 'absent'>

  poseChallenge(challenge: Challenge & { readonly expiresAt: Instant }): Promise<void>
  /** The challenge is deleted, whatever comes of the answer. */
  takeChallenge(challenge: Challenge & { readonly now: Instant }): Promise<'taken' | 'absent'>
}
