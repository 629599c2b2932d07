/** Counts units of quotas. One implementation counts in the memory of a node, one in the store for all of them. */
import type { NewEvent } from '@grantor/protocol/events'
import type { QuotaDecision, QuotaPolicy } from '@grantor/protocol/http'
import type { Instant, TenantId } from '@grantor/protocol/types'
import type { LockHolder, ReturnedUnit } from '@grantor/store'

/** Somebody whom a limit shuts out. */
export interface Lock {
  /** Nothing that the limit's key could be read from. */
  readonly id: string
  readonly tenant: TenantId
  /** The name of the limit. */
  readonly limit: string
  readonly heldBy: LockHolder
  readonly reachedAt: Instant
  /** When there is a next attempt. */
  readonly endsAt: Instant
}

/** What is counted, and by which limit. */
export interface LimitedKey {
  readonly policy: QuotaPolicy
  readonly key: string
}

/** Counts by the generic cell rate algorithm (protocol/api/quota.ts). Keys are hashed by whoever keeps them. */
export interface Limiter {
  /** Takes `cost` units (1 by default); 0 looks without taking. Refused, nothing was taken. */
  take(policy: QuotaPolicy, key: string, cost?: number): Promise<QuotaDecision> | QuotaDecision
  /** One unit of each, or none: the decisions are in the order asked, and end with the one that refuses. */
  takeAll(wanted: readonly LimitedKey[]): Promise<readonly QuotaDecision[]>
  /** Gives back what was taken against a failure that did not happen: one unit of each. */
  giveBack(taken: readonly LimitedKey[]): Promise<void>
  /** The same as part of a commit: what the store counts is for the verb that these are handed to, all else is given back. */
  giveBackWithCommit(taken: readonly LimitedKey[]): readonly ReturnedUnit[]
  /** Remembers who is shut out by a limit that was reached; so many of a tenant, and no more. */
  noteReached(
    policy: QuotaPolicy,
    key: string,
    who: { readonly tenant: TenantId; readonly heldBy: LockHolder },
  ): Promise<void>
  /** Those that still shut somebody out. */
  locks(tenant: TenantId): Promise<readonly Lock[]>
  /** The limit is whole again, at every node. */
  unlock(tenant: TenantId, id: string, events: readonly NewEvent[]): Promise<'unlocked' | 'absent'>
}
