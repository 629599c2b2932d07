/** The published face of the toolkit. */
export { createValidator, type Caller, type Validator, type Verdict } from './validator.ts'
export type { IssuerOptions, ValidatorOptions } from './options.ts'
export { type Bearer, bearerOf, type Presented, type StalePolicy } from './presented.ts'
export { rejection, rejectionKinds, type Rejection, type RejectionCode, type RejectionKind } from './rejections.ts'
export type { Confirm } from './judge.ts'
export type { Credentials } from './client-token.ts'
export { GivenKeys, type KeySource } from './keys.ts'
export { type Freshness, type Killable, type RevocationSource, RevocationView } from './revocations.ts'
export { metricHelp, type Labels, type MetricName, type Metrics, noMetrics } from './metrics.ts'
export { systemTime, type Time } from './time.ts'
export { createDevIssuer, type DevIdentity, type DevIssuer } from './dev-issuer.ts'
export {
  collection,
  type ActionPlan,
  type Change,
  type Collection,
  type CollectionPlan,
  type Context,
  type Entry,
  type Handlers,
  type PageQuery,
  type Permissions,
} from './collection.ts'
export { resourceServer, type ApiVersion, type ResourceServer, type ResourceServerOptions } from './resource-server.ts'
export { type ScopeNeed } from './guard.ts'
export { protection, type Protection, type ProtectOptions } from './protect.ts'
export {
  protectedResource,
  type ProtectedResource,
  type ProtectedResourceOptions,
  type Received,
} from './protected-resource.ts'
export { type CorsPlan, mcpCors } from './cors.ts'
export { type ApiRequest, type ApiResponse, defaultSizes, type SizeLimits } from './http.ts'
export { injector, type Injected, type Injection, type Injector } from './inject.ts'
export { type ListPlan } from './list-rules.ts'
export { pageSql, type PageSql } from './keyset.ts'
export { type QuotaStore } from './quota-store.ts'
export { defaultQuotaLimits, type QuotaLimits } from './quotas.ts'
export { type Attempt, type IdempotencyStore } from './idempotency-store.ts'
export { memoryIdempotency } from './stores/memory-idempotency.ts'
export { sqliteIdempotency } from './stores/sqlite-idempotency.ts'
export { memoryQuotas } from './stores/memory.ts'
export { sqliteQuotas } from './stores/sqlite.ts'
export { apiMetricHelp, createMetricsRegistry, metricsContentType, type MetricsRegistry } from './metrics-text.ts'
export { problemPage } from './problem-pages.ts'
export { problem, type Problem } from '@grantor/protocol/http'
