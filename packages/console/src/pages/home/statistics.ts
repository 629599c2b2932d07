/** What the start page makes of the counts of a day: series by name, the reasons that lead, and what wants attention. */
import type { Schemas } from '../../api/client.ts'

export type CountedSeries = Schemas['Statistics']
export type SeriesName = CountedSeries['id']

export interface Day {
  /** Seconds since 1970, one for each value. */
  readonly times: readonly number[]
  valuesOf(name: SeriesName): readonly number[]
  totalOf(name: SeriesName): number
  /** The most frequent first. */
  reasonsOf(name: SeriesName): readonly CountedReason[]
}

export interface CountedReason {
  readonly reason: string
  readonly total: number
  readonly values: readonly number[]
}

const hour = 3600

export function dayOf(series: readonly CountedSeries[]): Day {
  const byName = new Map(series.map((it) => [it.id, it]))
  const [any] = series
  const start = any === undefined ? 0 : Date.parse(any.from) / 1000
  return {
    times: (any?.values ?? []).map((_, step) => start + step * hour),
    valuesOf: (name) => byName.get(name)?.values ?? (any?.values ?? []).map(() => 0),
    totalOf: (name) => byName.get(name)?.total ?? 0,
    reasonsOf: (name) =>
      Object.entries(byName.get(name)?.reasons ?? {})
        .map(([reason, values]) => ({ reason, total: sum(values), values }))
        .toSorted((one, other) => other.total - one.total),
  }
}

const sum = (counts: readonly number[]): number => counts.reduce((total, n) => total + n, 0)

export type Concern =
  | { readonly kind: 'failures'; readonly n: number }
  | { readonly kind: 'replays'; readonly n: number }
  | { readonly kind: 'refusals'; readonly n: number; readonly reason: string }

/** Fewer than these happen to everybody. */
const someFailures = 10
const someRefusals = 50

export function concernsOf(day: Day): readonly Concern[] {
  const failed = day.totalOf('sign_in_failed')
  const replayed = day.totalOf('replayed')
  const refused = day.totalOf('refused')
  const reason = day.reasonsOf('refused')[0]?.reason ?? ''
  return [
    ...(failed >= someFailures && failed > day.totalOf('signed_in') ? [{ kind: 'failures', n: failed } as const] : []),
    ...(replayed > 0 ? [{ kind: 'replays', n: replayed } as const] : []),
    ...(refused >= someRefusals && refused > day.totalOf('issued') / 2
      ? [{ kind: 'refusals', n: refused, reason } as const]
      : []),
  ]
}
