/** Limits that all nodes share: the generic cell rate algorithm (protocol/http/quota.ts), one number per key. */
import type { NewEvent } from '@grantor/protocol/events'
import type { QuotaPolicy } from '@grantor/protocol/http'
import type { Instant, TenantId } from '@grantor/protocol/types'

/** All in microseconds. `interval` is the time of one unit, `span` that of all; neither is 0, and span ≥ interval. */
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
  /** When the limit would be whole again: after what was taken, or unchanged where nothing was. */
  readonly tat: number
}

/** Who is shut out: by the id that they are known by, and what people know them by (of a client: its address). */
export interface LockHolder {
  readonly kind: 'user' | 'client' | 'address' | 'tenant'
  readonly id: string
  readonly name: string | null
}

/** A limit that was reached. */
export interface ReachedLock {
  readonly tenant: TenantId
  /** Of the limit. */
  readonly key: string
  readonly policy: QuotaPolicy
  readonly heldBy: LockHolder
  readonly at: Instant
  /** When the row may be forgotten. */
  readonly until: Instant
}

export interface LockRow extends ReachedLock {
  /** Of the limit, as it is now. */
  readonly tat: number
}

/** Of one tenant. Strangers choose from how many addresses they come. */
export const mostLocks = 1000

export interface LimitStore {
  /**
   * Takes one unit of each, or none: the answers are in the order asked, and end with the one that had none left. Of any
   * number at once no more succeed than there are units.
   */
  takeUnits(units: readonly LimitUnit[]): Promise<readonly TakenUnit[]>
  /** Gives one unit of each back. */
  giveBackUnits(units: readonly ReturnedUnit[]): Promise<void>
  /** When it would be whole again; null where it is. */
  tatOf(key: string): Promise<number | null>
  /** Remembers who reached one; beyond `mostLocks` of a tenant no more. */
  noteLock(lock: ReachedLock): Promise<void>
  /** By key. */
  locks(tenant: TenantId, now: Instant): Promise<readonly LockRow[]>
  /** The limit is whole again. */
  unlock(tenant: TenantId, key: string, events: readonly NewEvent[]): Promise<'unlocked' | 'absent'>
}
