/**
 * Counts the limits of guessing in the store, so that many nodes are not as many chances. What is taken is taken there;
 * what is only looked at is answered from what this node last heard: a guess at another node is noticed at the first
 * failure here. All other limits are counted in the memory of the node.
 */
import { type QuotaDecision, type QuotaPolicy, takeQuota } from '@grantor/protocol/http'
import type { Instant } from '@grantor/protocol/types'
import type { LimitUnit, Store } from '@grantor/store'
import type { Clock } from '../ports/environment.ts'
import type { Limiter } from '../ports/limiter.ts'
import { sharedLimits } from './limits.ts'
import { memoryLimiter, QuotaMemory } from './memory-limiter.ts'

export interface SharedLimiterParts {
  readonly store: Pick<Store, 'limits'>
  readonly clock: Clock
  /** A keyed hash: addresses and names are few enough to be guessed from a plain one. */
  digest(text: string): string
}

export function sharedLimiter({ store, clock, digest }: SharedLimiterParts): Limiter {
  const local = memoryLimiter(clock)
  const heard = new QuotaMemory()

  async function take(policy: QuotaPolicy, key: string): Promise<QuotaDecision> {
    const at = clock.now()
    const taking = limitTake(policy, digest(`${policy.name} ${key}`), at)
    const { taken, tat } = await store.limits.takeUnit(taking)
    heard.keep(policy, key, Math.ceil(tat / 1000) as Instant)
    // The rule's own words for what the statement decided.
    const before = taken ? (tat - taking.interval) / 1000 : tat / 1000
    return { ...takeQuota(policy, before as Instant, at), allowed: taken }
  }

  return {
    take(policy, key, cost = 1) {
      if (!sharedLimits.has(policy.name)) return local.take(policy, key, cost)
      return cost === 0 ? takeQuota(policy, heard.of(policy, key), clock.now(), 0) : take(policy, key)
    },
    async giveBack(policy, key) {
      if (!sharedLimits.has(policy.name)) return local.giveBack(policy, key)
      heard.keep(policy, key, null)
      return store.limits.giveBackUnit(limitTake(policy, digest(`${policy.name} ${key}`), clock.now()))
    },
  }
}

/** In microseconds. Rounded down, so that a burst finds all its units. */
const limitTake = ({ quota, window }: QuotaPolicy, key: string, now: Instant): LimitUnit => {
  const span = window * 1_000_000
  return { key, now: Math.floor(now * 1000), interval: Math.max(1, Math.floor(span / quota)), span }
}
