/** Groups of people. */
import { groupKey } from '@grantor/protocol/people'
import type { TenantId } from '@grantor/protocol/types'
import type {
  GroupChange,
  GroupRemoval,
  GroupRow,
  GroupSearch,
  NewGroup,
  Unknown,
} from '../../contract/people/groups.ts'
import type { Entry } from '../entry.ts'
import { instant, maybeText, number, text } from '../row.ts'
import { all, changed, first, log, type Row, run, sql, type Statement, undo, type Verb } from '../verb.ts'
import { putGroupRoles, wordsIn } from './held-roles.ts'
import { affected, takingAway } from './lost-roles.ts'
import { addMembers, removeMembers } from './group-members.ts'

const groupOf = (row: Row): GroupRow => ({
  tenant: text(row, 'tenant') as TenantId,
  id: text(row, 'id'),
  name: text(row, 'name'),
  description: maybeText(row, 'description'),
  externalId: maybeText(row, 'external_id'),
  roles: wordsIn(row, 'roles'),
  createdAt: instant(row, 'created_at'),
  changedAt: instant(row, 'changed_at'),
  version: number(row, 'version'),
})

export function* byId(tenant: TenantId, id: string): Verb<GroupRow | null> {
  const row = yield* first(sql`select g.*, (select string_agg(r.role, ' ') from group_roles r
      where r.tenant = g.tenant and r.group_id = g.id) as roles
    from user_groups g where g.tenant = ${tenant} and g.id = ${id}`)
  return row && groupOf(row)
}

export function* byName(tenant: TenantId, name: string): Verb<GroupRow | null> {
  const row = yield* first(sql`select g.*, (select string_agg(r.role, ' ') from group_roles r
      where r.tenant = g.tenant and r.group_id = g.id) as roles
    from user_groups g where g.tenant = ${tenant} and g.name_key = ${groupKey(name)}`)
  return row && groupOf(row)
}

/** Greater than every name. */
const last = '\u{10ffff}'

export function* search(tenant: TenantId, it: GroupSearch): Verb<readonly GroupRow[]> {
  if (it.name != null) return yield* searchNamed(tenant, it, groupKey(it.name))
  const byName = it.member === null && it.role === null && it.externalId === null
  return (yield* all(byName ? inOrderOfNames(tenant, it) : inOrderOfIds(tenant, it))).map(groupOf)
}

/** A name has one group at most, and the other conditions are checked on it. */
function* searchNamed(tenant: TenantId, it: GroupSearch, key: string): Verb<readonly GroupRow[]> {
  const { externalId, member, role } = it
  if (!key.startsWith(groupKey(it.prefix))) return []
  const rows = yield* all(sql`select g.*, (select string_agg(r.role, ' ') from group_roles r
      where r.tenant = g.tenant and r.group_id = g.id) as roles
    from user_groups g where g.tenant = ${tenant} and g.name_key = ${key} and g.id > ${it.after?.id ?? ''}
      and (cast(${externalId} as text) is null or g.external_id = ${externalId})
      and (cast(${member} as text) is null or exists (select 1 from group_members m
        where m.tenant = g.tenant and m.group_id = g.id and m.subject = ${member}))
      and (cast(${role} as text) is null or exists (select 1 from group_roles h
        where h.tenant = g.tenant and h.group_id = g.id and h.role = ${role}))
    limit ${it.limit}`)
  return rows.map(groupOf)
}

function inOrderOfNames(tenant: TenantId, { prefix, after, limit }: GroupSearch): Statement {
  const from = groupKey(prefix)
  return sql`select g.*, (select string_agg(r.role, ' ') from group_roles r
      where r.tenant = g.tenant and r.group_id = g.id) as roles
    from user_groups g where g.tenant = ${tenant} and g.name_key > ${after === null ? '' : groupKey(after.name)}
      and g.name_key >= ${from} and g.name_key < ${from + last}
    order by g.name_key limit ${limit}`
}

