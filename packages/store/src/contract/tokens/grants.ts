/** Grants: the aggregate under which codes, refresh tokens and access tokens hang. */
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

/** The end of an authorization: grant, code and consent record come to be together, and the interaction is over. */
export interface OpenGrant {
  readonly basis: Basis
  readonly grant: Grant
  readonly code: NewCode
  /** Null when a remembered consent covered everything. */
  readonly consent: NewConsent | null
  /** The record that answered instead of the person: 'stale' where it is withdrawn by now. */
  readonly remembered?: string | null
  /** The interaction that is consumed by this; of two answers to one interaction only one opens a grant. */
  readonly interaction: InteractionRow | null
  /** The pushed request that is used up by this; of two answers to one only one opens a grant. */
  readonly pushed: Handle | null
  /** Whether the client wants to know when the session of this grant ends. */
  readonly party: boolean
  readonly at: Instant
  readonly events: readonly NewEvent[]
}

/** A grant that rests on another issuer's word, with the word that is used up by it; null where it may be used again. */
export interface AssertedGrant {
  readonly basis: Basis
  readonly grant: Grant
  readonly assertion: SpentAssertion | null
}

/** What an issuance uses up, and for what (RefreshFacts). A retry uses nothing up: it asserts that the successor, if there is one, is still unspent. */
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
  /** Of many that bring one assertion exactly one opens a grant. 'stale' also where its person is disabled or gone; nothing is used up then. */
  openByAssertion(opening: AssertedGrant): Promise<'opened' | 'stale' | 'already-spent' | 'proof-used'>
  code(tenant: TenantId, handle: Handle): Promise<CodeFacts | null>
  refresh(tenant: TenantId, handle: Handle): Promise<RefreshFacts | null>
  /** What a poll is decided on; when it was last polled is not kept here, because a poll writes nothing. */
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
  /** The clients that hold living grants or consents in force of a person, by their ids: so many after the one that is named. */
  clientsOf(
    tenant: TenantId,
    subject: string,
    page: { readonly now: Instant; readonly after: string | null; readonly limit: number },
  ): Promise<readonly string[]>
  findUsed(tenant: TenantId, id: GrantId): Promise<UsedGrant | null>
  /** Living grants, the newest first. */
  search(tenant: TenantId, now: Instant, search: AccessSearch): Promise<readonly UsedGrant[]>
  /** Living grants of a person to a client, newest first, with the last time each issued a token. */
  ofSubject(
    tenant: TenantId,
    subject: string,
    page: { readonly clientId: string; readonly limit: number },
  ): Promise<readonly UsedGrant[]>
}
