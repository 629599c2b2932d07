/** Events get their place in time that grows with their number: no statement of it compares each row with each. */
import { doesNotMatch, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { Notary } from '../src/drivers/postgres/notary.ts'
import type { ConnectionPool } from '../src/drivers/postgres/pool.ts'
import { openPostgres } from '../src/drivers/postgres/engine.ts'
import { openAuditKey as auditKey } from './support/audit-key.ts'
import { freshSchema } from './support/fresh-schema.ts'

/** int8, as the store reads it. */
const types = { getTypeParser: (oid: number) => (oid === 20 ? Number : pg.types.getTypeParser(oid)) }

test('what waits for its place is never compared row by row, whatever the planner believes of it', async (t) => {
  const { url, schema, drop } = await freshSchema()
  t.after(drop)
  await (await openPostgres({ url, schema, auditKey, patience: 60_000 })).close()
  const client = new pg.Client({ connectionString: url, options: `-c search_path=${schema}`, types })
  await client.connect()
  t.after(() => client.end())
  // As of a table that was empty when it was looked at last: then comparing seems as cheap as anything.
  for (const way of ['hashjoin', 'mergejoin']) await client.query(`set enable_${way} = off`)
  await client.query(`insert into events_pending (tenant, at, feed, body)
    select 't' || n % 7, 1, 0, '{"name":"token.issued"}' from generate_series(1, 40) n`)

  const plans: string[] = []
  const on = {
    async query({ text, values }: { readonly text: string; readonly values: unknown[] }) {
      const { rows } = await client.query<Readonly<Record<string, string>>>(`explain ${text}`, values)
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
      return client.query(text, values)
    },
  }
  const explaining = { ...on, changes: on } as unknown as ConnectionPool
  const notary = new Notary(explaining, new Uint8Array(32), 'nobody')
  equal(await notary.sealBatch(), 'all')

  equal(plans.length, 2)
  for (const plan of plans) {
    match(plan, /Full Join/)
    doesNotMatch(plan, /Join Filter/)
  }
  const { rows } = await client.query(
    'select count(*) as waiting, (select count(*) from events) as sealed from events_pending',
  )
  equal(JSON.stringify(rows), '[{"waiting":0,"sealed":40}]')
})
