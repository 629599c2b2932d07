/** The published face of the toolkit. */
export { createValidator, type Caller, type Validator, type Verdict } from './validate/validator.ts'
export type { IssuerOptions, ValidatorOptions } from './validate/validator-options.ts'
export { type Bearer, bearerOf, type Presented, type StalePolicy } from './validate/presented-credentials.ts'
export { rejection, rejectionKinds, type Rejection, type RejectionCode, type RejectionKind } from './validate/rejections.ts'
export type { Confirm } from './validate/judge.ts'
export type { Credentials } from './issuer/client-token.ts'
export { GivenKeys, type KeySource } from './issuer/remote-keys.ts'
export { type Freshness, type Killable, type RevocationSource, RevocationView } from './revocation/revocation-view.ts'
export { metricHelp, type Labels, type MetricName, type Metrics, noMetrics } from './metrics.ts'
export { systemTime, type Time } from './time.ts'
export { createDevIssuer, type DevIdentity, type DevIssuer } from './testing/test-issuer.ts'
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
} from '../../api/src/collection/collection.ts'
export { resourceServer, type ApiVersion, type ResourceServer, type ResourceServerOptions } from '../../api/src/serve/resource-server.ts'
export { type ScopeNeed } from './protect/challenge.ts'
export { protection, type Protection, type ProtectOptions } from './protect/protection.ts'
export {
  protectedResource,
  type ProtectedResource,
  type ProtectedResourceOptions,
  type Received,
} from './protect/protected-resource.ts'
export { type CorsPlan, mcpCors } from './protect/cors.ts'
export { type ApiRequest, type ApiResponse, defaultSizes, type SizeLimits } from './http/request.ts'
export { injector, type Injected, type Injection, type Injector } from '../../api/src/testing/test-client.ts'
export { type ListPlan } from '../../api/src/list/list-rules.ts'
export { pageSql, type PageSql } from '../../api/src/list/page-sql.ts'
export { type QuotaStore } from '../../api/src/quotas/quota-store.ts'
export { defaultQuotaLimits, type QuotaLimits } from '../../api/src/quotas/quotas.ts'
export { type Attempt, type IdempotencyStore } from '../../api/src/idempotency/idempotency-store.ts'
export { memoryIdempotency } from '../../api/src/stores/memory-idempotency.ts'
export { sqliteIdempotency } from '../../api/src/stores/sqlite-idempotency.ts'
export { memoryQuotas } from '../../api/src/stores/memory-quotas.ts'
export { sqliteQuotas } from '../../api/src/stores/sqlite-quotas.ts'
export { apiMetricHelp, createMetricsRegistry, metricsContentType, type MetricsRegistry } from './metrics-registry.ts'
export { problemPage } from '../../api/src/serve/problem-page.ts'
export { problem, type Problem } from '@grantor/protocol/http'
