/** Statistics: how events are counted, read, and moved from minutes to days. */
import { countedIn, type StatisticsSeries } from '@grantor/protocol/events'
import type { Instant, TenantId } from '@grantor/protocol/types'
import {
  daysKept,
  minutesKept,
  type StatisticsCount,
  type StatisticsRange,
  statisticsSteps,
} from '../contract/statistics.ts'
import { number, text } from './row.ts'
import { all, changes, type Row, run, sql, type Statement, type Verb } from './verb.ts'

export interface MinuteCount {
  readonly tenant: string
  readonly minute: number
  readonly series: string
  readonly reason: string
  count: number
}

/** Counts events that are logged together: many tokens of a tenant are one row. */
export class MinuteCounts {
  readonly #counts = new Map<string, MinuteCount>()

  add({ tenant, at, body }: { readonly tenant: string; readonly at: number; readonly body: string }): void {
    const counted = countedIn(body)
    if (counted === null) return
    const { series, reason, count } = counted
    const minute = Math.floor(at / statisticsSteps.minute)
    const key = `${tenant} ${minute} ${series} ${reason}`
    const known = this.#counts.get(key)
    if (known === undefined) this.#counts.set(key, { tenant, minute, series, reason, count })
    else known.count += count
  }

  get rows(): readonly MinuteCount[] {
    return [...this.#counts.values()]
  }
}

export const addToMinute = ({ tenant, minute, series, reason, count }: MinuteCount): Statement =>
  sql`insert into statistics_minutes (tenant, minute, series, reason, count)
    values (${tenant}, ${minute}, ${series}, ${reason}, ${count})
    on conflict (tenant, minute, series, reason) do update set count = statistics_minutes.count + excluded.count`

const minutesOfDay = statisticsSteps.day / statisticsSteps.minute

export function* counts(tenant: TenantId, { from, to, step }: StatisticsRange): Verb<readonly StatisticsCount[]> {
  const length = statisticsSteps[step]
  const per = length / statisticsSteps.minute
  const [first, last] = [from, to].map((it) => Math.floor(it / statisticsSteps.minute)) as [number, number]
  const rows = yield* all(
    step === 'day'
      ? sql`select at, series, reason, cast(sum(count) as bigint) as count from (
          select minute / cast(${minutesOfDay} as integer) as at, series, reason, count from statistics_minutes
          where tenant = ${tenant} and minute >= ${first} and minute < ${last}
          union all
          select day as at, series, reason, count from statistics_days
          where tenant = ${tenant} and day >= ${first / minutesOfDay} and day < ${last / minutesOfDay}) counted
        group by at, series, reason order by at, series, reason`
      : sql`select minute / cast(${per} as integer) as at, series, reason, cast(sum(count) as bigint) as count from statistics_minutes
        where tenant = ${tenant} and minute >= ${first} and minute < ${last}
        group by 1, series, reason order by 1, series, reason`,
  )
  return rows.map((row) => ({
    at: (number(row, 'at') * length) as Instant,
    series: text(row, 'series') as StatisticsSeries,
    reason: text(row, 'reason'),
    count: number(row, 'count'),
  }))
}

/**
 * Moves old minutes into their days, and deletes older days. Moved, not copied: rows that one node deleted cannot be
 * counted again by another.
 */
export function* moveToDays(now: Instant, limit: number): Verb<number> {
  const before = Math.floor((now - minutesKept) / statisticsSteps.minute)
  const moved = yield* all(sql`delete from statistics_minutes where (tenant, minute, series, reason) in
    (select tenant, minute, series, reason from statistics_minutes where minute < ${before} order by minute limit ${limit})
    returning tenant, minute, series, reason, count`)
  for (const { tenant, day, series, reason, count } of daysOf(moved)) {
    yield* run(sql`insert into statistics_days (tenant, day, series, reason, count)
      values (${tenant}, ${day}, ${series}, ${reason}, ${count})
      on conflict (tenant, day, series, reason) do update set count = statistics_days.count + excluded.count`)
  }
  const longAgo = Math.floor((now - daysKept) / statisticsSteps.day)
  const forgotten = yield* changes(sql`delete from statistics_days where (tenant, day, series, reason) in
    (select tenant, day, series, reason from statistics_days where day < ${longAgo} order by day limit ${limit})`)
  return moved.length + forgotten
}

/** In a fixed order, so that two nodes that do this at once do not deadlock. */
function daysOf(minutes: readonly Row[]) {
  const days = new Map<string, { tenant: string; day: number; series: string; reason: string; count: number }>()
  for (const row of minutes) {
    const [tenant, series, reason] = [text(row, 'tenant'), text(row, 'series'), text(row, 'reason')]
    const day = Math.floor(number(row, 'minute') / minutesOfDay)
    const key = `${tenant} ${day} ${series} ${reason}`
    const known = days.get(key)
    if (known === undefined) days.set(key, { tenant, day, series, reason, count: number(row, 'count') })
    else known.count += number(row, 'count')
  }
  return [...days].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, day]) => day)
}
