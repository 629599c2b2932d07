/** The server's meters. Labels are from closed sets (routes, reasons, grant types), so callers cannot add series. */
import {
  Counter,
  Gauge,
  Histogram,
  type PrometheusContentType,
  Registry,
  collectDefaultMetrics,
} from '@prometheus-io/client'
import { type ServerMetricName, serverMetrics } from './server-metrics.ts'

export interface RouteMeter {
  answered(status: number, seconds: number): void
  refused(reason: string): void
}

export interface Meters {
  readonly registry: Registry<PrometheusContentType>
  route(route: string): RouteMeter
  issued(grantType: string): void
  /**
   * Seconds within which this share of a route's answers was given, by histogram buckets; null before the first answer.
   */
  quantile(route: string, share: number): Promise<number | null>
  /** Sets when the current certificate expires (seconds since 1970). */
  certificateEnds(at: number): void
  /** Counts an attempt to fetch or deliver something, by its outcome. */
  outboundAttempt(outcome: string): void
}

export const metricsContentType = Registry.PROMETHEUS_CONTENT_TYPE

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

const longest = Math.max(...seconds)

export function openMeters(registry = new Registry<PrometheusContentType>()): Meters {
  const registers = [registry]
  const requests = counter(registers, 'grantor_http_requests_total')
  const durations = new Histogram({ ...named('grantor_http_request_duration_seconds'), buckets: seconds, registers })
  const refusals = counter(registers, 'grantor_refusals_total')
  const issued = counter(registers, 'grantor_tokens_issued_total')
  const outbound = counter(registers, 'grantor_outbound_total')
  // Of several workers, the earliest expiry counts.
  const certificate = new Gauge({
    ...named('grantor_certificate_expiry_timestamp_seconds'),
    aggregator: 'min',
    registers,
  })
  // The default, ten times a second, would be a third of the work of an idle server.
  collectDefaultMetrics({ register: registry, eventLoopUtilizationTimeout: 1000 })
  const issuedBy = memoized((grantType: string) => issued(grantType))
  const outboundAttempt = memoized((outcome: string) => outbound(outcome))

  return {
    registry,
    issued: (grantType) => void issuedBy(grantType).count++,
    outboundAttempt: (outcome) => void outboundAttempt(outcome).count++,
    certificateEnds: (at) => certificate.set(at),
    async quantile(route, share) {
      const { values } = await durations.get()
      const of = values.filter(({ labels, metricName }) => labels['route'] === route && metricName?.endsWith('_bucket'))
      // The last bucket is called `+Inf`, which Number cannot parse.
      const buckets = of.map(({ labels, value }) => ({
        upTo: Number((labels as { readonly le?: string }).le) || Infinity,
        value,
      }))
      const wanted = (buckets.at(-1)?.value ?? 0) * share
      const found = buckets.find(({ value }) => value >= wanted)
      return wanted === 0 || found === undefined ? null : Math.min(found.upTo, longest)
    },
    route(route) {
      // Looked up once, because finding a labelled child costs more than counting.
      const byStatus = memoized((status: number) => requests(route, String(status)))
      const byReason = memoized((reason: string) => refusals(route, reason))
      const duration = durations.labels(route)
      return {
        answered(status, took) {
          byStatus(status).count++
          duration.observe(took)
        },
        refused: (reason) => void byReason(reason).count++,
      }
    },
  }
}

const named = (name: ServerMetricName): { name: string; help: string; labelNames: string[] } => ({
  name,
  help: serverMetrics[name].help,
  labelNames: [...serverMetrics[name].labels],
})

/** The count since the last collection. */
interface PendingCount {
  count: number
}

/** Counts in a plain number, and updates the metric only at each scrape, because counting happens far more often. */
function counter(
  registers: Registry<PrometheusContentType>[],
  name: ServerMetricName,
): (...labels: string[]) => PendingCount {
  const all: (PendingCount & { readonly child: { inc(by: number): void } })[] = []
  const metric = new Counter({
    ...named(name),
    registers,
    collect() {
      for (const one of all) {
        one.child.inc(one.count)
        one.count = 0
      }
    },
  })
  return (...labels) => {
    const pending = { count: 0, child: metric.labels(...labels) }
    all.push(pending)
    return pending
  }
}

/** Unbounded, so only for keys from closed sets. */
function memoized<K, T>(make: (key: K) => T): (key: K) => T {
  const made = new Map<K, T>()
  return (key) => {
    const known = made.get(key)
    if (known !== undefined) return known
    const fresh = make(key)
    made.set(key, fresh)
    return fresh
  }
}
