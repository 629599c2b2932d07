/** Counts limits in the memory of one process, with a bound on what it remembers. */
import { type Instant, type QuotaState, refundQuota, takeQuota } from '@grantor/protocol'
import type { Limiter } from './limits.ts'

const maxKeys = 100_000

export function memoryLimiter(now: () => Instant): Limiter {
  const states = new Map<string, QuotaState>()
  return {
    take(policy, key, cost = 1) {
      const slot = `${policy.name} ${key}`
      const decision = takeQuota(policy, states.get(slot) ?? null, now(), cost)
      states.delete(slot)
      if (decision.state !== null) {
        states.set(slot, decision.state)
        // The oldest is the one not seen for longest. Forgetting it forgives, it never locks out.
        const oldest = states.size > maxKeys ? states.keys().next() : undefined
        if (oldest?.done === false) states.delete(oldest.value)
      }
      return decision
    },
    giveBack(policy, key) {
      const slot = `${policy.name} ${key}`
      const state = refundQuota(policy, states.get(slot) ?? null, now())
      if (state === null) states.delete(slot)
      else states.set(slot, state)
    },
  }
}
