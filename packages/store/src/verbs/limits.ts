/** Limits that all nodes share. The statement that takes a unit decides whether one is left. */
import type { Instant } from '@grantor/protocol/types'
import type { LimitUnit, ReturnedUnit, TakenUnit } from '../contract/limits.ts'
import { number } from './row.ts'
import { first, run, sql, type Verb } from './verb.ts'

/** Units taken before one that refuses are returned in the same commit, so no other call ever misses them. */
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
  const row = yield* first(sql`insert into limits (key, tat) values (${key}, ${now + interval})
    on conflict (key) do update set tat = case when limits.tat > ${now} then limits.tat else ${now} end + ${interval}
    where case when limits.tat > ${now} then limits.tat else ${now} end + ${interval} <= ${full} returning tat`)
  if (row !== null) return { taken: true, tat: number(row, 'tat') }
  const held = yield* first(sql`select tat from limits where key = ${key}`)
  const tat = held === null ? full : number(held, 'tat')
  if (tat <= full) return { taken: false, tat }
  // The stored time is further ahead than the whole span: a clock that stepped back must not lock anybody out for
  // longer.
  yield* run(sql`update limits set tat = ${full} where key = ${key} and tat > ${full}`)
  return { taken: false, tat: full }
}

export function* giveBackUnits(units: readonly ReturnedUnit[]): Verb<void> {
  for (const { key, interval } of units) yield* run(sql`update limits set tat = tat - ${interval} where key = ${key}`)
}

/**
 * The key of no limit: those are hashes. The sweeper deletes the row; a different value each time makes it a real
 * write.
 */
export function* probeWrite(at: Instant): Verb<void> {
  yield* run(sql`insert into limits (key, tat) values ('write probe', ${at * 1000})
    on conflict (key) do update set tat = excluded.tat`)
}
