/** Deferred work in a table: one statement for each verb, the same for both databases except for row locks. */
import type { KeptAnswer } from '@grantor/protocol/http'
import type { Instant } from '@grantor/protocol/types'
import type {
  DeferredRequest,
  OperationRecord,
  OperationStatus,
  OperationStore,
  Progress,
} from '../deferred/operation-store.ts'
import { pageSql } from '../list/page-sql.ts'

type SqlValue = string | number | null

export interface OperationsDatabase {
  /** The text has a `?` for each value. */
  query(sql: string, values: readonly SqlValue[]): Promise<readonly unknown[]>
  /** The clause that makes two workers take different rows; empty where a statement locks the whole database anyway. */
  readonly skipLocked: string
}

export const operationsSchema = [
  `CREATE TABLE IF NOT EXISTS operations (
     id TEXT PRIMARY KEY, owner TEXT NOT NULL, tenant TEXT NOT NULL, kind TEXT NOT NULL, status TEXT NOT NULL,
     request TEXT NOT NULL, progress TEXT, outcome TEXT, attempt INTEGER NOT NULL, created_at TEXT NOT NULL,
     started_at BIGINT, ended_at BIGINT, cancel_requested_at BIGINT, expires_at BIGINT NOT NULL,
     worker TEXT, lease_until BIGINT NOT NULL, version INTEGER NOT NULL)`,
  `CREATE INDEX IF NOT EXISTS operations_due ON operations (created_at) WHERE status IN ('pending', 'running')`,
  'CREATE INDEX IF NOT EXISTS operations_of_owner ON operations (owner, created_at, id)',
  'CREATE INDEX IF NOT EXISTS operations_by_end ON operations (expires_at)',
]

const columns = { id: 'id', status: 'status', kind: 'kind', created_at: 'created_at' }

