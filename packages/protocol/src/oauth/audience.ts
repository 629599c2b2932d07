/** Resource indicators and the one audience of a token: RFC 8707, docs/conventions.md. */
import { findResource, catalogueIndex } from './catalogue.ts'
import { oidcScopes } from '../oidc/scopes.ts'
import { err, ok, type Result } from '../result.ts'
import type { Refusal } from './refusal.ts'
import { canonicalUri, sameUri } from './uri.ts'
import type { Form } from './form.ts'
import type { Scope } from './scope.ts'
import type { Catalogue, Resource } from './tenant.ts'

/** The audience of a token; null means the issuer itself. */
export interface TokenTarget {
  readonly resource: Resource | null
}

/** RFC 8707 §2: the `resource` parameters of a request, as sent, without duplicates. */
export function requestedResources(form: Form): Result<readonly string[], Refusal> {
  const resources = new Map<string, string>()
  for (const text of form.all('resource')) {
    const canonical = canonicalUri(text)
    if (canonical === null) return err({ reason: 'resource_malformed' })
    if (!resources.has(canonical)) resources.set(canonical, text)
  }
  return ok([...resources.values()])
}

/** The same for a single token: a token has one audience, so more than one resource is refused. */
export function requestedResource(form: Form): Result<string | null, Refusal> {
  const resources = requestedResources(form)
  if (resources.kind === 'error') return resources
  const [first = null, ...others] = resources.value
  return others.length > 0 ? err({ reason: 'resource_ambiguous' }) : ok(first)
}

/** The target of an identifier: a declared resource, or the issuer itself. */
export function targetOf(
  identifier: string,
  where: { catalogue: Catalogue; issuer: string },
): Result<TokenTarget, Refusal> {
  const resource = findResource(where.catalogue, identifier)
  if (resource !== null) return ok({ resource })
  return sameUri(identifier, where.issuer) ? ok({ resource: null }) : err({ reason: 'resource_unknown' })
}

/** The resources that scopes belong to, the issuer as null; OIDC scopes belong to none, and fit any. */
export function ownersOf(scope: Scope, catalogue: Catalogue): Result<ReadonlySet<string | null>, Refusal> {
  const { scopes } = catalogueIndex(catalogue)
  const owners = new Set<string | null>()
  for (const name of scope) {
    if (oidcScopes.has(name)) continue
    const entry = scopes.get(name)
    if (entry === undefined) return err({ reason: 'scope_unknown' })
    owners.add(entry.resource)
  }
  return ok(owners)
}

export interface AudienceRequest {
  /** The `resource` parameter, if any. */
  readonly asked: string | null
  readonly scope: Scope
  /** The client's `default_resource`, used where neither the request nor its scopes name one. */
  readonly fallback: string | null
  readonly catalogue: Catalogue
  readonly issuer: string
}

/**
 * The requested resource, else the one its scopes belong to (scopes of two are refused), else the client's default,
 * else the issuer. Scopes of another resource than the requested one are refused, never dropped.
 */
export function chooseTarget(request: AudienceRequest): Result<TokenTarget, Refusal> {
  const owners = ownersOf(request.scope, request.catalogue)
  if (owners.kind === 'error') return owners
  if (request.asked !== null) {
    const target = targetOf(request.asked, request)
    return target.kind === 'error' || owns(target.value, owners.value)
      ? target
      : err({ reason: 'scope_of_another_resource' })
  }
  const [owner, ...others] = owners.value
  if (others.length > 0) return err({ reason: 'resource_ambiguous' })
  if (owner === undefined)
    return request.fallback === null ? ok({ resource: null }) : targetOf(request.fallback, request)
  return owner === null ? ok({ resource: null }) : targetOf(owner, request)
}

const owns = (target: TokenTarget, owners: ReadonlySet<string | null>): boolean =>
  [...owners].every((owner) => isOwner(target, owner))

const isOwner = (target: TokenTarget, owner: string | null): boolean =>
  owner === null || target.resource === null
    ? owner === null && target.resource === null
    : target.resource.identifier === owner || sameUri(target.resource.identifier, owner)

/** The part of a scope that a token for this target may carry: the target's own scopes and those of OIDC. */
export function scopeFor(target: TokenTarget, scope: Scope, catalogue: Catalogue): Scope {
  const { scopes } = catalogueIndex(catalogue)
  return new Set(
    [...scope].filter((name) => {
      const entry = scopes.get(name)
      return oidcScopes.has(name) || (entry !== undefined && isOwner(target, entry.resource))
    }),
  )
}

/** The `aud` of a token: the registered spelling of the resource, or the issuer. */
export const audienceOf = (target: TokenTarget, issuer: string): string => target.resource?.identifier ?? issuer
