/** Clients that register themselves: the tokens that let them, the documents some of them are, and the end of unused ones. */
import type { NewEvent } from '@grantor/protocol/events'
import type { ClientMetadata } from '@grantor/protocol/registration'
import type { Handle, Instant, TenantId } from '@grantor/protocol/types'
import type { NewClient } from './clients.ts'

/** An initial access token (RFC 7591 §3), without what opens with it. */
export interface RegistrationToken {
  readonly tenant: TenantId
  readonly id: string
  readonly createdAt: Instant
  readonly expiresAt: Instant | null
  /** Null is any number. */
  readonly usesLeft: number | null
}

export interface TokenPage {
  /** The id of the last one before. */
  readonly after: string | null
  readonly limit: number
  readonly descending?: boolean
}

export interface RegistrationStore {
  /** The client and the use of the token that let it in are one commit; of many at once no more succeed than may. */
  register(registration: {
    readonly client: NewClient
    /** The most clients that registered themselves, in this tenant. */
    readonly most: number
    /** The initial access token that is used up by this, if one was shown. */
    readonly token: Handle | null
    readonly at: Instant
    readonly events: readonly NewEvent[]
  }): Promise<'registered' | 'exists' | 'no-tenant' | 'subject-of-person' | 'full' | 'token-spent'>
  /** The handle of the token that manages this client; null where it has none, or there is no such client. */
  access(tenant: TenantId, id: string): Promise<Handle | null>
  /** The copy of a document was compared with the document again; `metadata` is null where nothing changed. */
  refresh(refresh: {
    readonly tenant: TenantId
    readonly id: string
    readonly version: number
    readonly metadata: ClientMetadata | null
    /** Scopes that its living grants lose with this, for good. */
    readonly losesScope: readonly string[]
    readonly freshUntil: Instant
    readonly at: Instant
    readonly events: readonly NewEvent[]
  }): Promise<'refreshed' | 'changed-meanwhile'>
  /** Whether anybody's grant to this client is still alive. */
  hasGrants(tenant: TenantId, id: string, now: Instant): Promise<boolean>
  /** Tenants with clients that nobody has used, and since when the oldest of these waits. */
  unused(): Promise<readonly { readonly tenant: TenantId; readonly since: Instant }[]>
  /** Removes at most `limit` clients that nobody has used since `before`; a client that is used at that moment stays. */
  reap(reaping: {
    readonly tenant: TenantId
    readonly before: Instant
    readonly limit: number
    readonly at: Instant
    /** The pattern of the event of each: its clientId and a fresh id are filled in. */
    readonly event: NewEvent
  }): Promise<number>
  addToken(
    token: RegistrationToken & { readonly handle: Handle },
    events: readonly NewEvent[],
  ): Promise<'added' | 'no-tenant'>
  /** In the order of ids. */
  tokens(tenant: TenantId, page: TokenPage): Promise<readonly RegistrationToken[]>
  tokenById(tenant: TenantId, id: string): Promise<RegistrationToken | null>
  /** Whether such a token would let somebody in now; only `register` uses it up. */
  token(tenant: TenantId, handle: Handle, now: Instant): Promise<RegistrationToken | null>
  revokeToken(tenant: TenantId, id: string, events: readonly NewEvent[]): Promise<'revoked' | 'absent'>
}
