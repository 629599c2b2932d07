/** Idempotency keys in memory, for one process: a restart forgets them, so that a retry after it runs again. */
import { type IdempotencyRecord, judgeRepetition } from '@grantor/protocol/http'
import type { Instant } from '@grantor/protocol/types'
import type { IdempotencyStore } from '../idempotency/idempotency-store.ts'

export interface MemoryIdempotencyOptions {
  /** Most keys, and most characters of their answers; beyond either, the oldest finished keys are dropped early. */
  readonly capacity?: number
  readonly room?: number
}

interface HeldRecord extends IdempotencyRecord {
  /** null where no request holds the key any more. */
  readonly holder: string | null
}

export function memoryIdempotency({
  capacity = 10_000,
  room = 32_000_000,
}: MemoryIdempotencyOptions = {}): IdempotencyStore {
  const records = new Map<string, HeldRecord>()
  let used = 0
  const drop = (key: string): void => {
    used -= records.get(key)?.answer?.body?.length ?? 0
    records.delete(key)
  }
  const makeRoom = (): void => {
    for (const [key, { answer, holder }] of records) {
      if (records.size < capacity && used < room) return
      if (answer !== null || holder === null) drop(key)
    }
  }
  const runningOf = (key: string, holder: string): HeldRecord | null => {
    const held = records.get(key)
    return held?.holder === holder && held.answer === null ? held : null
  }
  return {
    begin(key, { fingerprint, intent, now, leaseUntil, expiresAt, rerun }) {
      const held = records.get(key) ?? null
      const repetition = judgeRepetition(held, fingerprint, now)
      if (repetition.is === 'new') {
        makeRoom()
        drop(key)
        records.set(key, { fingerprint, intent, holder: intent, leaseUntil, expiresAt, answer: null })
      } else if (repetition.is === 'lost' && rerun && held !== null)
        records.set(key, { ...held, holder: intent, leaseUntil })
      return repetition
    },
    renew(key, holder, leaseUntil) {
      const held = runningOf(key, holder)
      if (held !== null) records.set(key, { ...held, leaseUntil })
      return held !== null
    },
    complete(key, holder, answer) {
      const held = runningOf(key, holder)
      if (held === null) return
      used += answer.body?.length ?? 0
      records.set(key, { ...held, answer })
    },
    release(key, holder, next) {
      const held = runningOf(key, holder)
      if (held === null) return
      if (next === 'new') drop(key)
      else records.set(key, { ...held, holder: null, leaseUntil: 0 as Instant })
    },
  }
}
