/** Groups, provisioned by SCIM: created, filled, emptied and deleted, each in one commit with its event. */
import { ok, type Result } from '@grantor/protocol/result'
import {
  applyChanges,
  badRequest,
  type GroupPatch,
  groupIn,
  groupPatch,
  groupSchema,
  type MemberChange,
  readPatch,
  readResource,
  type ScimError,
  type ScimGroup,
} from '@grantor/protocol/scim'
import type { JsonObject } from '@grantor/protocol/types'
import type { GroupChange, GroupRow, Store } from '@grantor/store'
import { groupProblems } from '../admin/people/groups.ts'
import { type EventDependencies, newEvent } from '../events.ts'
import { replacedMembers } from '../people/replaced-members.ts'
import type { ScimCall, ScimCollection, ScimTarget } from './collection.ts'
import { findGroups } from './find-groups.ts'
import { scimGroups, writableGroup } from './group-resource.ts'
import { absent, changedMeanwhile, type ScimResource, type ScimResult, taken } from './result.ts'

export interface ScimGroupDependencies extends EventDependencies {
  readonly store: Pick<Store, 'groups'>
}

type Change = Pick<GroupChange, 'name' | 'externalId' | 'members' | 'addMembers' | 'removeMembers'>

const nobody = badRequest('invalidValue', 'members names somebody who is not here.')

export function openScimGroups(deps: ScimGroupDependencies): ScimCollection {
  const { groups } = deps.store
  const event = ({ by, origin }: ScimCall, data: JsonObject) =>
    newEvent(deps, origin, 'admin.group_changed', { actor: by, data: { ...data, provisioned: true } })

  async function shown({ origin: { tenant }, wants }: ScimCall, id: string): Promise<ScimResult<ScimResource>> {
    const row = await groups.byId(tenant, id)
    if (row === null) return absent(id)
    const read = await scimGroups([row], { tenant, wanted: wants('members') }, groups)
    if (read.kind === 'error') return read
    const [group] = read.value
    return group === undefined ? absent(id) : ok(group)
  }

  async function held({ origin: { tenant } }: ScimCall, { id, isMeant }: ScimTarget): Promise<ScimResult<GroupRow>> {
    const row = await groups.byId(tenant, id)
    if (row === null) return absent(id)
    const elsewhere = async () => {
      const read = await scimGroups([row], { tenant, wanted: true }, groups)
      return read.kind === 'ok' ? (read.value[0]?.elsewhere ?? null) : null
    }
    return isMeant === null || (await isMeant(row.version, elsewhere)) ? ok(row) : changedMeanwhile
  }

  /** If the request names no version, commits whatever the group is by then: the change does not depend on it. */
  async function commit(call: ScimCall, row: GroupRow, it: { change: Change; isVersioned: boolean }) {
    const { tenant, id, version } = row
    const { isVersioned } = it
    const { members, ...others } = it.change
    const replaced = members === undefined ? null : await replacedMembers({ tenant, id, members }, groups)
    const change = replaced?.same === true ? others : it.change
    if (Object.keys(change).length === 0) return shown(call, id)
    const problem = groupProblem(change)
    if (problem !== null) return problem
    const outcome = await groups.change({
      ...change,
      tenant,
      id,
      version: isVersioned ? version : null,
      at: deps.clock.now(),
      events: [
        event(call, {
          id,
          ...(change.name === undefined ? {} : { name: change.name }),
          ...counted(change, replaced?.left),
        }),
      ],
    })
    if (outcome === 'changed') return shown(call, id)
    if (outcome === 'absent') return absent(id)
    if (outcome === 'exists') return taken(`displayName ${change.name ?? ''}`)
    return outcome === 'changed-meanwhile' ? changedMeanwhile : nobody
  }

  return {
    find: shown,
    search: (call, query) => findGroups(call, query, groups),

    async create(call, body) {
      const { tenant } = call.origin
      const read = readGroup(readResource(body, groupSchema))
      if (read.kind === 'error') return read
      const { name, externalId, members } = read.value
      const id = deps.ids.id()
      const row = { tenant, id, name, description: null, externalId, roles: [], members, createdAt: deps.clock.now() }
      const made = await groups.create(row, [event(call, { id, name, created: true, ...counted({ members }) })])
      if (made === 'exists') return taken(`displayName ${name}`)
      return made === 'created' ? shown(call, id) : nobody
    },

    async replace(call, target, body) {
      const read = readGroup(readResource(body, groupSchema))
      if (read.kind === 'error') return read
      const row = await held(call, target)
      if (row.kind === 'error') return row
      const { name, externalId, members } = read.value
      // RFC 7644 §3.5.1 leaves omitted attributes to the server: members that are not mentioned stay.
      const speaksOfMembers = Object.keys(body as JsonObject).some((it) => it.toLowerCase() === 'members')
      const change = { ...differing(row.value, { name, externalId }), ...(speaksOfMembers ? { members } : {}) }
      return commit(call, row.value, { change, isVersioned: target.isMeant !== null })
    },

    async patch(call, target, body) {
      const changes = readPatch(body, groupSchema)
      if (changes.kind === 'error') return changes
      const patch = groupPatch(changes.value)
      if (patch.kind === 'error') return patch
      const row = await held(call, target)
      if (row.kind === 'error') return row
      const change = patched(row.value, patch.value)
      if (change.kind === 'error') return change
      return commit(call, row.value, { change: change.value, isVersioned: target.isMeant !== null })
    },

    async remove(call, target) {
      const row = await held(call, target)
      if (row.kind === 'error') return row
      const { tenant, id } = row.value
      const version = target.isMeant === null ? null : row.value.version
      const events = [event(call, { id, removed: true })]
      const outcome = await groups.remove({ tenant, id, version, at: deps.clock.now(), events })
      if (outcome === 'removed') return ok(null)
      return outcome === 'absent' ? absent(id) : changedMeanwhile
    },
  }
}

