/** Roles and groups in a change of the directory: applies the changes, and determines who may lose rights by them. */
import type { Role } from '@grantor/protocol/people'
import type { TenantId } from '@grantor/protocol/types'
import type { DirectoryChange } from '../../contract/directory/directory.ts'
import * as groups from '../people/groups.ts'
import { affected } from '../people/lost-roles.ts'
import { asText } from '../row.ts'
import { run, sql, type Statement, type Verb } from '../verb.ts'

type Change = Omit<DirectoryChange, 'events'>

export function whoMayLose(change: Change): readonly Statement[] {
  const { tenant } = change
  const roles = [...(change.dropRoles ?? []), ...(change.putRoles ?? []).map(({ name }) => name)]
  const people = [...(change.changeUsers ?? [])].filter((it) => it.roles !== undefined || it.groups !== undefined)
  const others = [...(change.changeGroups ?? []), ...(change.dropGroups ?? [])]
  return [
    ...roles.map((role) => affected.holders(tenant, role, change.at)),
    ...others.map(({ id }) => affected.members(tenant, id, change.at)),
    ...people.map(({ id }) => affected.person(tenant, id, change.at)),
  ]
}

export function* changeRoles({ tenant, dropRoles = [], putRoles = [] }: Change): Verb<void> {
  for (const it of dropRoles) yield* run(sql`delete from roles where tenant = ${tenant} and name = ${it}`)
  for (const it of putRoles) yield* putRole(tenant, it)
}

function* putRole(tenant: TenantId, it: Role): Verb<void> {
  yield* run(sql`insert into roles (tenant, name, description, resource, scopes)
    values (${tenant}, ${it.name}, ${it.description}, ${it.resource}, ${asText(it.scopes)})
    on conflict (tenant, name) do update set description = excluded.description, resource = excluded.resource,
    scopes = excluded.scopes`)
}

/** Applied before the people, who become members of the groups. */
export function* changeGroups({
  tenant,
  dropGroups = [],
  changeGroups: changes = [],
  createGroups = [],
}: Change): Verb<boolean> {
  for (const { id } of dropGroups) yield* run(sql`delete from user_groups where tenant = ${tenant} and id = ${id}`)
  for (const it of changes) if ((yield* groups.changeGroup({ ...it, tenant })) !== 'changed') return false
  for (const it of createGroups) if ((yield* groups.create({ ...it, tenant }, [])) !== 'created') return false
  return true
}
