/** Who is asking, and whether within limits: a quota per client, and one of failures per address (DECISIONS §5). */
import { type QuotaDecision, retryAfter } from '@grantor/protocol/http'
import type { Refusal } from '@grantor/protocol/oauth'
import type { Client } from '@grantor/protocol/registration'
import { type Err, err, type Ok, type Result } from '@grantor/protocol/result'
import type { EndpointRequest, EndpointResult } from '../endpoint.ts'
import { spendAssertionOnce } from '../clients/assertion.ts'
import { authenticatedClient } from '../clients/authenticate.ts'
import type { Hands } from '../hands.ts'
import { addressKey } from './limits.ts'
import { type Soon, whenThere } from '../soon.ts'

type Endpoint = 'token' | 'introspection' | 'revocation' | 'device'

/** Authenticates the client and counts the request. Asked again on fresh facts, it is still one request. */
export type AuthenticateClient = () => Soon<Result<Client, Refusal>>

export function withinLimits<T>(
  endpoint: Endpoint,
  { request, hands }: { readonly request: EndpointRequest; readonly hands: Hands },
  act: (who: AuthenticateClient) => Promise<EndpointResult<T>>,
): Promise<EndpointResult<T>> {
  const tally = new RequestCount(endpoint, request, hands)
  return whenThere(tally.failuresBefore(), (failures) => {
    if (failures?.allowed === false) return Promise.resolve(turnedAway<T>(failures))
    return act(tally.who).then((answer) => (tally.decision === null ? answer : { ...answer, quota: [tally.decision] }))
  })
}

const turnedAway = <T>(decision: QuotaDecision): EndpointResult<T> => ({ ...limitReached(decision), quota: [decision] })

class RequestCount {
  readonly #endpoint: Endpoint
  readonly #request: EndpointRequest
  readonly #hands: Hands
  readonly #spend: ReturnType<typeof spendAssertionOnce>
  /** What the request was counted against, once it was. */
  decision: QuotaDecision | null = null

  constructor(endpoint: Endpoint, request: EndpointRequest, hands: Hands) {
    this.#endpoint = endpoint
    this.#request = request
    this.#hands = hands
    this.#spend = spendAssertionOnce(hands)
  }

  readonly who: AuthenticateClient = () =>
    whenThere(authenticatedClient(this.#request, this.#hands, this.#spend), (client) =>
      client.kind === 'error' ? this.#refused(client) : this.#counted(client),
    )

  failuresBefore(): Soon<QuotaDecision | null> {
    return this.#failure(0)
  }

  #failure(cost: number): Soon<QuotaDecision | null> {
    const { limits, limiter } = this.#hands
    const { ip } = this.#request
    return limits.tokenFailures === null || ip === null
      ? null
      : limiter.take(limits.tokenFailures, addressKey(ip), cost)
  }

  #refused(refused: Err<Refusal>): Soon<Err<Refusal>> {
    if (refused.error.reason !== 'client_unauthenticated') return refused
    return whenThere(this.#failure(1), (decision) => {
      if (decision === null) return refused
      this.decision = decision
      return decision.allowed ? refused : limitReached(decision)
    })
  }

  /** By client, once it has proven to be it: nobody can use up the quota of another. */
  #counted(client: Ok<Client>): Soon<Result<Client, Refusal>> {
    const { limits, limiter } = this.#hands
    if (limits.token === null) return client
    const key = `${this.#endpoint} ${this.#request.tenant} ${client.value.id}`
    return whenThere(this.decision ?? limiter.take(limits.token, key), (decision) => {
      this.decision = decision
      return decision.allowed ? client : limitReached(decision)
    })
  }
}

const limitReached = (decision: QuotaDecision): Err<Refusal> =>
  err({
    reason: 'limit_reached',
    retryAfter: retryAfter(decision),
  })
