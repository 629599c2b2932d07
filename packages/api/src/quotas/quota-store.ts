/** The port behind quotas: one number per partition and policy, charged and refunded atomically. */
import type { QuotaDecision, QuotaPolicy } from '@grantor/protocol/http'

export interface QuotaStore {
  /** `cost` 0 reads the quota without charging it. */
  take(partition: string, policy: QuotaPolicy, cost?: number): QuotaDecision | Promise<QuotaDecision>
  refund(partition: string, policy: QuotaPolicy, cost?: number): void | Promise<void>
}

/** The key of the number; different policies never share one. */
export function quotaKey(partition: string, policy: QuotaPolicy): string {
  return JSON.stringify([policy.name, policy.quota, policy.window, partition])
}
