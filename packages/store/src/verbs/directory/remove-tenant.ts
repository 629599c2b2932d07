/** Removes a tenant with everything it holds except its log. */
import type { TenantId } from '@grantor/protocol/types'
import type { Entry } from '../entry.ts'
import { first, log, run, sql, undo, type Verb } from '../verb.ts'
import { revise, tickOf } from './clock.ts'
import { holdings } from './tenant-holdings.ts'

export function* removeTenant(
  tenant: TenantId,
  entries: readonly Entry[],
): Verb<'removed' | 'absent' | 'not-disabled'> {
  const clock = yield* tickOf(tenant)
  // The stamp locks the tenant: concurrent changes wait, and then find it gone.
  if (!(yield* revise(tenant, clock))) {
    yield* undo()
    return 'absent'
  }
  const disabled = yield* first(sql`select id from tenants where id = ${tenant} and disabled_at is not null`)
  if (disabled === null) {
    yield* undo()
    return 'not-disabled'
  }
  for (const statement of holdings(tenant)) yield* run(statement)
  yield* log(entries)
  return 'removed'
}
