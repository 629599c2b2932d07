/** No sweep reads a table from end to end: each of its statements finds by an index what is over. */
import { deepEqual, ok } from 'node:assert/strict'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { test } from 'node:test'
import type { Instant } from '@grantor/protocol/types'
import pg from 'pg'
import { openPostgres } from '../src/drivers/postgres/engine.ts'
import { migrationsOf } from '../src/schema/migrations.ts'
import { sweep } from '../src/verbs/sweep.ts'
import type { Statement } from '../src/verbs/verb.ts'
import { openAuditKey as auditKey } from './support/audit-key.ts'
import { freshSchema } from './support/fresh-schema.ts'

/** All that a sweep asks where it finds nothing. */
function statements(): readonly Statement[] {
  const found: Statement[] = []
  const verb = sweep(1_000_000_000_000 as Instant, 100)
  for (let step = verb.next(); step.done !== true; step = verb.next([])) {
    if (step.value.do === 'sql') found.push(step.value)
  }
  ok(found.length > 25)
  return found
}

test('on SQLite no statement of a sweep scans', () => {
  using db = new DatabaseSync(':memory:')
  for (const { text } of migrationsOf('sqlite')) db.exec(text)
  const scanning = statements().filter(({ text, values }) => {
    const plan = db.prepare(`explain query plan ${text}`).all(...(values as readonly SQLInputValue[]))
    return plan.some(({ detail }) => /^SCAN|TEMP B-TREE FOR ORDER/.test(String(detail)))
  })
  deepEqual(scanning, [])
})

test('on PostgreSQL every statement of a sweep has an index to go by', async (t) => {
  const { url, schema, drop } = await freshSchema()
  t.after(drop)
  await (await openPostgres({ url, schema, auditKey, patience: 60_000 })).close()
  const client = new pg.Client({ connectionString: url, options: `-c search_path=${schema}` })
  await client.connect()
  t.after(() => client.end())
  // Of a small table all is read, whatever there is: so that counts as dear, and remains only where nothing else can be done.
  for (const way of ['seqscan', 'hashjoin', 'mergejoin', 'bitmapscan']) await client.query(`set enable_${way} = off`)
  const scanning: string[] = []
  for (const { text, values } of statements()) {
    const explained = `explain ${text.replaceAll(/\?(\d+)/g, '$$$1')}`
    const { rows } = await client.query<Readonly<Record<string, string>>>(explained, [...values])
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    if (readsAll(plan)) scanning.push(`${text}\n${plan}`)
  }
  deepEqual(scanning, [])
})

/** A table from end to end, or an index without a condition. */
const readsAll = (plan: string): boolean =>
  plan
    .split(/->/)
    .some((node) => /Seq Scan/.test(node) || (/Index (?:Only )?Scan/.test(node) && !/Index Cond/.test(node)))
