/** Limits that all nodes share. Whether a unit is left is decided by the statement that takes it. */
import type { Instant } from '@grantor/protocol/types'
import type { LimitUnit, ReturnedUnit, TakenUnit } from '../contract/limits.ts'
import { number } from './row.ts'
import { first, run, sql, type Verb } from './verb.ts'

/** What was taken before the one that refuses is given back in the same commit: nobody else ever misses it. */
export function* takeUnits(units: readonly LimitUnit[]): Verb<readonly TakenUnit[]> {
  const answers: TakenUnit[] = []
  for (const unit of units) {
    const answer = yield* takeUnit(unit)
    if (!answer.taken) yield* giveBackUnits(units.slice(0, answers.length))
    answers.push(answer)
    if (!answer.taken) break
  }
  return answers
}

function* takeUnit({ key, now, interval, span }: LimitUnit): Verb<TakenUnit> {
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

export function* giveBackUnits(units: readonly ReturnedUnit[]): Verb<void> {
  for (const { key, interval } of units) yield* run(sql`update limits set tat = tat - ${interval} where key = ${key}`)
}

/** No limit has this key: theirs are hashes. The sweeper takes the row, and another value each time makes it a write. */
export function* probeWrite(at: Instant): Verb<void> {
  yield* run(sql`insert into limits (key, tat) values ('write probe', ${at * 1000})
    on conflict (key) do update set tat = excluded.tat`)
}
