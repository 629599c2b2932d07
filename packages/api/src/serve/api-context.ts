/** The parts of an API that the checks of a request use. */
import type { Problem } from '@grantor/protocol/http'
import type { Instant } from '@grantor/protocol/types'
import type { Caller, CorsPlan, Validator } from '@grantor/resource'
import type { Challenge, SizeLimits } from '@grantor/resource/http'
import type { Deferral } from '../deferred/deferral.ts'
import type { IdempotencyStore } from '../idempotency/idempotency-store.ts'
import type { Cursors } from '../list/cursor.ts'
import type { ApiMetrics } from '../metrics.ts'
import type { KeyedMutex } from '../operations/keyed-mutex.ts'
import type { Quotas } from '../quotas/quotas.ts'
import type { PolicyCheck } from './check-policy.ts'
import type { OperationalPages } from './operational-pages.ts'
import type { ServedVersion } from './routes.ts'

export interface ApiContext extends PolicyCheck {
  readonly name: string
  readonly validator: Validator
  readonly challenge: Challenge
  readonly versions: ReadonlyMap<string, ServedVersion>
  readonly basePath: string
  readonly sizes: SizeLimits
  readonly quotas: Quotas
  readonly cursors: Cursors
  readonly locks: KeyedMutex
  readonly deferral: Deferral
  readonly idempotency: IdempotencyStore
  readonly cors: CorsPlan
  readonly pages: OperationalPages
  readonly metrics: ApiMetrics
  partition(caller: Caller): string
  now(): Instant
  /** Passes an error to `onError` of the API; the client learns only its id. */
  internalError(error: unknown, requestId: string): Problem
}
