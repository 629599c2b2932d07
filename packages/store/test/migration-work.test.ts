/** Work over the rows of large tables: batch by batch, gone on with after a kill, indexes built beside writers. */
import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import pg from 'pg'
import { startTcpProxy } from '../../../test/faults/tcp-proxy.ts'
import { clientConfig } from '../src/drivers/postgres/connection.ts'
import { openPostgres, readPostgresSchema } from '../src/drivers/postgres/engine.ts'
import { finishWork } from '../src/drivers/postgres/migration-work.ts'
import { openSqlite, readSqliteSchema } from '../src/drivers/sqlite/engine.ts'
import type { UpgradeOptions } from '../src/index.ts'
import type { Migration } from '../src/schema/migrations.ts'
import { openAuditKey as auditKey } from './support/audit-key.ts'
import { countedTable, rowCount, withCounting, withIndex } from './support/counted-rows.ts'
import { ask, freshSchema } from './support/fresh-schema.ts'

/** Kills it in the middle, as a machine does that loses its power. */
async function killAfterBatches(args: readonly string[]): Promise<void> {
  const program = join(import.meta.dirname, 'support/migration-child.ts')
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  let lines = 0
  for await (const _ of createInterface(child.stdout)) if (++lines === 3) child.kill('SIGKILL')
  deepEqual(await exited, [null, 'SIGKILL'])
}

interface Watched {
  readonly upgrade: UpgradeOptions
  readonly reports: number[]
}

function watched(migrations: UpgradeOptions['migrations']): Watched {
  const reports: number[] = []
  return { reports, upgrade: { ...(migrations && { migrations }), report: (_, done) => void reports.push(done) } }
}

/** Each row once, however often it was begun; and the second run did not begin from the start. */
function assertOnce(times: readonly unknown[], reports: readonly number[]): void {
  deepEqual(times, [{ times: 1, n: rowCount }])
  ok((reports[0] ?? 0) > 100, `began at ${reports[0]}`)
  equal(reports.at(-1), rowCount)
}

const waitingBuild = (schema: string): string =>
  `select pid from pg_stat_activity where query like 'create index concurrently counted_odd on ${schema}%' and wait_event_type = 'Lock'`

const countText = 'select times, cast(count(*) as integer) as n from counted group by times'

test('on SQLite batches go on after kill -9 where they were cut off, and each row is done once', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'grantor-work-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'grantor.db')
  await (await openSqlite({ path, auditKey })).close()
  using file = new DatabaseSync(path, { timeout: 5_000 })
  file.exec(countedTable)
  file.exec(`with recursive n (i) as (values (1) union all select i + 1 from n where i < ${rowCount})
    insert into counted select i from n`)
  await killAfterBatches(['sqlite', path])
  equal(readSqliteSchema(path)?.unfinished.length, 1)
  const { reports, upgrade } = watched(withCounting('sqlite'))
  await (await openSqlite({ path, auditKey, upgrade })).close()
  assertOnce(
    file
      .prepare(countText)
      .all()
      .map((row) => ({ ...row })),
    reports,
  )
  deepEqual(readSqliteSchema(path)?.unfinished, [])
})

test('on PostgreSQL, too, and two nodes that start together share the rest', async (t) => {
  const { url, schema, drop } = await freshSchema()
  t.after(drop)
  const options = { url, schema, auditKey, patience: 60_000 }
  await (await openPostgres(options)).close()
  await ask(
    url,
    `set search_path = ${schema}; ${countedTable}; insert into counted select generate_series(1, ${rowCount})`,
  )
  await killAfterBatches(['postgres', url, schema])
  const found = await readPostgresSchema(options)
  equal(found?.unfinished.length, 1)
  const runs = [watched(withCounting('postgres')), watched(withCounting('postgres'))]
  const stores = await Promise.all(runs.map(({ upgrade }) => openPostgres({ ...options, upgrade })))
  for (const store of stores) await store.close()
  const reports = runs.flatMap((run) => run.reports).toSorted((a, b) => a - b)
  assertOnce(await ask(url, countText.replace('counted', `${schema}.counted`)), reports)
  deepEqual((await readPostgresSchema(options))?.unfinished, [])
})

test('a server that falls silent in the middle fails the work, at its batches and while it builds an index', async (t) => {
  const { url, schema, drop } = await freshSchema()
  t.after(drop)
  await (await openPostgres({ url, schema, auditKey, patience: 60_000 })).close()
  await ask(
    url,
    `set search_path = ${schema}; ${countedTable}; insert into counted select generate_series(1, ${rowCount});
      alter table counted add column times integer not null default 0`,
  )
  const target = { schema, poolSize: 1, patience: 60_000, preparedStatements: true }
  const writer = new pg.Client({ connectionString: url })
  await writer.connect()
  for (const migrations of [withCounting('postgres'), withIndex()]) {
    const migration = migrations.at(-1) as Migration
    await ask(url, `insert into ${schema}.migration_work (number, cursor, done) values (${migration.number}, null, 0)`)
    // For whom a build waits.
    await writer.query(`begin; update ${schema}.counted set times = times where id = 1`)
    if (migration.batches !== undefined) await writer.query('commit')
    await using proxy = await startTcpProxy(new URL(url).hostname, Number(new URL(url).port))
    const address = new URL(url)
    address.port = String(proxy.port)
    const config = { ...clientConfig(target, { url: address.href, name: 'it' }), query_timeout: 1_000 }
    const reported = Promise.withResolvers<void>()
    const work = finishWork(config, target, migration, () => reported.resolve())
    const refused = rejects(work, /timeout/)
    if (migration.batches === undefined) while ((await ask(url, waitingBuild(schema))).length === 0);
    else await reported.promise
    proxy.hold()
    await refused
    await writer.query('rollback')
    await ask(url, `delete from ${schema}.migration_work`)
  }
  await writer.end()
})

test('an index is built beside a writer, and built anew where the build was cut off', async (t) => {
  const { url, schema, drop } = await freshSchema()
  t.after(drop)
  const options = { url, schema, auditKey, patience: 60_000, upgrade: { migrations: withIndex() } }
  await (await openPostgres({ url, schema, auditKey, patience: 60_000 })).close()
  await ask(url, `set search_path = ${schema}; ${countedTable}; insert into counted select generate_series(1, 100)`)
  const writer = new pg.Client({ connectionString: url })
  await writer.connect()
  await writer.query(`begin; insert into ${schema}.counted values (101)`)
  // The build waits for the writer, who goes on; then it is ended from outside.
  const cutOff = openPostgres(options).then(
    () => 'opened',
    () => 'failed',
  )
  const building = waitingBuild(schema)
  while ((await ask(url, building)).length === 0);
  await writer.query(`insert into ${schema}.counted values (103)`)
  await ask(url, `select pg_terminate_backend(pid) from (${building}) as b`)
  equal(await cutOff, 'failed')
  const validity = `select indisvalid as valid from pg_index where indexrelid = to_regclass('${schema}.counted_odd')`
  deepEqual(await ask(url, validity), [{ valid: false }])
  await writer.query('commit')
  await writer.end()
  const stores = await Promise.all([openPostgres(options), openPostgres(options)])
  for (const store of stores) await store.close()
  deepEqual(await ask(url, validity), [{ valid: true }])
  deepEqual((await readPostgresSchema(options))?.unfinished, [])
})
