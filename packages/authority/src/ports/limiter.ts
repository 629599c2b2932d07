/** Counts units of quotas. One implementation counts in the memory of a node, one in the store for all of them. */
import type { QuotaDecision, QuotaPolicy } from '@grantor/protocol/http'

/** Counts by the generic cell rate algorithm (protocol/api/quota.ts). Keys are hashed by whoever keeps them. */
export interface Limiter {
  /** Takes `cost` units (1 by default); 0 looks without taking. Refused, nothing was taken. */
  take(policy: QuotaPolicy, key: string, cost?: number): Promise<QuotaDecision> | QuotaDecision
  /** Gives back what was taken against a failure that did not happen. */
  giveBack(policy: QuotaPolicy, key: string): Promise<void> | void
}
