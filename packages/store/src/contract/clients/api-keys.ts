/** API keys: what a client carries to one API instead of tokens. */
import type { NewEvent } from '@grantor/protocol/events'
import type { ApiKey } from '@grantor/protocol/oauth'
import type { Handle, Instant, TenantId } from '@grantor/protocol/types'

export interface ApiKeyPage {
  /** Null is any. */
  readonly clientId: string | null
  readonly resource: string | null
  readonly after: string | null
  readonly limit: number
  readonly descending: boolean
}

export interface ApiKeyStore {
  /** Only for a client and a resource that are there. */
  add(
    /** `ofIssuer`: it opens an API of the issuer itself, which is no row of resources. */
    key: ApiKey & { readonly handle: Handle; readonly ofIssuer?: boolean },
    events: readonly NewEvent[],
  ): Promise<'added' | 'no-client' | 'no-resource'>
  /** Revoked or not, for as long as it is kept. */
  byHandle(tenant: TenantId, handle: Handle): Promise<ApiKey | null>
  /** Null also for a revoked one. */
  find(tenant: TenantId, id: string): Promise<ApiKey | null>
  /** By their ids, without those that are revoked. */
  list(tenant: TenantId, page: ApiKeyPage): Promise<readonly ApiKey[]>
  revoke(revocation: {
    readonly tenant: TenantId
    readonly id: string
    readonly at: Instant
    readonly events: readonly NewEvent[]
  }): Promise<'revoked' | 'absent'>
  /** Not more than once in a while, and never back in time unless the clock was set back. */
  noteUse(tenant: TenantId, id: string, at: Instant): Promise<void>
}
