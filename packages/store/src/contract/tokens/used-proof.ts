/** DPoP proofs that were used (RFC 9449 §11.1): each is accepted once. */
import type { Handle, Instant } from '@grantor/protocol/types'

export interface UsedProof {
  /** Of its key and its `jti`. */
  readonly handle: Handle
  /** From when on it would be refused anyway, by every node's clock. */
  readonly expiresAt: Instant
}
