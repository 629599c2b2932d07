/** People in numbered pages, as SCIM needs them: their number, a page of them, and those of an external id. */
import type { TenantId } from '@grantor/protocol/types'
import type { UserRow } from '../../contract/people/users.ts'
import { number } from '../row.ts'
import type { SetAsideRows } from '../set-aside.ts'
import { all, first, sql, type Verb } from '../verb.ts'
import { readUser } from './users.ts'

export function* count(tenant: TenantId): Verb<number> {
  const row = yield* first(sql`select count(*) as people from users where tenant = ${tenant}`)
  return row === null ? 0 : number(row, 'people')
}

/** Ids are counted in the index; only the page itself is read. */
export function* page(
  aside: SetAsideRows,
  tenant: TenantId,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Verb<readonly UserRow[]> {
  const rows = yield* all(sql`select u.*, s.own_roles, s.group_roles, s.group_names from users u
    join (select id from users where tenant = ${tenant} order by id limit ${limit} offset ${offset}) p on u.id = p.id
    join user_memberships s on s.tenant = u.tenant and s.id = u.id
    where u.tenant = ${tenant} order by u.id`)
  return rows.flatMap((row) => readUser(row, aside) ?? [])
}

export function* byExternalId(
  aside: SetAsideRows,
  tenant: TenantId,
  externalId: string,
  limit: number,
): Verb<readonly UserRow[]> {
  const rows = yield* all(sql`select u.*, s.own_roles, s.group_roles, s.group_names
    from users u join user_memberships s on s.tenant = u.tenant and s.id = u.id
    where u.tenant = ${tenant} and u.external_id = ${externalId} order by u.id limit ${limit}`)
  return rows.flatMap((row) => readUser(row, aside) ?? [])
}
