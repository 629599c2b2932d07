/** Counts limits in the memory of one process, with a bound on what it remembers. */
import { type QuotaPolicy, type QuotaState, refundQuota, takeQuota } from '@grantor/protocol/http'
import type { Clock } from '../ports/environment.ts'
import type { Limiter } from '../ports/limiter.ts'

const maxKeys = 100_000

export function memoryLimiter(clock: Pick<Clock, 'now'>): Limiter {
  const states = new QuotaMemory()
  return {
    take(policy, key, cost = 1) {
      const decision = takeQuota(policy, states.of(policy, key), clock.now(), cost)
      if (cost > 0 || decision.state !== null) states.keep(policy, key, decision.state)
      return decision
    },
    giveBack: (policy, key) => states.keep(policy, key, refundQuota(policy, states.of(policy, key), clock.now())),
  }
}

/** States by policy and key; the one not seen for longest is forgotten first. Forgetting forgives, it never locks out. */
export class QuotaMemory {
  readonly #states = new Map<string, QuotaState>()

  of({ name }: QuotaPolicy, key: string): QuotaState {
    return this.#states.get(`${name} ${key}`) ?? null
  }

  keep({ name }: QuotaPolicy, key: string, state: QuotaState): void {
    const slot = `${name} ${key}`
    this.#states.delete(slot)
    if (state === null) return
    this.#states.set(slot, state)
    if (this.#states.size <= maxKeys) return
    const oldest = this.#states.keys().next()
    if (oldest.done === false) this.#states.delete(oldest.value)
  }
}
