/** People in the order of their ids: all of a tenant, those of a group, or those who were given a role. */
import type { TenantId } from '@grantor/protocol/types'
import type { UserRow } from '../../contract/people/users.ts'
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
