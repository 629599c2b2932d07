/** The port behind deferred work: each verb is one atomic step, durable before it answers. */
import type { KeptAnswer } from '@grantor/protocol/http'
import type { Instant, Json } from '@grantor/protocol/types'
import type { ScopeNeed } from '@grantor/resource'
import type { PageQuery } from '../collection/handlers.ts'
import type { KeptCaller } from './caller.ts'

export type OperationStatus = 'pending' | 'running' | 'succeeded' | 'failed' | 'canceled'

export interface Progress {
  readonly done: number
  /** The total amount of work; null where it is unknown. */
  readonly total: number | null
  readonly note: string | null
}

/** The request: all that is needed to do the work after a restart, in another process. */
export interface DeferredRequest {
  readonly version: string
  readonly collection: string
  /** Null for a create. */
  readonly action: string | null
  /** The id of the item, for an action on one. */
  readonly item: string | null
  readonly path: string
  readonly body: Json
  readonly prefer: readonly string[]
  readonly requestId: string
  /** The client's intention: the same for every attempt, and for every retry with the same Idempotency-Key. */
  readonly intent: string
  readonly caller: KeptCaller
  /** The scopes that the request needed; missing in older records. */
  readonly need?: ScopeNeed
}

export interface OperationRecord {
  readonly id: string
  /** The only caller who may see it (see `ownerOf`). */
  readonly owner: string
  readonly tenant: string
  /** `orders.create` */
  readonly kind: string
  readonly status: OperationStatus
  readonly request: DeferredRequest
  readonly progress: Progress | null
  /** The answer, when the work has succeeded or failed; null if it was canceled. */
  readonly outcome: KeptAnswer | null
  /** How often the work was started. */
  readonly attempt: number
  readonly createdAt: Instant
  readonly startedAt: Instant | null
  readonly endedAt: Instant | null
  readonly cancelRequestedAt: Instant | null
  /** When the record is deleted. */
  readonly expiresAt: Instant
  /** Counts the changes of the record. */
  readonly version: number
}

export type NewOperation = Pick<
  OperationRecord,
  'id' | 'owner' | 'tenant' | 'kind' | 'request' | 'createdAt' | 'expiresAt'
>

/** The worker of an operation, and until when no other worker may take it. */
export interface Lease {
  readonly worker: string
  readonly now: Instant
  readonly until: Instant
}

export interface OperationEnd {
  readonly status: 'succeeded' | 'failed' | 'canceled'
  readonly outcome: KeptAnswer | null
  /** The last progress; null leaves the one noted before. */
  readonly progress: Progress | null
  readonly at: Instant
  readonly expiresAt: Instant
}

export interface OperationStore {
  /** Adds the operation, or returns the existing one of this id unchanged. Also deletes some expired ones. */
  add(operation: NewOperation): Awaitable<OperationRecord>
  find(owner: string, id: string, now: Instant): Awaitable<OperationRecord | null>
  page(owner: string, query: PageQuery, now: Instant): Awaitable<readonly OperationRecord[]>
  /**
   * Takes the oldest operation of these kinds that waits or whose lease has ended: it is then running, for this worker.
   */
  take(lease: Lease, kinds: readonly string[]): Awaitable<OperationRecord | null>
  /** `lost`: another worker has it, or it has ended. `canceling`: the worker must stop. */
  renew(id: string, lease: Lease, progress: Progress | null): Awaitable<'held' | 'canceling' | 'lost'>
  /** No effect where the worker has lost the operation. */
  finish(id: string, worker: string, end: OperationEnd): void | Promise<void>
  /** Lets the operation wait again, as its worker stops. No effect where the worker has lost the operation. */
  release(id: string, worker: string): void | Promise<void>
  /**
   * Ends a waiting operation at once, and tells the worker of a running one to stop. One that has ended is unchanged.
   */
  cancel(owner: string, id: string, end: Pick<OperationEnd, 'at' | 'expiresAt'>): Awaitable<OperationRecord | null>
}

type Awaitable<T> = T | Promise<T>

export const hasEnded = ({ status }: Pick<OperationRecord, 'status'>): boolean =>
  status === 'succeeded' || status === 'failed' || status === 'canceled'

/** The record of an operation that was just added. */
export const waiting = (operation: NewOperation): OperationRecord => ({
  ...operation,
  status: 'pending',
  progress: null,
  outcome: null,
  attempt: 0,
  startedAt: null,
  endedAt: null,
  cancelRequestedAt: null,
  version: 1,
})
