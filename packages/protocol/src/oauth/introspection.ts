/** Token introspection: RFC 7662 §2.2, §4; signed: RFC 9701; who may see what: docs/conventions.md. */
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

/** RFC 7662 §2.1: the endpoint must require authorization, and a public client has none to show. */
export const mayIntrospect = (client: Client): Refusal | null =>
  isPublic(client) ? { reason: 'client_unauthenticated', challenge: false } : null

export interface IntrospectionInput extends TokenIssuer {
  /** Null where the token is unknown, not ours, or broken. */
  readonly token: AccessTokenFacts | null
  readonly status: TokenStatus
  readonly client: Client
  readonly now: Instant
}

/** RFC 7662 §2.2: whatever is wrong, the answer is the same one word, so that nothing is learnt from it. */
export function introspect({ token, status, client, now, ...from }: IntrospectionInput): JsonObject {
  if (token === null || !mayIntrospectToken(client, token) || !isTokenActive(token, status, now)) return inactive
  return {
    ...accessTokenClaims(token, from),
    active: true,
    token_type: tokenTypeOf(token.claims),
  }
}

/** RFC 7662 §2.2: a refresh token is described to nobody but the client it was issued to. */
export function introspectRefresh(facts: {
  readonly refresh: RefreshFacts
  /** Of its grant, as far as they live. */
  readonly details: readonly AuthorizationDetail[]
  readonly person: Person | null
  readonly client: Client
  readonly issuer: string
  readonly now: Instant
}): JsonObject {
  const { grant, scope, expiresAt, spentAt } = facts.refresh
  // As the refresh itself would find.
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

/** RFC 9701 §5: what is known of a token, signed for whoever asked. `sub` and `exp` stay inside: it is no token itself. */
export const signedIntrospection = (
  described: JsonObject,
  { issuer, client, now }: { readonly issuer: string; readonly client: Client; readonly now: Instant },
): JsonObject => ({ iss: issuer, aud: client.id, iat: seconds(now), token_introspection: described })

/** RFC 9701 §6: RS256 where the client registered no other. */
export const introspectionAlg = ({ metadata }: Client): SigningAlg =>
  metadata.introspection_signed_response_alg ?? 'RS256'

/** A client sees its own tokens; a client declared as a resource server sees the tokens of that audience. */
export const mayIntrospectToken = (
  { id, metadata }: Client,
  token: Pick<AccessTokenFacts, 'clientId' | 'audience'>,
): boolean =>
  token.clientId === id || (metadata.resource_server !== undefined && sameUri(metadata.resource_server, token.audience))

export const isTokenActive = (token: AccessTokenFacts, status: TokenStatus, now: Instant): boolean =>
  token.expiresAt > now && status.revokedAt === null && status.grantRevokedAt === null
