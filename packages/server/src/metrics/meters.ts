/** What is counted. Labels are ours alone (routes, reasons, grant types), so that no caller can add a series. */
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
  /** Seconds that this share of the answers of a route took at most, as far as the buckets tell; null before the first. */
  quantile(route: string, share: number): Promise<number | null>
  /** The certificate that is shown from now on is good until then (seconds since 1970). */
  certificateEnds(at: number): void
  /** An attempt to fetch or deliver something, by what became of it. */
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
  // Of several workers the one that is behind counts.
  const certificate = new Gauge({
    ...named('grantor_certificate_expiry_timestamp_seconds'),
    aggregator: 'min',
    registers,
  })
  // Its usual ten times a second are a third of what an idle server does.
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
      // The last bucket is called `+Inf`, which is no number.
      const buckets = of.map(({ labels, value }) => ({
        upTo: Number((labels as { readonly le?: string }).le) || Infinity,
        value,
      }))
      const wanted = (buckets.at(-1)?.value ?? 0) * share
      const found = buckets.find(({ value }) => value >= wanted)
      return wanted === 0 || found === undefined ? null : Math.min(found.upTo, longest)
    },
    route(route) {
      // Bound once: a labelled child costs more to find than to count up.
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

/** What was counted since the last look. */
interface PendingCount {
  count: number
}

/** Counts in a plain number, which is handed over when somebody looks: that is every few seconds, counting is not. */
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

/** Only for keys from closed sets. */
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
