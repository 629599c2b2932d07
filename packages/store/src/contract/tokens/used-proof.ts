/** Used DPoP proofs (RFC 9449 §11.1): each is accepted once. */
import type { Handle, Instant } from '@grantor/protocol/types'

export interface UsedProof {
  /** The handle of its key and `jti`. */
  readonly handle: Handle
  /** From then on it would be refused anyway, by every node's clock. */
  readonly expiresAt: Instant
}
