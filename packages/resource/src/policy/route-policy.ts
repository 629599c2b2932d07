/** What a route asks a policy service of each request: may this caller do this, to this (AuthZEN §5)? */
import type {
  EvaluationAction,
  EvaluationRequest,
  EvaluationResource,
  EvaluationSubject,
} from '@grantor/protocol/decisions'
import { problem, type Problem } from '@grantor/protocol/http'
import type { JsonObject } from '@grantor/protocol/types'
import type { Caller } from '../validate/caller.ts'
import type { PresentedRequest } from '../validate/presented-credentials.ts'
import type { PolicyDecision, PolicyService } from './policy-decisions.ts'

/** A request as policies see it: `url` is absolute, at the origin of the API. */
export type PolicyRequest = Pick<PresentedRequest, 'method' | 'url'>

export interface RoutePolicy {
  readonly service: PolicyService
  /** A name, as `read`; left out, the method of the request. */
  readonly action?: string | ((request: PolicyRequest, caller: Caller) => EvaluationAction)
  /** The resource of the question; left out, `{ type: 'path', id: '/invoices/7' }`. */
  readonly resource?: (request: PolicyRequest, caller: Caller) => EvaluationResource
  readonly context?: (request: PolicyRequest, caller: Caller) => JsonObject
}

/** The caller as the subject of a question. Published for questions that a handler asks itself. */
export const policySubject = (caller: Caller): EvaluationSubject => ({
  type: caller.subject === caller.clientId ? 'client' : 'user',
  id: caller.subject,
  properties: {
    client_id: caller.clientId,
    issuer: caller.issuer,
    scope: [...caller.scope].toSorted(),
    ...(caller.tenant === null ? {} : { tenant: caller.tenant }),
  },
})

export function routeQuestion(policy: RoutePolicy, request: PolicyRequest, caller: Caller): EvaluationRequest {
  const { action = request.method, resource, context } = policy
  return {
    subject: policySubject(caller),
    action: typeof action === 'string' ? { name: action } : action(request, caller),
    resource: resource?.(request, caller) ?? { type: 'path', id: new URL(request.url).pathname },
    ...(context === undefined ? {} : { context: context(request, caller) }),
  }
}

/** The answer to a request that a policy does not permit; null where it does. */
export function policyProblem(decision: PolicyDecision): Problem | null {
  if (decision === 'permit') return null
  if (decision === 'deny')
    return problem('forbidden', 'The policy of this API does not permit it.', { code: 'policy_denied' })
  return problem('authorization-state-unavailable', 'The policy of this API cannot be asked at present.', {
    code: 'policy_unavailable',
    headers: { 'retry-after': '1' },
  })
}
