/** Quotas in SQLite, shared by the processes that open the same file. */
import type { DatabaseSync } from 'node:sqlite'
import { type QuotaState, refundQuota, takeQuota } from '@grantor/protocol/http'
import type { Instant } from '@grantor/protocol/types'
import { quotaKey, type QuotaStore } from '../quotas/quota-store.ts'

/** Uses the wall clock, because processes share the numbers; a clock step costs at most one window (see takeQuota). */
export function sqliteQuotas(database: DatabaseSync, now: () => Instant = () => Date.now() as Instant): QuotaStore {
  database.exec(`PRAGMA busy_timeout = 2000;
    CREATE TABLE IF NOT EXISTS quota (key TEXT PRIMARY KEY, full_at REAL NOT NULL) STRICT, WITHOUT ROWID`)
  const read = database.prepare('SELECT full_at FROM quota WHERE key = ?')
  const write = database.prepare('INSERT INTO quota VALUES (?, ?) ON CONFLICT DO UPDATE SET full_at = excluded.full_at')
  const erase = database.prepare('DELETE FROM quota WHERE key = ?')
  const sweep = database.prepare('DELETE FROM quota WHERE key IN (SELECT key FROM quota WHERE full_at < ? LIMIT 100)')
  let writes = 0

  /** IMMEDIATE takes the lock before the read, so that two processes never decide on the same number. */
  function inOne<T>(key: string, decide: (held: QuotaState) => readonly [T, QuotaState]): T {
    database.exec('BEGIN IMMEDIATE')
    try {
      const row = read.get(key)
      const held = row === undefined ? null : (row['full_at'] as Instant)
      const [result, state] = decide(held)
      if (state === null) erase.run(key)
      else if (state !== held) write.run(key, state)
      // Rows of full quotas are not needed; every hundredth write deletes some of them, so that they do not accumulate.
      if (++writes % 100 === 0) sweep.run(now())
      database.exec('COMMIT')
      return result
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK')
      throw error
    }
  }

  return {
    take: (partition, policy, cost = 1) =>
      inOne(quotaKey(partition, policy), (held) => {
        const decision = takeQuota(policy, held, now(), cost)
        return [decision, decision.state]
      }),
    refund: (partition, policy, cost = 1) =>
      inOne(quotaKey(partition, policy), (held) => [undefined, refundQuota(policy, held, now(), cost)]),
  }
}
