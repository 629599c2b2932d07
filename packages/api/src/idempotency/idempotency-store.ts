/** The port behind Idempotency-Key: each verb is one atomic step, durable before it answers. */
import type { KeptAnswer, Repetition } from '@grantor/protocol/http'
import type { Instant } from '@grantor/protocol/types'

export interface IdempotencyAttempt {
  readonly fingerprint: string
  /** This request's alone. The intent where the key is new; a lost one goes on with its own. Either way it names the holder. */
  readonly intent: string
  readonly now: Instant
  readonly leaseUntil: Instant
  readonly expiresAt: Instant
  /** May a lost one be run again? Then it is taken over in the same step, so that only one does. */
  readonly rerun: boolean
}

/** `holder` is the intent that whoever runs it has begun with. Without effect where the key is by now another's. */
export interface IdempotencyStore {
  /** `new`, and `lost` with `rerun`, leave the key to the caller, who renews the lease, and completes or releases it. */
  begin(key: string, attempt: IdempotencyAttempt): Repetition | Promise<Repetition>
  /** false: it is another's, or at its end. */
  renew(key: string, holder: string, leaseUntil: Instant): boolean | Promise<boolean>
  complete(key: string, holder: string, answer: KeptAnswer): void | Promise<void>
  /** It failed. The next one finds the key `new`, or `lost`, and goes on with its intent. */
  release(key: string, holder: string, next: 'new' | 'lost'): void | Promise<void>
}
