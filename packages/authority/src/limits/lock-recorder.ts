/**
 * Records who is locked out when a limit on guessing is reached, apart from the answer, which must not reveal whether
 * the account exists.
 */
import type { QuotaPolicy } from '@grantor/protocol/http'
import type { Instant } from '@grantor/protocol/types'
import { BoundedCache } from '../bounded-cache.ts'
import type { Clock } from '../ports/environment.ts'
import type { Limiter } from '../ports/limiter.ts'
import type { LimitName } from './limits.ts'
import { isLock, type LockHolderDependencies, shutOutBy } from './lock-holder.ts'

/** Called for every refusal by a limit; returns at once. */
export type NoteReached = (limit: LimitName, policy: QuotaPolicy, key: string) => void

export interface LockRecorderDependencies extends LockHolderDependencies {
  readonly clock: Pick<Clock, 'now'>
  readonly limiter: Limiter
}

/** Milliseconds in which further refusals of the same key are not looked up again. */
const restBetweenNotes = 1000

export function openLockRecorder(deps: LockRecorderDependencies): NoteReached {
  const noted = new BoundedCache<string, Instant>(10_000)
  return (limit, policy, key) => {
    if (!isLock(limit)) return
    const [at, slot] = [deps.clock.now(), `${limit} ${key}`]
    const before = noted.get(slot)
    if (before !== undefined && Math.abs(at - before) < restBetweenNotes) return
    noted.set(slot, at)
    // In the background, so that no answer waits for it or fails with it. If it fails, the next refusal tries again.
    void note(limit, policy, key).catch(() => noted.delete(slot))
  }

  async function note(limit: LimitName, policy: QuotaPolicy, key: string): Promise<void> {
    const found = await shutOutBy(limit, key, deps)
    if (found !== null) await deps.limiter.noteReached(policy, key, found)
  }
}
