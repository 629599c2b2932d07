/** The port behind deferred work: each verb is one atomic step, durable before it answers. */
import type { KeptAnswer } from '@grantor/protocol/http'
import type { Instant, Json } from '@grantor/protocol/types'
import type { ScopeNeed } from '@grantor/resource'
import type { PageQuery } from '../collection/handlers.ts'
import type { KeptCaller } from './caller.ts'

export type OperationStatus = 'pending' | 'running' | 'succeeded' | 'failed' | 'canceled'

export interface Progress {
  readonly done: number
  /** How much there is in all; null where nobody knows. */
  readonly total: number | null
  readonly note: string | null
}

/** What was asked for: enough to do it after a restart, in another process. */
export interface DeferredRequest {
  readonly version: string
  readonly collection: string
  /** Null for a create. */
  readonly action: string | null
  /** Of the item, for an action on one. */
  readonly item: string | null
  readonly path: string
  readonly body: Json
  readonly prefer: readonly string[]
  readonly requestId: string
  /** One for the intention: the same for every attempt, and for every retry with the same Idempotency-Key. */
  readonly intent: string
  readonly caller: KeptCaller
  /** Of the token; older texts do not say. */
  readonly need?: ScopeNeed
}

export interface OperationRecord {
  readonly id: string
  /** Who asked: nobody else sees it. */
  readonly owner: string
  readonly tenant: string
  /** `orders.create` */
  readonly kind: string
  readonly status: OperationStatus
  readonly request: DeferredRequest
  readonly progress: Progress | null
  /** What it was answered, when it has ended by itself. */
  readonly outcome: KeptAnswer | null
  /** How often it was begun. */
  readonly attempt: number
  readonly createdAt: Instant
  readonly startedAt: Instant | null
  readonly endedAt: Instant | null
  readonly cancelRequestedAt: Instant | null
  /** When it is forgotten. */
  readonly expiresAt: Instant
  /** Counts its changes. */
  readonly version: number
}

export type NewOperation = Pick<
  OperationRecord,
  'id' | 'owner' | 'tenant' | 'kind' | 'request' | 'createdAt' | 'expiresAt'
>

/** Who works on one, and until when nobody else does. */
export interface Lease {
  readonly worker: string
  readonly now: Instant
  readonly until: Instant
}

export interface OperationEnd {
  readonly status: 'succeeded' | 'failed' | 'canceled'
  readonly outcome: KeptAnswer | null
  /** How far it came; null leaves what was noted before. */
  readonly progress: Progress | null
  readonly at: Instant
  readonly expiresAt: Instant
}

export interface OperationStore {
  /** The one of this id as it is: a second time it changes nothing. Also forgets some that have expired. */
  add(operation: NewOperation): Awaitable<OperationRecord>
  find(owner: string, id: string, now: Instant): Awaitable<OperationRecord | null>
  page(owner: string, query: PageQuery, now: Instant): Awaitable<readonly OperationRecord[]>
  /** Of these kinds the oldest that waits, or whose worker is gone: it is running from now on, and the caller's alone. */
  take(lease: Lease, kinds: readonly string[]): Awaitable<OperationRecord | null>
  /** `lost`: another worker has it, or it has ended. `canceling`: to be given up. */
  renew(id: string, lease: Lease, progress: Progress | null): Awaitable<'held' | 'canceling' | 'lost'>
  /** Without effect where the worker has lost it. */
  finish(id: string, worker: string, end: OperationEnd): void | Promise<void>
  /** It waits again: its worker stops before it is done. Without effect where the worker has lost it. */
  release(id: string, worker: string): void | Promise<void>
  /** One that waits ends at once; one that runs is to be given up; one that has ended stays as it is. */
  cancel(owner: string, id: string, end: Pick<OperationEnd, 'at' | 'expiresAt'>): Awaitable<OperationRecord | null>
}

type Awaitable<T> = T | Promise<T>

export const hasEnded = ({ status }: Pick<OperationRecord, 'status'>): boolean =>
  status === 'succeeded' || status === 'failed' || status === 'canceled'

/** As it is when it was just added. */
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
