/** What a JWT access token says, to and fro: RFC 9068 §2.2. */
import { canonicalUri } from './uri.ts'
import { defaultTenant, type GrantId, type Instant, type Json, type JsonObject, type TokenId } from '../types.ts'
import { formatScope, noScope, parseScope, type Scope } from './scope.ts'

/** What an access token says, whatever its format. `subject` is the client itself for client credentials. */
export interface AccessTokenFacts {
  readonly jti: TokenId
  readonly clientId: string
  readonly subject: string
  readonly grantId: GrantId | null
  readonly audience: string
  readonly scope: Scope
  readonly issuedAt: Instant
  readonly expiresAt: Instant
  /** Further claims: auth_time, acr, sid, cnf, act … */
  readonly claims: JsonObject
}

/** What is known against a token: a history, so that a rule can tell unknown from revoked. */
export interface TokenStatus {
  readonly revokedAt: Instant | null
  /** The grant's end, where the token hangs on one. */
  readonly grantRevokedAt: Instant | null
  /** The end of the session that its grant came from: only what carries a `sid` dies with it. */
  readonly sessionEndedAt: Instant | null
}

export interface TokenIssuer {
  readonly issuer: string
  readonly tenant: string
}

/** Claims that have their own field among the facts; the others travel in `claims`. */
const own: ReadonlySet<string> = new Set('iss sub aud client_id scope iat exp jti tenant grant_id'.split(' '))

export function accessTokenClaims(facts: AccessTokenFacts, { issuer, tenant }: TokenIssuer): JsonObject {
  const claims: Record<string, Json> = {
    iss: issuer,
    sub: facts.subject,
    aud: facts.audience,
    client_id: facts.clientId,
    iat: seconds(facts.issuedAt),
    exp: seconds(facts.expiresAt),
    jti: facts.jti,
  }
  if (facts.scope.size > 0) claims['scope'] = formatScope(facts.scope)
  if (facts.grantId !== null) claims['grant_id'] = facts.grantId
  // Tokens of the default tenant carry no tenant claim.
  if (tenant !== defaultTenant) claims['tenant'] = tenant
  for (const name of Object.keys(facts.claims)) if (!own.has(name)) claims[name] = facts.claims[name] as Json
  return claims
}

/** RFC 9068 §4: the type that keeps ID tokens and others out, with or without its media type's prefix. */
export const isAccessTokenType = (typ: unknown): boolean =>
  typeof typ === 'string' && /^(?:application\/)?at\+jwt$/i.test(typ)

/** Claims of an ID token, a logout token, a security event or a signed introspection, which no access token has. */
const otherKinds = ['nonce', 'at_hash', 'c_hash', 's_hash', 'events', 'token_introspection']

/**
 * Whether something signed may be an access token by what it says, also where its header says no more than `JWT`. Who
 * it was issued to and its id are in every access token (RFC 9068 §2.2) and in no ID token or userinfo of ours.
 */
export const maySayAccess = (claims: JsonObject): boolean =>
  Object.hasOwn(claims, 'client_id') &&
  Object.hasOwn(claims, 'jti') &&
  !otherKinds.some((name) => Object.hasOwn(claims, name))

/**
 * From the claims of a token whose signature and type are good. Strict: everything we write must be there as we write
 * it, and of this issuer and tenant; null otherwise. Expiry is the business of whoever asks.
 */
export function accessTokenFacts(claims: JsonObject, from: TokenIssuer): AccessTokenFacts | null {
  const {
    iss,
    sub,
    aud,
    client_id: clientId,
    iat,
    exp,
    jti,
    scope,
    grant_id: grantId = null,
    tenant = defaultTenant,
  } = claims
  if (iss !== from.issuer || tenant !== from.tenant || !maySayAccess(claims)) return null
  if (!isText(sub) || !isText(clientId) || !isText(jti) || !isText(aud) || canonicalUri(aud) === null) return null
  if (!isSeconds(iat) || !isSeconds(exp) || exp <= iat) return null
  if (grantId !== null && !isText(grantId)) return null
  const names = scope === undefined ? noScope : typeof scope === 'string' ? parseScope(scope) : null
  if (names === null) return null
  return {
    jti: jti as TokenId,
    clientId,
    subject: sub,
    grantId: grantId as GrantId | null,
    audience: aud,
    scope: names,
    issuedAt: (iat * 1000) as Instant,
    expiresAt: (exp * 1000) as Instant,
    claims: foreign(claims),
  }
}

/** Rounded down: a document never promises more time than there is. */
export const seconds = (at: Instant): number => Math.floor(at / 1000)

const isText = (value: Json | undefined): value is string => typeof value === 'string' && value !== ''
const isSeconds = (value: Json | undefined): value is number => Number.isSafeInteger(value) && (value as number) >= 0
const foreign = (claims: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(claims).filter(([name]) => !own.has(name)))
