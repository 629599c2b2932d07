/** The part of a difference that concerns roles and groups: the changed ones, and references to missing ones. */
import type { Catalogue } from '@grantor/protocol/oauth'
import { groupKey, roleLimits } from '@grantor/protocol/people'
import type { JsonObject } from '@grantor/protocol/types'
import type { DirectoryChange } from '@grantor/store'
import type { EventDependencies } from '../../../events.ts'
import type { FieldProblem } from '../../result.ts'
import type { Announcement, PresentObjects } from '../declaration.ts'
import { declaredGroup } from './group-input.ts'
import type { TenantInput } from '../input.ts'
import { declaredRole, roleProblems } from './role-input.ts'
import type { Surplus } from '../surplus.ts'

interface RoleComparison {
  /** Records a step if the two differ. */
  step(kind: 'role' | 'group', id: string, before: JsonObject | null, after: JsonObject): boolean
  readonly after: Catalogue
  readonly surplus: Surplus
  readonly deps: Pick<EventDependencies, 'clock' | 'ids'>
}

type RoleChange = Pick<DirectoryChange, 'putRoles' | 'dropRoles' | 'createGroups' | 'changeGroups' | 'dropGroups'>

export interface RoleDifference {
  readonly problems: readonly FieldProblem[]
  readonly announcements: readonly Announcement[]
  readonly change: RoleChange
}

export function roleChanges(input: TenantInput, present: PresentObjects, on: RoleComparison): RoleDifference {
  const { step, after, surplus, deps } = on
  const announcements: Announcement[] = []
  const held = new Map(present.catalogue?.roles?.map((it) => [it.name, it]))
  const putRoles = (input.roles ?? []).flatMap(({ field: _field, ...it }) => {
    const before = held.get(it.name)
    if (!step('role', it.name, before === undefined ? null : declaredRole(before), declaredRole(it))) return []
    announcements.push({ name: 'admin.role_changed', clientId: null, data: { name: it.name } })
    return [it]
  })
  const createGroups: NonNullable<RoleChange['createGroups']>[number][] = []
  const changeGroups: NonNullable<RoleChange['changeGroups']>[number][] = []
  const at = deps.clock.now()
  for (const { name, description, roles } of input.groups ?? []) {
    const before = present.groups.get(groupKey(name)) ?? null
    const wanted = declaredGroup({ name, description, roles })
    if (!step('group', name, before && declaredGroup(before), wanted)) continue
    const id = before?.id ?? deps.ids.id()
    const fields = { tenant: input.tenant, id, name, description, roles }
    if (before === null) createGroups.push({ ...fields, externalId: null, members: [], createdAt: at })
    else changeGroups.push({ ...fields, version: before.version, at })
    const data = { id, name, roles: roles.join(' '), origin: 'declared' }
    announcements.push({ name: 'admin.group_changed', clientId: null, data })
  }
  return {
    problems: [...misplacedRoles(input, present.catalogue, after), ...undeclared(input, present, on)],
    announcements,
    change: {
      putRoles,
      dropRoles: surplus.roles.map(({ name }) => name),
      createGroups,
      changeGroups,
      dropGroups: surplus.groups.map(({ id }) => ({ id })),
    },
  }
}

function misplacedRoles(input: TenantInput, now: Catalogue | null, after: Catalogue): readonly FieldProblem[] {
  const most = roleLimits.ofTenant
  if ((after.roles?.length ?? 0) > most) return [{ field: 'roles', problem: `must not be more than ${most}` }]
  return (input.roles ?? []).flatMap(({ field: at, ...role }) => {
    const before = now?.roles?.find(({ name }) => name === role.name)
    // A role may keep a scope that was removed earlier, but not one that this file removes.
    const left = now === null || before === undefined ? [] : roleProblems(before, now)
    return roleProblems(role, after)
      .filter(({ field, problem }) => !left.some((it) => it.field === field && it.problem === problem))
      .map(({ field, problem }) => ({ field: `${at}.${field}`, problem }))
  })
}

/** Groups name roles, and people name both; each must exist after the file is applied. */
function undeclared(input: TenantInput, present: PresentObjects, { after, surplus }: RoleComparison) {
  const roles = new Set(after.roles?.map(({ name }) => name))
  const groups = new Set([
    ...[...present.groups.keys()].filter((key) => !surplus.groups.some(({ name }) => groupKey(name) === key)),
    ...(input.groups ?? []).map(({ name }) => groupKey(name)),
  ])
  const named: readonly { readonly field: string; readonly roles?: readonly string[] | null }[] = [
    ...(input.groups ?? []),
    ...(input.users ?? []),
  ]
  const noRole = named.flatMap((it) =>
    (it.roles ?? [])
      .filter((role) => !roles.has(role))
      .map((role) => ({ field: `${it.field}.roles`, problem: `names ${role}, a role that is not declared` })),
  )
  const noGroup = (input.users ?? []).flatMap((it) =>
    (it.groups ?? [])
      .filter((name) => !groups.has(groupKey(name)))
      .map((name) => ({ field: `${it.field}.groups`, problem: `names ${name}, a group that is not there` })),
  )
  return [...noRole, ...noGroup]
}
