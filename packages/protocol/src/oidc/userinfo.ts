/**
 * The claims about a person for a client: the userinfo response and the requested claims of ID tokens (OIDC Core
 * §5.3.2, §5.4, §5.5).
 */
import { claimsOfScope, claimsRequest, claimsWithin, type ClaimRequest, personClaims } from './claims.ts'
import type { AccessTokenFacts } from '../oauth/access-token.ts'
import { intersect, type Scope } from '../oauth/scope.ts'
import type { Person } from '../people/person.ts'
import type { Json, JsonObject } from '../types.ts'

/** Any access token of ours with scope `openid` may read userinfo. */
export const mayReadUserinfo = (token: Pick<AccessTokenFacts, 'scope'>): boolean => token.scope.has('openid')

export interface UserinfoInput {
  readonly person: Person
  /** The `sub` by which this client knows the person. */
  readonly subject: string
  /** Of the presented token, not of its grant: a narrowed token yields less. */
  readonly scope: Scope
  /** The claims of the grant. */
  readonly claims: JsonObject | null
  /** The scope for which the client is registered now, whatever it was granted. */
  readonly registered: Scope
  /** The declared claims of the client. */
  readonly mapped?: JsonObject
}

/** OIDC Core §5.3.2: always `sub`; an absent claim is omitted, never null or empty. */
export const userinfo = ({ person, subject, scope, claims, registered, mapped }: UserinfoInput): JsonObject => ({
  ...claimsOf(person, claimsWithin(claimsRequest(claims), registered).userinfo),
  ...scopeClaimsOf(person, intersect(scope, registered)),
  ...mapped,
  sub: subject,
})

/**
 * OIDC Core §5.5: the claims that the `claims` parameter requests in the ID token itself, within what the client may
 * request now.
 */
export const requestedIdTokenClaims = (person: Person, claims: JsonObject | null, registered: Scope): JsonObject =>
  claimsOf(person, claimsWithin(claimsRequest(claims), registered).id_token)

/** OIDC Core §5.4: the claims of the scopes. */
export const scopeClaimsOf = (person: Person, scope: Scope): JsonObject =>
  claimsOf(person, Object.fromEntries([...claimsOfScope(scope)].map((name) => [name, null])))

function claimsOf(person: Person, requests: Readonly<Record<string, ClaimRequest>>): JsonObject {
  const known: JsonObject = { preferred_username: person.username, ...person.claims }
  const found: [string, Json][] = []
  for (const [name, request] of Object.entries(requests)) {
    const value = personClaims.has(name) && Object.hasOwn(known, name) ? known[name] : undefined
    if (value === undefined || value === null || value === '') continue
    if (isAsRequested(value, request)) found.push([name, value])
  }
  return Object.fromEntries(found)
}

/** OIDC Core §5.5.1: a claim requested with certain values is included only if it has one of them. */
function isAsRequested(value: Json, request: ClaimRequest): boolean {
  const allowedValues = request?.values ?? (request?.value === undefined ? null : [request.value])
  return allowedValues === null || allowedValues.includes(value)
}
