/** Counts limits in the memory of one process, with a bound on the memory. */
import { hash } from 'node:crypto'
import type { NewEvent } from '@grantor/protocol/events'
import { type QuotaDecision, type QuotaPolicy, type QuotaState, refundQuota, takeQuota } from '@grantor/protocol/http'
import type { Instant, TenantId } from '@grantor/protocol/types'
import { type LockHolder, mostLocks } from '@grantor/store'
import type { Clock } from '../ports/environment.ts'
import type { LimitedKey, Limiter, Lock } from '../ports/limiter.ts'

const maxKeys = 100_000

interface HeldLock {
  readonly policy: QuotaPolicy
  readonly key: string
  readonly heldBy: LockHolder
  readonly reachedAt: Instant
}

/** `append` writes the event of an unlock, since no store holds these locks. */
export function memoryLimiter(
  clock: Pick<Clock, 'now'>,
  append: (events: readonly NewEvent[]) => Promise<unknown> = async () => null,
): Limiter {
  const states = new QuotaMemory()
  const held = new Map<TenantId, Map<string, HeldLock>>()

  function locksOf(tenant: TenantId): readonly Lock[] {
    const all = held.get(tenant)
    return [...(all ?? [])].flatMap(([id, { policy, key, heldBy, reachedAt }]) => {
      const endsAt = lockEnd(policy, states.of(policy, key), clock.now())
      if (endsAt === null) all?.delete(id)
      return endsAt === null ? [] : [{ id, tenant, limit: policy.name, heldBy, reachedAt, endsAt }]
    })
  }

  const take = (policy: QuotaPolicy, key: string, cost = 1): QuotaDecision => {
    const decision = takeQuota(policy, states.of(policy, key), clock.now(), cost)
    if (cost > 0 || decision.state !== null) states.keep(policy, key, decision.state)
    return decision
  }

  const giveBack = ({ policy, key }: LimitedKey): void =>
    states.keep(policy, key, refundQuota(policy, states.of(policy, key), clock.now()))

  return {
    async noteReached(policy, key, { tenant, heldBy }) {
      const all = held.get(tenant) ?? new Map<string, HeldLock>()
      const id = hash('sha256', `${policy.name} ${key}`, 'base64url')
      const known = all.get(id)
      if (known === undefined && all.size >= mostLocks && locksOf(tenant).length >= mostLocks) return
      all.set(id, { policy, key, heldBy, reachedAt: known?.reachedAt ?? clock.now() })
      held.set(tenant, all)
    },
    locks: async (tenant) => locksOf(tenant),
    async unlock(tenant, id, events) {
      const lock = held.get(tenant)?.get(id)
      if (lock === undefined) return 'absent'
      await append(events)
      held.get(tenant)?.delete(id)
      states.keep(lock.policy, lock.key, null)
      return 'unlocked'
    },
    take,
    async takeAll(wanted) {
      const decisions: QuotaDecision[] = []
      for (const { policy, key } of wanted) {
        const decision = take(policy, key)
        if (!decision.allowed) wanted.slice(0, decisions.length).forEach(giveBack)
        decisions.push(decision)
        if (!decision.allowed) break
      }
      return decisions
    },
    giveBack: async (taken) => taken.forEach(giveBack),
    giveBackWithCommit(taken) {
      taken.forEach(giveBack)
      return []
    },
  }
}

/** When the next attempt is possible; null where one is possible now. */
export function lockEnd(policy: QuotaPolicy, state: QuotaState, now: Instant): Instant | null {
  const { allowed, wait } = takeQuota(policy, state, now, 0)
  return allowed ? null : ((now + wait) as Instant)
}

/**
 * States by policy and key; the least recently used is forgotten first. Forgetting only ever admits more, it never
 * locks out.
 */
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
