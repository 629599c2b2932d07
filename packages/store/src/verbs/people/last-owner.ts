/** Prevents changes that leave a tenant without an owner, since nobody could name a new one. */
import type { TenantId } from '@grantor/protocol/types'
import type { UserChange } from '../../contract/people/users.ts'
import { lockSubjects } from '../directory/clock.ts'
import { text } from '../row.ts'
import { all, first, sql, type Verb } from '../verb.ts'

/** Owners who are neither disabled nor about to be deleted. */
export function* owners(tenant: TenantId, limit: number): Verb<readonly string[]> {
  const rows = yield* all(sql`select id from users where tenant = ${tenant} and administrator = 'owner'
    and disabled_at is null and deletion_due_at is null order by id limit ${limit}`)
  return rows.map((row) => text(row, 'id'))
}

/** Whether the change would end the person's ownership, disable them or schedule their deletion. */
export const takesOwnerAway = ({ administrator = 'owner', disabledAt = null, deletionDueAt = null }: UserChange) =>
  administrator !== 'owner' || disabledAt !== null || deletionDueAt !== null

/** Under a lock: of two owners who are removed at once, one is recognised as the last. */
export function* isLastOwner(tenant: TenantId, id: string): Verb<boolean> {
  const owner = yield* first(sql`select id from users
    where tenant = ${tenant} and id = ${id} and administrator = 'owner' and disabled_at is null`)
  if (owner === null) return false
  yield* lockSubjects()
  return (yield* owners(tenant, 2)).every((it) => it === id)
}
