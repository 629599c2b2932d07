/** The access that a client may have on its own behalf, however it authenticated: RFC 6749 §4.4, RFC 9396 §6. */
import { type AuthorizationDetail, requestedDetails } from '../authorization-details/detail.ts'
import { countsAt } from '../authorization-details/granted-details.ts'
import { acceptableDetails, placesOf } from '../authorization-details/requested-details.ts'
import { chooseTarget, requestedResource } from '../oauth/audience.ts'
import { isKnownScope } from '../oauth/catalogue.ts'
import { registeredScope } from '../registration/client.ts'
import { defaultScope } from '../oauth/default-scope.ts'
import type { Form } from '../oauth/form.ts'
import { oidcScopes } from '../oidc/scopes.ts'
import type { Refusal } from '../oauth/refusal.ts'
import { isWithin, noScope, parseScope, type Scope } from '../oauth/scope.ts'
import type { Resource } from '../oauth/tenant.ts'
import { sameUri } from '../oauth/uri.ts'
import { err, ok, type Result } from '../result.ts'
import type { GrantInput, Lookups } from './rule.ts'

export interface AccessParams {
  /** Null where the request names none. */
  readonly scope: Scope | null
  readonly resource: string | null
  readonly authorizationDetails: readonly AuthorizationDetail[] | null
}
type Asked = GrantInput<AccessParams, Lookups>

export function accessParams(form: Form): Result<AccessParams, Refusal> {
  const resource = requestedResource(form)
  if (resource.kind === 'error') return resource
  const text = form.get('scope')
  const scope = text === undefined ? null : parseScope(text)
  if (text !== undefined && scope === null) return err({ reason: 'scope_malformed' })
  const details = requestedDetails(form)
  return details.kind === 'error'
    ? details
    : ok({ scope, resource: resource.value, authorizationDetails: details.value })
}

interface OwnAccess {
  readonly scope: Scope
  readonly resource: Resource | null
  /** Absent where there are none. */
  readonly details?: readonly AuthorizationDetail[]
}

export function ownAccess(input: Asked): Result<OwnAccess, Refusal> {
  const { params, catalogue, issuer } = input
  const details = acceptableDetails(params.authorizationDetails ?? [], input)
  if (details.kind === 'error') return details
  const asked = requestedScope(input)
  if (asked.kind === 'error') return asked
  const scope = asked.value
  const target = chooseTarget({ catalogue, issuer, asked: params.resource, scope, fallback: fallbackOf(input) })
  if (target.kind === 'error') return target
  const { resource } = target.value
  if (!details.value.every((detail) => countsAt(detail, target.value, input)))
    return err({ reason: 'details_of_another_resource' })
  if (details.value.length > 0) return ok({ scope, resource, details: details.value })
  return resource !== null && scope.size === 0 && !isDefaultResource(input)
    ? err({ reason: 'resource_not_allowed' })
    : ok({ scope, resource })
}

/** RFC 9396 §3: details may be requested instead of a scope; then no default scope is added. */
function requestedScope(input: Asked): Result<Scope, Refusal> {
  const { scope, resource, authorizationDetails } = input.params
  if (scope !== null) return allowedScope(scope, input)
  return authorizationDetails === null ? defaultScope(input, resource === null ? [] : [resource]) : ok(noScope)
}

/**
 * If neither the request nor its scopes name a resource: the one resource of its details, or else the client's default.
 */
function fallbackOf({ params, client, catalogue }: Asked): string | null {
  const [first, ...others] = params.authorizationDetails ?? []
  if (first === undefined) return client.metadata.default_resource ?? null
  const shared = placesOf(first, catalogue).filter((place) =>
    others.every((detail) => placesOf(detail, catalogue).includes(place)),
  )
  return shared.length === 1 ? (shared[0] ?? null) : null
}

/** The scope that a client may request by name. OIDC scopes concern a person, and there is none here. */
function allowedScope(scope: Scope, { client, catalogue }: Asked): Result<Scope, Refusal> {
  for (const name of scope)
    if (oidcScopes.has(name) || !isKnownScope(catalogue, name)) return err({ reason: 'scope_unknown' })
  return isWithin(scope, registeredScope(client)) ? ok(scope) : err({ reason: 'scope_exceeds_client' })
}

/**
 * No person consents here. So a token without any scope is issued only for the client's own default resource; for any
 * other the client must be registered for one of its scopes.
 */
const isDefaultResource = ({ params, client }: Asked): boolean =>
  params.resource === null || sameUri(params.resource, client.metadata.default_resource ?? '')
