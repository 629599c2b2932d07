/** An identity assertion grant of a trusted issuer becomes an access token: draft-ietf-oauth-identity-assertion-authz-grant §4.4. */
import { findResource, isKnownScope } from '../oauth/catalogue.ts'
import { chooseTarget, scopeFor, type TokenTarget } from '../oauth/audience.ts'
import { holdsToken, noPossession } from '../oauth/confirmation.ts'
import { defaultScope } from '../oauth/default-scope.ts'
import { personalScope } from '../oauth/personal-scope.ts'
import type { Refusal } from '../oauth/refusal.ts'
import { intersect, isWithin, parseScope, type Scope } from '../oauth/scope.ts'
import { sameUri } from '../oauth/uri.ts'
import { oidcScopes } from '../oidc/scopes.ts'
import { isPublic, registeredScope } from '../registration/client.ts'
import type { Instant, Json } from '../types.ts'
import { err, ok, type Result } from '../result.ts'
import { assertedBy, assertedSignIn, assertionName, type TrustedAssertion } from './assertion.ts'
import type { AccessParams } from './own-access.ts'
import { type GrantDecision, type GrantInput, type Lookups, refuse } from './rule.ts'

type Asked = GrantInput<AccessParams, Lookups>

/** Milliseconds that a grant outlives the one token that hangs on it. */
const margin = 60_000

export function redeemIdJag(assertion: TrustedAssertion, it: Asked): GrantDecision {
  const { claims, person, id } = assertion
  // §8.1: for clients that authenticate. §4.4.1: for the very client that it names.
  if (isPublic(it.client)) return refuse({ reason: 'grant_type_not_allowed' })
  const isWhole = claims['client_id'] === it.client.id && id !== null && typeof claims['iat'] === 'number'
  // §8.6: who is bound to a key must prove to have it.
  if (!holdsToken(claims['cnf'], it.possession ?? noPossession)) return refuse({ reason: 'assertion_invalid' })
  if (!isWhole || person === null || person.disabledAt !== null || !isForTenant(claims['aud_tenant'], it))
    return refuse({ reason: 'assertion_invalid' })
  // RFC 9396 §5: the assertion grants none.
  if (it.params.authorizationDetails !== null) return refuse({ reason: 'details_exceed_grant' })
  const access = assertedAccess(assertion, it)
  if (access.kind === 'error') return refuse(access.error)
  const { scope, resource } = access.value
  const signedInAt = assertedSignIn(claims['auth_time'] ?? claims['iat'], it.now)
  const life = (resource?.accessTtl ?? it.policy.accessTtl) * 1000
  return {
    do: 'issue',
    grantId: null,
    subject: person.id,
    scope,
    resource,
    claims: { auth_time: Math.floor(signedInAt / 1000) },
    spend: null,
    // §4.4.3: the assertion stands in for a refresh token.
    refresh: null,
    idToken: null,
    assertion: { id: assertionName(assertion.issuer, id), expiresAt: assertion.expiresAt },
    opens: { person, signedInAt, expiresAt: (it.now + life + margin) as Instant },
    eventData: assertedBy(assertion),
  }
}

/** §3: an issuer of ours is of one tenant; who names another means another. */
const isForTenant = (named: Json | undefined, { catalogue }: Asked): boolean =>
  named === undefined || named === catalogue.tenant.id

/**
 * What the assertion, the client's registration and the person allow, all three; the request may ask for less of it.
 * The other server knows our scopes by hearsay: those that are none here are left out (§4.4.1), what is asked for beyond
 * is refused.
 */
function assertedAccess(
  { claims, person }: TrustedAssertion,
  it: Asked,
): Result<TokenTarget & { readonly scope: Scope }, Refusal> {
  const { client, catalogue, issuer, params } = it
  const named = resourceNamed(claims['resource'], it)
  if (named.kind === 'error') return named
  const stated =
    claims['scope'] === undefined ? null : typeof claims['scope'] === 'string' ? parseScope(claims['scope']) : undefined
  const asked =
    stated === null ? defaultScope(it, named.value === null ? [] : [named.value]) : ok(stated ?? new Set<string>())
  if (asked.kind === 'error') return asked
  const known = [...asked.value].filter((name) => !oidcScopes.has(name) && isKnownScope(catalogue, name))
  const allowed = personalScope(intersect(new Set(known), registeredScope(client)), person, catalogue)
  const most =
    named.value === null ? allowed : scopeFor({ resource: findResource(catalogue, named.value) }, allowed, catalogue)
  if (params.scope !== null && !isWithin(params.scope, most)) return err({ reason: 'scope_exceeds_grant' })
  const scope = params.scope ?? most
  if (scope.size === 0) return err({ reason: 'scope_missing' })
  const target = chooseTarget({ catalogue, issuer, asked: named.value, scope, fallback: null })
  return target.kind === 'error' ? target : ok({ ...target.value, scope })
}

/** RFC 8707 §2: the one resource that the assertion or the request names, or both alike; null where neither does. */
function resourceNamed(claim: Json | undefined, { params, catalogue }: Asked): Result<string | null, Refusal> {
  const list: readonly unknown[] = claim === undefined ? [] : Array.isArray(claim) ? claim : [claim]
  const stated = list.filter((one) => typeof one === 'string')
  const { resource } = params
  if (resource !== null && stated.length > 0 && !stated.some((one) => sameUri(one, resource)))
    return err({ reason: 'resource_outside_grant' })
  const meant = resource ?? stated[0] ?? null
  if (stated.length !== list.length || (resource === null && stated.length > 1))
    return err({ reason: 'resource_ambiguous' })
  return meant !== null && findResource(catalogue, meant) === null ? err({ reason: 'resource_unknown' }) : ok(meant)
}
