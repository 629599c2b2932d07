/**
 * Clients that register themselves: their registration tokens, their metadata documents, and the removal of unused
 * ones.
 */
import type { NewEvent } from '@grantor/protocol/events'
import type { ClientMetadata } from '@grantor/protocol/registration'
import type { Handle, Instant, TenantId } from '@grantor/protocol/types'
import type { NewClient } from './clients.ts'

/** An initial access token (RFC 7591 §3), without its secret. */
export interface RegistrationToken {
  readonly tenant: TenantId
  readonly id: string
  readonly createdAt: Instant
  readonly expiresAt: Instant | null
  /** Null is unlimited. */
  readonly usesLeft: number | null
}

export interface TokenPage {
  /** The id of the last token of the previous page. */
  readonly after: string | null
  readonly limit: number
  readonly descending?: boolean
}

export interface RegistrationStore {
  /** The client is created and the token used in one commit; concurrent registrations cannot exceed the limits. */
  register(registration: {
    readonly client: NewClient
    /** The maximum number of clients in this tenant that registered themselves. */
    readonly most: number
    /** The initial access token to be used up, if one was sent. */
    readonly token: Handle | null
    readonly at: Instant
    readonly events: readonly NewEvent[]
  }): Promise<'registered' | 'exists' | 'no-tenant' | 'subject-of-person' | 'full' | 'token-spent'>
  /** The handle of the token that manages this client; null where it has none, or there is no such client. */
  access(tenant: TenantId, id: string): Promise<Handle | null>
  /** Records that the copy of a document was compared with the document; `metadata` is null if nothing changed. */
  refresh(refresh: {
    readonly tenant: TenantId
    readonly id: string
    readonly version: number
    readonly metadata: ClientMetadata | null
    /** Scopes that its active grants lose permanently by this. */
    readonly losesScope: readonly string[]
    readonly freshUntil: Instant
    readonly at: Instant
    readonly events: readonly NewEvent[]
  }): Promise<'refreshed' | 'changed-meanwhile'>
  /** Whether any grant to this client is active. */
  hasGrants(tenant: TenantId, id: string, now: Instant): Promise<boolean>
  /** Tenants with unused clients, and since when the oldest of these is unused. */
  unused(): Promise<readonly { readonly tenant: TenantId; readonly since: Instant }[]>
  /** Removes at most `limit` clients that were unused since `before`; a client that is used at that moment stays. */
  reap(reaping: {
    readonly tenant: TenantId
    readonly before: Instant
    readonly limit: number
    readonly at: Instant
    /** The template of each client's event: its clientId and a fresh id are filled in. */
    readonly event: NewEvent
  }): Promise<number>
  addToken(
    token: RegistrationToken & { readonly handle: Handle },
    events: readonly NewEvent[],
  ): Promise<'added' | 'no-tenant'>
  /** In the order of ids. */
  tokens(tenant: TenantId, page: TokenPage): Promise<readonly RegistrationToken[]>
  tokenById(tenant: TenantId, id: string): Promise<RegistrationToken | null>
  /** Whether the token would be accepted now; only `register` uses it up. */
  token(tenant: TenantId, handle: Handle, now: Instant): Promise<RegistrationToken | null>
  revokeToken(tenant: TenantId, id: string, events: readonly NewEvent[]): Promise<'revoked' | 'absent'>
}
