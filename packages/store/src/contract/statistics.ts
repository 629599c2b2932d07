/** Counts of events in a tenant, made together with the events themselves, never by reading the log. */
import type { StatisticsSeries } from '@grantor/protocol/events'
import type { Instant, TenantId } from '@grantor/protocol/types'

export const statisticsSteps = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const
export type StatisticsStep = keyof typeof statisticsSteps

/** Milliseconds for which counts per minute are kept, and then counts per day. */
export const minutesKept = 48 * statisticsSteps.hour
export const daysKept = 400 * statisticsSteps.day

export interface StatisticsRange {
  /** Both on a step boundary; `to` is exclusive. */
  readonly from: Instant
  readonly to: Instant
  readonly step: StatisticsStep
}

export interface StatisticsCount {
  /** The beginning of its step. */
  readonly at: Instant
  readonly series: StatisticsSeries
  /** Empty if the series is not counted by reason. */
  readonly reason: string
  readonly count: number
}

export interface StatisticsStore {
  /** The counts, in the order of time; steps without events have no row. */
  counts(tenant: TenantId, range: StatisticsRange): Promise<readonly StatisticsCount[]>
}
