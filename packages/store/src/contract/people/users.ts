/** People kept by ourselves. The user directory is a port of the authority; this is the store behind our own. */
import type { NewEvent } from '@grantor/protocol/events'
import type { AcceptedTerms, AdministratorKind, Person } from '@grantor/protocol/people'
import type { Provisioned } from '@grantor/protocol/scim'
import type { Instant, JsonObject, TenantId } from '@grantor/protocol/types'
import type { UpstreamName } from './upstream-name.ts'

/** Made with `ownRoles` and `groups`; `roles` follows from both. */
export interface UserRow extends Person {
  /** argon2id in PHC form; null means the person cannot sign in by password. */
  readonly passwordHash: string | null
  readonly passwordChangedAt: Instant | null
  readonly version: number
  /** What is kept for whoever provisions them; left out where nobody does. */
  readonly provisioned?: Provisioned
  /** When they were last changed; left out where they never were. */
  readonly changedAt?: Instant
}

/** Somebody from elsewhere, with what they sign in with there. */
export interface BroughtUser extends Omit<UserRow, 'version'> {
  /** Of their authenticator app. They bring no recovery codes, and make some when they like. */
  readonly sealedTotp?: Uint8Array
  /** Who they are at other providers; one that is somebody else already is passed over. */
  readonly identities?: readonly UpstreamName[]
}

/** What is to be changed of a person, if `version` is still the one. */
export interface UserChange {
  readonly tenant: TenantId
  readonly id: string
  readonly version: number
  readonly username?: string
  readonly claims?: JsonObject
  readonly passwordHash?: string | null
  /** The new password is only for the next sign-in, which asks for another. */
  readonly mustChangePassword?: true
  /** Only the hash is another: nothing that rests on the password ends. */
  readonly samePassword?: true
  readonly disabledAt?: Instant | null
  readonly administrator?: AdministratorKind | null
  readonly terms?: AcceptedTerms
  /** Ends every grant of the person; null: not any more. */
  readonly deletionDueAt?: Instant | null
  readonly provisioned?: Provisioned
  /** Their own, instead of all they had by themselves. */
  readonly roles?: readonly string[]
  /** The names of groups, instead of all they were in. */
  readonly groups?: readonly string[]
  readonly attributes?: JsonObject | null
  /** End every session of the person but this one (null: all) in the same commit; undefined: leave them. */
  readonly endSessionsBut?: string | null
  readonly at: Instant
}

/** An account that ends, if `version` is still the one. */
export interface UserRemoval {
  readonly tenant: TenantId
  readonly id: string
  readonly version: number
  /** Who withdraws the consents. */
  readonly by: string
  readonly at: Instant
}

/** Whose normalised name begins so (protocol: normaliseUsername); so many after the name that is given. */
export interface UserSearch {
  readonly prefix: string
  readonly after: string | null
  readonly limit: number
}

/** So many after the id that is given. */
export interface UserPage {
  readonly after: string | null
  readonly limit: number
  /** Only its members. */
  readonly group?: string | null
  /** Only those who were given it themselves. */
  readonly role?: string | null
  /** Only whoever has this name, in any spelling. */
  readonly username?: string | null
  /** Only those who have this address, in any spelling. */
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
  /** Those of them that somebody has. */
  taken(tenant: TenantId, names: UserNames): Promise<TakenNames>
  /** Everybody who has that address, compared in its normalised form (protocol: emailKey). */
  byEmail(tenant: TenantId, email: string, limit: number): Promise<readonly UserRow[]>
  /** By their ids. */
  list(tenant: TenantId, page: UserPage): Promise<readonly UserRow[]>
  /** Everybody whom whoever provisions calls so. */
  byExternalId(tenant: TenantId, externalId: string, limit: number): Promise<readonly UserRow[]>
  /** By their ids, after so many of them: for lists that are asked for by numbers. */
  page(tenant: TenantId, page: { readonly offset: number; readonly limit: number }): Promise<readonly UserRow[]>
  count(tenant: TenantId): Promise<number>
  /** By their names. */
  search(tenant: TenantId, search: UserSearch): Promise<readonly UserRow[]>
  /** Of all tenants: whoever asked for their account to be deleted, and whose time has come. */
  deletionsDue(now: Instant, limit: number): Promise<readonly UserRow[]>
  /** Whether anybody of the tenant is one, disabled or not. */
  hasAdministrator(tenant: TenantId, kind: AdministratorKind): Promise<boolean>
  /** What administrators may call themselves where they sign in: usernames and mail addresses. */
  administratorNames(tenant: TenantId): Promise<readonly string[]>
  /** Ids of owners of the tenant who are there to stay: neither disabled nor about to be deleted. */
  owners(tenant: TenantId, limit: number): Promise<readonly string[]>
  /** 'exists': the name is another person's, or the id another person's or a client's. */
  create(user: Omit<UserRow, 'version'>, events: readonly NewEvent[]): Promise<'created' | 'exists'>
  /** Many in one commit, each with all that is theirs and the event in its place; whoever exists is passed over. */
  createMany(users: readonly BroughtUser[], events: readonly NewEvent[]): Promise<readonly ('created' | 'exists')[]>
  /**
   * Changes what is given, if `version` is still the one; disabling and password changes come through here too.
   * 'exists': the new username is another person's. 'last-owner': it would leave the tenant without an owner who is
   * there to stay.
   */
  change(
    change: UserChange & { readonly events: readonly NewEvent[] },
  ): Promise<'changed' | 'changed-meanwhile' | 'absent' | 'exists' | 'last-owner'>
  /**
   * Sessions, grants, consents and factors end in the same commit. The id is given to nobody else. 'last-owner' as for
   * `change`.
   */
  remove(
    removal: UserRemoval & { readonly events: readonly NewEvent[] },
  ): Promise<'removed' | 'changed-meanwhile' | 'absent' | 'last-owner'>
}
