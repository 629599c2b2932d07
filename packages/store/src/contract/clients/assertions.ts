/** Used client assertions (RFC 7523 §3): each is accepted once. */
import type { Handle, Instant, TenantId } from '@grantor/protocol/types'
import type { UsedProof } from '../tokens/used-proof.ts'

export interface SpentAssertion {
  readonly tenant: TenantId
  readonly clientId: string
  /** The handle of its `jti`. */
  readonly handle: Handle
  /** From then on it would be refused anyway. */
  readonly expiresAt: Instant
  /** The DPoP proof of the same request: both are used up, or neither. */
  readonly proof?: UsedProof | null
}

export interface AssertionStore {
  spend(assertion: SpentAssertion): Promise<'spent' | 'already-spent' | 'proof-used'>
}
