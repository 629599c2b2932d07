/** Locks: who reached a limit that all nodes share, in readable form; and ending a lock early. */
import type { Instant, TenantId } from '@grantor/protocol/types'
import { type LockRow, mostLocks, type ReachedLock } from '../contract/limits.ts'
import type { Entry } from './entry.ts'
import { instant, maybeText, number, text } from './row.ts'
import { all, changed, first, log, type Row, run, sql, undo, type Verb } from './verb.ts'

/** Bounded per tenant, because strangers can use any number of addresses. */
export function* noteLock(lock: ReachedLock): Verb<void> {
  const { tenant, key, heldBy, at } = lock
  const counted = yield* first(
    sql`select count(*) as held from locks where tenant = ${tenant} and until > ${at} and key <> ${key}`,
  )
  if (counted !== null && number(counted, 'held') >= mostLocks) return
  yield* run(sql`insert into locks (tenant, key, limit_name, quota, window_seconds, kind, held_by, shown_as, reached_at, until)
    values (${tenant}, ${key}, ${lock.policy.name}, ${lock.policy.quota}, ${lock.policy.window}, ${heldBy.kind}, ${heldBy.id}, ${heldBy.name}, ${at}, ${lock.until})
    on conflict (tenant, key) do update set reached_at = case
        when locks.until <= ${at} then excluded.reached_at else locks.reached_at end, until = excluded.until`)
}

const lockOf = (row: Row): LockRow => ({
  tenant: text(row, 'tenant') as TenantId,
  key: text(row, 'key'),
  policy: { name: text(row, 'limit_name'), quota: number(row, 'quota'), window: number(row, 'window_seconds') },
  heldBy: {
    kind: text(row, 'kind') as LockRow['heldBy']['kind'],
    id: text(row, 'held_by'),
    name: maybeText(row, 'shown_as'),
  },
  at: instant(row, 'reached_at'),
  until: instant(row, 'until'),
  tat: number(row, 'tat'),
})

/** Together with the state of the limit: a lock whose limit row is gone has ended. */
export function* locks(tenant: TenantId, now: Instant): Verb<readonly LockRow[]> {
  const rows = yield* all(sql`select l.*, u.tat from locks l join limits u on u.key = l.key
    where l.tenant = ${tenant} and l.until > ${now} order by l.key limit ${mostLocks}`)
  return rows.map(lockOf)
}

/** When the whole limit is available again, in microseconds; null where it is now. */
export function* tatOf(key: string): Verb<number | null> {
  const row = yield* first(sql`select tat from limits where key = ${key}`)
  return row && number(row, 'tat')
}

export function* unlock(tenant: TenantId, key: string, entries: readonly Entry[]): Verb<'unlocked' | 'absent'> {
  const gone = yield* changed(sql`delete from locks where tenant = ${tenant} and key = ${key}`)
  if (!gone) {
    yield* undo()
    return 'absent'
  }
  yield* run(sql`delete from limits where key = ${key}`)
  yield* log(entries)
  return 'unlocked'
}
