/** Which requests are deferred: RFC 7240 §4.1, where the client prefers it and the declaration offers it. */
import type { OperationRequest } from '../operations/operation-request.ts'
import type { Route } from '../serve/routes.ts'

export function isDeferred({ route, input }: Pick<OperationRequest, 'route' | 'input'>): boolean {
  const policy = policyOf(route)
  return policy === 'always' || (policy === 'preferred' && input.prefer.has('respond-async'))
}

/** A deferred request needs an Idempotency-Key, so that a retry does not start the work twice. */
export const needsKey = (request: Pick<OperationRequest, 'route' | 'input'>): boolean =>
  policyOf(request.route) === 'preferred' && isDeferred(request)

const policyOf = ({ operation, collection, action }: Route): 'preferred' | 'always' | null =>
  operation === 'create' ? collection.deferred : operation === 'act' ? (action?.plan.deferred ?? null) : null
