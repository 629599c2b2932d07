/** Administration of groups: creating, renaming, roles and members. Also used for provisioning (SCIM). */
import type { Actor } from '@grantor/protocol/events'
import { type Group, groupLimits, groupNameProblem, normaliseUsername, roleListProblem } from '@grantor/protocol/people'
import { displayTextProblem, textLimits } from '@grantor/protocol/oauth'
import { err, ok } from '@grantor/protocol/result'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import type { GroupChange, GroupRow, GroupSearch, Store, Unknown } from '@grantor/store'
import { type EventDependencies, localOrigin, newEvent } from '../../events.ts'
import { replacedMembers } from '../../people/replaced-members.ts'
import type { AdminError, AdminResult, FieldProblem } from '../result.ts'

/** The fields of a group as a caller writes them. An omitted field stays, or is empty when the group is created. */
export interface GroupInput {
  readonly name?: string
  readonly description?: string | null
  readonly externalId?: string | null
  readonly roles?: readonly string[]
  /** The ids of all its members, which replace the present ones. */
  readonly members?: readonly string[]
}

export interface GroupUpdate extends GroupInput {
  readonly id: string
  /** The version to be changed; null for whichever is current. */
  readonly version: number | null
  readonly addMembers?: readonly string[]
  readonly removeMembers?: readonly string[]
}

export interface GroupAdmin {
  find(tenant: TenantId, id: string): Promise<AdminResult<GroupRow>>
  byName(tenant: TenantId, name: string): Promise<AdminResult<GroupRow>>
  /** In the order of their names. */
  search(tenant: TenantId, search: GroupSearch): Promise<AdminResult<readonly GroupRow[]>>
  /** Ids of members, in ascending order. */
  members(
    tenant: TenantId,
    id: string,
    page: { readonly after: string | null; readonly limit: number },
  ): Promise<AdminResult<readonly string[]>>
  create(by: Actor, tenant: TenantId, input: GroupInput & Pick<Group, 'name'>): Promise<AdminResult<GroupRow>>
  change(by: Actor, tenant: TenantId, update: GroupUpdate): Promise<AdminResult<GroupRow>>
  remove(by: Actor, tenant: TenantId, which: Pick<GroupUpdate, 'id' | 'version'>): Promise<AdminResult<null>>
}

export interface GroupAdminDependencies extends EventDependencies {
  readonly store: Pick<Store, 'directory' | 'groups' | 'users'>
}

/** The problems of the fields of a group. */
export function groupProblems(
  input: GroupInput & Partial<Pick<GroupUpdate, 'addMembers' | 'removeMembers'>>,
): readonly FieldProblem[] {
  const {
    name,
    description = null,
    externalId = null,
    roles,
    members = [],
    addMembers = [],
    removeMembers = [],
  } = input
  // No person has such an id, and a database may be unable to store it as text.
  const isNobody = [members, addMembers, removeMembers].some((ids) => ids.some((id) => /\p{Cc}/u.test(id)))
  const problems: readonly (readonly [string, string | null])[] = [
    ['name', name === undefined ? null : groupNameProblem(name)],
    ['description', description === null ? null : displayTextProblem(description, textLimits.description)],
    ['external_id', externalId === null ? null : displayTextProblem(externalId, groupLimits.externalIdLength)],
    ['roles', roles === undefined ? null : roleListProblem(roles)],
    ['members', isNobody ? 'names somebody, who is nobody here' : null],
  ]
  return problems.flatMap(([field, problem]) => (problem === null ? [] : [{ field, problem }]))
}

const absent = (id: string): AdminError => ({ reason: 'absent', what: `group ${id}` })
const conflict: AdminError = { reason: 'conflict', what: 'the group was changed meanwhile; look before trying again' }

const unknownProblem = ({ unknown, id }: Unknown): AdminError =>
  unknown === 'role'
    ? { reason: 'invalid', problems: [{ field: 'roles', problem: `names ${shown(id)}, which is no role here` }] }
    : { reason: 'invalid', problems: [{ field: 'members', problem: `names ${shown(id)}, who is nobody here` }] }

