/** Where a validator asks whether a token was revoked. */
import type { Instant } from '@grantor/protocol/types'

/** What of a token decides whether a revocation hits it. */
export interface RevocableToken {
  readonly tenant: string | null
  readonly jti: string
  readonly grantId: string | null
  readonly sessionId: string | null
  readonly subject: string
  readonly clientId: string
  readonly issuedAt: Instant
}

/** How fresh a source of revocations is: cold before its first state, stale when too old to judge by. */
export type Freshness = 'cold' | 'live' | 'lagging' | 'stale'

/** Where a validator asks. Layers are OR-ed, so another kind of source (status lists, say) can stand beside the view. */
export interface RevocationSource {
  isRevoked(token: RevocableToken): boolean
  /** Another number whenever something was heard that may end a token; left out, every token is looked for each time. */
  revision?(): number
  /**
   * Whether anything was heard, at or after `since` (monotonic milliseconds), that names what the token belongs to: then
   * what the issuer said of it before may be over. For API keys, about which the issuer can be asked again.
   */
  hasNewsOf?(token: RevocableToken, since: number): boolean
  freshness(): Freshness
  /** Milliseconds since when something may be missing. */
  age(): number
}
