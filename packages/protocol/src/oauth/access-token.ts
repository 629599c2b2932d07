/** The claims of a JWT access token, written and read: RFC 9068 §2.2. */
import { canonicalUri } from './uri.ts'
import { defaultTenant, type GrantId, type Instant, type Json, type JsonObject, type TokenId } from '../types.ts'
import { formatScope, noScope, parseScope, type Scope } from './scope.ts'

/** The facts of an access token, whatever its format. `subject` is the client itself for client credentials. */
export interface AccessTokenFacts {
  readonly jti: TokenId
  readonly clientId: string
  readonly subject: string
  readonly grantId: GrantId | null
  readonly audience: string
  readonly scope: Scope
  readonly issuedAt: Instant
  readonly expiresAt: Instant
  /** Additional claims: auth_time, acr, sid, cnf, act … */
  readonly claims: JsonObject
}

/** The recorded revocations of a token, with their times, so that a rule can tell unknown from revoked. */
export interface TokenStatus {
  readonly revokedAt: Instant | null
  /** When its grant was revoked, if the token has a grant. */
  readonly grantRevokedAt: Instant | null
  /** The end of its grant's session: only a token with a `sid` ends with it. */
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

/** RFC 9068 §4: the type, with or without its media type's prefix, which excludes ID tokens and others. */
export const isAccessTokenType = (typ: unknown): boolean =>
  typeof typ === 'string' && /^(?:application\/)?at\+jwt$/i.test(typ)

/** Claims of ID tokens, logout tokens, security events and signed introspection, which no access token has. */
const otherKinds = ['nonce', 'at_hash', 'c_hash', 's_hash', 'events', 'token_introspection']

/**
 * Whether a signed token may be an access token by its claims, also where its header only says `JWT`. Every access
 * token has client_id and jti (RFC 9068 §2.2); no ID token or userinfo of ours has both.
 */
export const maySayAccess = (claims: JsonObject): boolean =>
  Object.hasOwn(claims, 'client_id') &&
  Object.hasOwn(claims, 'jti') &&
  !otherKinds.some((name) => Object.hasOwn(claims, name))

/**
 * Reads the claims of a token whose signature and type are valid. Strict: every claim that we write must be present as
 * we write it, and of this issuer and tenant; null otherwise. The caller checks the expiry.
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

/** Rounded down, so that a document never promises more time than there is. */
export const seconds = (at: Instant): number => Math.floor(at / 1000)

const isText = (value: Json | undefined): value is string => typeof value === 'string' && value !== ''
const isSeconds = (value: Json | undefined): value is number => Number.isSafeInteger(value) && (value as number) >= 0
const foreign = (claims: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(claims).filter(([name]) => !own.has(name)))
