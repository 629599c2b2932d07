/** Token introspection: RFC 7662 §2.2, §4; signed: RFC 9701; which clients may introspect what: docs/conventions.md. */
import type { AuthorizationDetail } from '../authorization-details/detail.ts'
import type { SigningAlg } from '../jose/algorithms.ts'
import { sameUri } from './uri.ts'
import { type Client, isPublic } from '../registration/client.ts'
import { tokenTypeOf } from './confirmation.ts'
import type { Refusal } from './refusal.ts'
import { formatScope } from './scope.ts'
import { subjectOf } from '../oidc/subject.ts'
import {
  accessTokenClaims,
  type AccessTokenFacts,
  seconds,
  type TokenIssuer,
  type TokenStatus,
} from './access-token.ts'
import { grantRefusal, type RefreshFacts } from '../grants/grant.ts'
import type { Person } from '../people/person.ts'
import type { Instant, JsonObject } from '../types.ts'

export const inactive: JsonObject = Object.freeze({ active: false })

/** RFC 7662 §2.1: the endpoint must require authorization, which a public client does not have. */
export const mayIntrospect = (client: Client): Refusal | null =>
  isPublic(client) ? { reason: 'client_unauthenticated', challenge: false } : null

export interface IntrospectionInput extends TokenIssuer {
  /** Null where the token is unknown, not ours, or malformed. */
  readonly token: AccessTokenFacts | null
  readonly status: TokenStatus
  readonly client: Client
  readonly now: Instant
}

/** RFC 7662 §2.2: the answer for every invalid token is the same, so that it reveals nothing. */
export function introspect({ token, status, client, now, ...from }: IntrospectionInput): JsonObject {
  if (token === null || !mayIntrospectToken(client, token) || !isTokenActive(token, status, now)) return inactive
  return {
    ...accessTokenClaims(token, from),
    active: true,
    token_type: tokenTypeOf(token.claims),
  }
}

/** RFC 7662 §2.2: only the client to which a refresh token was issued can introspect it. */
export function introspectRefresh(facts: {
  readonly refresh: RefreshFacts
  /** The details of its grant that are still valid. */
  readonly details: readonly AuthorizationDetail[]
  readonly person: Person | null
  readonly client: Client
  readonly issuer: string
  readonly now: Instant
}): JsonObject {
  const { grant, scope, expiresAt, spentAt } = facts.refresh
  // As a refresh would decide.
  const ended = expiresAt <= facts.now || grantRefusal(grant, facts) !== null
  if (grant.clientId !== facts.client.id || spentAt !== null || ended) return inactive
  return {
    active: true,
    iss: facts.issuer,
    sub: subjectOf(grant),
    client_id: grant.clientId,
    scope: formatScope(scope),
    exp: seconds(expiresAt),
    grant_id: grant.id,
    // RFC 9396 §9.2.
    ...(facts.details.length === 0 ? {} : { authorization_details: facts.details }),
  }
}

/**
 * RFC 9701 §5: the introspection response, signed for the caller. `sub` and `exp` are inside the response only, so that
 * it cannot be taken for a token.
 */
export const signedIntrospection = (
  described: JsonObject,
  { issuer, client, now }: { readonly issuer: string; readonly client: Client; readonly now: Instant },
): JsonObject => ({ iss: issuer, aud: client.id, iat: seconds(now), token_introspection: described })

/** RFC 9701 §6: RS256 unless the client registered another. */
export const introspectionAlg = ({ metadata }: Client): SigningAlg =>
  metadata.introspection_signed_response_alg ?? 'RS256'

/** A client can introspect its own tokens; a resource server those for its audience. */
export const mayIntrospectToken = (
  { id, metadata }: Client,
  token: Pick<AccessTokenFacts, 'clientId' | 'audience'>,
): boolean =>
  token.clientId === id || (metadata.resource_server !== undefined && sameUri(metadata.resource_server, token.audience))

export const isTokenActive = (token: AccessTokenFacts, status: TokenStatus, now: Instant): boolean =>
  token.expiresAt > now && status.revokedAt === null && status.grantRevokedAt === null
