/** Idempotency keys in memory, for one process: a restart forgets them, and with them what was promised. */
import { type IdempotencyRecord, judgeRepetition } from '@grantor/protocol'
import type { IdempotencyStore } from '../idempotency-store.ts'

/** At most so many keys; beyond it the oldest finished ones go early. */
export function memoryIdempotency(capacity = 10_000): IdempotencyStore {
  const records = new Map<string, IdempotencyRecord>()
  const makeRoom = (): void => {
    for (const [key, { answer }] of records) {
      if (records.size < capacity) return
      if (answer !== null) records.delete(key)
    }
  }
  return {
    begin(key, { fingerprint, intent, now, leaseUntil, expiresAt, rerun }) {
      const held = records.get(key) ?? null
      const repetition = judgeRepetition(held, fingerprint, now)
      if (repetition.is === 'new') {
        makeRoom()
        records.delete(key)
        records.set(key, { fingerprint, intent, leaseUntil, expiresAt, answer: null })
      } else if (repetition.is === 'lost' && rerun && held !== null) records.set(key, { ...held, leaseUntil })
      return repetition
    },
    complete(key, intent, answer) {
      const held = records.get(key)
      if (held?.intent === intent) records.set(key, { ...held, answer })
    },
    release(key, intent) {
      const held = records.get(key)
      if (held?.intent === intent && held.answer === null) records.delete(key)
    },
  }
}