/** Each query begins with the most selective condition, and reads in the order of its index. */
function inOrderOfIds(tenant: TenantId, { prefix, externalId, member, role, limit, ...it }: GroupSearch): Statement {
  const after = it.after?.id ?? ''
  const from = groupKey(prefix)
  const to = from + last
  if (externalId !== null)
    return sql`select g.*, (select string_agg(r.role, ' ') from group_roles r
        where r.tenant = g.tenant and r.group_id = g.id) as roles
      from user_groups g where g.tenant = ${tenant} and g.external_id = ${externalId} and g.id > ${after}
        and g.name_key >= ${from} and g.name_key < ${to}
        and (cast(${member} as text) is null or exists (select 1 from group_members m
          where m.tenant = g.tenant and m.group_id = g.id and m.subject = ${member}))
        and (cast(${role} as text) is null or exists (select 1 from group_roles h
          where h.tenant = g.tenant and h.group_id = g.id and h.role = ${role}))
      order by g.id limit ${limit}`
  if (member !== null)
    return sql`select g.*, (select string_agg(r.role, ' ') from group_roles r
        where r.tenant = g.tenant and r.group_id = g.id) as roles
      from group_members m join user_groups g on g.tenant = m.tenant and g.id = m.group_id
      where m.tenant = ${tenant} and m.subject = ${member} and m.group_id > ${after}
        and g.name_key >= ${from} and g.name_key < ${to}
        and (cast(${role} as text) is null or exists (select 1 from group_roles h
          where h.tenant = g.tenant and h.group_id = g.id and h.role = ${role}))
      order by m.group_id limit ${limit}`
  return sql`select g.*, (select string_agg(r.role, ' ') from group_roles r
      where r.tenant = g.tenant and r.group_id = g.id) as roles
    from group_roles h join user_groups g on g.tenant = h.tenant and g.id = h.group_id
    where h.tenant = ${tenant} and h.role = ${role} and h.group_id > ${after}
      and g.name_key >= ${from} and g.name_key < ${to}
    order by h.group_id limit ${limit}`
}

export function* members(
  tenant: TenantId,
  id: string,
  page: { readonly after: string; readonly limit: number },
): Verb<readonly string[]> {
  const rows = yield* all(sql`select subject from group_members
    where tenant = ${tenant} and group_id = ${id} and subject > ${page.after} order by subject limit ${page.limit}`)
  return rows.map((row) => text(row, 'subject'))
}

export function* count(tenant: TenantId): Verb<number> {
  const row = yield* first(sql`select count(*) as groups from user_groups where tenant = ${tenant}`)
  return row === null ? 0 : number(row, 'groups')
}