/** An id that was sent is repeated in the message only if it is a plain word. */
const shown = (id: string): string => (normaliseUsername(id) === null || id.length > 64 ? 'somebody' : id)

/** For the log: the members that came or left; for many of them, only their number. */
const named = (members: readonly string[]): string | number =>
  members.length > 50 ? members.length : members.join(' ')

function membersData(
  { members, addMembers = [], removeMembers = [] }: GroupUpdate,
  leavers: readonly string[] = [],
): JsonObject {
  const removed = [...leavers, ...removeMembers]
  return {
    ...(members === undefined ? {} : { members: named(members) }),
    ...(addMembers.length === 0 ? {} : { added: named(addMembers) }),
    ...(removed.length === 0 ? {} : { removed_members: named(removed) }),
  }
}

export function openGroupAdmin(deps: GroupAdminDependencies): GroupAdmin {
  const { store, clock, ids } = deps
  const changed = (by: Actor, tenant: TenantId, data: JsonObject) =>
    newEvent(deps, localOrigin(tenant), 'admin.group_changed', { actor: by, data })

  async function find(tenant: TenantId, id: string): Promise<AdminResult<GroupRow>> {
    const group = await store.groups.byId(tenant, id)
    return group === null ? err(absent(id)) : ok(group)
  }

  return {
    find,

    async byName(tenant, name) {
      const group = await store.groups.byName(tenant, name)
      return group === null ? err(absent(name)) : ok(group)
    },

    search: async (tenant, search) => ok(await store.groups.search(tenant, search)),

    async members(tenant, id, page) {
      const group = await find(tenant, id)
      return group.kind === 'ok' ? ok(await store.groups.members(tenant, id, page)) : group
    },

    async create(by, tenant, { name, description = null, externalId = null, roles = [], members = [] }) {
      const problems = groupProblems({ name, description, externalId, roles, members })
      if (problems.length > 0) return err({ reason: 'invalid', problems })
      if ((await store.directory.catalogue(tenant)) === null) return err({ reason: 'absent', what: `tenant ${tenant}` })
      const id = ids.id()
      const group = { tenant, id, name, description, externalId, roles, members, createdAt: clock.now() }
      const data = { id, name, created: true, roles: roles.join(' '), ...membersData({ id, version: null, members }) }
      const made = await store.groups.create(group, [changed(by, tenant, data)])
      if (made === 'exists') return err({ reason: 'exists', what: `group ${name}` })
      return made === 'created' ? find(tenant, id) : err(unknownProblem(made))
    },

    async change(by, tenant, update) {
      const problems = groupProblems(update)
      if (problems.length > 0) return err({ reason: 'invalid', problems })
      const { id, name, roles, members } = update
      const leavers = members === undefined ? [] : (await replacedMembers({ tenant, id, members }, store.groups)).left
      const data = {
        id,
        ...(name === undefined ? {} : { name }),
        ...(roles === undefined ? {} : { roles: roles.join(' ') }),
        ...membersData(update, leavers),
      }
      const change: GroupChange = { tenant, ...update, at: clock.now() }
      const done = await store.groups.change({ ...change, events: [changed(by, tenant, data)] })
      if (done === 'changed') return find(tenant, id)
      if (done === 'absent') return err(absent(id))
      if (done === 'exists') return err({ reason: 'exists', what: `group ${name ?? id}` })
      return err(done === 'changed-meanwhile' ? conflict : unknownProblem(done))
    },

    async remove(by, tenant, { id, version }) {
      const events = [changed(by, tenant, { id, removed: true })]
      const done = await store.groups.remove({ tenant, id, version, at: clock.now(), events })
      if (done === 'removed') return ok(null)
      return err(done === 'absent' ? absent(id) : conflict)
    },
  }
}
