/** The grant, and what is known of the codes and tokens that hang on it. */
import type { AuthorizationDetail } from '../authorization-details/detail.ts'
import type { GrantId, Instant, JsonObject, TenantId } from '../types.ts'
import type { AccessTokenFacts } from '../oauth/access-token.ts'
import type { Confirmation } from '../oauth/confirmation.ts'
import type { Scope } from '../oauth/scope.ts'
import type { Refusal } from '../oauth/refusal.ts'
import type { Authentication, Person } from '../people/person.ts'
import type { Client } from '../registration/client.ts'

/** One authorization by one person of one client: codes, refresh tokens and access tokens hang on it. */
export interface Grant {
  readonly id: GrantId
  readonly tenant: TenantId
  readonly clientId: string
  readonly authentication: Authentication
  readonly scope: Scope
  /** Identifiers of the resources it covers; empty means the issuer alone. */
  readonly resources: readonly string[]
  /** RFC 9396, all of them; absent where none were asked for. Which of them a token carries: detailsOfToken. */
  readonly authorizationDetails?: readonly AuthorizationDetail[]
  /** The `claims` request parameter (OIDC Core §5.5), as far as it was granted. */
  readonly claims: JsonObject | null
  readonly nonce: string | null
  /** What its code is bound to (RFC 9449 §10), and what a public client redeemed it with; null where it is to nothing. */
  readonly confirmation: Confirmation | null
  /** The pairwise `sub` its client knows the person by (OIDC Core §8), fixed for its life; null where it is the person's id. */
  readonly pairwiseSubject: string | null
  /** The `sid` its client knows the session by, likewise; null where it is the session's id. */
  readonly pairwiseSid: string | null
  readonly createdAt: Instant
  /** The end of its longest refresh chain; without one, of the last token its code can bring (grantEnd). */
  readonly expiresAt: Instant
  readonly revokedAt: Instant | null
  /** The session whose sign-out ends it (sessionThatEnds); null where it outlives every session. */
  readonly endsWithSession: string | null
  /** When the session it came from was signed out of or renewed; null while that stands, or ran out by itself. */
  readonly sessionEndedAt: Instant | null
  /** Tokens of it that were issued up to this second are dead: a new one says a later second. */
  readonly tokensDeadUpTo?: Instant
}

/** Why nothing can be had by it any more, as a redemption and introspection find; null where it stands. A disabled or deleted person stops every grant at once. */
export function grantRefusal(
  grant: Grant,
  { person, now }: { readonly person?: Person | null; readonly now: Instant },
): Refusal | null {
  if (grant.revokedAt !== null || grant.expiresAt <= now) return { reason: 'grant_ended' }
  const stands = person?.id === grant.authentication.subject && person.disabledAt === null
  return stands ? null : { reason: 'subject_gone' }
}

/** What is known of a presented authorization code. */
export interface CodeFacts {
  readonly grant: Grant
  readonly redirectUri: string
  /** Whether the authorization request named it: only then must the token request (RFC 6749 §4.1.3). */
  readonly redirectUriSent: boolean
  /** S256 challenge; null only where the PKCE policy let the client go without. */
  readonly challenge: string | null
  readonly expiresAt: Instant
  readonly spentAt: Instant | null
  /** Wrong verifiers shown so far by the right client. */
  readonly failures: number
}

/** What is known of a presented refresh token. */
export interface RefreshFacts {
  readonly grant: Grant
  readonly scope: Scope
  readonly expiresAt: Instant
  readonly spentAt: Instant | null
  /** The audience and scope of what it was spent for (spentFor); null where it was not, or nobody wrote it down. */
  readonly spentFor: string | null
  /** Whether the one successor was itself used; then a retry is a replay. */
  readonly successorSpentAt: Instant | null
  /** The successor is an HMAC over this, keyed with the presented token: derived again on retry, never stored. */
  readonly salt: Uint8Array
}

/** What is known of a presented device code (RFC 8628), or of an auth_req_id (CIBA), which waits for a person as well. */
export interface DeviceFacts {
  /** Whether it is an auth_req_id. */
  readonly backchannel?: true
  readonly clientId: string
  readonly expiresAt: Instant
  /** Seconds to be left between two polls. */
  readonly interval: number
  /** The poll before this one, as far as this node knows. */
  readonly polledAt: Instant | null
  readonly deniedAt: Instant | null
  /** Opened by the approval; null until then. */
  readonly grant: Grant | null
  readonly redeemedAt: Instant | null
  /** As of a refresh token. */
  readonly spentFor: string | null
  /** Whether the refresh token it brought was itself used; then a retry is a replay. */
  readonly successorSpentAt: Instant | null
  /** The refresh token is an HMAC over this, keyed with the device code: derived again on retry, never stored. */
  readonly salt: Uint8Array
}

/** What is known of a presented token that another issuer signed. */
export type ForeignToken =
  | {
      readonly kind: 'foreign'
      readonly issuer: string
      readonly subject: string
      /** Whether it is an identity assertion grant, which is about a person and for one client. */
      readonly idJag: boolean
      readonly claims: JsonObject
      /** What makes it single; null where it says nothing. */
      readonly id: string | null
      /** Whether the issuer's tokens are taken once. */
      readonly singleUse: boolean
      readonly expiresAt: Instant
      /** The client that a rule makes of it. */
      readonly client: Client | null
      /** The person whom the issuer may speak of. */
      readonly person: Person | null
    }
  | { readonly kind: 'refused'; readonly problem: string }
  | { readonly kind: 'unavailable' }

/** What is known of a presented token: our key signed it, our store holds it, or another issuer signed it. */
export type TokenFacts =
  | {
      readonly kind: 'access'
      readonly token: AccessTokenFacts
      /** Neither expired nor revoked, by itself or with its grant, client or person. */
      readonly active: boolean
      readonly grant: Grant | null
    }
  /** Another JWT that we signed, such as an ID token, with the grant that it names. Whether it is still good is for the rule to say. */
  | {
      readonly kind: 'jwt'
      readonly typ: string | undefined
      readonly claims: JsonObject
      readonly grant: Grant | null
    }
  | ForeignToken
