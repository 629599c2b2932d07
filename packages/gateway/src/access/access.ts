/** Decides whether a request may pass, by route, token, quota, scope and policy, in this order. */
import type { EvaluationRequest } from '@grantor/protocol/decisions'
import { problem, type Problem, type QuotaDecision, quotaHeaders, type QuotaPolicy } from '@grantor/protocol/http'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { QuotaStore } from '@grantor/api'
import {
  type Caller,
  type Ending,
  endingRejection,
  type PolicyService,
  policySubject,
  presentedCredentials,
  presentedScheme,
  type Validator,
  type Verdict,
} from '@grantor/resource'
import {
  type ApiRequest,
  type Challenge,
  insufficientScope,
  metadataUrl,
  policyProblem,
  rejectionProblem,
  routeQuestion,
  schemeOf,
  scopeProblem,
} from '@grantor/resource/http'
import type { RequestTarget } from '../routing/request-target.ts'
import { isScopeEnough, type Route, type RouteTable } from '../routing/routes.ts'

export interface AccessRequest {
  readonly method: string
  readonly target: RequestTarget
  /** Every line of a header by its name in lower case. */
  readonly lines: (name: string) => readonly string[]
  /** The client's address, read where a credential needs it, such as an API key. */
  readonly address?: (() => string | null) | undefined
  /** The address of the connection's peer, and its certificate. */
  readonly peer?: string | null | undefined
  readonly certificate?: ApiRequest['certificate']
}

export interface Admission {
  readonly route: Route
  /** null where the route needs no token. */
  readonly caller: Caller | null
  /** Headers about the quota, for the answer. */
  readonly headers: Readonly<Record<string, string>>
}

export type AccessDecision = Result<Admission, Problem>

export interface AccessOptions {
  readonly validator: Validator
  readonly audience: string
  readonly name: string
  readonly insufficientScopeStatus: 401 | 403
  readonly quota: QuotaPolicy | null
  /** In memory, so it answers synchronously. */
  readonly quotas: QuotaStore
  readonly table: RouteTable
  /** The policy service, asked last; null: none. */
  readonly policy: PolicyService | null
}

export interface Access {
  /** Synchronous where the validator is. */
  decide(request: AccessRequest): AccessDecision | Promise<AccessDecision>
  /**
   * For a request whose route is known. `status`: for a token that lacks the scope, as clients of the route expect it.
   */
  decideFor(route: Route, request: AccessRequest, status?: 401 | 403): AccessDecision | Promise<AccessDecision>
  /**
   * The problem of a caller that lacks one of these scopes; null where it has them all. `status`: as its client expects
   * it.
   */
  lacking(scopes: readonly string[], caller: Caller, status: 401 | 403): Problem | null
  /** The problem of a caller whom the policy denies this; null where it permits it, or there is no policy service. */
  denied(question: Pick<EvaluationRequest, 'action' | 'resource'>, caller: Caller): Promise<Problem | null>
  /** The problem for a request that still waits for its answer when its token ends. */
  ended(route: Route, caller: Caller, ending: Ending): Problem
}

const nothing = {}

/** The refusal with the headers about the quota. */
export const withQuotaHeaders = (headers: Admission['headers'], refused: Problem): Problem => ({
  ...refused,
  headers: { ...refused.headers, ...headers },
})

export function createAccess(access: AccessOptions): Access {
  const { validator, audience, name, table, quota, quotas, policy, ...options } = access
  const { origin } = new URL(audience)
  const resourceMetadata = metadataUrl(audience)
  const challenge = (scope: readonly string[], status = options.insufficientScopeStatus): Challenge => ({
    realm: name,
    resourceMetadata,
    insufficientScopeStatus: status,
    scope,
  })

  function charged(caller: Caller): QuotaDecision | null {
    if (quota === null) return null
    const { issuer, tenant, clientId } = caller
    return quotas.take(JSON.stringify([issuer, tenant, clientId]), quota) as QuotaDecision
  }

  function settled(route: Route, caller: Caller, status?: 401 | 403): AccessDecision {
    const decision = charged(caller)
    const headers = decision === null ? nothing : quotaHeaders([decision])
    if (decision?.allowed === false) {
      const members = { 'violated-policies': [decision.policy.name] }
      return err(problem('quota-exceeded', 'Too many requests. Wait as Retry-After says.', { headers, members }))
    }
    const need = route.need ?? []
    if (isScopeEnough(need, caller.scope)) return ok({ route, caller, headers })
    validator.record(insufficientScope, caller)
    return err(
      withQuotaHeaders(headers, scopeProblem({ all: need[0] ?? [] }, caller, challenge(need[0] ?? [], status))),
    )
  }

  /** RFC 9110 §15.5.4: 403 for a caller with a valid token and scope whom the policy denies the request. */
  async function asked(admission: Admission, by: PolicyService, { method, target }: AccessRequest) {
    const { caller, headers } = admission
    if (caller === null) return ok(admission)
    const question = routeQuestion({ service: by }, { method, url: `${origin}${target.path}${target.query}` }, caller)
    const refused = policyProblem(await by.evaluate(question))
    return refused === null ? ok(admission) : err(withQuotaHeaders(headers, refused))
  }

  const permitted = (decision: AccessDecision, request: AccessRequest): AccessDecision | Promise<AccessDecision> =>
    policy === null || decision.kind === 'error' ? decision : asked(decision.value, policy, request)

  function decideFor(
    route: Route,
    request: AccessRequest,
    status?: 401 | 403,
  ): AccessDecision | Promise<AccessDecision> {
    if (route.need === null) return ok({ route, caller: null, headers: nothing })
    const { method, target, lines, peer, address, certificate } = request
    const whole = { method, target: target.path + target.query, lines, peer: peer ?? null, address, certificate }
    const presented = presentedCredentials(whole, origin)
    const settle = (verdict: Verdict): AccessDecision | Promise<AccessDecision> =>
      verdict.kind === 'ok'
        ? permitted(settled(route, verdict.value, status), request)
        : err(rejectionProblem(verdict.error, challenge(route.need?.[0] ?? []), presentedScheme(presented)))
    const { onStale } = route
    const verdict = validator.validate(onStale === undefined ? presented : { ...presented, onStale })
    return verdict instanceof Promise ? verdict.then(settle) : settle(verdict)
  }

  return {
    decideFor,
    decide(request) {
      const route = table.find(request.method, request.target.path)
      if (route === null) return err(problem('forbidden', 'No route of this gateway allows this request.'))
      return decideFor(route, request)
    },
    ended({ need }, caller, ending) {
      const why = endingRejection(ending, caller)
      validator.record(why, caller)
      return rejectionProblem(why, challenge(need?.[0] ?? []), schemeOf(caller))
    },
    async denied(question, caller) {
      return policy === null
        ? null
        : policyProblem(await policy.evaluate({ subject: policySubject(caller), ...question }))
    },
    lacking(scopes, caller, status) {
      if (scopes.every((scope) => caller.scope.has(scope))) return null
      validator.record(insufficientScope, caller)
      return scopeProblem({ all: scopes }, caller, challenge(scopes, status))
    },
  }
}
