/** The metrics of an API in addition to its validator's, and the Prometheus registry for both. */
import { type Labels, metricHelp, type MetricName, type Metrics, noMetrics } from '@grantor/resource'
import { Counter, Gauge, Histogram, type PrometheusContentType, Registry } from '@prometheus-io/client'

export const apiMetricHelp = {
  rs_requests_total: 'Requests by method, route template and status',
  rs_request_seconds: 'Time from the request to its answer by route template',
  rs_quota_refusals_total: 'Requests refused by a quota policy',
  rs_quota_store_failures_total: 'Quota decisions that the store could not give',
  rs_deprecated_requests_total: 'Requests to a deprecated version',
} as const

type Name = MetricName | keyof typeof apiMetricHelp

export interface ApiMetrics extends Metrics<Name> {
  /** For scrapers: the Prometheus text format. */
  text(): Promise<string>
}

export const noApiMetrics: ApiMetrics = { ...noMetrics, text: () => Promise.resolve('') }

export const metricsContentType = Registry.PROMETHEUS_CONTENT_TYPE

const help: Readonly<Record<Name, string>> = { ...metricHelp, ...apiMetricHelp }
/** Seconds; from ten microseconds (a cached token) to a minute, in which every revocation must have arrived. */
const buckets = [0.000_01, 0.000_05, 0.000_1, 0.000_5, 0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.3, 1, 3, 10, 60]

/** Give the result to both the validator and the API. An application with a registry of its own passes that. */
export function createApiMetrics(registry = new Registry<PrometheusContentType>()): ApiMetrics {
  /** Registers a metric when it is first used, because only then its labels are known. */
  function lazily<M>(make: (config: MetricConfig) => M): (name: Name, labels: Labels) => M {
    const made = new Map<Name, M>()
    return (name, labels) => {
      const known = made.get(name)
      if (known !== undefined) return known
      const metric = make({ name, help: help[name], labelNames: Object.keys(labels), registers: [registry] })
      made.set(name, metric)
      return metric
    }
  }
  const counter = lazily((config) => new Counter(config))
  const histogram = lazily((config) => new Histogram({ ...config, buckets }))
  const gauge = lazily((config) => {
    const readers = new Map<string, () => void>()
    return { readers, metric: new Gauge({ ...config, collect: () => readers.forEach((read) => read()) }) }
  })
  return {
    count: (name, labels = {}, by = 1) => counter(name, labels).inc(labels, by),
    observe: (name, value, labels = {}) => histogram(name, labels).observe(labels, value),
    gauge(name, labels, read) {
      const { readers, metric } = gauge(name, labels)
      readers.set(JSON.stringify(labels), () => metric.set(labels, read()))
    },
    text: () => registry.metrics(),
  }
}

interface MetricConfig {
  readonly name: Name
  readonly help: string
  readonly labelNames: string[]
  readonly registers: [Registry<PrometheusContentType>]
}
