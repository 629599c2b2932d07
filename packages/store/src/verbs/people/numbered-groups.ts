/** Groups as lists by numbers ask for them (SCIM): how many there are, some of them, those of one external id, those of people. */
import type { TenantId } from '@grantor/protocol/types'
import type { GroupRow, Membership } from '../../contract/people/groups.ts'
import { number, text } from '../row.ts'
import { all, first, sql, type Verb } from '../verb.ts'
import { memberParts, of100 } from './group-members.ts'
import { groupOf } from './groups.ts'

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

const ofPeople = of100(
  (ids) => `select m.subject, m.group_id, g.name from group_members m
    join user_groups g on g.tenant = m.tenant and g.id = m.group_id
    where m.tenant = ?1 and m.subject in (${ids}) order by g.name_key limit ?2`,
)

export function* memberships(
  tenant: TenantId,
  subjects: readonly string[],
  limit: number,
): Verb<readonly Membership[]> {
  const found: Membership[] = []
  for (const { size, part } of memberParts(subjects)) {
    const values = [tenant, limit - found.length, ...part]
    const rows = yield* all({ do: 'sql', text: ofPeople[size], values })
    for (const row of rows)
      found.push({ subject: text(row, 'subject'), group: text(row, 'group_id'), name: text(row, 'name') })
    if (found.length >= limit) break
  }
  return found
}
