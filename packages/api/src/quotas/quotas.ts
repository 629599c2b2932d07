/** Quotas at an API: which apply to which caller, and what happens when their store is away. */
import {
  checkedPolicy,
  problem,
  type Problem,
  type QuotaDecision,
  quotaHeaders,
  type QuotaPolicy,
} from '@grantor/protocol/http'
import type { Caller } from '@grantor/resource'
import type { ApiMetrics } from '../metrics.ts'
import { inTime } from './in-time.ts'
import type { QuotaStore } from './quota-store.ts'

export interface QuotaLimits {
  /** Requests per client. */
  readonly client: QuotaPolicy | null
  /** Requests refused with 401, per address; beyond it every request from the address is refused with 429. */
  readonly failures: QuotaPolicy | null
  /**
   * Requests refused for their scope, per client: a client that refreshes its token on every 401 would loop forever.
   */
  readonly scope: QuotaPolicy | null
}

/**
 * `failures` is off because addresses are shared, and `scope` because the quota of the client already bounds a loop.
 */
export const defaultQuotaLimits: QuotaLimits = {
  client: { name: 'client', quota: 600, window: 60 },
  failures: null,
  scope: null,
}

export interface Quotas {
  /** The refusal where this address has used up its quota of failures. Does not charge it. */
  checkAddress(ip: string | null): Promise<Problem | null>
  countFailure(ip: string | null): Promise<void>
  /** Charges all policies of the caller; where one refuses, none is charged. */
  charge(caller: Caller, more: QuotaPolicy | undefined): Promise<QuotaCharge>
  /** For 304 answers (RFC 9110 §15.4.5), which cost nothing, to encourage clients to revalidate. */
  refund(caller: Caller, taken: QuotaCharge): Promise<void>
  /** `charge`: what the request was charged before, returned together with the new decision. */
  countScopeFailure(caller: Caller, charge: QuotaCharge): Promise<QuotaCharge>
}

export interface QuotaCharge {
  readonly decisions: readonly QuotaDecision[]
  readonly refused: Problem | null
}

/** Milliseconds for one answer of any store. */
const patience = 3_000

export function createQuotas(store: QuotaStore, limits: QuotaLimits, metrics: ApiMetrics): Quotas {
  for (const policy of Object.values(limits) as (QuotaPolicy | null)[]) if (policy !== null) checkedPolicy(policy)

  /** null where the store fails: then the API serves without the quota, and a metric counts it. */
  async function take(partition: string, policy: QuotaPolicy, cost = 1): Promise<QuotaDecision | null> {
    try {
      const decision = store.take(partition, policy, cost)
      return decision instanceof Promise ? await inTime(decision, patience) : decision
    } catch {
      metrics.count('rs_quota_store_failures_total', { policy: policy.name })
      return null
    }
  }

  async function refund(partition: string, policy: QuotaPolicy): Promise<void> {
    try {
      await inTime(Promise.resolve(store.refund(partition, policy)), patience)
    } catch {
      metrics.count('rs_quota_store_failures_total', { policy: policy.name })
    }
  }

  /**
   * Refunds a charge and reads the quota again, so that the headers tell the client what its next request will find.
   */
  async function refundAndRead(partition: string, taken: QuotaDecision): Promise<QuotaDecision> {
    await refund(partition, taken.policy)
    return (await take(partition, taken.policy, 0)) ?? taken
  }

  function refusal(decisions: readonly QuotaDecision[]): Problem | null {
    const violated = decisions.filter(({ allowed }) => !allowed).map(({ policy }) => policy.name)
    if (violated.length === 0) return null
    for (const policy of violated) metrics.count('rs_quota_refusals_total', { policy })
    return problem('quota-exceeded', 'Too many requests. Wait as Retry-After says.', {
      members: { 'violated-policies': violated },
      headers: quotaHeaders(decisions),
    })
  }

  return {
    async checkAddress(ip) {
      if (limits.failures === null || ip === null) return null
      const decision = await take(`address ${ip}`, limits.failures, 0)
      return decision === null ? null : refusal([decision])
    },
    async countFailure(ip) {
      if (limits.failures !== null && ip !== null) await take(`address ${ip}`, limits.failures)
    },
    async charge(caller, more) {
      const policies = [limits.client, more ?? null].filter((policy) => policy !== null)
      const decisions: QuotaDecision[] = []
      for (const policy of policies) {
        const decision = await take(partitionOf(caller), policy)
        if (decision !== null) decisions.push(decision)
      }
      if (decisions.every(({ allowed }) => allowed)) return { decisions, refused: null }
      const settled: QuotaDecision[] = []
      for (const decision of decisions)
        settled.push(decision.allowed ? await refundAndRead(partitionOf(caller), decision) : decision)
      return { decisions: settled, refused: refusal(settled) }
    },
    async refund(caller, { decisions }) {
      for (const { policy } of decisions) await refund(partitionOf(caller), policy)
    },
    async countScopeFailure(caller, charge) {
      const decision = limits.scope === null ? null : await take(partitionOf(caller), limits.scope)
      const decisions = decision === null ? charge.decisions : [...charge.decisions, decision]
      return { decisions, refused: refusal(decisions) }
    },
  }
}

const partitionOf = ({ issuer, tenant, clientId }: Caller): string =>
  JSON.stringify(['client', issuer, tenant, clientId])
