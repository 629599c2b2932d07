/** Grants, to which codes, refresh tokens and access tokens belong. */
import type { NewEvent } from '@grantor/protocol/events'
import type { CodeFacts, DeviceFacts, Grant, RefreshFacts } from '@grantor/protocol/grants'
import type { GrantId, Handle, Instant, TenantId } from '@grantor/protocol/types'
import type { SpentAssertion } from '../clients/assertions.ts'
import type { Basis } from '../directory/basis.ts'
import type { InteractionRow } from '../people/interactions.ts'
import type { NewConsent } from './consents.ts'
import type { AccessSearch, UsedGrant } from './searches.ts'

export interface NewCode {
  readonly handle: Handle
  readonly redirectUri: string
  readonly redirectUriSent: boolean
  readonly challenge: string | null
  readonly expiresAt: Instant
}

/** The end of an authorization: grant, code and consent record are stored together, and the interaction is closed. */
export interface OpenGrant {
  readonly basis: Basis
  readonly grant: Grant
  readonly code: NewCode
  /** Null when a remembered consent covered everything. */
  readonly consent: NewConsent | null
  /** The remembered consent that was used instead of asking: 'stale' if it was withdrawn meanwhile. */
  readonly remembered?: string | null
  /** The interaction to be closed; of two answers to one interaction only one opens a grant. */
  readonly interaction: InteractionRow | null
  /** The pushed request to be used up; of two answers to one only one opens a grant. */
  readonly pushed: Handle | null
  /** Whether the client wants to be notified when the session of this grant ends. */
  readonly party: boolean
  readonly at: Instant
  readonly events: readonly NewEvent[]
}

/** A grant based on an assertion of another issuer, which is used up; null if the assertion may be used again. */
export interface AssertedGrant {
  readonly basis: Basis
  readonly grant: Grant
  readonly assertion: SpentAssertion | null
}

/**
 * What an issuance uses up, and for what (RefreshFacts). A retry uses nothing up: it requires that the successor, if
 * there is one, is still unspent.
 */
export type Spend =
  | { readonly kind: 'code'; readonly handle: Handle }
  | { readonly kind: 'refresh'; readonly handle: Handle; readonly spentFor?: string }
  | { readonly kind: 'retry'; readonly handle: Handle; readonly successor: Handle }
  | { readonly kind: 'device'; readonly handle: Handle; readonly spentFor?: string }
  | { readonly kind: 'device-retry'; readonly handle: Handle; readonly successor: Handle | null }

export interface NewRefresh {
  readonly handle: Handle
  readonly grantId: GrantId
  readonly scope: string
  readonly salt: Uint8Array
  readonly expiresAt: Instant
}

export interface GrantStore {
  open(opening: OpenGrant): Promise<'opened' | 'stale' | 'already-closed'>
  /**
   * Of concurrent uses of one assertion exactly one opens a grant. 'stale' also if its person is disabled or gone;
   * nothing is used up then.
   */
  openByAssertion(opening: AssertedGrant): Promise<'opened' | 'stale' | 'already-spent' | 'proof-used'>
  code(tenant: TenantId, handle: Handle): Promise<CodeFacts | null>
  refresh(tenant: TenantId, handle: Handle): Promise<RefreshFacts | null>
  /** The facts of a poll, except the time of the previous poll, which is not stored, because a poll writes nothing. */
  device(tenant: TenantId, handle: Handle): Promise<Omit<DeviceFacts, 'polledAt'> | null>
  find(tenant: TenantId, id: GrantId): Promise<Grant | null>
  /** Counts a wrong verifier; at `limit` the code is spent for good. */
  failVerifier(tenant: TenantId, handle: Handle, limit: number, at: Instant): Promise<void>
  revoke(revocation: {
    readonly tenant: TenantId
    readonly id: GrantId
    readonly at: Instant
    readonly events: readonly NewEvent[]
  }): Promise<'revoked' | 'already-revoked'>
  /** The clients with active grants or consents in force of a person, in the order of ids, after the given one. */
  clientsOf(
    tenant: TenantId,
    subject: string,
    page: { readonly now: Instant; readonly after: string | null; readonly limit: number },
  ): Promise<readonly string[]>
  findUsed(tenant: TenantId, id: GrantId): Promise<UsedGrant | null>
  /** Active grants, the newest first. */
  search(tenant: TenantId, now: Instant, search: AccessSearch): Promise<readonly UsedGrant[]>
  /** Active grants of a person to a client, newest first, with the last time each issued a token. */
  ofSubject(
    tenant: TenantId,
    subject: string,
    page: { readonly clientId: string; readonly limit: number },
  ): Promise<readonly UsedGrant[]>
}
