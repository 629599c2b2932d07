/** Deferred work in memory, for one process: a restart forgets all of it, also accepted work. */
import { isDeepStrictEqual } from 'node:util'
import type { Scalar } from '@grantor/protocol/http'
import type { Instant } from '@grantor/protocol/types'
import type { PageQuery } from '../collection/handlers.ts'
import { hasEnded, type OperationRecord, type OperationStore, waiting } from '../deferred/operation-store.ts'

export interface MemoryOperationsOptions {
  /**
   * Most operations, and most characters of their requests and outcomes; beyond either, the oldest ended ones are
   * dropped.
   */
  readonly capacity?: number
  readonly room?: number
}

interface Held extends OperationRecord {
  readonly worker: string | null
  readonly leaseUntil: number
  /** Characters. */
  readonly size: number
}

export function memoryOperations({
  capacity = 10_000,
  room = 32_000_000,
}: MemoryOperationsOptions = {}): OperationStore {
  const records = new Map<string, Held>()
  let used = 0
  const put = (held: Held, change: Partial<Held>): Held => {
    const next = { ...held, ...change, version: held.version + 1 }
    used += next.size - held.size
    records.set(held.id, next)
    return next
  }
  const drop = ({ id, size }: Held): void => {
    used -= size
    records.delete(id)
  }
  /** Drops ended operations only: where that is not enough, no further work is accepted. */
  const makeRoom = (): void => {
    for (const held of records.values()) {
      if (records.size < capacity && used < room) return
      if (hasEnded(held)) drop(held)
    }
    if (records.size >= capacity || used >= room) throw new Error('too much deferred work waits in memory')
  }
  const own = (owner: string, id: string, now: Instant): Held | null => {
    const held = records.get(id)
    return held?.owner === owner && held.expiresAt > now ? held : null
  }
  const mine = (id: string, worker: string): Held | null => {
    const held = records.get(id)
    return held?.status === 'running' && held.worker === worker ? held : null
  }
  return {
    add(operation) {
      for (const held of records.values()) if (held.expiresAt <= operation.createdAt) drop(held)
      const there = records.get(operation.id)
      if (there !== undefined) return there
      makeRoom()
      const size = JSON.stringify(operation.request).length
      used += size
      const held = { ...waiting(operation), worker: null, leaseUntil: 0, size }
      records.set(operation.id, held)
      return held
    },
    find: (owner, id, now) => own(owner, id, now),
    page: (owner, query, now) =>
      pageOf(
        [...records.values()].filter((held) => held.owner === owner && held.expiresAt > now),
        query,
      ),
    take({ worker, now, until }, kinds) {
      let oldest: Held | null = null
      for (const held of records.values()) {
        const free = held.status === 'pending' || (held.status === 'running' && held.leaseUntil <= now)
        if (!free || held.expiresAt <= now || !kinds.includes(held.kind)) continue
        if (oldest === null || held.createdAt < oldest.createdAt) oldest = held
      }
      if (oldest === null) return null
      const { startedAt, attempt } = oldest
      const begun = { startedAt: startedAt ?? now, attempt: attempt + 1 }
      return put(oldest, { status: 'running', worker, leaseUntil: until, ...begun })
    },
    renew(id, { worker, until }, progress) {
      const held = mine(id, worker)
      if (held === null) return 'lost'
      // The lease is not part of the representation, so the version stays unless there is new progress.
      if (progress === null || isDeepStrictEqual(progress, held.progress))
        records.set(id, { ...held, leaseUntil: until })
      else put(held, { leaseUntil: until, progress })
      return held.cancelRequestedAt === null ? 'held' : 'canceling'
    },
    finish(id, worker, { status, outcome, progress, at, expiresAt }) {
      const held = mine(id, worker)
      if (held === null) return
      const size = held.size + (outcome?.body?.length ?? 0)
      put(held, { status, outcome, progress: progress ?? held.progress, endedAt: at, expiresAt, worker: null, size })
    },
    release(id, worker) {
      const held = mine(id, worker)
      if (held !== null) put(held, { status: 'pending', worker: null })
    },
    cancel(owner, id, { at, expiresAt }) {
      const held = own(owner, id, at)
      if (held === null || hasEnded(held)) return held
      const waits = held.status === 'pending' || held.leaseUntil <= at
      return put(
        held,
        waits
          ? { status: 'canceled', cancelRequestedAt: at, endedAt: at, expiresAt }
          : { cancelRequestedAt: held.cancelRequestedAt ?? at },
      )
    },
  }
}

/** A page, sorted by time and id, filtered by status and kind: all that the list of operations offers. */
function pageOf(all: readonly Held[], { sort, filter, after, take }: PageQuery): readonly Held[] {
  const field = (held: Held, name: string): Scalar =>
    name === 'created_at'
      ? new Date(held.createdAt).toISOString()
      : name === 'id'
        ? held.id
        : name === 'status'
          ? held.status
          : held.kind
  const compare = (held: Held, keys: readonly Scalar[]): number => {
    for (const [i, { field: name, descending }] of sort.entries()) {
      const [one, other] = [field(held, name), keys[i] ?? '']
      if (one !== other) return (one < other ? -1 : 1) * (descending ? -1 : 1)
    }
    return 0
  }
  return all
    .filter((held) =>
      filter.every(({ field: name, op, values }) => values.includes(field(held, name)) !== (op === 'ne')),
    )
    .filter((held) => after === null || compare(held, after) > 0)
    .sort((a, b) =>
      compare(
        a,
        sort.map(({ field: name }) => field(b, name)),
      ),
    )
    .slice(0, take)
}
