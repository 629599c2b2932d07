/** The directory: tenants, their resources and scopes, and the atomic application of a declared change. */
import type { AuthorizationDetailType } from '@grantor/protocol/authorization-details'
import type { BrandingInput, Logo } from '@grantor/protocol/branding'
import type { NewEvent } from '@grantor/protocol/events'
import type { Catalogue, Resource, ScopeEntry, Tenant } from '@grantor/protocol/oauth'
import type { Role } from '@grantor/protocol/people'
import type { Client } from '@grantor/protocol/registration'
import type { Instant, TenantId } from '@grantor/protocol/types'
import type { ClientSecretRow, NewClient } from '../clients/clients.ts'
import type { NewReceiver } from '../outgoing/event-receivers.ts'
import type { GroupChange, NewGroup } from '../people/groups.ts'
import type { UserChange, UserRow } from '../people/users.ts'

/** One atomic change to the declared objects of one tenant. Puts are whole replacements. */
export interface DirectoryChange {
  readonly tenant: TenantId
  /** The tenant's revision on which this change was planned; null creates the tenant. */
  readonly expected: number | null
  readonly name?: string
  readonly disabledAt?: Instant | null
  /** Replaces the tenant's registration policy; null for the deployment's policy alone. */
  readonly registration?: NonNullable<Tenant['registration']> | null
  /** Replaces all trusted issuers. */
  readonly trustedIssuers?: NonNullable<Tenant['trustedIssuers']>
  /** Replaces all providers. */
  readonly providers?: NonNullable<Tenant['providers']>
  readonly requirePushed?: boolean
  /** Null removes the profile. */
  readonly profile?: NonNullable<Tenant['profile']> | null
  /** Replaces the whole branding, with the bytes of a new logo; null removes it. */
  readonly branding?: BrandingInput | null
  /** Null removes the account policy. */
  readonly accounts?: NonNullable<Tenant['accounts']> | null
  readonly putResources: readonly Resource[]
  readonly dropResources: readonly string[]
  readonly putScopes: readonly ScopeEntry[]
  readonly dropScopes: readonly string[]
  readonly putDetailTypes?: readonly AuthorizationDetailType[]
  readonly dropDetailTypes?: readonly string[]
  readonly putRoles?: readonly Role[]
  readonly dropRoles?: readonly string[]
  readonly createClients: readonly NewClient[]
  /** `version` is the one on which the change was planned. */
  readonly replaceClients: readonly (Pick<Client, 'id' | 'metadata' | 'version' | 'disabledAt'> & {
    readonly secrets: readonly ClientSecretRow[] | null
  })[]
  readonly dropClients: readonly { readonly id: string; readonly version: number }[]
  readonly createGroups?: readonly NewGroup[]
  readonly changeGroups?: readonly GroupChange[]
  readonly dropGroups?: readonly Pick<GroupChange, 'id'>[]
  readonly createUsers?: readonly Omit<UserRow, 'version'>[]
  readonly changeUsers?: readonly UserChange[]
  /** Event receivers. */
  readonly createReceivers?: readonly NewReceiver[]
  readonly replaceReceivers?: readonly { readonly receiver: NewReceiver; readonly version: number }[]
  readonly dropReceivers?: readonly string[]
  readonly at: Instant
  readonly events: readonly NewEvent[]
}

export interface DirectoryStore {
  catalogue(tenant: TenantId): Promise<Catalogue | null>
  /**
   * A number that changes with every change of the tenant, its keys and its clients; null if the tenant never existed.
   */
  stamp(tenant: TenantId): Promise<number | null>
  tenants(page: {
    readonly after: TenantId | null
    readonly limit: number
    readonly descending?: boolean
  }): Promise<readonly Tenant[]>
  /** The logo of a tenant's branding, if it still has this hash. */
  logo(tenant: TenantId, hash: string): Promise<Logo | null>
  /**
   * Calls back when a tenant's revision or one of its clients was changed by any process; within a second, at least
   * once.
   */
  watch(changed: (tenant: TenantId) => void): () => void
  /** All the changes or none. 'changed-meanwhile' does not tell which: plan again. */
  apply(changes: readonly DirectoryChange[]): Promise<'applied' | 'changed-meanwhile'>
  /** Removes a disabled tenant with all its data except its events. */
  removeTenant(
    tenant: TenantId,
    at: Instant,
    events: readonly NewEvent[],
  ): Promise<'removed' | 'absent' | 'not-disabled'>
}
