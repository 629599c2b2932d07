/** Whether a person is the one owner who is left to a tenant. */
import type { TenantId } from '@grantor/protocol/types'
import { lockSubjects } from '../directory/clock.ts'
import { first, sql, type Verb } from '../verb.ts'

/** Under a lock: of two owners who are taken away at once, one is the last. */
export function* isLastOwner(tenant: TenantId, id: string): Verb<boolean> {
  yield* lockSubjects()
  const last = yield* first(sql`select id from users u where u.tenant = ${tenant} and u.id = ${id}
    and u.administrator = 'owner' and u.disabled_at is null and not exists (
      select 1 from users o where o.tenant = ${tenant} and o.id <> ${id}
        and o.administrator = 'owner' and o.disabled_at is null)`)
  return last !== null
}
