/** API keys, which a client sends to one API instead of tokens. */
import type { NewEvent } from '@grantor/protocol/events'
import type { ApiKey } from '@grantor/protocol/oauth'
import type { Handle, Instant, TenantId } from '@grantor/protocol/types'

export interface ApiKeyPage {
  /** Null matches any client or resource. */
  readonly clientId: string | null
  readonly resource: string | null
  readonly after: string | null
  readonly limit: number
  readonly descending: boolean
}

export interface ApiKeyStore {
  /** Only for an existing client and resource. */
  add(
    /** `ofIssuer`: it opens an API of the issuer itself, which has no row in resources. */
    key: ApiKey & { readonly handle: Handle; readonly ofIssuer?: boolean },
    events: readonly NewEvent[],
  ): Promise<'added' | 'no-client' | 'no-resource'>
  /** Revoked keys included, for as long as they are kept. */
  byHandle(tenant: TenantId, handle: Handle): Promise<ApiKey | null>
  /** Null also for a revoked key. */
  find(tenant: TenantId, id: string): Promise<ApiKey | null>
  /** In the order of ids, without revoked keys. */
  list(tenant: TenantId, page: ApiKeyPage): Promise<readonly ApiKey[]>
  revoke(revocation: {
    readonly tenant: TenantId
    readonly id: string
    readonly at: Instant
    readonly events: readonly NewEvent[]
  }): Promise<'revoked' | 'absent'>
  /** Written at most once in a while, and never back in time unless the clock was set back. */
  noteUse(tenant: TenantId, id: string, at: Instant): Promise<void>
}
