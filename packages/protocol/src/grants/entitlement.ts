/**
 * What a person's grant entitles its client to now: granted, still registered, still in the catalogue, for one
 * audience.
 */
import { detailsOfToken } from '../authorization-details/granted-details.ts'
import { scopeFor, type TokenTarget, targetOf } from '../oauth/audience.ts'
import { isKnownScope } from '../oauth/catalogue.ts'
import { registeredScope } from '../registration/client.ts'
import type { Refusal } from '../oauth/refusal.ts'
import { personalScope } from '../oauth/personal-scope.ts'
import { intersect, isWithin, type Scope } from '../oauth/scope.ts'
import { sidOf, subjectOf } from '../oidc/subject.ts'
import { seconds } from '../oauth/access-token.ts'
import { sameUri } from '../oauth/uri.ts'
import type { Person } from '../people/person.ts'
import type { JsonObject } from '../types.ts'
import { err, ok, type Result } from '../result.ts'
import { type Grant, grantRefusal } from './grant.ts'
import type { GrantInput, IssueDecision, Lookups } from './rule.ts'

export interface EntitlementRequest {
  readonly grant: Grant
  /** The scope of the presented code or refresh token. */
  readonly held: Scope
  /** The `scope` parameter; null where there is none. */
  readonly scope: Scope | null
  /** The `resource` parameter; null where there is none. */
  readonly resource: string | null
  /** The `authorization_details` parameter; null where there is none. */
  readonly authorizationDetails: NonNullable<Grant['authorizationDetails']> | null
}

type EntitlementContext = Pick<GrantInput<unknown, Lookups>, 'client' | 'catalogue' | 'issuer' | 'policy' | 'now'> & {
  readonly person?: Person | null
}
export type Entitlement = Pick<IssueDecision, 'grantId' | 'subject' | 'scope' | 'resource' | 'details' | 'claims'>

/** Used by every redemption of a grant, so that no grant type can forget one of these checks. */
export function entitlement(request: EntitlementRequest, context: EntitlementContext): Result<Entitlement, Refusal> {
  const { grant } = request
  const ended = grantRefusal(grant, context)
  if (ended !== null) return err(ended)
  const target = grantedTarget(request, context)
  if (target.kind === 'error') return target
  const scope = grantedScope(request, target.value, context)
  if (scope.kind === 'error') return scope
  const asked = request.authorizationDetails
  const details = detailsOfToken({ granted: grant.authorizationDetails ?? [], asked, target: target.value }, context)
  if (details.kind === 'error') return details
  return ok({
    grantId: grant.id,
    subject: subjectOf(grant),
    scope: scope.value,
    resource: target.value.resource,
    ...(details.value.length === 0 ? {} : { details: details.value }),
    claims: authenticationClaims(grant),
  })
}

/** RFC 8707 §2.2: one of the resources of the grant; if it has several, the token request must name one. */
function grantedTarget(
  { grant, resource }: EntitlementRequest,
  context: EntitlementContext,
): Result<TokenTarget, Refusal> {
  const resources = grant.resources.length === 0 ? [context.issuer] : grant.resources
  const chosen = resource === null ? resources[0] : resources.find((identifier) => sameUri(identifier, resource))
  if (resource === null && resources.length > 1) return err({ reason: 'resource_ambiguous' })
  return chosen === undefined ? err({ reason: 'resource_outside_grant' }) : targetOf(chosen, context)
}

/**
 * RFC 6749 §6: a requested scope must lie within the held one. Without a requested scope, names that were lost
 * meanwhile are left out.
 */
function grantedScope(
  { held, scope, grant }: EntitlementRequest,
  target: TokenTarget,
  { client, catalogue, person }: EntitlementContext,
): Result<Scope, Refusal> {
  const alive = new Set([...intersect(held, grant.scope)].filter((name) => isKnownScope(catalogue, name)))
  const registered = intersect(alive, registeredScope(client))
  // Scopes that came with a role or with being an administrator are lost with it; the rest of the grant stays.
  const personal = (of: Scope): Scope => personalScope(of, person ?? null, catalogue)
  if (scope === null) return ok(scopeFor(target, personal(registered), catalogue))
  if (!isWithin(scope, alive)) return err({ reason: 'scope_exceeds_grant' })
  if (!isWithin(scope, registered)) return err({ reason: 'scope_exceeds_client' })
  if (!isWithin(scope, scopeFor(target, scope, catalogue))) return err({ reason: 'scope_of_another_resource' })
  const remaining = personal(scope)
  return remaining.size === 0 && scope.size > 0 ? err({ reason: 'scope_exceeds_grant' }) : ok(remaining)
}

/**
 * RFC 9068 §2.2.1: when and how the person signed in, and in which session. After the session has ended, tokens no
 * longer name it, because a token with its `sid` would be revoked.
 */
const authenticationClaims = (grant: Grant): JsonObject => ({
  auth_time: seconds(grant.authentication.at),
  acr: grant.authentication.acr,
  ...(grant.sessionEndedAt === null ? { sid: sidOf(grant) } : {}),
})
