/** What a client is told of a person: the userinfo answer and the requested claims of ID tokens (OIDC Core §5.3.2, §5.4, §5.5). */
import { claimsOfScope, claimsRequest, claimsWithin, type ClaimRequest, personClaims } from './claims.ts'
import type { AccessTokenFacts } from '../oauth/access-token.ts'
import { intersect, type Scope } from '../oauth/scope.ts'
import type { Person } from '../people/person.ts'
import type { Json, JsonObject } from '../types.ts'

/** Any access token of ours with scope `openid`. */
export const mayReadUserinfo = (token: Pick<AccessTokenFacts, 'scope'>): boolean => token.scope.has('openid')

export interface UserinfoInput {
  readonly person: Person
  /** The `sub` this client knows the person by. */
  readonly subject: string
  /** Of the token presented, not of its grant: a narrowed token tells less. */
  readonly scope: Scope
  /** The claims of the grant. */
  readonly claims: JsonObject | null
  /** What its client may ask for now, whatever it was granted. */
  readonly registered: Scope
  /** What is declared of its client to be told besides. */
  readonly mapped?: JsonObject
}

/** OIDC Core §5.3.2: `sub` always; a claim nobody has is left out, never null or empty. */
export const userinfo = ({ person, subject, scope, claims, registered, mapped }: UserinfoInput): JsonObject => ({
  ...claimsOf(person, claimsWithin(claimsRequest(claims), registered).userinfo),
  ...scopeClaimsOf(person, intersect(scope, registered)),
  ...mapped,
  sub: subject,
})

/** OIDC Core §5.5: what the `claims` parameter asks to have in the ID token itself, as far as the client may ask now. */
export const requestedIdTokenClaims = (person: Person, claims: JsonObject | null, registered: Scope): JsonObject =>
  claimsOf(person, claimsWithin(claimsRequest(claims), registered).id_token)

/** OIDC Core §5.4: what the scopes stand for. */
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

/** OIDC Core §5.5.1: a claim asked for with certain values is given if it has one of them; nothing else hangs on it. */
function isAsRequested(value: Json, request: ClaimRequest): boolean {
  const wanted = request?.values ?? (request?.value === undefined ? null : [request.value])
  return wanted === null || wanted.includes(value)
}
