/** The port behind Idempotency-Key: each verb is one atomic step, durable before it answers. */
import type { KeptAnswer, Repetition } from '@grantor/protocol/http'
import type { Instant } from '@grantor/protocol/types'

export interface IdempotencyAttempt {
  readonly fingerprint: string
  /** Used where the key is new; a lost one goes on with its own. */
  readonly intent: string
  readonly now: Instant
  readonly leaseUntil: Instant
  readonly expiresAt: Instant
  /** May a lost one be run again? Then it is taken over in the same step, so that only one does. */
  readonly rerun: boolean
}

export interface IdempotencyStore {
  /** `new`, and `lost` with `rerun`, leave the key to the caller, who completes or releases it. */
  begin(key: string, attempt: IdempotencyAttempt): Repetition | Promise<Repetition>
  /** Without effect where the key is by now another intent's. */
  complete(key: string, intent: string, answer: KeptAnswer): void | Promise<void>
  release(key: string, intent: string): void | Promise<void>
}
