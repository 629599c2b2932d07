/** The port behind quotas: one number per partition and policy, taken and given back atomically. */
import type { QuotaDecision, QuotaPolicy } from '@grantor/protocol/http'

export interface QuotaStore {
  /** `cost` 0 looks without taking. */
  take(partition: string, policy: QuotaPolicy, cost?: number): QuotaDecision | Promise<QuotaDecision>
  refund(partition: string, policy: QuotaPolicy, cost?: number): void | Promise<void>
}

/** Partitions of two policies never share a number. */
export function quotaKey(partition: string, policy: QuotaPolicy): string {
  return JSON.stringify([policy.name, policy.quota, policy.window, partition])
}
