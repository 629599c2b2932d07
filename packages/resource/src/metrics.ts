/** The list of the validator's metrics, and the port that reports them. No client library is needed here. */

export const metricHelp = {
  rs_auth_rejections_total: 'Refused requests by code',
  rs_token_validation_seconds: 'Time to judge a token that was not known by path: local, introspect, status_list',
  rs_token_cache_hits_total: 'Tokens judged by what was known of them, within microseconds and not timed',
  rs_jwks_age_seconds: 'Time since the key set of an issuer was last read',
  rs_jwks_fetch_total: 'Reads of key sets by result: ok, unchanged, failed',
  rs_introspection_total: 'Introspection requests by result: active, inactive, failed',
  rs_revocation_staleness_seconds: 'Age of what the revocation view knows',
  rs_revocation_lag_seconds: 'From the revocation to its arrival here',
  rs_revocation_entries: 'Entries of the revocation view',
  rs_revocation_escalations_total: 'Overflows of the view, each answered by revoking more',
  rs_stale_decisions_total: 'Decisions on stale revocation state by policy',
  rs_feed_connections_total: 'Attempts at the feed by result',
  rs_reports_total: 'Rejection reports by result: sent, dropped',
} as const

export type MetricName = keyof typeof metricHelp
export type Labels = Readonly<Record<string, string>>

export interface Metrics<Name extends string = MetricName> {
  count(name: Name, labels?: Labels, by?: number): void
  observe(name: Name, value: number, labels?: Labels): void
  /** `read` is called at each scrape. */
  gauge(name: Name, labels: Labels, read: () => number): void
}

export const noMetrics: Metrics = { count() {}, observe() {}, gauge() {} }
