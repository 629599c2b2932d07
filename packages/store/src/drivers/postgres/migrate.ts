/**
 * Migrations on PostgreSQL: each in a transaction under an advisory lock, so that nodes that start together migrate
 * once.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import type { AuditKeySource } from '../../contract/directory/audit-key.ts'
import {
  type Applied,
  hasWork,
  type Migration,
  migrationsOf,
  migrationsTable,
  migrationWorkTable,
  transactionText,
} from '../../schema/migrations.ts'
import { outstanding, type SchemaRecord, type UnfinishedWork, type UpgradeOptions } from '../../schema/schema-state.ts'
import { abandon, clientConfig, type PostgresTarget } from './connection.ts'
import { finishWork } from './migration-work.ts'
import { isCollision, isLockTimeout } from './outage.ts'
import type { PrimaryFinder } from './primary.ts'

/** Milliseconds. A migration may take long, and so may waiting for another node's. */
const within = 120_000

/**
 * Other sessions that want the table wait behind this lock request: it gives up before they are refused, and tries
 * again.
 */
const lockTimeout = '1s'

/** Returns the key that seals the log. */
export async function migratePostgres(
  target: PostgresTarget,
  finder: PrimaryFinder,
  { auditKey: source, ...options }: UpgradeOptions & { readonly auditKey: AuditKeySource },
): Promise<Uint8Array> {
  const config = { ...clientConfig(target, await finder.find()), query_timeout: within }
  const known = options.migrations ?? migrationsOf('postgres')
  const client = new pg.Client({ ...config, ...(target.preparedStatements ? { statement_timeout: within } : {}) })
  // What breaks the connection also fails the statement that is waiting; the event itself says nothing more.
  client.on('error', () => {})
  await client.connect()
  try {
    for (;;) {
      const turn = await takeTurn(client, { target, known, source, options })
      if (turn instanceof Uint8Array) return turn
      for (const migration of turn) await finishWork(config, target, migration, options.report)
    }
  } finally {
    abandon(client)
  }
}

interface Upgrade {
  readonly target: PostgresTarget
  readonly known: readonly Migration[]
  readonly source: AuditKeySource
  readonly options: UpgradeOptions
}

/** The migrations whose background work must be finished before the next may run; or the key of the log, at the end. */
type Turn = readonly Migration[] | Uint8Array

async function takeTurn(client: pg.Client, upgrade: Upgrade): Promise<Turn> {
  const begun = performance.now()
  for (;;) {
    try {
      return await inTransaction(client, () => applyStatements(client, upgrade))
    } catch (error) {
      if (!(isLockTimeout(error) || isCollision(error)) || performance.now() - begun > within) throw error
    }
    await setTimeout(100)
  }
}

async function inTransaction<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin')
  try {
    const answer = await work()
    await client.query('commit')
    return answer
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

async function applyStatements(client: pg.Client, { target, known, source, options }: Upgrade): Promise<Turn> {
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`grantor migrate ${target.schema}`])
  await client.query(`set local lock_timeout = '${lockTimeout}'`)
  // Not IF NOT EXISTS: that requires the right to create schemas even where the schema exists.
  const { rowCount } = await client.query('select 1 from pg_namespace where nspname = $1', [target.schema])
  if (rowCount === 0) await client.query(`create schema ${target.schema}`)
  // Behind a pooler the session has no search path.
  await client.query(`set local search_path = ${target.schema}`)
  await client.query(migrationsTable)
  await client.query(migrationWorkTable)
  const { applied, unfinished } = await readRecord(client)
  const pending = outstanding(known, applied, options)
  const open = known.filter(({ number }) => unfinished.some((work) => work.number === number))
  if (open.length > 0) return open
  const isFresh = applied.length === 0
  for (const migration of pending) {
    const { number, name, checksum } = migration
    await client.query(transactionText(migration, !isFresh))
    const insert = 'insert into migrations (number, name, checksum) values ($1, $2, $3)'
    await client.query(insert, [number, name, checksum])
    if (!isFresh && hasWork(migration)) {
      await client.query('insert into migration_work (number, cursor, done) values ($1, null, 0)', [number])
      return [migration]
    }
    options.report?.(migration, 1, 1)
  }
  const born = 'insert into deployment (one, epoch, epoch_at, clock) values (1, $1, 0, 0) on conflict do nothing'
  await client.query(born, [randomUUID()])
  return auditKeyOf(client, source)
}

async function readRecord(client: pg.Client): Promise<SchemaRecord> {
  const { rows: applied } = await client.query<Applied>('select number, name, checksum from migrations order by number')
  const { rows: unfinished } = await client.query<UnfinishedWork>('select number, done from migration_work')
  return { applied, unfinished }
}

/** Reads the schema record without changing anything; null where the database holds no schema of ours. */
export async function readSchema(target: PostgresTarget, finder: PrimaryFinder): Promise<SchemaRecord | null> {
  const client = new pg.Client(clientConfig(target, await finder.find()))
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('begin read only')
    await client.query(`set local search_path = ${target.schema}`)
    const text = `select to_regclass('migrations') is not null as migrated, to_regclass('migration_work') is not null as works`
    const { rows } = await client.query<{ readonly migrated: boolean; readonly works: boolean }>(text)
    if (rows[0]?.migrated !== true) return null
    if (rows[0].works) return await readRecord(client)
    const list = 'select number, name, checksum from migrations order by number'
    return { applied: (await client.query<Applied>(list)).rows, unfinished: [] }
  } finally {
    await client.end()
  }
}

async function auditKeyOf(client: pg.Client, source: AuditKeySource): Promise<Uint8Array> {
  const { rows } = await client.query<{ readonly audit_key: Uint8Array | null }>('select audit_key from deployment')
  const held = rows[0]?.audit_key ?? null
  const { key, sealed } = source(held)
  if (held === null) await client.query('update deployment set audit_key = $1', [Buffer.from(sealed)])
  return key
}
