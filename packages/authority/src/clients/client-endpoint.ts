/**
 * What all endpoints of clients share: a quota per client, limits on failures, and deciding again when facts are stale.
 */
import type { AuthenticationFailure } from '@grantor/protocol/client-auth'
import type { QuotaDecision } from '@grantor/protocol/http'
import type { Refusal } from '@grantor/protocol/oauth'
import { type Client, isPublic } from '@grantor/protocol/registration'
import { type Err, ok, type Result } from '@grantor/protocol/result'
import { fittingClient } from '../directory.ts'
import type { RefusalRecorder } from '../events.ts'
import type { EndpointRequest, EndpointResult } from '../endpoint.ts'
import { addressKey, type CountedLimits, limitReached } from '../limits/limits.ts'
import { retryStale } from '../retry-stale.ts'
import { type AssertionEndpoint, spendAssertionOnce } from './assertion.ts'
import { authenticatedClient, type AuthenticationDependencies } from './authenticate.ts'
import type { ProvePossession } from './possession.ts'

/**
 * Authenticates the client and counts the request once, even if it is decided again on fresh facts. `possession` is
 * checked when the client is known and before its assertion is used up; so is `beforeUse`, for clients that present an
 * assertion.
 */
export type AuthenticateClient = (
  possession?: ProvePossession,
  beforeUse?: (client: Client) => Promise<Err<Refusal> | null>,
) => Promise<Result<Client, Refusal>>

export type ServeClient = <T>(
  endpoint: AssertionEndpoint,
  request: EndpointRequest,
  attempt: (authenticate: AuthenticateClient) => Promise<EndpointResult<T> | 'stale'>,
) => Promise<EndpointResult<T>>

export interface ClientEndpointDependencies extends AuthenticationDependencies {
  readonly limits: CountedLimits
  readonly refusedRequests: RefusalRecorder
}

export function openClientEndpoint(deps: ClientEndpointDependencies): ServeClient {
  const { directory, limits } = deps
  return async (endpoint, request, attempt) => {
    const { tenant, ip } = request
    const barred = limitReached(await limits.takeByAddress('tokenFailuresAddress', ip, 0))
    if (barred !== null) return barred
    const counted: { decisions: readonly QuotaDecision[] } = { decisions: [] }
    const failures = failuresOf(request, limits)
    let recorded = false
    const failed = (why: AuthenticationFailure): void => {
      if (!recorded) deps.refusedRequests.record({ name: 'client.refused', tenant, ...why })
      recorded = true
    }
    const proof = { endpoint, spend: spendAssertionOnce(deps), barred: failures.barred, failed }
    const authenticate: AuthenticateClient = async (possession, beforeUse = goesOn) => {
      let clientId: string | null = null
      const admitted = async (known: Client): Promise<Result<Client, Refusal>> => {
        clientId = known.id
        const fitting = known.unfit === undefined ? ok(known) : await fittingClient(known, directory)
        const proven = fitting.kind === 'error' ? fitting : possession?.(fitting.value)
        return proven?.kind === 'error' ? proven : fitting
      }
      const client = await authenticatedClient(request, deps, { ...proof, admitted, possession, beforeUse })
      if (client.kind === 'ok') {
        // Counted by client once it is authenticated. A public client, which proves nothing, is counted by address as
        // well, so that nobody can use up the quota of others.
        const place = isPublic(client.value) && ip !== null ? ` ${addressKey(ip)}` : ''
        if (counted.decisions.length === 0)
          counted.decisions = known(await limits.take('token', `${endpoint} ${tenant} ${client.value.id}${place}`))
      } else if (failedProofs.has(client.error.reason)) {
        counted.decisions = await failures.count()
      } else {
        if (client.error.reason === 'proof_replayed')
          deps.refusedRequests.record({ name: 'proof.refused', tenant, clientId, reason: client.error.reason })
        return client
      }
      const over = counted.decisions.find(({ allowed }) => !allowed)
      return limitReached(over ?? null) ?? client
    }
    const answer = await retryStale(tenant, directory, () => attempt(authenticate))
    return counted.decisions.length === 0 ? answer : { ...answer, quota: counted.decisions }
  }
}

const goesOn = async () => null

/** Refusals that count as a failed guess. */
const failedProofs: ReadonlySet<Refusal['reason']> = new Set([
  'client_unauthenticated',
  'proof_invalid',
  'assertion_invalid',
  'grant_of_another_key',
  'proof_of_another_key',
])

const known = (decision: QuotaDecision | null): readonly QuotaDecision[] => (decision === null ? [] : [decision])

/**
 * Failed proofs are counted by the claimed client together with the address, whether or not that client exists, and by
 * the address alone with a tenfold limit, so that made-up names are counted, too.
 */
function failuresOf({ tenant, ip }: EndpointRequest, limits: CountedLimits) {
  let claimed = ''
  const look = (cost: number) =>
    ip === null ? null : limits.take('tokenFailures', `${tenant} ${claimed} ${addressKey(ip)}`, cost)
  return {
    async barred(clientId: string) {
      claimed = clientId
      return limitReached(await look(0))
    },
    async count(): Promise<readonly QuotaDecision[]> {
      const own = known(await look(1))
      // Once the limit of the claimed client refuses, its failures are not charged to the address as well.
      if (own.some(({ allowed }) => !allowed)) return own
      return [...own, ...known(await limits.takeByAddress('tokenFailuresAddress', ip))]
    },
  }
}
