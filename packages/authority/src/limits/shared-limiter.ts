/**
 * Counts the limits on guessing in the store, so that many nodes do not allow many tries. Units are charged there. A
 * check without a charge is answered from what this node last read, so it knows of guesses at another node only after
 * the next charge here. All other limits are counted in the memory of the node.
 */
import { type QuotaDecision, type QuotaPolicy, type QuotaState, takeQuota } from '@grantor/protocol/http'
import type { Instant } from '@grantor/protocol/types'
import type { LimitUnit, LockRow, ReturnedUnit, Store, TakenUnit } from '@grantor/store'
import type { Clock } from '../ports/environment.ts'
import type { LimitedKey, Limiter, Lock } from '../ports/limiter.ts'
import { BoundedCache } from '../bounded-cache.ts'
import { sharedLimits } from './limits.ts'
import { lockEnd, memoryLimiter, QuotaMemory } from './memory-limiter.ts'

export interface SharedLimiterParts {
  readonly store: Pick<Store, 'limits'>
  readonly clock: Clock
  /** A keyed hash: addresses and names are few enough to be guessed from a plain one. */
  digest(text: string): string
}

/** Milliseconds for which a used-up limit is not read again; another node may have refunded units meanwhile. */
const askAgainAfter = 1000

export function sharedLimiter({ store, clock, digest }: SharedLimiterParts): Limiter {
  const local = memoryLimiter(clock)
  const heard = new QuotaMemory()
  const askedAt = new BoundedCache<string, Instant>(10_000)
  const keyOf = (policy: QuotaPolicy, key: string): string => digest(`${policy.name} ${key}`)

  const unitOf = ({ policy, key }: LimitedKey, at: Instant): LimitUnit => limitTake(policy, keyOf(policy, key), at)

  async function takeAll(wanted: readonly LimitedKey[]): Promise<readonly QuotaDecision[]> {
    const at = clock.now()
    const units = wanted.map((limited) => unitOf(limited, at))
    const answers = await store.limits.takeUnits(units)
    const allTaken = answers.every(({ taken }) => taken)
    return wanted.slice(0, answers.length).map(({ policy, key }, n) => {
      const { taken, tat } = answers[n] as TakenUnit
      // If one refuses, the units charged before it were refunded, so their answers are no longer true.
      if (allTaken || !taken) heard.keep(policy, key, stateOf(tat))
      // The statement has decided; the rule is applied again to the previous state, for the numbers of the decision.
      const before = taken ? (tat - (units[n] as LimitUnit).interval) / 1000 : tat / 1000
      return { ...takeQuota(policy, before as Instant, at), allowed: taken }
    })
  }

  const take = async (policy: QuotaPolicy, key: string): Promise<QuotaDecision> =>
    (await takeAll([{ policy, key }]))[0] as QuotaDecision

  /** From memory if it admits; a refusal is based on the store's state of a moment ago. */
  function look(policy: QuotaPolicy, key: string): Promise<QuotaDecision> | QuotaDecision {
    const now = clock.now()
    const seen = takeQuota(policy, heard.of(policy, key), now, 0)
    if (seen.allowed) return seen
    const slot = keyOf(policy, key)
    const before = askedAt.get(slot)
    if (before !== undefined && Math.abs(now - before) < askAgainAfter) return seen
    askedAt.set(slot, now)
    return store.limits.tatOf(slot).then((tat) => {
      heard.keep(policy, key, tat === null ? null : stateOf(tat))
      return takeQuota(policy, heard.of(policy, key), now, 0)
    })
  }

  function giveBackWithCommit(charged: readonly LimitedKey[]): readonly ReturnedUnit[] {
    if (!isShared(charged)) return local.giveBackWithCommit(charged)
    for (const { policy, key } of charged) heard.keep(policy, key, null)
    return charged.map((limited) => unitOf(limited, clock.now())).map(({ key, interval }) => ({ key, interval }))
  }

  return {
    take(policy, key, cost = 1) {
      if (!sharedLimits.has(policy.name)) return local.take(policy, key, cost)
      return cost === 0 ? look(policy, key) : take(policy, key)
    },
    noteReached(policy, key, { tenant, heldBy }) {
      const at = clock.now()
      const until = (at + policy.window * 1000) as Instant
      return store.limits.noteLock({ tenant, key: keyOf(policy, key), policy, heldBy, at, until })
    },
    async locks(tenant) {
      const now = clock.now()
      return (await store.limits.locks(tenant, now)).flatMap((row) => lockOf(row, now))
    },
    unlock: (tenant, id, events) => store.limits.unlock(tenant, id, events),
    async takeAll(wanted) {
      return isShared(wanted) ? takeAll(wanted) : local.takeAll(wanted)
    },
    async giveBack(taken) {
      const units = giveBackWithCommit(taken)
      if (units.length > 0) await store.limits.giveBackUnits(units)
    },
    giveBackWithCommit,
  }
}

/** Limits charged together must be counted in the same place. */
function isShared(together: readonly LimitedKey[]): boolean {
  const shared = together.filter(({ policy }) => sharedLimits.has(policy.name)).length
  if (shared > 0 && shared < together.length) throw new Error('limits of all nodes and of one are taken together')
  return shared > 0
}

function lockOf({ tenant, key, policy, heldBy, at, tat }: LockRow, now: Instant): readonly Lock[] {
  const endsAt = lockEnd(policy, stateOf(tat), now)
  return endsAt === null ? [] : [{ id: key, tenant, limit: policy.name, heldBy, reachedAt: at, endsAt }]
}

/** Converted from microseconds, rounded up so that nobody is admitted early. */
const stateOf = (tat: number): NonNullable<QuotaState> => Math.ceil(tat / 1000) as Instant

/** In microseconds, rounded down so that a burst gets all its units. */
const limitTake = ({ quota, window }: QuotaPolicy, key: string, now: Instant): LimitUnit => {
  const span = window * 1_000_000
  return { key, now: Math.floor(now * 1000), interval: Math.max(1, Math.floor(span / quota)), span }
}
