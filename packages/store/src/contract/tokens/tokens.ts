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
  /** The grant of the token: the same statement checks again that it is active. */
  readonly grantId: GrantId | null
  readonly spend: Spend | null
  readonly successor: NewRefresh | null
  readonly opaque: NewOpaqueToken | null
  /** Its index in a status list; left out if its resource has none. */
  readonly statusEntry?: StatusEntry
  /** The proof of the request, to be used up. */
  readonly proof: UsedProof | null
  /** The key that the grant is bound to from now on; null leaves it unchanged. */
  readonly binding: Confirmation | null
  readonly events: readonly NewEvent[]
}

/** The identifiers of a token by which it may have been revoked. */
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
   * 'grant-dead': the grant was revoked between load and commit. 'proof-used': the proof was used before.
   */
  issue(issue: Issue): Promise<'committed' | 'stale' | 'already-spent' | 'grant-dead' | 'proof-used'>
  /** Uses up a proof without an issuance: true for the first use only. */
  useProof(tenant: TenantId, proof: UsedProof): Promise<boolean>
  opaque(tenant: TenantId, handle: Handle): Promise<AccessTokenFacts | null>
  /** The revocation of the token itself, of its grant, and of its client, person, session, tenant or deployment. */
  status(tenant: TenantId, token: RevocableToken): Promise<TokenStatus>
  /** Keeps the revocation until the token would have expired. */
  revoke(revocation: {
    readonly tenant: TenantId
    readonly jti: TokenId
    readonly expiresAt: Instant
    readonly at: Instant
    readonly events: readonly NewEvent[]
  }): Promise<'revoked' | 'already-revoked'>
}
