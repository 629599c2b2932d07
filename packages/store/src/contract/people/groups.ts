/** Groups of people, with their members and roles. */
import type { NewEvent } from '@grantor/protocol/events'
import type { Group } from '@grantor/protocol/people'
import type { Instant, TenantId } from '@grantor/protocol/types'

export interface GroupRow extends Group {
  readonly version: number
}

/** With the ids of its first members. */
export type NewGroup = Omit<GroupRow, 'version' | 'changedAt'> & { readonly members: readonly string[] }

/** The changes of a group. */
export interface GroupChange {
  readonly tenant: TenantId
  readonly id: string
  /** The version to be changed; null for whichever is current. */
  readonly version: number | null
  readonly name?: string
  readonly description?: string | null
  readonly externalId?: string | null
  /** Replaces its roles. */
  readonly roles?: readonly string[]
  /** Replaces its members; the two lists below are applied afterwards. */
  readonly members?: readonly string[]
  readonly addMembers?: readonly string[]
  readonly removeMembers?: readonly string[]
  readonly at: Instant
}

export interface GroupRemoval {
  readonly tenant: TenantId
  readonly id: string
  /** Null for whichever is current. */
  readonly version: number | null
  readonly at: Instant
}

export interface GroupSearch {
  /** The beginning of a name, in any case; '' for all. */
  readonly prefix: string
  /** The whole name, in any case; omitted or null for any. */
  readonly name?: string | null
  /** Only groups with this member; null for any. */
  readonly member: string | null
  /** Only groups with this role; null for any. */
  readonly role: string | null
  /** Only the group with this external id; null for any. */
  readonly externalId: string | null
  /**
   * The last group of the previous page. Results are ordered by name, or by id if one of the three conditions above is
   * set.
   */
  readonly after: Pick<GroupRow, 'id' | 'name'> | null
  readonly limit: number
}

/** A person or role that does not exist: nothing was changed. */
export interface Unknown {
  readonly unknown: 'member' | 'role'
  readonly id: string
}

/** A person's membership in a group. */
export interface Membership {
  readonly subject: string
  readonly group: string
  readonly name: string
}

export interface GroupStore {
  byId(tenant: TenantId, id: string): Promise<GroupRow | null>
  /** Names are compared by `groupKey`. */
  byName(tenant: TenantId, name: string): Promise<GroupRow | null>
  /** In the order of names. */
  search(tenant: TenantId, search: GroupSearch): Promise<readonly GroupRow[]>
  /** The ids of members, in ascending order, after the given one. */
  members(
    tenant: TenantId,
    id: string,
    page: { readonly after: string | null; readonly limit: number },
  ): Promise<readonly string[]>
  byExternalId(tenant: TenantId, externalId: string, limit: number): Promise<readonly GroupRow[]>
  /** In the order of ids. */
  page(tenant: TenantId, page: { readonly offset: number; readonly limit: number }): Promise<readonly GroupRow[]>
  count(tenant: TenantId): Promise<number>
  /** The memberships of all these people, ordered by group name; at most `limit`. */
  memberships(tenant: TenantId, subjects: readonly string[], limit: number): Promise<readonly Membership[]>
  /** 'exists': the name belongs to another group. */
  create(group: NewGroup, events: readonly NewEvent[]): Promise<'created' | 'exists' | Unknown>
  /**
   * People lose the rights at once that they lose by it: their tokens are revoked, and uncommitted decisions are made
   * again.
   */
  change(
    change: GroupChange & { readonly events: readonly NewEvent[] },
  ): Promise<'changed' | 'changed-meanwhile' | 'absent' | 'exists' | Unknown>
  remove(
    removal: GroupRemoval & { readonly events: readonly NewEvent[] },
  ): Promise<'removed' | 'changed-meanwhile' | 'absent'>
}