function readGroup(resource: Result<JsonObject, ScimError>): ScimResult<ScimGroup> {
  if (resource.kind === 'error') return resource
  const group = groupIn(resource.value)
  return group.kind === 'error' ? group : (groupProblem(group.value) ?? group)
}

function groupProblem({ name, externalId }: Pick<Change, 'name' | 'externalId'>) {
  const [problem] = groupProblems({
    ...(name === undefined ? {} : { name }),
    ...(externalId === undefined ? {} : { externalId }),
  })
  if (problem === undefined) return null
  const field = problem.field === 'name' ? 'displayName' : 'externalId'
  return badRequest('invalidValue', `${field} ${problem.problem}.`)
}

/** Only the differences: a change without effect makes no new version. */
const differing = (row: GroupRow, { name, externalId }: Pick<ScimGroup, 'name' | 'externalId'>): Change => ({
  ...(name === row.name ? {} : { name }),
  ...(externalId === row.externalId ? {} : { externalId }),
})

function patched(row: GroupRow, { others, members }: GroupPatch): ScimResult<Change> {
  const applied = applyChanges(writableGroup(row), others, groupSchema)
  if (applied.kind === 'error') return applied
  const read = groupIn(applied.value)
  return read.kind === 'error' ? read : ok({ ...differing(row, read.value), ...memberChange(members) })
}

function memberChange(members: MemberChange | null): Change {
  if (members === null) return {}
  const { instead, removed, added } = members
  return {
    ...(instead === null ? {} : { members: instead }),
    ...(removed.length === 0 ? {} : { removeMembers: removed }),
    ...(added.length === 0 ? {} : { addMembers: added }),
  }
}

/** For the log: a few ids, or for many only their number. */
const named = (ids: readonly string[]): string | number => (ids.length > 50 ? ids.length : ids.join(' '))

function counted({ members, addMembers, removeMembers = [] }: Change, left: readonly string[] = []): JsonObject {
  const removed = [...left, ...removeMembers]
  return {
    ...(members === undefined ? {} : { members: named(members) }),
    ...(addMembers === undefined ? {} : { added: named(addMembers) }),
    ...(removed.length === 0 ? {} : { removed_members: named(removed) }),
  }
}
