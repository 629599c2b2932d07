/** Access tokens of issuers that are not Grantor, read as RFC 9068 writes them: which claims stand for which is declared. */
import { isJsonObject, type Json, type JsonObject } from '@grantor/protocol/types'

/** The name of a claim, or the way to one inside others: `['realm_access', 'roles']`. */
export type ClaimPath = string | readonly string[]

export interface ForeignClaims {
  /** What must name this API: `aud`, or `azp` where the issuer writes only that. */
  readonly audience?: 'aud' | 'azp'
  /** Where scopes are, all together: texts with spaces between, or lists. Roles too, if they are to be asked for as scopes. */
  readonly scope?: readonly ClaimPath[]
  /** Who the token was issued to: the first that is there. */
  readonly clientId?: readonly string[]
}

/** Claims by which others tell kinds of tokens apart that all have the type `JWT`: Keycloak's `typ`, Cognito's `token_use`. */
const accessKinds: Readonly<Record<string, ReadonlySet<Json>>> = {
  typ: new Set(['Bearer', 'DPoP']),
  token_use: new Set(['access']),
}

/** Null for what is another kind of token, or cannot be read. `fallbackId` names a token that has no id of its own. */
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

/** Empty where there is nothing; null for what is neither a text nor a list of texts. */
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
