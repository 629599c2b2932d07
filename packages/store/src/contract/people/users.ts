/** The store of the built-in user directory, which is a port of the authority. */
import type { NewEvent } from '@grantor/protocol/events'
import type { AcceptedTerms, AdministratorKind, Person } from '@grantor/protocol/people'
import type { Provisioned } from '@grantor/protocol/scim'
import type { Instant, JsonObject, TenantId } from '@grantor/protocol/types'
import type { UpstreamName } from './upstream-name.ts'

/** Created with `ownRoles` and `groups`; `roles` follows from both. */
export interface UserRow extends Person {
  /** argon2id in PHC form; null means the person cannot sign in by password. */
  readonly passwordHash: string | null
  readonly passwordChangedAt: Instant | null
  readonly version: number
  /** Data stored for provisioning; left out for people who are not provisioned. */
  readonly provisioned?: Provisioned
  /** The time of the last change; left out if there was none. */
  readonly changedAt?: Instant
}

/** An imported person, with their sign-in methods of the other system. */
export interface BroughtUser extends Omit<UserRow, 'version'> {
  /** The secret of their authenticator app. Recovery codes are not imported; the person can make new ones. */
  readonly sealedTotp?: Uint8Array
  /** Their identities at other providers; one that belongs to another person is skipped. */
  readonly identities?: readonly UpstreamName[]
}

/** The changes of a person, if `version` is still current. */
export interface UserChange {
  readonly tenant: TenantId
  readonly id: string
  readonly version: number
  readonly username?: string
  readonly claims?: JsonObject
  readonly passwordHash?: string | null
  /** The new password is temporary: the next sign-in asks for another. */
  readonly mustChangePassword?: true
  /** Only the hash is new: nothing based on the password ends. */
  readonly samePassword?: true
  readonly disabledAt?: Instant | null
  readonly administrator?: AdministratorKind | null
  readonly terms?: AcceptedTerms
  /** Schedules the deletion, which ends every grant of the person; null cancels it. */
  readonly deletionDueAt?: Instant | null
  readonly provisioned?: Provisioned
  /** Replaces the roles given to the person directly. */
  readonly roles?: readonly string[]
  /** Replaces the person's groups, by name. */
  readonly groups?: readonly string[]
  readonly attributes?: JsonObject | null
  /** Ends every session of the person except this one (null: all) in the same commit; undefined: leaves them. */
  readonly endSessionsBut?: string | null
  readonly at: Instant
}

/** The removal of an account, if `version` is still current. */
export interface UserRemoval {
  readonly tenant: TenantId
  readonly id: string
  readonly version: number
  /** The actor recorded for the withdrawn consents. */
  readonly by: string
  readonly at: Instant
}

/** People whose normalised name begins with `prefix` (protocol: normaliseUsername), after the given name. */
export interface UserSearch {
  readonly prefix: string
  readonly after: string | null
  readonly limit: number
}

/** A page of people, after the given id. */
export interface UserPage {
  readonly after: string | null
  readonly limit: number
  /** Only members of this group. */
  readonly group?: string | null
  /** Only people who were given this role directly. */
  readonly role?: string | null
  /** Only the person with this name, in any spelling. */
  readonly username?: string | null
  /** Only people with this address, in any spelling. */
  readonly email?: string | null
}

/** Ids, and names in any spelling. */
export interface UserNames {
  readonly ids: readonly string[]
  readonly usernames: readonly string[]
}

/** Names in their normal form (protocol: normaliseUsername). */
export interface TakenNames {
  readonly ids: ReadonlySet<string>
  readonly usernames: ReadonlySet<string>
}

export interface UserStore {
  /** `username` is compared in its normalised form (protocol: normaliseUsername). */
  byUsername(tenant: TenantId, username: string): Promise<UserRow | null>
  byId(tenant: TenantId, id: string): Promise<UserRow | null>
  /** Those of the ids and names that are taken. */
  taken(tenant: TenantId, names: UserNames): Promise<TakenNames>
  /** All people with that address, compared in its normalised form (protocol: emailKey). */
  byEmail(tenant: TenantId, email: string, limit: number): Promise<readonly UserRow[]>
  /** In the order of ids. */
  list(tenant: TenantId, page: UserPage): Promise<readonly UserRow[]>
  /** All people with this external id. */
  byExternalId(tenant: TenantId, externalId: string, limit: number): Promise<readonly UserRow[]>
  /** In the order of ids, from an offset, for numbered pages. */
  page(tenant: TenantId, page: { readonly offset: number; readonly limit: number }): Promise<readonly UserRow[]>
  count(tenant: TenantId): Promise<number>
  /** In the order of names. */
  search(tenant: TenantId, search: UserSearch): Promise<readonly UserRow[]>
  /** Over all tenants: the people whose account deletion is due. */
  deletionsDue(now: Instant, limit: number): Promise<readonly UserRow[]>
  /** Whether the tenant has an administrator of this kind, disabled or not. */
  hasAdministrator(tenant: TenantId, kind: AdministratorKind): Promise<boolean>
  /** The usernames and mail addresses with which administrators may sign in. */
  administratorNames(tenant: TenantId): Promise<readonly string[]>
  /** Ids of the tenant's owners who are neither disabled nor about to be deleted. */
  owners(tenant: TenantId, limit: number): Promise<readonly string[]>
  /** 'exists': the name belongs to another person, or the id to another person or a client. */
  create(user: Omit<UserRow, 'version'>, events: readonly NewEvent[]): Promise<'created' | 'exists'>
  /**
   * Imports many people in one commit, each with everything that belongs to them and the event at the same index;
   * existing people are skipped.
   */
  createMany(users: readonly BroughtUser[], events: readonly NewEvent[]): Promise<readonly ('created' | 'exists')[]>
  /**
   * Changes the given fields, if `version` is still current; also used for disabling and password changes. 'exists':
   * the new username is taken. 'last-owner': it would leave the tenant without a remaining owner.
   */
  change(
    change: UserChange & { readonly events: readonly NewEvent[] },
  ): Promise<'changed' | 'changed-meanwhile' | 'absent' | 'exists' | 'last-owner'>
  /**
   * Sessions, grants, consents and factors end in the same commit. The id is never reused. 'last-owner' as for
   * `change`.
   */
  remove(
    removal: UserRemoval & { readonly events: readonly NewEvent[] },
  ): Promise<'removed' | 'changed-meanwhile' | 'absent' | 'last-owner'>
}
