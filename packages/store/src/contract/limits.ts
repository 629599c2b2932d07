/** Limits that all nodes share: the generic cell rate algorithm (protocol/http/quota.ts), one number per key. */
import type { NewEvent } from '@grantor/protocol/events'
import type { QuotaPolicy } from '@grantor/protocol/http'
import type { Instant, TenantId } from '@grantor/protocol/types'

/**
 * All in microseconds. `interval` is the time of one unit, `span` that of all units; neither is 0, and span ≥ interval.
 */
export interface LimitUnit {
  /** A hash. */
  readonly key: string
  readonly now: number
  readonly interval: number
  readonly span: number
}

export type ReturnedUnit = Pick<LimitUnit, 'key' | 'interval'>

export interface TakenUnit {
  readonly taken: boolean
  /** When the whole limit will be available again: including the unit taken, or unchanged if none was. */
  readonly tat: number
}

/** Who is locked out: by their id, and by a readable name (for a client: its address). */
export interface LockHolder {
  readonly kind: 'user' | 'client' | 'address' | 'tenant'
  readonly id: string
  readonly name: string | null
}

/** A limit that was used up. */
export interface ReachedLock {
  readonly tenant: TenantId
  /** The key of the limit. */
  readonly key: string
  readonly policy: QuotaPolicy
  readonly heldBy: LockHolder
  readonly at: Instant
  /** When the row may be deleted. */
  readonly until: Instant
}

export interface LockRow extends ReachedLock {
  /** When the limit will be fully available again, as stored now. */
  readonly tat: number
}

/** Per tenant, because strangers can use any number of addresses. */
export const mostLocks = 1000

export interface LimitStore {
  /**
   * Takes one unit of each, or none: the answers are in the given order, and end with the limit that had none left.
   * Concurrent calls never take more units than there are.
   */
  takeUnits(units: readonly LimitUnit[]): Promise<readonly TakenUnit[]>
  /** Returns one unit of each. */
  giveBackUnits(units: readonly ReturnedUnit[]): Promise<void>
  /** When the whole limit will be available again; null if it is now. */
  tatOf(key: string): Promise<number | null>
  /** Records who reached a limit; at most `mostLocks` per tenant. */
  noteLock(lock: ReachedLock): Promise<void>
  /** In the order of keys. */
  locks(tenant: TenantId, now: Instant): Promise<readonly LockRow[]>
  /** Makes the whole limit available again. */
  unlock(tenant: TenantId, key: string, events: readonly NewEvent[]): Promise<'unlocked' | 'absent'>
}