export function sqlOperations({ query, skipLocked }: OperationsDatabase): OperationStore {
  const one = async (sql: string, values: readonly SqlValue[]): Promise<OperationRecord | null> =>
    recordOf((await query(sql, values))[0])
  const find = (owner: string, id: string, now: Instant) =>
    one('SELECT * FROM operations WHERE owner = ? AND id = ? AND expires_at > ?', [owner, id, now])
  return {
    async add({ id, owner, tenant, kind, request, createdAt, expiresAt }) {
      // Every new operation deletes a few expired ones, so that they do not accumulate.
      await query('DELETE FROM operations WHERE id IN (SELECT id FROM operations WHERE expires_at <= ? LIMIT 10)', [
        createdAt,
      ])
      // The update changes nothing, but makes RETURNING give an existing row, too.
      const added = await one(
        `INSERT INTO operations (id, owner, tenant, kind, status, request, attempt, created_at, expires_at, lease_until, version)
         VALUES (?, ?, ?, ?, 'pending', ?, 0, ?, ?, 0, 1) ON CONFLICT (id) DO UPDATE SET id = excluded.id RETURNING *`,
        [id, owner, tenant, kind, JSON.stringify(request), new Date(createdAt).toISOString(), expiresAt],
      )
      if (added === null) throw new Error('an operation was neither found nor made')
      return added
    },
    find,
    async page(owner, page, now) {
      const { where, order, values } = pageSql(page, columns)
      const sql = `SELECT * FROM operations WHERE owner = ? AND expires_at > ? AND ${where} ORDER BY ${order} LIMIT ?`
      const rows = await query(sql, [
        owner,
        now,
        ...values.map((value) => (typeof value === 'boolean' ? Number(value) : value)),
        page.take,
      ])
      return rows.flatMap((row) => recordOf(row) ?? [])
    },
    take: ({ worker, now, until }, kinds) =>
      one(
        `UPDATE operations SET status = 'running', worker = ?, lease_until = ?, started_at = COALESCE(started_at, ?),
           attempt = attempt + 1, version = version + 1
         WHERE id = (SELECT id FROM operations
           WHERE status IN ('pending', 'running') AND lease_until <= ? AND expires_at > ? AND kind IN (${kinds.map(() => '?').join(', ')})
           ORDER BY created_at LIMIT 1 ${skipLocked}) RETURNING *`,
        [worker, until, now, now, now, ...kinds],
      ),
    async renew(id, { worker, until }, progress) {
      const noted = jsonOrNull(progress)
      // The version, and so the ETag, changes only with the progress: the lease is not part of the representation.
      const [row] = await query(
        `UPDATE operations SET lease_until = ?, progress = COALESCE(?, progress),
           version = version + CASE WHEN COALESCE(?, progress) IS NOT DISTINCT FROM progress THEN 0 ELSE 1 END
         WHERE id = ? AND worker = ? AND status = 'running' RETURNING cancel_requested_at`,
        [until, noted, noted, id, worker],
      )
      if (row === undefined) return 'lost'
      return (row as Row).cancel_requested_at === null ? 'held' : 'canceling'
    },
    async finish(id, worker, { status, outcome, progress, at, expiresAt }) {
      await query(
        `UPDATE operations SET status = ?, outcome = ?, progress = COALESCE(?, progress), ended_at = ?, expires_at = ?,
           worker = NULL, version = version + 1
         WHERE id = ? AND worker = ? AND status = 'running'`,
        [status, jsonOrNull(outcome), jsonOrNull(progress), at, expiresAt, id, worker],
      )
    },
    async release(id, worker) {
      await query(
        `UPDATE operations SET status = 'pending', worker = NULL, lease_until = 0, version = version + 1
         WHERE id = ? AND worker = ? AND status = 'running'`,
        [id, worker],
      )
    },
    async cancel(owner, id, { at, expiresAt }) {
      const canceled = await one(
        `UPDATE operations SET cancel_requested_at = COALESCE(cancel_requested_at, ?),
           status = CASE WHEN lease_until <= ? THEN 'canceled' ELSE status END,
           ended_at = CASE WHEN lease_until <= ? THEN ? ELSE ended_at END,
           expires_at = CASE WHEN lease_until <= ? THEN ? ELSE expires_at END, version = version + 1
         WHERE owner = ? AND id = ? AND expires_at > ? AND status IN ('pending', 'running') RETURNING *`,
        [at, at, at, at, at, expiresAt, owner, id, at],
      )
      return canceled ?? (await find(owner, id, at))
    },
  }
}

const jsonOrNull = (value: KeptAnswer | Progress | null): string | null =>
  value === null ? null : JSON.stringify(value)

/** Some drivers return numbers as text. */
type Numeric = number | string | bigint
type Row = Readonly<Record<'id' | 'owner' | 'tenant' | 'kind' | 'status' | 'request' | 'created_at', string>> &
  Readonly<Record<'progress' | 'outcome', string | null>> &
  Readonly<Record<'attempt' | 'version' | 'expires_at', Numeric>> &
  Readonly<Record<'started_at' | 'ended_at' | 'cancel_requested_at', Numeric | null>>

function recordOf(found: unknown): OperationRecord | null {
  if (found === undefined) return null
  const row = found as Row
  const time = (value: Numeric | null): Instant | null => (value === null ? null : (Number(value) as Instant))
  return {
    id: row.id,
    owner: row.owner,
    tenant: row.tenant,
    kind: row.kind,
    status: row.status as OperationStatus,
    request: JSON.parse(row.request) as DeferredRequest,
    progress: row.progress === null ? null : (JSON.parse(row.progress) as Progress),
    outcome: row.outcome === null ? null : (JSON.parse(row.outcome) as KeptAnswer),
    attempt: Number(row.attempt),
    createdAt: Date.parse(row.created_at) as Instant,
    startedAt: time(row.started_at),
    endedAt: time(row.ended_at),
    cancelRequestedAt: time(row.cancel_requested_at),
    expiresAt: Number(row.expires_at) as Instant,
    version: Number(row.version),
  }
}
