/** What all endpoints of clients share: a quota per client, one of failures per address, and deciding again where stale. */
import type { QuotaDecision } from '@grantor/protocol/http'
import type { Refusal } from '@grantor/protocol/oauth'
import type { Client } from '@grantor/protocol/registration'
import type { Result } from '@grantor/protocol/result'
import type { EndpointRequest, EndpointResult } from '../endpoint.ts'
import { type CountedLimits, limitReached } from '../limits/limits.ts'
import { retryStale } from '../retry-stale.ts'
import { spendAssertionOnce } from './assertion.ts'
import { authenticatedClient, type AuthenticationDependencies } from './authenticate.ts'

export type ClientEndpointName = 'token' | 'introspection' | 'revocation' | 'device'

/** Authenticates the client and counts the request. Asked again on fresh facts, it is still one request. */
export type AuthenticateClient = () => Promise<Result<Client, Refusal>>

export type ServeClient = <T>(
  endpoint: ClientEndpointName,
  request: EndpointRequest,
  attempt: (authenticate: AuthenticateClient) => Promise<EndpointResult<T> | 'stale'>,
) => Promise<EndpointResult<T>>

export interface ClientEndpointDependencies extends AuthenticationDependencies {
  readonly limits: CountedLimits
}

export function openClientEndpoint(deps: ClientEndpointDependencies): ServeClient {
  const { directory, limits } = deps
  return async (endpoint, request, attempt) => {
    const { tenant, ip } = request
    const failures = await limits.takeByAddress('tokenFailures', ip, 0)
    const barred = limitReached(failures)
    if (barred !== null && failures !== null) return { ...barred, quota: [failures] }
    const count: { decision: QuotaDecision | null } = { decision: null }
    const spend = spendAssertionOnce(deps)
    const authenticate: AuthenticateClient = async () => {
      const client = await authenticatedClient(request, deps, spend)
      if (client.kind === 'ok') {
        // By client, once it has proven to be it: nobody can use up the quota of another.
        count.decision ??= await limits.take('token', `${endpoint} ${tenant} ${client.value.id}`)
      } else if (client.error.reason === 'client_unauthenticated') {
        count.decision = await limits.takeByAddress('tokenFailures', ip)
      } else {
        return client
      }
      return limitReached(count.decision) ?? client
    }
    const answer = await retryStale(tenant, directory, () => attempt(authenticate))
    return count.decision === null ? answer : { ...answer, quota: [count.decision] }
  }
}
