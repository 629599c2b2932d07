/** The access that a request asks for, by a browser or a device: scope (RFC 6749 §3.3) and resources (RFC 8707 §2.1). */
import { audienceOf, chooseTarget, ownersOf, targetOf, type TokenTarget } from '../oauth/audience.ts'
import { isKnownScope } from '../oauth/catalogue.ts'
import { defaultScope } from '../oauth/default-scope.ts'
import type { Refusal } from '../oauth/refusal.ts'
import { isWithin, type Scope } from '../oauth/scope.ts'
import type { Catalogue } from '../oauth/tenant.ts'
import { sameUri } from '../oauth/uri.ts'
import { type Client, registeredScope } from '../registration/client.ts'
import { err, ok, type Result } from '../result.ts'

/** As sent; a null scope was not. */
interface AskedAccess {
  readonly scope: Scope | null
  readonly resources: readonly string[]
}

interface AccessContext {
  readonly client: Client
  readonly catalogue: Catalogue
  readonly issuer: string
}

/** As the interaction keeps it: plain JSON, because it waits in the store. */
export type RequestedAccess = {
  /** In code point order. */
  readonly scope: readonly string[]
  /** Registered identifiers, the issuer's own among them if asked for beside others; empty means the issuer alone. */
  readonly resources: readonly string[]
}

export function requestedAccess(asked: AskedAccess, on: AccessContext): Result<RequestedAccess, Refusal> {
  const scope = requestedScope(asked, on)
  if (scope.kind === 'error') return scope
  const resources = coveredResources(scope.value, asked.resources, on)
  if (resources.kind === 'error') return resources
  return ok({ scope: [...scope.value].toSorted(), resources: resources.value })
}

/** OIDC Core §3.1.2.1: scopes that are not understood are ignored in OIDC requests; RFC 6749 §4.1.2.1: elsewhere refused. */
function requestedScope({ scope: asked, resources }: AskedAccess, on: AccessContext): Result<Scope, Refusal> {
  if (asked === null) {
    const scope = defaultScope(on, resources)
    return scope.kind === 'ok' && scope.value.size === 0 ? err({ reason: 'scope_missing' }) : scope
  }
  const known = new Set([...asked].filter((name) => isKnownScope(on.catalogue, name)))
  if (known.size < asked.size && !asked.has('openid')) return err({ reason: 'scope_unknown' })
  return isWithin(known, registeredScope(on.client)) ? ok(known) : err({ reason: 'scope_exceeds_client' })
}

/** RFC 8707 §2.1: several resources may be asked for together; tokens are then fetched for one at a time. */
function coveredResources(
  scope: Scope,
  asked: readonly string[],
  on: AccessContext,
): Result<readonly string[], Refusal> {
  if (asked.length === 0) {
    const target = chooseTarget({ ...on, asked: null, scope, fallback: on.client.metadata.default_resource ?? null })
    return target.kind === 'error' ? target : ok(identifiersOf([target.value], on.issuer))
  }
  const targets: TokenTarget[] = []
  for (const identifier of asked) {
    const target = targetOf(identifier, on)
    if (target.kind === 'error') return target
    targets.push(target.value)
  }
  const owners = ownersOf(scope, on.catalogue)
  if (owners.kind === 'error') return owners
  const identifiers = targets.map((target) => audienceOf(target, on.issuer))
  const uncovered = [...owners.value].some(
    (owner) => !identifiers.some((identifier) => sameUri(identifier, owner ?? on.issuer)),
  )
  return uncovered ? err({ reason: 'scope_of_another_resource' }) : ok(identifiersOf(targets, on.issuer))
}

const identifiersOf = (targets: readonly TokenTarget[], issuer: string): readonly string[] =>
  targets.every((target) => target.resource === null) ? [] : targets.map((target) => audienceOf(target, issuer))
