/** The port behind Idempotency-Key: each verb is one atomic step, durable before it answers. */
import type { KeptAnswer, Repetition } from '@grantor/protocol/http'
import type { Instant } from '@grantor/protocol/types'

export interface IdempotencyAttempt {
  readonly fingerprint: string
  /** Unique to this request, and the holder's name. Also the intent of a new key; a lost key keeps its first intent. */
  readonly intent: string
  readonly now: Instant
  readonly leaseUntil: Instant
  readonly expiresAt: Instant
  /**
   * Whether a lost request may run again: then its key is taken over in the same step, so that only one caller does.
   */
  readonly rerun: boolean
}

/**
 * `holder` is the `intent` that the running request passed to `begin`. No effect where another holds the key by now.
 */
export interface IdempotencyStore {
  /**
   * After `new`, or `lost` with `rerun`, the caller holds the key: it renews the lease, and completes or releases it.
   */
  begin(key: string, attempt: IdempotencyAttempt): Repetition | Promise<Repetition>
  /** false: another holds the key, or it is completed. */
  renew(key: string, holder: string, leaseUntil: Instant): boolean | Promise<boolean>
  complete(key: string, holder: string, answer: KeptAnswer): void | Promise<void>
  /** For a request that failed. The next `begin` finds the key `new`, or `lost` with its intent. */
  release(key: string, holder: string, next: 'new' | 'lost'): void | Promise<void>
}
