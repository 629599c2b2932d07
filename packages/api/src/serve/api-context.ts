/** What the checks of a request work with. */
import type { Problem } from '@grantor/protocol/http'
import type { Instant } from '@grantor/protocol/types'
import type { Caller, CorsPlan, Validator } from '@grantor/resource'
import type { Challenge, SizeLimits } from '@grantor/resource/http'
import type { IdempotencyStore } from '../idempotency/idempotency-store.ts'
import type { Cursors } from '../list/cursor.ts'
import type { ApiMetrics } from '../metrics.ts'
import type { Turns } from '../operations/keyed-mutex.ts'
import type { Quotas } from '../quotas/quotas.ts'
import type { ServedVersion } from './routes.ts'
import type { Pages } from './operational-pages.ts'

export interface Api {
  readonly name: string
  readonly origin: string
  readonly validator: Validator
  readonly challenge: Challenge
  readonly versions: ReadonlyMap<string, ServedVersion>
  readonly basePath: string
  readonly sizes: SizeLimits
  readonly quotas: Quotas
  readonly cursors: Cursors
  readonly turns: Turns
  readonly idempotency: IdempotencyStore
  readonly cors: CorsPlan
  readonly pages: Pages
  readonly metrics: ApiMetrics
  partition(caller: Caller): string
  now(): Instant
  /** Hands an error to whoever looks after the API; the client learns its id and nothing else. */
  fault(error: unknown, requestId: string): Problem
}
