/** Counts units of quotas. One implementation counts in the memory of a node, another in the store for all nodes. */
import type { NewEvent } from '@grantor/protocol/events'
import type { QuotaDecision, QuotaPolicy } from '@grantor/protocol/http'
import type { Instant, TenantId } from '@grantor/protocol/types'
import type { LockHolder, ReturnedUnit } from '@grantor/store'

/** A person, client, address or tenant that a limit locks out. */
export interface Lock {
  /** Reveals nothing of the limit's key. */
  readonly id: string
  readonly tenant: TenantId
  /** The name of the limit. */
  readonly limit: string
  readonly heldBy: LockHolder
  readonly reachedAt: Instant
  /** When the next attempt is possible. */
  readonly endsAt: Instant
}

/** A limit and the key that is counted. */
export interface LimitedKey {
  readonly policy: QuotaPolicy
  readonly key: string
}

/** Counts by the generic cell rate algorithm (protocol/api/quota.ts). Implementations that store keys hash them. */
export interface Limiter {
  /** Charges `cost` units (1 by default); 0 only checks. A refusal charges nothing. */
  take(policy: QuotaPolicy, key: string, cost?: number): Promise<QuotaDecision> | QuotaDecision
  /** Charges one unit of each, or none: the decisions are in the given order, and end with the one that refuses. */
  takeAll(wanted: readonly LimitedKey[]): Promise<readonly QuotaDecision[]>
  /** Refunds one unit of each, charged for a failure that did not happen. */
  giveBack(taken: readonly LimitedKey[]): Promise<void>
  /**
   * Refunds as part of a commit: returns the units counted in the store for the verb to refund, and refunds the others
   * at once.
   */
  giveBackWithCommit(taken: readonly LimitedKey[]): readonly ReturnedUnit[]
  /** Records who is locked out by a limit that was reached; bounded per tenant. */
  noteReached(
    policy: QuotaPolicy,
    key: string,
    who: { readonly tenant: TenantId; readonly heldBy: LockHolder },
  ): Promise<void>
  /** The locks that have not ended. */
  locks(tenant: TenantId): Promise<readonly Lock[]>
  /** Restores the whole limit, on every node. */
  unlock(tenant: TenantId, id: string, events: readonly NewEvent[]): Promise<'unlocked' | 'absent'>
}
