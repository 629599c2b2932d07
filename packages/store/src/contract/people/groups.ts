/** Groups of people, with their members and roles. */
import type { NewEvent } from '@grantor/protocol/events'
import type { Group } from '@grantor/protocol/people'
import type { Instant, TenantId } from '@grantor/protocol/types'

export interface GroupRow extends Group {
  readonly version: number
}

/** With the ids of its first members. */
export type NewGroup = Omit<GroupRow, 'version' | 'changedAt'> & { readonly members: readonly string[] }

/** What is to be changed of a group. */
export interface GroupChange {
  readonly tenant: TenantId
  readonly id: string
  /** The version it was looked at; null for whatever it is now. */
  readonly version: number | null
  readonly name?: string
  readonly description?: string | null
  readonly externalId?: string | null
  /** Instead of all it had. */
  readonly roles?: readonly string[]
  /** Instead of all it had; the two below come after. */
  readonly members?: readonly string[]
  readonly addMembers?: readonly string[]
  readonly removeMembers?: readonly string[]
  readonly at: Instant
}

export interface GroupRemoval {
  readonly tenant: TenantId
  readonly id: string
  /** Null for whatever it is now. */
  readonly version: number | null
  readonly at: Instant
}

export interface GroupSearch {
  /** The beginning of a name, in any case; '' for all. */
  readonly prefix: string
  /** The whole of a name, in any case; left out or null for any. */
  readonly name?: string | null
  /** Only those that this person is in; null for any. */
  readonly member: string | null
  /** Only those that have this role; null for any. */
  readonly role: string | null
  /** Exactly this one; null for any. */
  readonly externalId: string | null
  /** The last one before: in the order of names, and by any of the three above in that of ids. */
  readonly after: Pick<GroupRow, 'id' | 'name'> | null
  readonly limit: number
}

/** Somebody, or a role, that is not there: nothing was changed. */
export interface Unknown {
  readonly unknown: 'member' | 'role'
  readonly id: string
}

/** That somebody is in a group. */
export interface Membership {
  readonly subject: string
  readonly group: string
  readonly name: string
}

export interface GroupStore {
  byId(tenant: TenantId, id: string): Promise<GroupRow | null>
  /** Names are compared by `groupKey`. */
  byName(tenant: TenantId, name: string): Promise<GroupRow | null>
  /** By their names. */
  search(tenant: TenantId, search: GroupSearch): Promise<readonly GroupRow[]>
  /** The ids of members, in their order; so many after the one that is given. */
  members(
    tenant: TenantId,
    id: string,
    page: { readonly after: string | null; readonly limit: number },
  ): Promise<readonly string[]>
  byExternalId(tenant: TenantId, externalId: string, limit: number): Promise<readonly GroupRow[]>
  /** By their ids. */
  page(tenant: TenantId, page: { readonly offset: number; readonly limit: number }): Promise<readonly GroupRow[]>
  count(tenant: TenantId): Promise<number>
  /** Of all these people, in the order of their names; so many at most. */
  memberships(tenant: TenantId, subjects: readonly string[], limit: number): Promise<readonly Membership[]>
  /** 'exists': the name is another group's. */
  create(group: NewGroup, events: readonly NewEvent[]): Promise<'created' | 'exists' | Unknown>
  /** What people lose by it they lose at once: their tokens are dead, and decisions that rested on it are made again. */
  change(
    change: GroupChange & { readonly events: readonly NewEvent[] },
  ): Promise<'changed' | 'changed-meanwhile' | 'absent' | 'exists' | Unknown>
  remove(
    removal: GroupRemoval & { readonly events: readonly NewEvent[] },
  ): Promise<'removed' | 'changed-meanwhile' | 'absent'>
}
