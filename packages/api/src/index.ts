/** Published entry of `@grantor/api`: builds an API by the conventions from declared collections. */
export { collection, type Collection, type CollectionPlan } from './collection/collection.ts'
export type {
  ActionPlan,
  ResourceChange,
  RequestContext,
  StoredResource,
  Handlers,
  PageQuery,
  PartOfList,
  Permissions,
  ViewPlan,
} from './collection/handlers.ts'
export {
  resourceServer,
  type ApiVersion,
  type ResourceServer,
  type ResourceServerOptions,
} from './serve/resource-server.ts'
export { liveReply, readyReply } from './serve/health.ts'
export { type OperationalPagesPlan } from './serve/operational-pages.ts'
export { problemPage } from '@grantor/resource/http'
export { type ListPlan } from './list/list-rules.ts'
export { pageSql, type PageSql } from './list/page-sql.ts'
export { type QuotaStore } from './quotas/quota-store.ts'
export { defaultQuotaLimits, type QuotaLimits } from './quotas/quotas.ts'
export {
  type Lease,
  type NewOperation,
  type OperationEnd,
  type OperationRecord,
  type OperationStore,
  type Progress,
} from './deferred/operation-store.ts'
export { memoryOperations } from './stores/memory-operations.ts'
export { type IdempotencyAttempt, type IdempotencyStore } from './idempotency/idempotency-store.ts'
export { memoryIdempotency } from './stores/memory-idempotency.ts'
export { memoryQuotas } from './stores/memory-quotas.ts'
export { apiMetricHelp, type ApiMetrics, createApiMetrics, metricsContentType, noApiMetrics } from './metrics.ts'
export { problem, type Problem } from '@grantor/protocol/http'
export type { Instant } from '@grantor/protocol/types'
