/** Where a validator asks whether a token was revoked. */
import type { Instant } from '@grantor/protocol/types'

/** The facts of a token that decide whether a revocation applies to it. */
export interface RevocableToken {
  readonly tenant: string | null
  readonly jti: string
  readonly grantId: string | null
  readonly sessionId: string | null
  readonly subject: string
  readonly clientId: string
  readonly issuedAt: Instant
}

/** How fresh a source of revocations is: cold before its first state, stale when too old to judge tokens by. */
export type Freshness = 'cold' | 'live' | 'lagging' | 'stale'

/** A source of revocations: the view of the feed, or one of the API's own. */
export interface RevocationSource {
  isRevoked(token: RevocableToken): boolean
  /** Changes whenever news arrives that may end a token; left out, every token is looked up at each request. */
  revision?(): number
  /**
   * Whether news arrived at or after `since` (monotonic milliseconds) about the token's client, subject or tenant: then
   * an earlier answer of the issuer may be outdated. For API keys, about which the issuer can be asked again.
   */
  hasNewsOf?(token: RevocableToken, since: number): boolean
  freshness(): Freshness
  /** Milliseconds since the moment up to which nothing is missing. */
  age(): number
}
