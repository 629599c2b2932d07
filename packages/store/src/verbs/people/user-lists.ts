/** People in the order of their ids: all of a tenant, those of a group, or those who were given a role; and who is here. */
import { normaliseUsername } from '@grantor/protocol/people'
import type { TenantId } from '@grantor/protocol/types'
import type { TakenNames, UserNames, UserRow } from '../../contract/people/users.ts'
import { of100, parts } from '../many.ts'
import { text } from '../row.ts'
import type { SetAsideRows } from '../set-aside.ts'
import { all, type Row, sql, type Verb } from '../verb.ts'
import { readUser } from './users.ts'

interface UserPage {
  readonly after: string
  readonly limit: number
  /** Only its members; null for everybody. */
  readonly group: string | null
  /** Only those who were given it themselves; null for everybody. */
  readonly role: string | null
}

/** As many as are asked for, also where some in between cannot be read. */
export function* list(aside: SetAsideRows, tenant: TenantId, page: UserPage): Verb<readonly UserRow[]> {
  const found: UserRow[] = []
  for (let { after } = page; ;) {
    const left = page.limit - found.length
    const rows = yield* all(
      page.role !== null
        ? sql`select u.*, s.own_roles, s.group_roles, s.group_names
            from user_roles r join users u on u.tenant = r.tenant and u.id = r.subject
            join user_memberships s on s.tenant = u.tenant and s.id = u.id
            where r.tenant = ${tenant} and r.role = ${page.role} and r.subject > ${after}
              and (cast(${page.group} as text) is null or exists (select 1 from group_members m
                where m.tenant = r.tenant and m.group_id = ${page.group} and m.subject = r.subject))
            order by r.subject limit ${left}`
        : page.group === null
          ? sql`select u.*, s.own_roles, s.group_roles, s.group_names
            from users u join user_memberships s on s.tenant = u.tenant and s.id = u.id
            where u.tenant = ${tenant} and u.id > ${after} order by u.id limit ${left}`
          : sql`select u.*, s.own_roles, s.group_roles, s.group_names
            from group_members m join users u on u.tenant = m.tenant and u.id = m.subject
            join user_memberships s on s.tenant = u.tenant and s.id = u.id
            where m.tenant = ${tenant} and m.group_id = ${page.group} and m.subject > ${after}
            order by m.subject limit ${left}`,
    )
    found.push(...rows.flatMap((row) => readUser(row, aside) ?? []))
    if (rows.length < left || found.length >= page.limit) return found
    after = text(rows.at(-1) as Row, 'id')
  }
}

const ofIds = of100((ids) => `select id as name from users where tenant = ?1 and ?2 <> '' and id in (${ids})`)
const ofKeys = of100(
  (keys) => `select username_key as name from users where tenant = ?1 and ?2 <> '' and username_key in (${keys})`,
)

/** Many looked for in one statement. */
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
