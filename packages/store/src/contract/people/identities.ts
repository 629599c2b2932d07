/** Identities of people at other providers, and browsers that have left for a provider. */
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
  /** The handle of the `state` that it returns with. */
  readonly handle: Handle
  readonly provider: string
  readonly browser: Handle
  readonly sealed: Uint8Array
  readonly expiresAt: Instant
}

export interface IdentityStore {
  find(tenant: TenantId, name: UpstreamName): Promise<Identity | null>
  of(tenant: TenantId, subject: string): Promise<readonly Identity[]>
  /** Whether an administrator has an identity at this provider. */
  leadsToAdministrator(tenant: TenantId, provider: string): Promise<boolean>
  /**
   * Creates an account with its identity there, in one commit. 'taken': another person has that identity. 'exists': the
   * username is taken.
   */
  createUser(
    user: Omit<UserRow, 'version'>,
    name: UpstreamName,
    events: readonly NewEvent[],
  ): Promise<'created' | 'exists' | 'taken'>
  /**
   * 'taken': another person has that identity. 'another': the person has another identity at this provider. 'outdated':
   * the person's proof is no longer valid.
   */
  link(identity: Identity & Proven, events: readonly NewEvent[]): Promise<'linked' | 'taken' | 'another' | 'outdated'>
  /** 'last': the person could no longer sign in; `served` are the providers by which people can sign in now. */
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
  /**
   * The state sealed when the browser left; null if that browser did not leave for that provider, has returned already,
   * or took too long.
   */
  comeBack(visit: Omit<ProviderVisit, 'sealed' | 'expiresAt'> & { readonly now: Instant }): Promise<Uint8Array | null>
}
