/**
 * The access requested by a browser or a device: scope (RFC 6749 §3.3), resources (RFC 8707 §2.1), details (RFC 9396).
 */
import { acceptableDetails, placesOf } from '../authorization-details/requested-details.ts'
import type { AuthorizationDetail } from '../authorization-details/detail.ts'
import { audienceOf, chooseTarget, ownersOf, targetOf, type TokenTarget } from '../oauth/audience.ts'
import { isKnownScope } from '../oauth/catalogue.ts'
import { defaultScope } from '../oauth/default-scope.ts'
import type { Refusal } from '../oauth/refusal.ts'
import { isWithin, noScope, type Scope } from '../oauth/scope.ts'
import type { Catalogue } from '../oauth/tenant.ts'
import { sameUri } from '../oauth/uri.ts'
import { oidcScopes } from '../oidc/scopes.ts'
import { type Client, registeredScope } from '../registration/client.ts'
import { err, ok, type Result } from '../result.ts'

/** As sent; null where a parameter is absent. */
interface AskedAccess {
  readonly scope: Scope | null
  readonly resources: readonly string[]
  readonly authorizationDetails: readonly AuthorizationDetail[] | null
}

interface AccessContext {
  readonly client: Client
  readonly catalogue: Catalogue
  readonly issuer: string
}

/** As the interaction stores it: plain JSON. */
export type RequestedAccess = {
  /** In code point order. */
  readonly scope: readonly string[]
  /** Registered identifiers, including the issuer's own if requested beside others; empty means the issuer alone. */
  readonly resources: readonly string[]
  /** Absent where none are requested. */
  readonly authorizationDetails?: readonly AuthorizationDetail[]
}

export function requestedAccess(asked: AskedAccess, context: AccessContext): Result<RequestedAccess, Refusal> {
  const details = acceptableDetails(asked.authorizationDetails ?? [], context)
  if (details.kind === 'error') return details
  const scope = requestedScope(asked, context)
  if (scope.kind === 'error') return scope
  const resources = coveredResources({ scope: scope.value, details: details.value, asked: asked.resources }, context)
  if (resources.kind === 'error') return resources
  return ok({
    scope: [...scope.value].toSorted(),
    resources: resources.value,
    ...(details.value.length === 0 ? {} : { authorizationDetails: details.value }),
  })
}

/** OIDC Core §3.1.2.1: unknown scopes are ignored in OIDC requests; RFC 6749 §4.1.2.1: refused in others. */
function requestedScope(
  { scope: asked, resources, authorizationDetails }: AskedAccess,
  context: AccessContext,
): Result<Scope, Refusal> {
  if (asked === null) {
    // RFC 9396 §3: details may be requested instead of a scope; then no default scope is added.
    if (authorizationDetails !== null) return ok(noScope)
    const scope = defaultScope(context, resources)
    return scope.kind === 'ok' && scope.value.size === 0 ? err({ reason: 'scope_missing' }) : scope
  }
  const known = new Set([...asked].filter((name) => isKnownScope(context.catalogue, name)))
  if (known.size < asked.size && !asked.has('openid')) return err({ reason: 'scope_unknown' })
  return isWithin(known, registeredScope(context.client)) ? ok(known) : err({ reason: 'scope_exceeds_client' })
}

interface WantedAccess {
  readonly scope: Scope
  readonly details: readonly AuthorizationDetail[]
  /** The `resource` parameters. */
  readonly asked: readonly string[]
}

/** RFC 8707 §2.1: several resources may be requested together; tokens are then fetched for one at a time. */
function coveredResources(wanted: WantedAccess, context: AccessContext): Result<readonly string[], Refusal> {
  const owners = ownersOf(wanted.scope, context.catalogue)
  if (owners.kind === 'error') return owners
  return wanted.asked.length === 0 ? impliedResources(wanted, context) : namedResources(wanted, owners.value, context)
}

/** If none is named: those of the scope and of the details. A default applies if neither has any. */
function impliedResources(
  { scope, details }: WantedAccess,
  context: AccessContext,
): Result<readonly string[], Refusal> {
  const places = new Set(details.flatMap((detail) => placesOf(detail, context.catalogue)))
  const ownerless = [...scope].every((name) => oidcScopes.has(name))
  if (ownerless && places.size > 0) return ok([...places])
  const target = chooseTarget({
    ...context,
    asked: null,
    scope,
    fallback: context.client.metadata.default_resource ?? null,
  })
  if (target.kind === 'error') return target
  if (places.size === 0) return ok(identifiersOf([target.value], context.issuer))
  return ok([...places.add(audienceOf(target.value, context.issuer))])
}

function namedResources(
  { details, asked }: WantedAccess,
  owners: ReadonlySet<string | null>,
  context: AccessContext,
): Result<readonly string[], Refusal> {
  const targets: TokenTarget[] = []
  for (const identifier of asked) {
    const target = targetOf(identifier, context)
    if (target.kind === 'error') return target
    targets.push(target.value)
  }
  const identifiers = targets.map((target) => audienceOf(target, context.issuer))
  const uncovered = [...owners].some(
    (owner) => !identifiers.some((identifier) => sameUri(identifier, owner ?? context.issuer)),
  )
  if (uncovered) return err({ reason: 'scope_of_another_resource' })
  const elsewhere = details.some(
    (detail) => !placesOf(detail, context.catalogue).some((it) => identifiers.includes(it)),
  )
  return elsewhere ? err({ reason: 'details_of_another_resource' }) : ok(identifiersOf(targets, context.issuer))
}

const identifiersOf = (targets: readonly TokenTarget[], issuer: string): readonly string[] =>
  targets.every((target) => target.resource === null) ? [] : targets.map((target) => audienceOf(target, issuer))
