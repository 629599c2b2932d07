/**
 * Members of groups: adding and removing many in one statement, since a group may have more members than a statement
 * can name.
 */
import type { TenantId } from '@grantor/protocol/types'
import type { Membership, Unknown } from '../../contract/people/groups.ts'
import { text } from '../row.ts'
import { of100, parts } from '../many.ts'
import { all, run, type Statement, type Verb } from '../verb.ts'

interface OfGroup {
  readonly tenant: TenantId
  readonly id: string
}

const present = of100((list) => `select id from users where tenant = ?1 and ?2 <> '' and id in (${list})`)
const adding = of100(
  (list) => `insert into group_members (tenant, group_id, subject)
    select tenant, ?2, id from users where tenant = ?1 and id in (${list}) on conflict do nothing`,
)
const removing = of100(
  (list) => `delete from group_members where tenant = ?1 and group_id = ?2 and subject in (${list})`,
)

const statement = (text: string, { tenant, id }: OfGroup, part: readonly string[]): Statement => ({
  do: 'sql',
  text,
  values: [tenant, id, ...part],
})

/** Existing members stay; an unknown person is returned, and the caller undoes the verb. */
export function* addMembers(of: OfGroup, members: readonly string[]): Verb<Unknown | null> {
  for (const { size, part } of parts(members)) {
    const found = new Set((yield* all(statement(present[size], of, part))).map((row) => text(row, 'id')))
    const nobody = part.find((id) => !found.has(id))
    if (nobody !== undefined) return { unknown: 'member', id: nobody }
    yield* run(statement(adding[size], of, part))
  }
  return null
}

export function* removeMembers(of: OfGroup, members: readonly string[]): Verb<void> {
  for (const { size, part } of parts(members)) yield* run(statement(removing[size], of, part))
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
  for (const { size, part } of parts(subjects)) {
    const values = [tenant, limit - found.length, ...part]
    const rows = yield* all({ do: 'sql', text: ofPeople[size], values })
    for (const row of rows)
      found.push({ subject: text(row, 'subject'), group: text(row, 'group_id'), name: text(row, 'name') })
    if (found.length >= limit) break
  }
  return found
}
