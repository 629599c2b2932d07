/** How PostgreSQL goes about a statement where it has to go by an index if there is one. */
import type { TestContext } from 'node:test'
import pg from 'pg'
import { openPostgres } from '../../src/drivers/postgres/engine.ts'
import { openAuditKey as auditKey } from './audit-key.ts'
import { freshSchema } from './fresh-schema.ts'

interface Explained {
  readonly text: string
  readonly values: readonly unknown[]
}

/** Those of the statements that read a table from end to end, or an index without a condition; each with its plan. */
export async function scanning(t: TestContext, statements: Iterable<Explained>): Promise<readonly string[]> {
  const { url, schema, drop } = await freshSchema()
  t.after(drop)
  await (await openPostgres({ url, schema, auditKey, patience: 60_000 })).close()
  const client = new pg.Client({ connectionString: url, options: `-c search_path=${schema}` })
  await client.connect()
  t.after(() => client.end())
  // Of a small table all is read, whatever there is: so that counts as dear, and remains only where nothing else can be done.
  for (const way of ['seqscan', 'hashjoin', 'mergejoin', 'bitmapscan']) await client.query(`set enable_${way} = off`)
  const found: string[] = []
  for (const { text, values } of statements) {
    const explained = `explain ${text.replaceAll(/\?(\d+)/g, '$$$1')}`
    const { rows } = await client.query<Readonly<Record<string, string>>>(explained, [...values])
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    if (readsAll(plan)) found.push(`${text}\n${plan}`)
  }
  return found
}

const readsAll = (plan: string): boolean =>
  plan
    .split(/->/)
    .some((node) => /Seq Scan/.test(node) || (/Index (?:Only )?Scan/.test(node) && !/Index Cond/.test(node)))
