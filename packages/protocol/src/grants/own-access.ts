/** What a client may have on its own account, whatever it proved itself with: RFC 6749 §4.4. */
import { chooseTarget, requestedResource } from '../oauth/audience.ts'
import { isKnownScope } from '../oauth/catalogue.ts'
import { registeredScope } from '../registration/client.ts'
import { defaultScope } from '../oauth/default-scope.ts'
import type { Form } from '../oauth/form.ts'
import { oidcScopes } from '../oidc/scopes.ts'
import type { Refusal } from '../oauth/refusal.ts'
import { isWithin, parseScope, type Scope } from '../oauth/scope.ts'
import type { Resource } from '../oauth/tenant.ts'
import { sameUri } from '../oauth/uri.ts'
import { err, ok, type Result } from '../result.ts'
import type { GrantInput, Lookups } from './rule.ts'

export interface AccessParams {
  /** Null where the request names none. */
  readonly scope: Scope | null
  readonly resource: string | null
}
type Asked = GrantInput<AccessParams, Lookups>

export function accessParams(form: Form): Result<AccessParams, Refusal> {
  const resource = requestedResource(form)
  if (resource.kind === 'error') return resource
  const text = form.get('scope')
  const scope = text === undefined ? null : parseScope(text)
  return text !== undefined && scope === null
    ? err({ reason: 'scope_malformed' })
    : ok({ scope, resource: resource.value })
}

export function ownAccess(it: Asked): Result<{ readonly scope: Scope; readonly resource: Resource | null }, Refusal> {
  const { client, params, catalogue, issuer } = it
  const asked =
    params.scope === null
      ? defaultScope(it, params.resource === null ? [] : [params.resource])
      : fitting(params.scope, it)
  if (asked.kind === 'error') return asked
  const scope = asked.value
  const fallback = client.metadata.default_resource ?? null
  const target = chooseTarget({ catalogue, issuer, asked: params.resource, scope, fallback })
  if (target.kind === 'error') return target
  const { resource } = target.value
  if (resource !== null && scope.size === 0 && !isDefault(it)) return err({ reason: 'resource_not_allowed' })
  return ok({ scope, resource })
}

/** What a client may ask for by name. OIDC scopes speak of a person, and none is here. */
function fitting(scope: Scope, { client, catalogue }: Asked): Result<Scope, Refusal> {
  for (const name of scope)
    if (oidcScopes.has(name) || !isKnownScope(catalogue, name)) return err({ reason: 'scope_unknown' })
  return isWithin(scope, registeredScope(client)) ? ok(scope) : err({ reason: 'scope_exceeds_client' })
}

/** Nobody consents here: an API is open to clients that are registered for something of it, or made for it. */
const isDefault = ({ params, client }: Asked): boolean =>
  params.resource === null || sameUri(params.resource, client.metadata.default_resource ?? '')
