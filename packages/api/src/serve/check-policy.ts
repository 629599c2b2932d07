/** Asks a policy service about an operation, once token and scope suffice: AuthZEN, Authorization API 1.0 §5. */
import type { Problem } from '@grantor/protocol/http'
import type { Caller, RoutePolicy } from '@grantor/resource'
import { type ApiRequest, policyProblem, routeQuestion } from '@grantor/resource/http'
import type { Route } from './routes.ts'

export interface PolicyCheck {
  readonly policy: RoutePolicy | null
  readonly origin: string
}

/** 7a. Policy (403, 503); null where there is no policy, or it permits the operation. */
export async function checkPolicy(
  route: Route,
  { method, target }: ApiRequest,
  { policy, origin, caller }: PolicyCheck & { readonly caller: Caller },
): Promise<Problem | null> {
  if (policy === null) return null
  const { id, collection } = route
  const usual = { action: actionOf(route), resource: () => ({ type: collection.name, id: id ?? '*' }) }
  const request = { method, url: new URL(target, origin).href }
  return policyProblem(await policy.service.evaluate(routeQuestion({ ...usual, ...policy }, request, caller)))
}

/** `read`, `create`; for actions and views their own names. */
const actionOf = ({ operation, template }: Route): string =>
  operation === 'act' || operation === 'view' ? (template.split('/').at(-1) ?? operation) : operation
