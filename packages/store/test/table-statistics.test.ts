/** PostgreSQL hears of tables that fill quickly before autovacuum tells it, and then goes by the whole of a key. */
import { deepEqual, match } from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import pg from 'pg'
import type { Handle, TenantId } from '@grantor/protocol/types'
import { openPostgres } from '../src/drivers/postgres/engine.ts'
import { analyzeGrownTables } from '../src/drivers/postgres/table-statistics.ts'
import { refresh } from '../src/verbs/tokens/grants.ts'
import type { Statement } from '../src/verbs/verb.ts'
import { openAuditKey as auditKey } from './support/audit-key.ts'
import { ask, freshSchema } from './support/fresh-schema.ts'

const filling = (schema: string, from: number, count: number): string => `
  insert into ${schema}.grants (tenant, id, client_id, subject, session_id, authenticated_at, acr, amr, scope, resources,
    created_at, expires_at)
  select 'acme', 'g' || n, 'web', 'p' || n, 's' || n, 1, '', '[]', '', '[]', 1, 9 from generate_series(${from}, ${from + count - 1}) n`

/** A schema with empty tables, and a way to fill it. */
async function opened(t: TestContext) {
  const { url, schema, drop } = await freshSchema()
  await (await openPostgres({ url, schema, auditKey, patience: 60_000 })).close()
  const client = new pg.Client({ connectionString: url, options: `-c search_path=${schema}` })
  await client.connect()
  t.after(() => client.end().then(drop))
  // By a connection of its own: what it has done is counted at the latest when it ends.
  const fill = (from: number, count: number) => ask(url, filling(schema, from, count))
  return { client, fill, url, schema }
}

test('a table that grew is looked at once, a small or a steady one never', async (t) => {
  const { client, fill } = await opened(t)
  await fill(0, 150)
  deepEqual(await analyzeGrownTables(client), [])
  await fill(1_000, 5_000)
  deepEqual(await analyzeGrownTables(client), ['grants'])
  deepEqual(await analyzeGrownTables(client), [])

  await fill(10_000, 5_000)
  deepEqual(await analyzeGrownTables(client), [], 'twice as many are no news')
  await fill(20_000, 12_000)
  deepEqual(await analyzeGrownTables(client), ['grants'])
})

test('one that was looked at before its rows were committed is looked at again', async (t) => {
  const { client, url, schema } = await opened(t)
  const writer = new pg.Client({ connectionString: url })
  await writer.connect()
  await writer.query(`begin; ${filling(schema, 0, 5_000)}`)
  deepEqual(await analyzeGrownTables(client), ['grants'])
  await writer.query('commit')
  await writer.end()
  deepEqual(await analyzeGrownTables(client), ['grants'])
  deepEqual(await analyzeGrownTables(client), [])
})

test('what was counted of a table is lost with a crash; it is looked at all the same', async (t) => {
  const { client, fill } = await opened(t)
  await fill(0, 5_000)
  // As a crash leaves them, and a promotion finds them.
  await client.query(`select pg_stat_reset_single_table_counters('grants'::regclass)`)
  deepEqual(await analyzeGrownTables(client), ['grants'])
  deepEqual(await analyzeGrownTables(client), [])
})

test('with it a grant is found by its id, not among all of its tenant', async (t) => {
  const { client, fill } = await opened(t)
  const { text, values } = refresh('acme' as TenantId, 'h' as Handle).next().value as Statement
  await fill(0, 500)
  await analyzeGrownTables(client)
  const { rows } = await client.query(`explain ${text.replaceAll(/\?(\d+)/g, '$$$1')}`, [...values])
  const plan = rows.map((row: Record<string, string>) => row['QUERY PLAN']).join('\n')
  match(plan, /on grants g .*\n.*Index Cond: .*\bid = /)
})
