/** Client assertions that were used (RFC 7523 §3): each is accepted once. */
import type { Handle, Instant, TenantId } from '@grantor/protocol/types'

export interface SpentAssertion {
  readonly tenant: TenantId
  readonly clientId: string
  /** Of its `jti`. */
  readonly handle: Handle
  /** From when on it would be refused anyway. */
  readonly expiresAt: Instant
}

export interface AssertionStore {
  spend(assertion: SpentAssertion): Promise<'spent' | 'already-spent'>
}
