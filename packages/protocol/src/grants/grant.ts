/** The grant, and the facts about its codes and tokens. */
import type { AuthorizationDetail } from '../authorization-details/detail.ts'
import type { GrantId, Instant, JsonObject, TenantId } from '../types.ts'
import type { AccessTokenFacts } from '../oauth/access-token.ts'
import type { Confirmation } from '../oauth/confirmation.ts'
import type { Scope } from '../oauth/scope.ts'
import type { Refusal } from '../oauth/refusal.ts'
import type { Authentication, Person } from '../people/person.ts'
import type { Client } from '../registration/client.ts'

/** One authorization by one person of one client, to which codes, refresh tokens and access tokens belong. */
export interface Grant {
  readonly id: GrantId
  readonly tenant: TenantId
  readonly clientId: string
  readonly authentication: Authentication
  readonly scope: Scope
  /** Identifiers of the resources it covers; empty means the issuer alone. */
  readonly resources: readonly string[]
  /** RFC 9396, all of them; absent if none were requested. A token carries a part of them: detailsOfToken. */
  readonly authorizationDetails?: readonly AuthorizationDetail[]
  /** The `claims` request parameter (OIDC Core §5.5), as far as it was granted. */
  readonly claims: JsonObject | null
  readonly nonce: string | null
  /**
   * The key that its code is bound to (RFC 9449 §10), or with which a public client redeemed it; null where it is bound
   * to none.
   */
  readonly confirmation: Confirmation | null
  /**
   * The pairwise `sub` by which its client knows the person (OIDC Core §8), constant for its life; null where it is the
   * person's id.
   */
  readonly pairwiseSubject: string | null
  /** The `sid` by which its client knows the session, likewise; null where it is the session's id. */
  readonly pairwiseSid: string | null
  readonly createdAt: Instant
  /** The end of its longest refresh chain; without one, of the last token that its code can yield (grantEnd). */
  readonly expiresAt: Instant
  readonly revokedAt: Instant | null
  /** The session whose sign-out ends it (sessionThatEnds); null where it outlives every session. */
  readonly endsWithSession: string | null
  /** When its session was signed out or renewed; null while the session is valid, or after it expired by itself. */
  readonly sessionEndedAt: Instant | null
  /** Tokens of the grant issued up to this second are revoked; a new one must name a later second. */
  readonly tokensDeadUpTo?: Instant
}

/**
 * Why the grant yields nothing any more, for redemption and introspection alike; null while it is valid. A disabled or
 * deleted person ends every grant at once.
 */
export function grantRefusal(
  grant: Grant,
  { person, now }: { readonly person?: Person | null; readonly now: Instant },
): Refusal | null {
  if (grant.revokedAt !== null || grant.expiresAt <= now) return { reason: 'grant_ended' }
  const stands = person?.id === grant.authentication.subject && person.disabledAt === null
  return stands ? null : { reason: 'subject_gone' }
}

/** The facts about a presented authorization code. */
export interface CodeFacts {
  readonly grant: Grant
  readonly redirectUri: string
  /** Whether the authorization request named it: only then must the token request name it (RFC 6749 §4.1.3). */
  readonly redirectUriSent: boolean
  /** S256 challenge; null only where the PKCE policy allowed the client to omit it. */
  readonly challenge: string | null
  readonly expiresAt: Instant
  readonly spentAt: Instant | null
  /** Wrong verifiers presented so far by the right client. */
  readonly failures: number
}

/** The facts about a presented refresh token. */
export interface RefreshFacts {
  readonly grant: Grant
  readonly scope: Scope
  readonly expiresAt: Instant
  readonly spentAt: Instant | null
  /**
   * The audience and scope it was spent for (spentFor); null where it was not spent, or an old row did not record it.
   */
  readonly spentFor: string | null
  /** When its successor was used; after that a retry is a replay. */
  readonly successorSpentAt: Instant | null
  /** The successor is an HMAC over this, keyed with the presented token: derived again on a retry, never stored. */
  readonly salt: Uint8Array
}

/** The facts about a presented device code (RFC 8628), or auth_req_id (CIBA), which waits for a person as well. */
export interface DeviceFacts {
  /** Whether it is an auth_req_id. */
  readonly backchannel?: true
  readonly clientId: string
  readonly expiresAt: Instant
  /** The seconds that must lie between two polls. */
  readonly interval: number
  /** The time of the previous poll, as far as this node knows. */
  readonly polledAt: Instant | null
  readonly deniedAt: Instant | null
  /** The grant, opened by the approval; null before. */
  readonly grant: Grant | null
  readonly redeemedAt: Instant | null
  /** As for a refresh token. */
  readonly spentFor: string | null
  /** When the refresh token it yielded was used; after that a retry is a replay. */
  readonly successorSpentAt: Instant | null
  /** The refresh token is an HMAC over this, keyed with the device code: derived again on a retry, never stored. */
  readonly salt: Uint8Array
}

/** The facts about a presented token of another issuer. */
export type ForeignToken =
  | {
      readonly kind: 'foreign'
      readonly issuer: string
      readonly subject: string
      /** Whether it is an identity assertion grant, which concerns one person and one client. */
      readonly idJag: boolean
      readonly claims: JsonObject
      /** Its unique id; null where it has none. */
      readonly id: string | null
      /** Whether the issuer's tokens are accepted only once. */
      readonly singleUse: boolean
      readonly expiresAt: Instant
      /** The client to which a rule maps it. */
      readonly client: Client | null
      /** The person for whom the issuer may speak. */
      readonly person: Person | null
    }
  | { readonly kind: 'refused'; readonly problem: string }
  | { readonly kind: 'unavailable' }

/** The facts about a presented token: signed by our key, held in our store, or signed by another issuer. */
export type TokenFacts =
  | {
      readonly kind: 'access'
      readonly token: AccessTokenFacts
      /** Whether it is neither expired nor revoked, by itself or with its grant, client or person. */
      readonly active: boolean
      readonly grant: Grant | null
    }
  /**
   * Another JWT that we signed, such as an ID token, with the grant that it names. The rule decides whether it is still
   * valid.
   */
  | {
      readonly kind: 'jwt'
      readonly typ: string | undefined
      readonly claims: JsonObject
      readonly grant: Grant | null
    }
  | ForeignToken