export function* page(
  tenant: TenantId,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Verb<readonly GroupRow[]> {
  const rows = yield* all(sql`select g.*, (select string_agg(r.role, ' ') from group_roles r
      where r.tenant = g.tenant and r.group_id = g.id) as roles
    from user_groups g where g.tenant = ${tenant} order by g.id limit ${limit} offset ${offset}`)
  return rows.map(groupOf)
}

export function* byExternalId(tenant: TenantId, externalId: string, limit: number): Verb<readonly GroupRow[]> {
  const rows = yield* all(sql`select g.*, (select string_agg(r.role, ' ') from group_roles r
      where r.tenant = g.tenant and r.group_id = g.id) as roles
    from user_groups g where g.tenant = ${tenant} and g.external_id = ${externalId} order by g.id limit ${limit}`)
  return rows.map(groupOf)
}

export function* create(it: NewGroup, entries: readonly Entry[]): Verb<'created' | 'exists' | Unknown> {
  const made = yield* changed(sql`insert into user_groups (tenant, id, name, name_key, description, external_id,
      created_at, changed_at, version)
    values (${it.tenant}, ${it.id}, ${it.name}, ${groupKey(it.name)}, ${it.description}, ${it.externalId},
      ${it.createdAt}, ${it.createdAt}, 1)
    on conflict do nothing`)
  if (!made) return 'exists'
  const unknown = (yield* putGroupRoles(it.tenant, it.id, it.roles)) ?? (yield* addMembers(it, it.members))
  if (unknown !== null) {
    yield* undo()
    return unknown
  }
  yield* log(entries)
  return 'created'
}

type Changed = 'changed' | 'changed-meanwhile' | 'absent' | 'exists' | Unknown

export function* change(it: GroupChange, entries: readonly Entry[]): Verb<Changed> {
  const done = yield* takesAway(it) ? takingAway(it, losing(it), changeGroup(it)) : changeGroup(it)
  if (done !== 'changed') {
    yield* undo()
    return done
  }
  yield* log(entries)
  return done
}

const takesAway = ({ roles, members: instead, removeMembers: removed }: GroupChange): boolean =>
  roles !== undefined || instead !== undefined || (removed ?? []).length > 0

/** If only certain members leave, no others are examined. */
function losing(it: GroupChange): readonly Statement[] {
  const { tenant, id, at } = it
  if (it.roles !== undefined || it.members !== undefined) return [affected.members(tenant, id, at)]
  return (it.removeMembers ?? []).map((subject) => affected.person(tenant, subject, at))
}

export function* changeGroup(it: GroupChange): Verb<Changed> {
  const { tenant, id, at } = it
  const held = yield* changed(
    it.version === null
      ? sql`update user_groups set version = version + 1, changed_at = ${at}
          where tenant = ${tenant} and id = ${id}`
      : sql`update user_groups set version = version + 1, changed_at = ${at}
          where tenant = ${tenant} and id = ${id} and version = ${it.version}`,
  )
  if (!held) return (yield* byId(tenant, id)) === null ? 'absent' : 'changed-meanwhile'
  if (it.name !== undefined && !(yield* rename(tenant, id, it.name))) return 'exists'
  if (it.description !== undefined)
    yield* run(sql`update user_groups set description = ${it.description} where tenant = ${tenant} and id = ${id}`)
  if (it.externalId !== undefined)
    yield* run(sql`update user_groups set external_id = ${it.externalId} where tenant = ${tenant} and id = ${id}`)
  const norole = it.roles === undefined ? null : yield* putGroupRoles(tenant, id, it.roles)
  if (norole !== null) return norole
  if (it.members !== undefined) {
    yield* run(sql`delete from group_members where tenant = ${tenant} and group_id = ${id}`)
    const nobody = yield* addMembers(it, it.members)
    if (nobody !== null) return nobody
  }
  yield* removeMembers(it, it.removeMembers ?? [])
  return (yield* addMembers(it, it.addMembers ?? [])) ?? 'changed'
}

function* rename(tenant: TenantId, id: string, name: string): Verb<boolean> {
  const key = groupKey(name)
  return yield* changed(sql`update user_groups set name = ${name}, name_key = ${key}
    where tenant = ${tenant} and id = ${id} and not exists (
      select 1 from user_groups o where o.tenant = ${tenant} and o.name_key = ${key} and o.id <> ${id})`)
}

export function* remove(it: GroupRemoval, entries: readonly Entry[]): Verb<'removed' | 'changed-meanwhile' | 'absent'> {
  const done = yield* takingAway(it, [affected.members(it.tenant, it.id, it.at)], removeGroup(it))
  if (done !== 'removed') {
    yield* undo()
    return done
  }
  yield* log(entries)
  return done
}

function* removeGroup({ tenant, id, version }: GroupRemoval): Verb<'removed' | 'changed-meanwhile' | 'absent'> {
  const gone = yield* changed(
    version === null
      ? sql`delete from user_groups where tenant = ${tenant} and id = ${id}`
      : sql`delete from user_groups where tenant = ${tenant} and id = ${id} and version = ${version}`,
  )
  if (gone) return 'removed'
  return (yield* byId(tenant, id)) === null ? 'absent' : 'changed-meanwhile'
}
