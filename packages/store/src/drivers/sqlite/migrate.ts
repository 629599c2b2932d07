/** Migrations on SQLite: in immediate transactions, so that of two programs that start together the second waits. */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import type { AuditKeySource } from '../../contract/directory/audit-key.ts'
import {
  type Applied,
  type Batches,
  type Migration,
  migrationsOf,
  migrationsTable,
  migrationWorkTable,
} from '../../schema/migrations.ts'
import {
  outstanding,
  type ReportUpgrade,
  type SchemaRecord,
  type UnfinishedWork,
  type UpgradeOptions,
} from '../../schema/schema-state.ts'
import { busyTimeout, type Connection } from './connection.ts'
import { describeTables } from './planner-statistics.ts'

/** Returns the key that seals the log. */
export function migrateSqlite(
  connection: Connection,
  { auditKey: source, ...options }: UpgradeOptions & { readonly auditKey: AuditKeySource },
): Uint8Array {
  const known = options.migrations ?? migrationsOf('sqlite')
  const { db } = connection
  for (;;) {
    const turn = inTransaction(db, () => applyStatements(db, { known, source, options }))
    if (turn instanceof Uint8Array) return turn
    for (const work of turn) runBatches(connection, work, options.report)
  }
}

interface Upgrade {
  readonly known: readonly Migration[]
  readonly source: AuditKeySource
  readonly options: UpgradeOptions
}

interface OpenWork {
  readonly migration: Migration
  readonly batches: Batches
}

/** The migrations whose background work must be finished before the next may run; or the key of the log, at the end. */
type Turn = readonly OpenWork[] | Uint8Array

function applyStatements(db: DatabaseSync, { known, source, options }: Upgrade): Turn {
  db.exec(migrationsTable)
  db.exec(migrationWorkTable)
  const { applied, unfinished } = readRecord(db)
  const pending = outstanding(known, applied, options)
  const open = known.filter(({ number }) => unfinished.some((work) => work.number === number)).flatMap(workOf)
  if (open.length > 0) return open
  const isFresh = applied.length === 0
  for (const migration of pending) {
    const { number, name, text, checksum } = migration
    db.exec(text)
    db.prepare('insert into migrations (number, name, checksum) values (?, ?, ?)').run(number, name, checksum)
    const work = isFresh ? [] : workOf(migration)
    if (work.length > 0) {
      db.prepare('insert into migration_work (number, cursor, done) values (?, null, 0)').run(number)
      return work
    }
    options.report?.(migration, 1, 1)
  }
  const isDescribed = db.prepare(`select 1 from sqlite_schema where name = 'sqlite_stat1'`).get() !== undefined
  if (pending.length > 0 || !isDescribed) describeTables(db)
  const born = 'insert into deployment (one, epoch, epoch_at, clock) values (1, ?, 0, 0) on conflict do nothing'
  db.prepare(born).run(randomUUID())
  return auditKeyOf(db, source)
}

const workOf = (migration: Migration): readonly OpenWork[] =>
  migration.batches === undefined ? [] : [{ migration, batches: migration.batches }]

function runBatches(connection: Connection, { migration, batches }: OpenWork, report?: ReportUpgrade): void {
  const { db } = connection
  const { number } = migration
  const total = connection.read(batches.total())
  for (let isOpen = true; isOpen;) {
    isOpen = inTransaction(db, () => {
      const row = db.prepare('select cursor, done from migration_work where number = ?').get(number)
      if (row === undefined) return false
      const batch = connection.read(batches.next(row['cursor'] as string | null))
      const done = Number(row['done']) + batch.rows
      report?.(migration, done, Math.max(done, total))
      if (batch.cursor === null) db.prepare('delete from migration_work where number = ?').run(number)
      else db.prepare('update migration_work set cursor = ?, done = ? where number = ?').run(batch.cursor, done, number)
      return batch.cursor !== null
    })
  }
}

function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec('begin immediate')
  try {
    const answer = work()
    db.exec('commit')
    return answer
  } catch (error) {
    if (db.isTransaction) db.exec('rollback')
    throw error
  }
}

function readRecord(db: DatabaseSync): SchemaRecord {
  const applied = db.prepare('select number, name, checksum from migrations order by number').all()
  const unfinished = db.prepare('select number, done from migration_work').all()
  return { applied: applied as unknown as Applied[], unfinished: unfinished as unknown as UnfinishedWork[] }
}

/** Reads the migration record of a file of ours without changing anything. */
export function readSqliteSchema(path: string): SchemaRecord {
  const file = pathToFileURL(path)
  // If no process has the file open, it is read as immutable, so that SQLite creates no WAL beside it.
  if (!existsSync(`${path}-wal`)) file.searchParams.set('immutable', '1')
  const db = new DatabaseSync(file, { readOnly: true, timeout: busyTimeout.write })
  try {
    const found = db.prepare(`select 1 from sqlite_schema where type = 'table' and name = 'migration_work'`).get()
    if (found !== undefined) return readRecord(db)
    const applied = db.prepare('select number, name, checksum from migrations order by number').all()
    return { applied: applied as unknown as Applied[], unfinished: [] }
  } finally {
    db.close()
  }
}

function auditKeyOf(db: DatabaseSync, source: AuditKeySource): Uint8Array {
  const row = db.prepare('select audit_key from deployment').get() as { readonly audit_key: Uint8Array | null }
  const { key, sealed } = source(row.audit_key)
  if (row.audit_key === null) db.prepare('update deployment set audit_key = ?').run(sealed)
  return key
}
