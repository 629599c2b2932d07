/** An identity assertion grant of a trusted issuer becomes an access token: draft-ietf-oauth-identity-assertion-authz-grant §4.4. */
import { findResource, isKnownScope } from '../oauth/catalogue.ts'
import { chooseTarget, scopeFor, type TokenTarget } from '../oauth/audience.ts'
import { holdsToken, noPossession } from '../oauth/confirmation.ts'
import { defaultScope } from '../oauth/default-scope.ts'
import { personalScope } from '../oauth/personal-scope.ts'
import type { Refusal } from '../oauth/refusal.ts'
import { intersect, isWithin, noScope, parseScope, type Scope } from '../oauth/scope.ts'
import { sameUri } from '../oauth/uri.ts'
import { oidcScopes } from '../oidc/scopes.ts'
import { isPublic, registeredScope } from '../registration/client.ts'
import type { Instant, Json } from '../types.ts'
import { err, ok, type Result } from '../result.ts'
import { assertedBy, assertedSignIn, assertionName, type TrustedAssertion } from './assertion.ts'
import type { AccessParams } from './own-access.ts'
import { type GrantDecision, type GrantInput, type Lookups, refuse } from './rule.ts'

type Asked = GrantInput<AccessParams, Lookups>

/** Milliseconds by which a grant outlives its one token. */
const margin = 60_000

export function redeemIdJag(assertion: TrustedAssertion, input: Asked): GrantDecision {
  const { claims, person, id } = assertion
  // §8.1: only for clients that authenticate. §4.4.1: only for the client that it names.
  if (isPublic(input.client)) return refuse({ reason: 'grant_type_not_allowed' })
  const isWhole = claims['client_id'] === input.client.id && id !== null && typeof claims['iat'] === 'number'
  // §8.6: if the assertion is bound to a key, the client must prove possession of it.
  if (!holdsToken(claims['cnf'], input.possession ?? noPossession)) return refuse({ reason: 'assertion_invalid' })
  if (!isWhole || person === null || person.disabledAt !== null || !isForTenant(claims['aud_tenant'], input))
    return refuse({ reason: 'assertion_invalid' })
  // RFC 9396 §5: the assertion grants no details.
  if (input.params.authorizationDetails !== null) return refuse({ reason: 'details_exceed_grant' })
  const access = assertedAccess(assertion, input)
  if (access.kind === 'error') return refuse(access.error)
  const { scope, resource } = access.value
  const signedInAt = assertedSignIn(claims['auth_time'] ?? claims['iat'], input.now)
  const life = (resource?.accessTtl ?? input.policy.accessTtl) * 1000
  return {
    do: 'issue',
    grantId: null,
    subject: person.id,
    scope,
    resource,
    claims: { auth_time: Math.floor(signedInAt / 1000) },
    spend: null,
    // §4.4.3: the assertion takes the place of a refresh token.
    refresh: null,
    idToken: null,
    assertion: { id: assertionName(assertion.issuer, id), expiresAt: assertion.expiresAt },
    opens: { person, signedInAt, expiresAt: (input.now + life + margin) as Instant },
    eventData: assertedBy(assertion),
  }
}

/** §3: each tenant is an issuer of its own, so an assertion that names another tenant is not accepted. */
const isForTenant = (named: Json | undefined, { catalogue }: Asked): boolean =>
  named === undefined || named === catalogue.tenant.id

/**
 * The scope that the assertion, the client's registration and the person all allow; the request may ask for less. The
 * other server may be wrong about our scopes, so unknown names in the assertion are ignored (§4.4.1). What the request
 * asks for beyond the remaining scope is refused.
 */
function assertedAccess(
  { claims, person }: TrustedAssertion,
  input: Asked,
): Result<TokenTarget & { readonly scope: Scope }, Refusal> {
  const { client, catalogue, issuer, params } = input
  const named = resourceNamed(claims['resource'], input)
  if (named.kind === 'error') return named
  const identifier = named.value
  const asserted = assertedScope(claims['scope'], identifier, input)
  if (asserted.kind === 'error') return asserted
  const known = [...asserted.value].filter((name) => !oidcScopes.has(name) && isKnownScope(catalogue, name))
  const allowed = personalScope(intersect(new Set(known), registeredScope(client)), person, catalogue)
  const grantable =
    identifier === null ? allowed : scopeFor({ resource: findResource(catalogue, identifier) }, allowed, catalogue)
  if (params.scope !== null && !isWithin(params.scope, grantable)) return err({ reason: 'scope_exceeds_grant' })
  const scope = params.scope ?? grantable
  if (scope.size === 0) return err({ reason: 'scope_missing' })
  const target = chooseTarget({ catalogue, issuer, asked: identifier, scope, fallback: null })
  return target.kind === 'error' ? target : ok({ ...target.value, scope })
}

/** The `scope` claim; the default scope if the assertion has none. A claim that cannot be read grants nothing. */
function assertedScope(claim: Json | undefined, resource: string | null, input: Asked): Result<Scope, Refusal> {
  if (claim === undefined) return defaultScope(input, resource === null ? [] : [resource])
  return ok((typeof claim === 'string' ? parseScope(claim) : null) ?? noScope)
}

/** RFC 8707 §2: the one resource that the assertion, the request, or both name; null where neither does. */
function resourceNamed(claim: Json | undefined, { params, catalogue }: Asked): Result<string | null, Refusal> {
  const members: readonly unknown[] = claim === undefined ? [] : Array.isArray(claim) ? claim : [claim]
  const asserted = members.filter((member) => typeof member === 'string')
  const { resource: requested } = params
  const isOutside =
    requested !== null && asserted.length > 0 && !asserted.some((identifier) => sameUri(identifier, requested))
  if (isOutside) return err({ reason: 'resource_outside_grant' })
  if (asserted.length !== members.length || (requested === null && asserted.length > 1))
    return err({ reason: 'resource_ambiguous' })
  const named = requested ?? asserted[0] ?? null
  return named !== null && findResource(catalogue, named) === null ? err({ reason: 'resource_unknown' }) : ok(named)
}
