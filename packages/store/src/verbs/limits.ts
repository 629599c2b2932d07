/** Limits that all nodes share. Whether a unit is left is decided by the statement that takes it. */
import type { Instant } from '@grantor/protocol/types'
import type { LimitUnit, TakenUnit } from '../contract/limits.ts'
import { number } from './row.ts'
import { first, run, sql, type Verb } from './verb.ts'

export function* takeUnit({ key, now, interval, span }: LimitUnit): Verb<TakenUnit> {
  const full = now + span
  const taken = yield* first(sql`insert into limits (key, tat) values (${key}, ${now + interval})
    on conflict (key) do update set tat = case when limits.tat > ${now} then limits.tat else ${now} end + ${interval}
    where case when limits.tat > ${now} then limits.tat else ${now} end + ${interval} <= ${full} returning tat`)
  if (taken !== null) return { taken: true, tat: number(taken, 'tat') }
  const held = yield* first(sql`select tat from limits where key = ${key}`)
  const tat = held === null ? full : number(held, 'tat')
  if (tat <= full) return { taken: false, tat }
  // Further ahead than all of it: a clock that stepped back must not lock anybody out for longer.
  yield* run(sql`update limits set tat = ${full} where key = ${key} and tat > ${full}`)
  return { taken: false, tat: full }
}

export function* giveBackUnit({ key, interval }: Pick<LimitUnit, 'key' | 'interval'>): Verb<void> {
  yield* run(sql`update limits set tat = tat - ${interval} where key = ${key}`)
}

/** No limit has this key: theirs are hashes. The sweeper takes the row, and another value each time makes it a write. */
export function* probeWrite(at: Instant): Verb<void> {
  yield* run(sql`insert into limits (key, tat) values ('write probe', ${at * 1000})
    on conflict (key) do update set tat = excluded.tat`)
}
