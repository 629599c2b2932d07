/** Idempotency keys in SQLite, kept across restarts. */
import type { DatabaseSync } from 'node:sqlite'
import { type IdempotencyRecord, judgeRepetition, type KeptAnswer } from '@grantor/protocol/http'
import type { Instant } from '@grantor/protocol/types'
import type { IdempotencyStore } from '../idempotency/idempotency-store.ts'

export interface SqliteIdempotencyOptions {
  /** No other process uses this file: requests that ran when it was opened are known to be lost, without waiting. */
  readonly alone?: boolean
}

export function sqliteIdempotency(
  database: DatabaseSync,
  { alone = false }: SqliteIdempotencyOptions = {},
): IdempotencyStore {
  database.exec(`PRAGMA busy_timeout = 2000;
    CREATE TABLE IF NOT EXISTS idempotency (
      key TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, intent TEXT NOT NULL,
      lease_until INTEGER NOT NULL, expires_at INTEGER NOT NULL, answer TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS idempotency_by_end ON idempotency (expires_at)`)
  if (alone) database.exec('UPDATE idempotency SET lease_until = 0 WHERE answer IS NULL')
  const find = database.prepare('SELECT * FROM idempotency WHERE key = ?')
  const write = database.prepare(
    `INSERT INTO idempotency VALUES (?, ?, ?, ?, ?, NULL) ON CONFLICT DO UPDATE SET fingerprint = excluded.fingerprint,
       intent = excluded.intent, lease_until = excluded.lease_until, expires_at = excluded.expires_at, answer = NULL`,
  )
  const lease = database.prepare('UPDATE idempotency SET lease_until = ? WHERE key = ?')
  const running = 'key = ? AND intent = ? AND lease_until = ? AND answer IS NULL'
  const renew = database.prepare(`UPDATE idempotency SET lease_until = ? WHERE ${running}`)
  const complete = database.prepare(`UPDATE idempotency SET answer = ? WHERE ${running}`)
  const release = {
    new: database.prepare(`DELETE FROM idempotency WHERE ${running}`),
    lost: database.prepare(`UPDATE idempotency SET lease_until = 0 WHERE ${running}`),
  }
  const sweep = database.prepare(
    'DELETE FROM idempotency WHERE key IN (SELECT key FROM idempotency WHERE expires_at <= ? LIMIT 10)',
  )
  // The requests of this process. A takeover sets a later lease end, so intent and lease end identify one run.
  const held = new Map<string, Pick<IdempotencyRecord, 'intent' | 'leaseUntil'> & { readonly holder: string }>()
  type Run = readonly [key: string, intent: string, leaseUntil: Instant]
  const runOf = (key: string, holder: string): Run | null => {
    const run = held.get(key)
    return run?.holder === holder ? [key, run.intent, run.leaseUntil] : null
  }
  /** The run of a key, which is forgotten here: also if the write then fails, as there is no further call for it. */
  const lastOf = (key: string, holder: string): Run | null => {
    const run = runOf(key, holder)
    if (run !== null) held.delete(key)
    return run
  }
  return {
    begin(key, { fingerprint, intent, now, leaseUntil, expiresAt, rerun }) {
      // IMMEDIATE takes the lock before the read, so that of two processes the second sees what the first began.
      database.exec('BEGIN IMMEDIATE')
      try {
        const repetition = judgeRepetition(recordOf(find.get(key)), fingerprint, now)
        if (repetition.is === 'new') {
          // Every new key deletes a few expired ones, so that they do not accumulate.
          sweep.run(now)
          write.run(key, fingerprint, intent, leaseUntil, expiresAt)
        } else if (repetition.is === 'lost' && rerun) lease.run(leaseUntil, key)
        database.exec('COMMIT')
        if (repetition.is === 'new') held.set(key, { holder: intent, intent, leaseUntil })
        else if (repetition.is === 'lost' && rerun)
          held.set(key, { holder: intent, intent: repetition.intent, leaseUntil })
        return repetition
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK')
        throw error
      }
    },
    renew(key, holder, leaseUntil) {
      const run = runOf(key, holder)
      if (run === null) return false
      const isRenewed = renew.run(leaseUntil, ...run).changes > 0
      if (isRenewed) held.set(key, { holder, intent: run[1], leaseUntil })
      else held.delete(key)
      return isRenewed
    },
    complete(key, holder, answer) {
      const run = lastOf(key, holder)
      if (run !== null) complete.run(JSON.stringify(answer), ...run)
    },
    release(key, holder, next) {
      const run = lastOf(key, holder)
      if (run !== null) release[next].run(...run)
    },
  }
}

interface Row {
  readonly fingerprint: string
  readonly intent: string
  readonly lease_until: Instant
  readonly expires_at: Instant
  readonly answer: string | null
}

function recordOf(found: unknown): IdempotencyRecord | null {
  if (found === undefined) return null
  const { fingerprint, intent, lease_until: leaseUntil, expires_at: expiresAt, answer } = found as Row
  return {
    fingerprint,
    intent,
    leaseUntil,
    expiresAt,
    answer: answer === null ? null : (JSON.parse(answer) as KeptAnswer),
  }
}
