/** What is counted. Labels are ours alone (routes, reasons, grant types), so that no caller can add a series. */
import { Counter, Histogram, type PrometheusContentType, Registry, collectDefaultMetrics } from '@prometheus-io/client'

export interface RouteMeter {
  answered(status: number, seconds: number): void
  refused(reason: string): void
}

export interface Meters {
  readonly registry: Registry<PrometheusContentType>
  route(route: string): RouteMeter
  issued(grantType: string): void
  /** An attempt to fetch or deliver something, by what became of it. */
  wentOut(outcome: string): void
}

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

export function openMeters(registry = new Registry<PrometheusContentType>()): Meters {
  const registers = [registry]
  const requests = new Counter({
    name: 'grantor_http_requests_total',
    help: 'Requests answered, by route and status.',
    labelNames: ['route', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'grantor_http_request_duration_seconds',
    help: 'Time from the parsed request to its answer, by route.',
    labelNames: ['route'],
    buckets: seconds,
    registers,
  })
  const refusals = new Counter({
    name: 'grantor_refusals_total',
    help: 'Requests refused, by route and reason.',
    labelNames: ['route', 'reason'],
    registers,
  })
  const issued = new Counter({
    name: 'grantor_tokens_issued_total',
    help: 'Access tokens issued, by grant type.',
    labelNames: ['grant_type'],
    registers,
  })
  const outbound = new Counter({
    name: 'grantor_outbound_total',
    help: 'Documents fetched from and messages delivered to other servers, by outcome.',
    labelNames: ['outcome'],
    registers,
  })
  collectDefaultMetrics({ register: registry })
  const issuedBy = remembered((grantType) => issued.labels(grantType))

  return {
    registry,
    issued: (grantType) => issuedBy(grantType).inc(),
    wentOut: (outcome) => outbound.labels(outcome).inc(),
    route(route) {
      // Bound once: a labelled child costs more to find than to count up.
      const byStatus = remembered((status) => requests.labels(route, status))
      const byReason = remembered((reason) => refusals.labels(route, reason))
      const duration = durations.labels(route)
      return {
        answered(status, took) {
          byStatus(String(status)).inc()
          duration.observe(took)
        },
        refused: (reason) => byReason(reason).inc(),
      }
    },
  }
}

/** Only for keys from closed sets. */
function remembered<T>(make: (key: string) => T): (key: string) => T {
  const made = new Map<string, T>()
  return (key) => {
    const known = made.get(key)
    if (known !== undefined) return known
    const fresh = make(key)
    made.set(key, fresh)
    return fresh
  }
}
