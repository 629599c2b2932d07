/**
 * People in the order of their ids: all of a tenant, or those of a group, with a role, a name or an address; and which
 * ids and names are taken.
 */
import { emailKey, normaliseUsername } from '@grantor/protocol/people'
import type { TenantId } from '@grantor/protocol/types'
import type { TakenNames, UserNames, UserRow } from '../../contract/people/users.ts'
import { of100, parts } from '../many.ts'
import { text } from '../row.ts'
import type { SetAsideRows } from '../set-aside.ts'
import { all, type Row, sql, type Statement, type Verb } from '../verb.ts'
import { readUser } from './users.ts'

interface UserPage {
  readonly after: string
  readonly limit: number
  /** Only members of this group; null for everybody. */
  readonly group: string | null
  /** Only people who were given this role directly; null for everybody. */
  readonly role: string | null
  /** Only the person with this name; null for everybody. */
  readonly username: string | null
  /** Only people with this address; null for everybody. */
  readonly email: string | null
}

/** Returns as many as requested, even if some in between cannot be read. */
export function* list(aside: SetAsideRows, tenant: TenantId, page: UserPage): Verb<readonly UserRow[]> {
  const found: UserRow[] = []
  const name = page.username === null ? null : normaliseUsername(page.username)
  // An invalid name belongs to nobody.
  if (name === null && page.username !== null) return found
  for (let { after } = page; ;) {
    const limit = page.limit - found.length
    const part = { ...page, after, limit }
    const isOfOne = name !== null || page.email !== null
    const rows = yield* all(isOfOne ? namedPage(tenant, part, name) : heldPage(tenant, part))
    found.push(...rows.flatMap((row) => readUser(row, aside) ?? []))
    if (rows.length < limit || found.length >= page.limit) return found
    after = text(rows.at(-1) as Row, 'id')
  }
}

/** By name or address, which few people share: group and role are checked on each. */
function namedPage(tenant: TenantId, { group, role, after, limit, ...page }: UserPage, name: string | null): Statement {
  const email = page.email === null ? null : emailKey(page.email)
  return name === null
    ? sql`select u.*, s.own_roles, s.group_roles, s.group_names
        from users u join user_memberships s on s.tenant = u.tenant and s.id = u.id
        where u.tenant = ${tenant} and u.email_key = ${email} and u.id > ${after}
          and (cast(${group} as text) is null or exists (select 1 from group_members m
            where m.tenant = u.tenant and m.group_id = ${group} and m.subject = u.id))
          and (cast(${role} as text) is null or exists (select 1 from user_roles r
            where r.tenant = u.tenant and r.subject = u.id and r.role = ${role}))
        order by u.id limit ${limit}`
    : sql`select u.*, s.own_roles, s.group_roles, s.group_names
        from users u join user_memberships s on s.tenant = u.tenant and s.id = u.id
        where u.tenant = ${tenant} and u.username_key = ${name} and u.id > ${after}
          and (cast(${email} as text) is null or u.email_key = ${email})
          and (cast(${group} as text) is null or exists (select 1 from group_members m
            where m.tenant = u.tenant and m.group_id = ${group} and m.subject = u.id))
          and (cast(${role} as text) is null or exists (select 1 from user_roles r
            where r.tenant = u.tenant and r.subject = u.id and r.role = ${role}))
        limit ${limit}`
}

/** By group or role, in the order of its index; or all. */
function heldPage(tenant: TenantId, { group, role, after, limit }: UserPage): Statement {
  if (role !== null)
    return sql`select u.*, s.own_roles, s.group_roles, s.group_names
      from user_roles r join users u on u.tenant = r.tenant and u.id = r.subject
      join user_memberships s on s.tenant = u.tenant and s.id = u.id
      where r.tenant = ${tenant} and r.role = ${role} and r.subject > ${after}
        and (cast(${group} as text) is null or exists (select 1 from group_members m
          where m.tenant = r.tenant and m.group_id = ${group} and m.subject = r.subject))
      order by r.subject limit ${limit}`
  return group === null
    ? sql`select u.*, s.own_roles, s.group_roles, s.group_names
        from users u join user_memberships s on s.tenant = u.tenant and s.id = u.id
        where u.tenant = ${tenant} and u.id > ${after} order by u.id limit ${limit}`
    : sql`select u.*, s.own_roles, s.group_roles, s.group_names
        from group_members m join users u on u.tenant = m.tenant and u.id = m.subject
        join user_memberships s on s.tenant = u.tenant and s.id = u.id
        where m.tenant = ${tenant} and m.group_id = ${group} and m.subject > ${after}
        order by m.subject limit ${limit}`
}

const ofIds = of100((ids) => `select id as name from users where tenant = ?1 and ?2 <> '' and id in (${ids})`)
const ofKeys = of100(
  (keys) => `select username_key as name from users where tenant = ?1 and ?2 <> '' and username_key in (${keys})`,
)

/** Looks up many ids and names in one statement. */
export function* taken(tenant: TenantId, { ids, usernames }: UserNames): Verb<TakenNames> {
  const keys = usernames.flatMap((name) => normaliseUsername(name) ?? [])
  const found = { ids: new Set<string>(), usernames: new Set<string>() }
  for (const [names, texts, into] of [[ids, ofIds, found.ids] as const, [keys, ofKeys, found.usernames] as const])
    for (const { size, part } of parts(names)) {
      const rows = yield* all({ do: 'sql', text: texts[size], values: [tenant, 'all', ...part] })
      for (const row of rows) into.add(text(row, 'name'))
    }
  return found
}
