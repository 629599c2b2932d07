/** RFC 6749 §3.3: the default scope of a request that names none. */
import { scopeFor, targetOf } from './audience.ts'
import { isKnownScope } from './catalogue.ts'
import { type Client, registeredScope } from '../registration/client.ts'
import { oidcScopes } from '../oidc/scopes.ts'
import { ok, type Result } from '../result.ts'
import type { Refusal } from './refusal.ts'
import type { Scope } from './scope.ts'
import type { Catalogue } from './tenant.ts'

/**
 * The whole registered scope of the client at the resources it names, else at its `default_resource`, else everywhere;
 * if that covers two resources, the audience rule refuses it (invalid_target) instead of choosing one. OIDC scopes and
 * names that have left the catalogue are never included by default.
 */
export function defaultScope(
  on: { readonly client: Client; readonly catalogue: Catalogue; readonly issuer: string },
  resources: readonly string[],
): Result<Scope, Refusal> {
  const { client, catalogue } = on
  const known = [...registeredScope(client)].filter((name) => !oidcScopes.has(name) && isKnownScope(catalogue, name))
  const registered = new Set(known)
  const fallback = client.metadata.default_resource === undefined ? [] : [client.metadata.default_resource]
  const identifiers = resources.length > 0 ? resources : fallback
  if (identifiers.length === 0) return ok(registered)
  let scope: Scope = new Set()
  for (const identifier of identifiers) {
    const target = targetOf(identifier, on)
    if (target.kind === 'error') return target
    scope = scope.union(scopeFor(target.value, registered, catalogue))
  }
  return ok(scope)
}
