/** An ID token of ours that its client presents in an exchange: RFC 8693 §2.1, OIDC Core §2. */
import { type Grant, grantRefusal } from '../grants/grant.ts'
import { jwtType } from '../jose/algorithms.ts'
import type { Catalogue } from '../oauth/tenant.ts'
import type { Person } from '../people/person.ts'
import type { Client } from '../registration/client.ts'
import type { GrantId, Instant, JsonObject } from '../types.ts'
import { subjectOf } from './subject.ts'

export interface IdTokenOnRecord {
  readonly grant: Grant
  readonly claims: JsonObject
  readonly expiresAt: Instant
}

interface PresentedIdToken {
  readonly typ: string | undefined
  readonly claims: JsonObject
  /** The grant that its `jti` names. */
  readonly grant: Grant | null
}

interface Context {
  readonly client: Client
  readonly catalogue: Catalogue
  readonly issuer: string
  readonly now: Instant
  readonly person?: Person | null
}

/** The `jti` begins with the grant's id, so that whatever is issued for the token ends with that grant. */
export const idTokenJti = (grant: Grant, id: string): string => `${grant.id}.${id}`

export const grantOfIdToken = ({ jti }: JsonObject): GrantId | null =>
  typeof jti === 'string' && jti.includes('.') ? (jti.slice(0, jti.indexOf('.')) as GrantId) : null

/**
 * Null for anything but an ID token, for another client's or an expired one, and if its grant, session or person has
 * ended. Signed userinfo has the same type and audience, but no exp and no auth_time; an access token may have the
 * type, but has a client_id.
 */
export function liveIdToken({ typ, claims, grant }: PresentedIdToken, it: Context): IdTokenOnRecord | null {
  const { iss, aud, sub, exp, iat, auth_time: signedInAt } = claims
  const isIdToken = typ === jwtType.id.toLowerCase() && signedInAt !== undefined && !Object.hasOwn(claims, 'client_id')
  if (!isIdToken || iss !== it.issuer || aud !== it.client.id || typeof exp !== 'number' || typeof iat !== 'number')
    return null
  if (grant === null || grant.clientId !== it.client.id || subjectOf(grant) !== sub) return null
  const { person, now } = it
  if (grantRefusal(grant, { ...(person === undefined ? {} : { person }), now }) !== null) return null
  // Like an access token with a `sid`: it ends with the session, and with any event that ended all tokens since.
  const deadUpTo = Math.max(
    grant.tokensDeadUpTo ?? -1,
    it.client.tokensDeadUpTo ?? -1,
    it.catalogue.tenant.tokensDeadUpTo ?? -1,
  )
  if (grant.sessionEndedAt !== null || iat * 1000 <= deadUpTo || exp * 1000 <= now) return null
  return { grant, claims, expiresAt: (exp * 1000) as Instant }
}
