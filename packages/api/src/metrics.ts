/** What an API measures beside its validator. */
import { createMetricsRegistry, metricHelp, type MetricName, type MetricsRegistry } from '@grantor/resource'

export const apiMetricHelp = {
  rs_requests_total: 'Requests by method, route template and status',
  rs_request_seconds: 'Time from the request to its answer by route template',
  rs_quota_refusals_total: 'Requests refused by a quota policy',
  rs_quota_store_failures_total: 'Quota decisions that the store could not give',
  rs_deprecated_requests_total: 'Requests to a deprecated version',
} as const

export type ApiMetrics = MetricsRegistry<MetricName | keyof typeof apiMetricHelp>

/** One registry for both: give it to the validator and to the API. */
export const createApiMetrics = (): ApiMetrics => createMetricsRegistry({ ...metricHelp, ...apiMetricHelp })
