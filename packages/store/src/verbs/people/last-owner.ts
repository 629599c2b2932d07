/** No change leaves a tenant without an owner: nobody would be left who could name one. */
import type { TenantId } from '@grantor/protocol/types'
import type { UserChange } from '../../contract/people/users.ts'
import { lockSubjects } from '../directory/clock.ts'
import { text } from '../row.ts'
import { all, first, sql, type Verb } from '../verb.ts'

/** Those who are there to stay. */
export function* owners(tenant: TenantId, limit: number): Verb<readonly string[]> {
  const rows = yield* all(sql`select id from users where tenant = ${tenant} and administrator = 'owner'
    and disabled_at is null and deletion_due_at is null order by id limit ${limit}`)
  return rows.map((row) => text(row, 'id'))
}

/** Whether an owner would be none afterwards, or none who is there to stay. */
export const takesOwnerAway = ({ administrator = 'owner', disabledAt = null, deletionDueAt = null }: UserChange) =>
  administrator !== 'owner' || disabledAt !== null || deletionDueAt !== null

/** Under a lock: of two owners who are taken away at once, one is the last. */
export function* isLastOwner(tenant: TenantId, id: string): Verb<boolean> {
  const owner = yield* first(sql`select id from users
    where tenant = ${tenant} and id = ${id} and administrator = 'owner' and disabled_at is null`)
  if (owner === null) return false
  yield* lockSubjects()
  return (yield* owners(tenant, 2)).every((it) => it === id)
}
