/** Renews the lease of a key while its request runs, so that a retry does not take a slow request for a lost one. */
import type { Instant } from '@grantor/protocol/types'
import type { IdempotencyStore } from './idempotency-store.ts'

/** Milliseconds that a lease lasts, and after which it is renewed: one renewal may fail without loss. */
const lease = 30_000
const renewal = 10_000

export const leaseFrom = (now: Instant): Instant => (now + lease) as Instant

export interface LeasedKey {
  readonly store: Pick<IdempotencyStore, 'renew'>
  readonly key: string
  readonly holder: string
  now(): Instant
  onError(error: unknown): void
}

/** Renews the lease until the returned function is called, or another request holds the key. */
export function keepLease({ store, key, holder, now, onError }: LeasedKey): () => void {
  let isOver = false
  let timer: NodeJS.Timeout
  const renewLater = (): void => {
    timer = setTimeout(() => void renew(), renewal).unref()
  }
  const renew = async (): Promise<void> => {
    try {
      if (!(await store.renew(key, holder, leaseFrom(now())))) return
    } catch (error) {
      onError(error)
    }
    if (!isOver) renewLater()
  }
  renewLater()
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}
