/** Idempotency keys in PostgreSQL: shared by all processes of an API, and kept across restarts. */
import { type IdempotencyRecord, judgeRepetition, type KeptAnswer } from '@grantor/protocol/http'
import type { Instant } from '@grantor/protocol/types'
import type { IdempotencyStore } from '../idempotency/idempotency-store.ts'
import type { PostgresClient } from './postgres-operations.ts'

const schema = [
  `CREATE TABLE IF NOT EXISTS idempotency (
     key TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, intent TEXT NOT NULL, holder TEXT NOT NULL,
     lease_until BIGINT NOT NULL, expires_at BIGINT NOT NULL, answer TEXT)`,
  'CREATE INDEX IF NOT EXISTS idempotency_by_end ON idempotency (expires_at)',
]

const expired = 'held.expires_at <= $7'
const lost = `($8 AND held.answer IS NULL AND held.lease_until <= $7 AND held.fingerprint = excluded.fingerprint)`
const unless = (column: string, condition: string): string =>
  `${column} = CASE WHEN ${condition} THEN excluded.${column} ELSE held.${column} END`

/** One statement, so that of all requests that begin a key at once, in any process, exactly one holds it. */
const begin = `INSERT INTO idempotency AS held (key, fingerprint, intent, holder, lease_until, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (key) DO UPDATE SET
    ${unless('fingerprint', expired)}, ${unless('intent', expired)}, ${unless('expires_at', expired)},
    ${unless('holder', `${expired} OR ${lost}`)}, ${unless('lease_until', `${expired} OR ${lost}`)},
    answer = CASE WHEN ${expired} THEN NULL ELSE held.answer END
  RETURNING fingerprint, intent, holder, lease_until, expires_at, answer`

/** Deletes a few expired keys before each new one. Not after it, as a failure must not hide that a key was taken. */
const sweep = `DELETE FROM idempotency WHERE key IN (
  SELECT key FROM idempotency WHERE expires_at <= $1 LIMIT 10 FOR UPDATE SKIP LOCKED)`

/** Creates its table if needed. */
export async function postgresIdempotency(client: PostgresClient): Promise<IdempotencyStore> {
  const lock = "SELECT pg_advisory_xact_lock(hashtext('grantor idempotency'))"
  await client.query(['BEGIN', lock, ...schema, 'COMMIT'].join(';'))
  return {
    async begin(key, { fingerprint, intent, now, leaseUntil, expiresAt, rerun }) {
      await client.query(sweep, [now])
      const values = [key, fingerprint, intent, intent, leaseUntil, expiresAt, now, rerun]
      const [row] = (await client.query(begin, values)).rows as readonly Row[]
      if (row === undefined) throw new Error('an idempotency key was neither found nor made')
      if (row.holder !== intent) return judgeRepetition(recordOf(row), fingerprint, now)
      if (row.intent !== intent) return { is: 'lost', intent: row.intent }
      return { is: 'new' }
    },
    async renew(key, holder, leaseUntil) {
      const text = `UPDATE idempotency SET lease_until = $3 WHERE ${running} RETURNING key`
      return (await client.query(text, [key, holder, leaseUntil])).rows.length === 1
    },
    async complete(key, holder, answer) {
      await client.query(`UPDATE idempotency SET answer = $3 WHERE ${running}`, [key, holder, JSON.stringify(answer)])
    },
    async release(key, holder, next) {
      await client.query(release[next], [key, holder])
    },
  }
}

const running = 'key = $1 AND holder = $2 AND answer IS NULL'
/** No request holds the key afterwards, so that a late renewal has no effect. */
const release = {
  new: `DELETE FROM idempotency WHERE ${running}`,
  lost: `UPDATE idempotency SET lease_until = 0, holder = '' WHERE ${running}`,
}

/** The driver may return BIGINT as text. */
interface Row {
  readonly fingerprint: string
  readonly intent: string
  readonly holder: string
  readonly lease_until: string | number
  readonly expires_at: string | number
  readonly answer: string | null
}

const recordOf = ({ fingerprint, intent, lease_until, expires_at, answer }: Row): IdempotencyRecord => ({
  fingerprint,
  intent,
  leaseUntil: Number(lease_until) as Instant,
  expiresAt: Number(expires_at) as Instant,
  answer: answer === null ? null : (JSON.parse(answer) as KeptAnswer),
})
