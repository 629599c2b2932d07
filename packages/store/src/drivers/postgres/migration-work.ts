/**
 * The work of a migration on large tables of PostgreSQL after its statements: concurrent index builds, and batches of
 * rows.
 */
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { type Batches, type ConcurrentIndex, indexesApart, type Migration } from '../../schema/migrations.ts'
import type { ReportUpgrade } from '../../schema/schema-state.ts'
import type { Row, Verb } from '../../verbs/verb.ts'
import { abandon, type PostgresTarget, query, UnnamedClient } from './connection.ts'

/** Milliseconds between two checks of another node that does the work, or of an index build. */
const lookEvery = 200

/**
 * Returns when the work of the migration is done, by this node or by another; interrupted work is resumed. The work
 * fails if the server is silent for longer than `query_timeout`. While an index is built, a second connection asks for
 * signs of life.
 */
export async function finishWork(
  config: pg.ClientConfig,
  { schema, preparedStatements }: PostgresTarget,
  migration: Migration,
  report: ReportUpgrade = () => {},
): Promise<void> {
  // No time limit for statements of the migration; a session behind a pooler keeps the settings of its role.
  const heard: pg.ClientConfig = preparedStatements
    ? { ...config, statement_timeout: 0, idle_in_transaction_session_timeout: 0 }
    : config
  const { query_timeout: _, ...patient } = heard
  using stack = new DisposableStack()
  const open = async (by: pg.ClientConfig): Promise<pg.Client> => {
    const client = preparedStatements ? new pg.Client(by) : new UnnamedClient(by)
    client.on('error', () => {})
    await client.connect()
    stack.defer(() => abandon(client))
    return client
  }
  const [holder, worker] = [await open(heard), await open(patient)]
  const work = { migration, schema, report: (done: number, total: number) => report(migration, done, total) }
  for (const index of indexesApart(migration)) {
    // The node that holds the row builds the index. Its transaction is idle meanwhile and has no snapshot, so the build
    // does not wait for it.
    const held = await holdRow(holder, work)
    if (!held) return
    await buildIndex(worker, holder, { ...work, index })
    await holder.query('rollback')
  }
  const { batches } = migration
  if (batches === undefined) return void (await forget(holder, work))
  // To count a large table takes long, too.
  const total = await whileAnswered(totalOf(worker, batches, work), () => holder.query('select 1'))
  await runBatches(holder, { ...work, batches, total })
}

interface Work {
  readonly migration: Migration
  readonly schema: string
  report(done: number, total: number): void
}

/** Opens a transaction that locks the row of this work; false where the work is done. */
async function holdRow(client: pg.Client, { migration: { number }, schema }: Work): Promise<boolean> {
  for (;;) {
    await client.query('begin')
    // SKIP LOCKED: a waiting statement has a snapshot, for which another node's index build would wait. No parameters
    // either: a bound portal keeps its snapshot until the next statement.
    const mine = await client.query(
      `select 1 from ${schema}.migration_work where number = ${number} for update skip locked`,
    )
    if (mine.rowCount === 1) return true
    await client.query('rollback')
    const { rowCount } = await client.query(`select 1 from ${schema}.migration_work where number = $1`, [number])
    if (rowCount === 0) return false
    await setTimeout(lookEvery)
  }
}

interface Progress {
  readonly blocks_done: number
  readonly blocks_total: number
}

async function buildIndex(
  worker: pg.Client,
  watcher: pg.Client,
  { index, schema, report }: Work & { readonly index: ConcurrentIndex },
): Promise<void> {
  const state = `select indisvalid as valid from pg_index where indexrelid = to_regclass('${schema}.${index.name}')`
  const { rows } = await watcher.query<{ readonly valid: boolean }>(state)
  if (rows[0]?.valid === true) return
  const look = async (): Promise<void> => {
    const { rows: seen } = await watcher.query<Progress>(
      `select blocks_done, blocks_total from pg_stat_progress_create_index
        where index_relid = to_regclass('${schema}.${index.name}')`,
    )
    if (seen[0] !== undefined) report(seen[0].blocks_done, seen[0].blocks_total)
  }
  // An index whose build was interrupted is maintained by every write and used by no query.
  if (rows.length > 0) await whileAnswered(worker.query(`drop index concurrently ${schema}.${index.name}`), look)
  await whileAnswered(worker.query(inSchema(index.statement, schema)), look)
  report(1, 1)
}

/** Waits for work that may take hours, as long as the server answers on the other connection meanwhile. */
async function whileAnswered<T>(work: Promise<T>, look: () => Promise<unknown>): Promise<T> {
  const done = work.then((answer) => ({ answer }))
  for (;;) {
    const over = await Promise.race([done, setTimeout(lookEvery)])
    if (over !== undefined) return over.answer
    await look()
  }
}

/**
 * Not by the search path: behind a pooler the session has none, and outside a transaction it cannot be set for one
 * statement.
 */
const inSchema = (statement: string, schema: string): string => statement.replace(/ on (\w+)/i, ` on ${schema}.$1`)

async function totalOf(client: pg.Client, batches: Batches, { schema }: Work): Promise<number> {
  await client.query('begin')
  await client.query(`set local search_path = ${schema}`)
  const total = await drive(client, batches.total())
  await client.query('commit')
  return total
}

interface BatchedWork extends Work {
  readonly batches: Batches
  readonly total: number
}

async function runBatches(
  client: pg.Client,
  { batches, total, migration, schema, report }: BatchedWork,
): Promise<void> {
  for (;;) {
    await client.query('begin')
    await client.query(`set local search_path = ${schema}`)
    // Nodes that work on it together take turns.
    const { rows } = await client.query<{ readonly cursor: string | null; readonly done: number }>(
      'select cursor, done from migration_work where number = $1 for update',
      [migration.number],
    )
    const at = rows[0]
    if (at === undefined) return void (await client.query('commit'))
    const batch = await drive(client, batches.next(at.cursor))
    const done = at.done + batch.rows
    await (batch.cursor === null
      ? client.query('delete from migration_work where number = $1', [migration.number])
      : client.query('update migration_work set cursor = $2, done = $3 where number = $1', [
          migration.number,
          batch.cursor,
          done,
        ]))
    await client.query('commit')
    report(done, Math.max(done, total))
  }
}

const forget = (client: pg.Client, { migration: { number }, schema }: Work): Promise<unknown> =>
  client.query(`delete from ${schema}.migration_work where number = $1`, [number])

async function drive<T>(client: pg.Client, verb: Verb<T>): Promise<T> {
  let step = verb.next()
  while (step.done !== true) {
    if (step.value.do !== 'sql') throw new Error('a batch has statements only')
    const rows: readonly Row[] = await query(client, step.value)
    step = verb.next(rows)
  }
  return step.value
}
