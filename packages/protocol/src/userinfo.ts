/** What is told of a person: the userinfo answer and the requested claims of ID tokens (OIDC Core §5.3.2, §5.4, §5.5). */
import { claimsOfScope, claimsRequest, personClaims } from './claims.ts'
import type { AccessTokenFacts, Json, JsonObject, Person, Scope } from './words.ts'

/** DECISIONS §3: any access token of ours with scope `openid`. */
export const opensUserinfo = (token: Pick<AccessTokenFacts, 'scope'>): boolean => token.scope.has('openid')

export interface UserinfoCase {
  readonly person: Person
  /** The `sub` this client knows the person by. */
  readonly subject: string
  /** Of the token presented, not of its grant: a narrowed token tells less. */
  readonly scope: Scope
  /** The claims of the grant. */
  readonly claims: JsonObject | null
}

/** OIDC Core §5.3.2: `sub` always; a claim nobody has is left out, never null or empty. */
export const userinfo = ({ person, subject, scope, claims }: UserinfoCase): JsonObject => ({
  ...told(person, [...claimsOfScope(scope), ...Object.keys(claimsRequest(claims).userinfo)]),
  sub: subject,
})

/** OIDC Core §5.5: what the `claims` parameter asks to have in the ID token itself. */
export const idTokenWishes = (person: Person, claims: JsonObject | null): JsonObject =>
  told(person, Object.keys(claimsRequest(claims).id_token))

function told(person: Person, names: readonly string[]): JsonObject {
  const known: JsonObject = { preferred_username: person.username, ...person.claims }
  const pairs = names
    .filter((name) => personClaims.has(name) && Object.hasOwn(known, name))
    .map((name): [string, Json | undefined] => [name, known[name]])
  return Object.fromEntries(
    pairs.filter((pair): pair is [string, Json] => pair[1] !== undefined && pair[1] !== null && pair[1] !== ''),
  )
}
