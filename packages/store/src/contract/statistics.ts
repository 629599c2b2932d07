/** How much happened in a tenant: counted with the events themselves, never by reading the log. */
import type { StatisticsSeries } from '@grantor/protocol/events'
import type { Instant, TenantId } from '@grantor/protocol/types'

export const statisticsSteps = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const
export type StatisticsStep = keyof typeof statisticsSteps

/** Milliseconds: minutes are kept for so long and then only days are, for so long. */
export const minutesKept = 48 * statisticsSteps.hour
export const daysKept = 400 * statisticsSteps.day

export interface StatisticsRange {
  /** Both on a whole step; `to` is exclusive. */
  readonly from: Instant
  readonly to: Instant
  readonly step: StatisticsStep
}

export interface StatisticsCount {
  /** When its step began. */
  readonly at: Instant
  readonly series: StatisticsSeries
  /** Empty where the series is not counted by reasons. */
  readonly reason: string
  readonly count: number
}

export interface StatisticsStore {
  /** What was counted, in the order of time; steps in which nothing was have no row. */
  counts(tenant: TenantId, range: StatisticsRange): Promise<readonly StatisticsCount[]>
}
