/** Quotas in memory, for one process. */
import { type QuotaState, refundQuota, takeQuota } from '@grantor/protocol/http'
import type { Instant } from '@grantor/protocol/types'
import { quotaKey, type QuotaStore } from '../quotas/quota-store.ts'

export interface MemoryQuotaOptions {
  /** A clock that never steps; by default `performance.now`. */
  readonly monotonic?: () => number
  /** Most partitions; beyond it the one idle for longest is forgotten, which favours its caller. */
  readonly capacity?: number
}

export function memoryQuotas({
  monotonic = () => performance.now(),
  capacity = 100_000,
}: MemoryQuotaOptions = {}): QuotaStore {
  // In order of last use: a Map keeps insertion order, and what is used is inserted again.
  const states = new Map<string, Instant>()
  const keep = (key: string, state: QuotaState): void => {
    states.delete(key)
    if (state === null) return
    states.set(key, state)
    if (states.size > capacity) {
      const [oldest] = states.keys()
      if (oldest !== undefined) states.delete(oldest)
    }
  }
  return {
    take(partition, policy, cost = 1) {
      const key = quotaKey(partition, policy)
      const decision = takeQuota(policy, states.get(key) ?? null, monotonic() as Instant, cost)
      keep(key, decision.state)
      return decision
    },
    refund(partition, policy, cost = 1) {
      const key = quotaKey(partition, policy)
      keep(key, refundQuota(policy, states.get(key) ?? null, monotonic() as Instant, cost))
    },
  }
}
