/** Roles that people and groups hold. A role that does not exist is not given. */
import { groupKey } from '@grantor/protocol/people'
import type { TenantId } from '@grantor/protocol/types'
import type { Unknown } from '../../contract/people/groups.ts'
import { maybeText } from '../row.ts'
import { of100, parts } from '../many.ts'
import { changed, first, type Row, run, sql, type Verb } from '../verb.ts'

/** From a row that was joined with `user_memberships`; absent where there are none. */
export function membershipsIn(row: Row) {
  const own = wordsIn(row, 'own_roles')
  const roles = [...new Set([...own, ...wordsIn(row, 'group_roles')])].toSorted()
  const groups = maybeText(row, 'group_names')?.split('\n').toSorted() ?? []
  return {
    ...(roles.length === 0 ? {} : { roles }),
    ...(own.length === 0 ? {} : { ownRoles: own }),
    ...(groups.length === 0 ? {} : { groups }),
  }
}

export const wordsIn = (row: Row, column: string): readonly string[] =>
  maybeText(row, column)?.split(' ').toSorted() ?? []

/** All roles of a person, given directly or by a group. */
export function* rolesOf(tenant: TenantId, subject: string): Verb<ReadonlySet<string>> {
  const row = yield* first(sql`select own_roles, group_roles from user_memberships
    where tenant = ${tenant} and id = ${subject}`)
  return new Set(row === null ? [] : [...wordsIn(row, 'own_roles'), ...wordsIn(row, 'group_roles')])
}

/** Replaces the roles given to the person directly. */
export function* putUserRoles(tenant: TenantId, subject: string, roles: readonly string[]): Verb<Unknown | null> {
  yield* run(sql`delete from user_roles where tenant = ${tenant} and subject = ${subject}`)
  for (const role of roles) {
    const isGiven = yield* changed(sql`insert into user_roles (tenant, subject, role)
      select tenant, ${subject}, name from roles where tenant = ${tenant} and name = ${role}
      on conflict do nothing`)
    if (!isGiven) return { unknown: 'role', id: role }
  }
  return null
}

/** The initial roles and groups of a new person; those that were removed since they were named are skipped. */
export function* giveFirst(
  { tenant, id }: { readonly tenant: TenantId; readonly id: string },
  { roles = [], groups = [], groupIds = [] }: FirstHoldings,
): Verb<void> {
  for (const role of roles)
    yield* run(sql`insert into user_roles (tenant, subject, role)
      select tenant, ${id}, name from roles where tenant = ${tenant} and name = ${role} on conflict do nothing`)
  for (const name of groups)
    yield* run(sql`insert into group_members (tenant, group_id, subject) select tenant, id, ${id} from user_groups
      where tenant = ${tenant} and name_key = ${groupKey(name)} on conflict do nothing`)
  for (const group of groupIds)
    yield* run(sql`insert into group_members (tenant, group_id, subject) select tenant, id, ${id} from user_groups
      where tenant = ${tenant} and id = ${group} on conflict do nothing`)
}

const givingRole = of100(
  (ids) => `insert into user_roles (tenant, subject, role)
    select r.tenant, u.id, r.name from roles r join users u on u.tenant = r.tenant
    where r.tenant = ?1 and r.name = ?2 and u.id in (${ids}) on conflict do nothing`,
)
const joining = of100(
  (ids) => `insert into group_members (tenant, group_id, subject)
    select g.tenant, g.id, u.id from user_groups g join users u on u.tenant = g.tenant
    where g.tenant = ?1 and g.name_key = ?2 and u.id in (${ids}) on conflict do nothing`,
)

/** The same for many people of a tenant, with one statement per role and per group. */
export function* giveFirstToMany(
  tenant: TenantId,
  people: readonly {
    readonly id: string
    readonly ownRoles?: readonly string[]
    readonly groups?: readonly string[]
  }[],
): Verb<void> {
  const given = [
    [givingRole, byName(people.map(({ id, ownRoles = [] }) => [id, ownRoles]))],
    [joining, byName(people.map(({ id, groups = [] }) => [id, groups.map(groupKey)]))],
  ] as const
  for (const [texts, held] of given)
    for (const [name, ids] of held)
      for (const { size, part } of parts(ids))
        yield* run({ do: 'sql', text: texts[size], values: [tenant, name, ...part] })
}

function byName(held: readonly (readonly [id: string, names: readonly string[]])[]): ReadonlyMap<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [id, names] of held)
    for (const name of names) {
      const ids = found.get(name) ?? []
      ids.push(id)
      found.set(name, ids)
    }
  return found
}

interface FirstHoldings {
  readonly roles?: readonly string[]
  /** Names of groups. */
  readonly groups?: readonly string[]
  readonly groupIds?: readonly string[]
}

/** Replaces the roles of the group. */
export function* putGroupRoles(tenant: TenantId, group: string, roles: readonly string[]): Verb<Unknown | null> {
  yield* run(sql`delete from group_roles where tenant = ${tenant} and group_id = ${group}`)
  for (const role of roles) {
    const isGiven = yield* changed(sql`insert into group_roles (tenant, group_id, role)
      select tenant, ${group}, name from roles where tenant = ${tenant} and name = ${role}
      on conflict do nothing`)
    if (!isGiven) return { unknown: 'role', id: role }
  }
  return null
}

/** Replaces the groups of the person, by their names. */
export function* putUserGroups(tenant: TenantId, subject: string, names: readonly string[]): Verb<Unknown | null> {
  yield* run(sql`delete from group_members where tenant = ${tenant} and subject = ${subject}`)
  for (const name of names) {
    const joined = yield* changed(sql`insert into group_members (tenant, group_id, subject)
      select tenant, id, ${subject} from user_groups where tenant = ${tenant} and name_key = ${groupKey(name)}
      on conflict do nothing`)
    if (!joined) return { unknown: 'member', id: name }
  }
  return null
}
