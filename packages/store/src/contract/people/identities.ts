/** Who people are at other identity providers, and browsers that are on their way there and back. */
import type { NewEvent } from '@grantor/protocol/events'
import type { Handle, Instant, TenantId } from '@grantor/protocol/types'
import type { Proven } from './sessions.ts'
import type { UpstreamName } from './upstream-name.ts'
import type { UserRow } from './users.ts'

export interface Identity extends UpstreamName {
  readonly tenant: TenantId
  readonly subject: string
  readonly createdAt: Instant
}

/** A browser that was sent to a provider. */
export interface ProviderVisit {
  readonly tenant: TenantId
  /** Of the `state` that it comes back with. */
  readonly handle: Handle
  readonly provider: string
  readonly browser: Handle
  readonly sealed: Uint8Array
  readonly expiresAt: Instant
}

export interface IdentityStore {
  find(tenant: TenantId, name: UpstreamName): Promise<Identity | null>
  of(tenant: TenantId, subject: string): Promise<readonly Identity[]>
  /** Whether this provider says of an administrator that it is them. */
  leadsToAdministrator(tenant: TenantId, provider: string): Promise<boolean>
  /** An account and who it is there, in one commit. 'taken': somebody is that already. 'exists': the username is another's. */
  createUser(
    user: Omit<UserRow, 'version'>,
    name: UpstreamName,
    events: readonly NewEvent[],
  ): Promise<'created' | 'exists' | 'taken'>
  /**
   * 'taken': somebody is that already. 'another': the person is somebody else at this provider. 'outdated': what the
   * person proved counts no more.
   */
  link(identity: Identity & Proven, events: readonly NewEvent[]): Promise<'linked' | 'taken' | 'another' | 'outdated'>
  /** 'last': the person could no longer sign in; `served` are the providers that somebody can sign in by. */
  unlink(
    which: {
      readonly tenant: TenantId
      readonly subject: string
      readonly provider: string
      readonly served: readonly string[]
    },
    events: readonly NewEvent[],
  ): Promise<'unlinked' | 'absent' | 'last'>
  leave(visit: ProviderVisit): Promise<void>
  /** What was sealed when it left; null where no such browser left for there, or it was back already, or it took too long. */
  comeBack(visit: Omit<ProviderVisit, 'sealed' | 'expiresAt'> & { readonly now: Instant }): Promise<Uint8Array | null>
}
