/** The guard alone, for routes that are not collections: checks token and scope, and answers if they do not suffice. */
import { randomUUID } from 'node:crypto'
import type { Problem } from '@grantor/protocol/http'
import { err, ok, type Result } from '@grantor/protocol/result'
import { type ApiResponse, renderResponse } from '../http/response.ts'
import { policyProblem, type RoutePolicy, routeQuestion } from '../policy/route-policy.ts'
import type { Caller } from '../validate/caller.ts'
import { type PresentedCredentials, presentedScheme, type StalePolicy } from '../validate/presented-credentials.ts'
import { type Ending, endingRejection } from '../validate/ending.ts'
import type { Verdict } from '../validate/finding.ts'
import type { Validator } from '../validate/validator.ts'
import { type Challenge, insufficientScope, rejectionProblem, schemeOf, scopeProblem } from './challenge.ts'
import { type OpenExchanges, openExchanges } from './open-exchanges.ts'
import { metadataUrl } from './resource-metadata.ts'
import { checkedScopeNeed, isFulfilled, type ScopeNeed, scopesOf } from './scope-need.ts'
import { checkedStalePolicy } from './stale-policy.ts'

export interface ProtectOptions {
  readonly validator: Validator
  /** The resource identifier, an https URL. */
  readonly audience: string
  readonly realm?: string
  readonly insufficientScopeStatus?: 401 | 403
  /** A policy service that is asked once token and scope suffice; left out, none is. */
  readonly policy?: RoutePolicy
  /**
   * False where nothing (such as `guardPages`) serves the pages that refusals link to: then refusals contain no links.
   */
  readonly pages?: boolean
  /** What to do when the revocation state is too old to judge by; left out, the policy of the validator. */
  readonly onStale?: StalePolicy
  /**
   * `cut` ends streams, WebSockets and long polls when their token ends (default); with `leave` you do that yourself.
   */
  readonly streams?: 'cut' | 'leave'
}

/** The caller, or the answer that refuses the request. */
export type Admission = Result<Caller, ApiResponse>

export interface Protection {
  /** Synchronous where the validator is, so that a cached token costs no turn of the event loop. */
  admit(presented: PresentedCredentials, method: string): Admission | Promise<Admission>
  /** The answer to an admitted caller that lacks a further scope of this operation; null if the caller has it. */
  lacking(more: ScopeNeed, caller: Caller): ApiResponse | null
  /** For adapters: the open exchanges of admitted callers; null where `streams` is `leave`. */
  readonly open: OpenExchanges | null
  /** The answer to a request that still waits for one when its token ends. */
  ended(ending: Ending, caller: Caller): ApiResponse
}

export function protection(options: ProtectOptions, need: ScopeNeed): Protection {
  const { validator, audience, realm = 'api', insufficientScopeStatus = 401, pages = true } = options
  const scope = checkedScopeNeed(need, 'a protected route')
  const onStale = checkedStalePolicy(validator, options.onStale, 'a protected route')
  const origin = pages ? new URL(audience).origin : null
  const challenge: Challenge = {
    realm,
    resourceMetadata: pages ? metadataUrl(audience) : null,
    insufficientScopeStatus,
    scope: scopesOf(scope),
  }

  const answered = (refused: Problem, method: string): ApiResponse =>
    renderResponse(err(refused), method, { origin, requestId: randomUUID() })

  function settle(verdict: Verdict, presented: PresentedCredentials, method: string): Admission | Promise<Admission> {
    if (verdict.kind === 'error')
      return err(answered(rejectionProblem(verdict.error, challenge, presentedScheme(presented)), method))
    const caller = verdict.value
    if (isFulfilled(scope, caller))
      return options.policy === undefined ? verdict : askPolicy(options.policy, presented, caller)
    validator.record(insufficientScope, caller)
    return err(answered(scopeProblem(scope, caller, challenge), method))
  }

  /** RFC 9110 §15.5.4: 403 where the policy denies a caller whose token and scope would suffice. */
  async function askPolicy(policy: RoutePolicy, { request }: PresentedCredentials, caller: Caller): Promise<Admission> {
    if (request === undefined) throw new Error('a policy judges requests, and this one was not presented')
    const refused = policyProblem(await policy.service.evaluate(routeQuestion(policy, request, caller)))
    return refused === null ? ok(caller) : err(answered(refused, request.method))
  }

  return {
    open: options.streams === 'leave' ? null : openExchanges(validator, onStale),
    ended(ending, caller) {
      const why = endingRejection(ending, caller)
      validator.record(why, caller)
      return answered(rejectionProblem(why, challenge, schemeOf(caller)), 'GET')
    },
    admit(presented, method) {
      const verdict = validator.validate(onStale === undefined ? presented : { ...presented, onStale })
      return verdict instanceof Promise
        ? verdict.then((late) => settle(late, presented, method))
        : settle(verdict, presented, method)
    },
    lacking(more, caller) {
      if (isFulfilled(checkedScopeNeed(more, 'a protected operation'), caller)) return null
      // All scopes that the operation needs: a client that asked for the missing ones alone would lose the others.
      const granted = scopesOf(scope).filter((name) => caller.scope.has(name))
      const allNeeded = typeof more === 'object' && 'details' in more ? more : { all: [...granted, ...scopesOf(more)] }
      validator.record(insufficientScope, caller)
      return answered(scopeProblem(allNeeded, caller, challenge), 'POST')
    },
  }
}
