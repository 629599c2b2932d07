/** Who is asking, and whether within limits: a quota per client, and one of failures per address (DECISIONS §5). */
import {
  type Client,
  isRefusal,
  type QuotaDecision,
  type QuotaPolicy,
  type Refusal,
  retryAfter,
} from '@grantor/protocol'
import type { Answer, EndpointRequest } from './answer.ts'
import { spendingOnce } from './assertion.ts'
import { authenticatedClient } from './client.ts'
import type { Hands } from './hands.ts'
import { addressKey } from './limits.ts'

/** Authenticates the client and counts the request. Asked again on fresh facts, it is still one request. */
export type Who = () => Promise<Client | Refusal>

export async function withinLimits<T>(
  endpoint: 'token' | 'introspection' | 'revocation' | 'device',
  { request, hands }: { readonly request: EndpointRequest; readonly hands: Hands },
  act: (who: Who) => Promise<Answer<T>>,
): Promise<Answer<T>> {
  const { limits, limiter } = hands
  const address = limits.tokenFailures === null || request.ip === null ? null : addressKey(request.ip)
  const take = (policy: QuotaPolicy, key: string, cost?: number) => limiter.take(policy, key, cost)
  if (limits.tokenFailures !== null && address !== null) {
    const failures = await take(limits.tokenFailures, address, 0)
    if (!failures.allowed) return { ok: false, refusal: reached(failures), quota: [failures] }
  }
  const tally: { decision: QuotaDecision | null } = { decision: null }
  const spend = spendingOnce(hands)
  const who: Who = async () => {
    const client = await authenticatedClient(request, hands, spend)
    if (isRefusal(client)) {
      if (client.reason !== 'client_unauthenticated' || limits.tokenFailures === null || address === null) return client
      tally.decision = await take(limits.tokenFailures, address)
      return tally.decision.allowed ? client : reached(tally.decision)
    }
    if (limits.token === null) return client
    // By client, once it has proven to be it: nobody can use up the quota of another.
    tally.decision ??= await take(limits.token, `${endpoint} ${request.tenant} ${client.id}`)
    return tally.decision.allowed ? client : reached(tally.decision)
  }
  const answer = await act(who)
  return tally.decision === null ? answer : { ...answer, quota: [tally.decision] }
}

const reached = (decision: QuotaDecision): Refusal => ({ reason: 'limit_reached', retryAfter: retryAfter(decision) })
