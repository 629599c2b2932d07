/** Access tokens: opaque ones are stored, JWTs are not; both are revoked by their id. */
import type { NewEvent } from '@grantor/protocol/events'
import type { AccessTokenFacts, Confirmation, TokenStatus } from '@grantor/protocol/oauth'
import type { GrantId, Handle, Instant, TenantId, TokenId } from '@grantor/protocol/types'
import type { Basis } from '../directory/basis.ts'
import type { NewRefresh, Spend } from './grants.ts'
import type { StatusEntry } from './status-lists.ts'
import type { UsedProof } from './used-proof.ts'

export interface NewOpaqueToken extends AccessTokenFacts {
  readonly handle: Handle
}

/** One atomic issuance. */
export interface Issue {
  readonly basis: Basis
  readonly at: Instant
  /** The grant it hangs on: re-checked to be alive in the same statement. */
  readonly grantId: GrantId | null
  readonly spend: Spend | null
  readonly successor: NewRefresh | null
  readonly opaque: NewOpaqueToken | null
  /** Its place in a status list; left out where its resource has none. */
  readonly statusEntry?: StatusEntry
  /** The proof that came with the request: used up by this. */
  readonly proof: UsedProof | null
  /** What the grant is bound to from now on; null where that stays as it is. */
  readonly binding: Confirmation | null
  readonly events: readonly NewEvent[]
}

/** What of a token decides whether something that was revoked takes it along. */
export interface RevocableToken {
  readonly jti: TokenId
  readonly grantId: GrantId | null
  readonly clientId: string
  readonly subject: string
  readonly sessionId: string | null
  readonly issuedAt: Instant
}

export interface TokenStore {
  /**
   * 'already-spent': another request used the code or refresh token first (or, on a retry, its successor).
   * 'grant-dead': the grant was revoked between load and commit. 'proof-used': the proof is one that was used before.
   */
  issue(issue: Issue): Promise<'committed' | 'stale' | 'already-spent' | 'grant-dead' | 'proof-used'>
  /** The same for a proof that came with something else: true for the first use, and for that alone. */
  useProof(tenant: TenantId, proof: UsedProof): Promise<boolean>
  opaque(tenant: TenantId, handle: Handle): Promise<AccessTokenFacts | null>
  /** Its own revocation, or that of a client, person, session, tenant or deployment; and its grant's. */
  status(tenant: TenantId, token: RevocableToken): Promise<TokenStatus>
  /** Remembers the revocation until the token would have expired. */
  revoke(revocation: {
    readonly tenant: TenantId
    readonly jti: TokenId
    readonly expiresAt: Instant
    readonly at: Instant
    readonly events: readonly NewEvent[]
  }): Promise<'revoked' | 'already-revoked'>
}
