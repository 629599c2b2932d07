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
  /** The tenant's revision this change was planned against; null creates the tenant. */
  readonly expected: number | null
  readonly name?: string
  readonly disabledAt?: Instant | null
  /** Instead of what the tenant said of it; null for the deployment's policy alone. */
  readonly registration?: NonNullable<Tenant['registration']> | null
  /** Instead of all it trusted before. */
  readonly trustedIssuers?: NonNullable<Tenant['trustedIssuers']>
  /** Instead of all that it had before. */
  readonly providers?: NonNullable<Tenant['providers']>
  readonly requirePushed?: boolean
  /** Null for none any more. */
  readonly profile?: NonNullable<Tenant['profile']> | null
  /** Instead of all that was said of it, with the bytes of a logo that is new; null for none any more. */
  readonly branding?: BrandingInput | null
  /** Null for nothing any more. */
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
  /** `version` is the one the change was planned against. */
  readonly replaceClients: readonly (Pick<Client, 'id' | 'metadata' | 'version' | 'disabledAt'> & {
    readonly secrets: readonly ClientSecretRow[] | null
  })[]
  readonly dropClients: readonly { readonly id: string; readonly version: number }[]
  readonly createGroups?: readonly NewGroup[]
  readonly changeGroups?: readonly GroupChange[]
  readonly dropGroups?: readonly Pick<GroupChange, 'id'>[]
  readonly createUsers?: readonly Omit<UserRow, 'version'>[]
  readonly changeUsers?: readonly UserChange[]
  /** Of events. */
  readonly createReceivers?: readonly NewReceiver[]
  readonly replaceReceivers?: readonly { readonly receiver: NewReceiver; readonly version: number }[]
  readonly dropReceivers?: readonly string[]
  readonly at: Instant
  readonly events: readonly NewEvent[]
}

export interface DirectoryStore {
  catalogue(tenant: TenantId): Promise<Catalogue | null>
  /** A number that moves with every change of the tenant, its keys and its clients; null where there never was one. */
  stamp(tenant: TenantId): Promise<number | null>
  tenants(page: {
    readonly after: TenantId | null
    readonly limit: number
    readonly descending?: boolean
  }): Promise<readonly Tenant[]>
  /** The logo of a tenant's branding, if it is still this one. */
  logo(tenant: TenantId, hash: string): Promise<Logo | null>
  /** Calls back when a tenant's revision or one of its clients changed, by whomever; within a second, at least once. */
  watch(changed: (tenant: TenantId) => void): () => void
  /** All the changes or none. 'changed-meanwhile' names no culprit: plan again. */
  apply(changes: readonly DirectoryChange[]): Promise<'applied' | 'changed-meanwhile'>
  /** Removes a disabled tenant with all it holds but its events. */
  removeTenant(
    tenant: TenantId,
    at: Instant,
    events: readonly NewEvent[],
  ): Promise<'removed' | 'absent' | 'not-disabled'>
}
