/** Series of counts over a range of time, with a value for every step of it. */
import { type StatisticsSeries, seriesPlan, statisticsSeries } from '@grantor/protocol/events'
import { err, ok } from '@grantor/protocol/result'
import type { Instant, TenantId } from '@grantor/protocol/types'
import {
  daysKept,
  minutesKept,
  type StatisticsCount,
  type StatisticsRange,
  type StatisticsStep,
  statisticsSteps,
  type Store,
} from '@grantor/store'
import type { Clock } from '../ports/environment.ts'
import type { AdminResult } from './result.ts'

export interface StatisticsQuery {
  /** Null: 24 hours before the end, or 30 days where the step is a day. */
  readonly from: Instant | null
  /** Null: now. */
  readonly to: Instant | null
  readonly step: StatisticsStep
}

export interface CountedSeries extends StatisticsRange {
  readonly series: StatisticsSeries
  readonly total: number
  /** One value for each step from `from` on; the last step may not be over yet. */
  readonly values: readonly number[]
  /** The values for each reason that occurred; null where the series is not counted by reason. */
  readonly reasons: Readonly<Record<string, readonly number[]>> | null
}

export interface StatisticsAdmin {
  /**
   * Counts everything that was committed before the call. The range begins no earlier than the counts that are still
   * kept.
   */
  counts(tenant: TenantId, query: StatisticsQuery): Promise<AdminResult<readonly CountedSeries[]>>
}

export interface StatisticsAdminDependencies {
  readonly clock: Clock
  readonly store: Pick<Store, 'events' | 'statistics'>
}

export const openStatisticsAdmin = ({ clock, store }: StatisticsAdminDependencies): StatisticsAdmin => ({
  async counts(tenant, query) {
    const range = rangeOf(query, clock.now())
    if (range === null) return err({ reason: 'invalid', problems: [{ field: 'from', problem: 'must lie before to' }] })
    await store.events.position()
    const counts = await store.statistics.counts(tenant, range)
    return ok(statisticsSeries.map((series) => countedSeries(series, range, counts)))
  },
})

/** The range, rounded to whole steps; null where it is empty. */
function rangeOf({ from, to, step }: StatisticsQuery, now: Instant): StatisticsRange | null {
  const length = statisticsSteps[step]
  const down = (at: number): number => Math.floor(at / length) * length
  const oldest = now - (step === 'day' ? daysKept : minutesKept)
  // The current step is included.
  const end = to === null || to > now ? down(now) + length : down(to - 1) + length
  const usual = step === 'day' ? 30 * statisticsSteps.day : statisticsSteps.day
  const start = Math.max(from === null ? end - usual : down(from), down(oldest))
  return start < end ? { from: start as Instant, to: end as Instant, step } : null
}

function countedSeries(
  series: StatisticsSeries,
  range: StatisticsRange,
  counts: readonly StatisticsCount[],
): CountedSeries {
  const length = statisticsSteps[range.step]
  const nothing = (): number[] => Array.from({ length: (range.to - range.from) / length }, () => 0)
  const values = nothing()
  const reasons = new Map<string, number[]>()
  let total = 0
  for (const { at, series: of, reason, count } of counts) {
    if (of !== series) continue
    const place = (at - range.from) / length
    values[place] = (values[place] ?? 0) + count
    total += count
    if (reason === '') continue
    const own = reasons.get(reason) ?? nothing()
    own[place] = (own[place] ?? 0) + count
    reasons.set(reason, own)
  }
  return { ...range, series, total, values, reasons: seriesPlan(series).byReason ? Object.fromEntries(reasons) : null }
}
