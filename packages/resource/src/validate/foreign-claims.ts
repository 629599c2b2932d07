/** Access tokens of issuers other than Grantor: maps their claims, as declared, to those of RFC 9068. */
import { isJsonObject, type Json, type JsonObject } from '@grantor/protocol/types'

/** The name of a claim, or the path to a nested one: `['realm_access', 'roles']`. */
export type ClaimPath = string | readonly string[]

export interface ForeignClaims {
  /** The claim that must name this API: `aud`, or `azp` where the issuer writes only that. */
  readonly audience?: 'aud' | 'azp'
  /**
   * The claims whose values are the scopes: space-separated text, or lists. Name claims with roles to use these as
   * scopes.
   */
  readonly scope?: readonly ClaimPath[]
  /** Claims that name the client the token was issued to: the first one present counts. */
  readonly clientId?: readonly string[]
}

/** Claims that distinguish kinds of tokens where all have the type `JWT`: Keycloak's `typ`, Cognito's `token_use`. */
const accessKinds: Readonly<Record<string, ReadonlySet<Json>>> = {
  typ: new Set(['Bearer', 'DPoP']),
  token_use: new Set(['access']),
}

/** Null for another kind of token, or one that cannot be read. `fallbackId` is the id of a token without `jti`. */
export function readForeignClaims(claims: JsonObject, declared: ForeignClaims, fallbackId: string): JsonObject | null {
  for (const [name, kinds] of Object.entries(accessKinds)) {
    const kind = claims[name]
    if (kind !== undefined && !kinds.has(kind)) return null
  }
  const { audience = 'aud', scope = ['scope'], clientId = ['client_id', 'azp'] } = declared
  const words = scope.map((path) => wordsAt(claims, path))
  if (words.includes(null)) return null
  const client = clientId.map((name) => claims[name]).find((value) => value !== undefined)
  const aud = claims[audience]
  return {
    ...claims,
    jti: claims['jti'] ?? fallbackId,
    scope: words.flat().join(' '),
    ...(client === undefined ? {} : { client_id: client }),
    ...(aud === undefined ? {} : { aud }),
  }
}

/** Empty where the claim is missing; null where it is neither a text nor a list of texts. */
function wordsAt(claims: JsonObject, path: ClaimPath): readonly string[] | null {
  let found: Json | undefined = claims
  for (const name of typeof path === 'string' ? [path] : path) {
    found = found !== undefined && isJsonObject(found) && Object.hasOwn(found, name) ? found[name] : undefined
  }
  if (found === undefined) return []
  if (typeof found === 'string') return found.split(' ').filter((word) => word !== '')
  if (!Array.isArray(found)) return null
  const list = found as readonly Json[]
  // A scope with a space in it would be read as two.
  return list.every((word): word is string => typeof word === 'string' && !word.includes(' ')) ? list : null
}
