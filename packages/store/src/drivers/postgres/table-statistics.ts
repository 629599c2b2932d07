/**
 * PostgreSQL plans a statement by what it was last told of its tables, and keeps the plan. Of a database that fills quickly
 * autovacuum tells it after minutes, and until then a plan from the time when the tables were empty reads all rows of a
 * tenant. So a table that grew fourfold is looked at by us.
 */
import { type BackgroundLoop, openBackgroundLoop } from '../background-loop.ts'
import { orUnavailable } from './outage.ts'
import type { ConnectionPool } from './pool.ts'

/** Milliseconds. */
const lookEvery = 5_000

/** Rows. Fewer are read quickly by any plan; of more, autovacuum has told long before. */
const watched = { from: 200, to: 1_000_000 }

const grownTables = `select quote_ident(c.relname) as name
  from pg_stat_user_tables s join pg_class c on c.oid = s.relid
  where s.schemaname = current_schema() and c.relkind = 'r' and pg_has_role(c.relowner, 'usage')
    and s.n_live_tup between ${watched.from} and ${watched.to} and s.n_live_tup > 4 * c.reltuples
  order by name`

export const analyzeInBackground = (pool: ConnectionPool): BackgroundLoop => {
  const loop = openBackgroundLoop(
    async () => void (await analyzeGrownTables(pool)),
    { every: lookEvery },
    // Without it everything is right, and slower.
    () => {},
  )
  loop.begin()
  return loop
}

/** The names of those that were looked at. */
export async function analyzeGrownTables(pool: Pick<ConnectionPool, 'query'>): Promise<readonly string[]> {
  const { rows } = await orUnavailable(pool.query<{ name: string }>({ text: grownTables, values: [] }))
  const names = rows.map(({ name }) => name)
  // Another node may be at it.
  for (const name of names) await orUnavailable(pool.query({ text: `analyze (skip_locked) ${name}`, values: [] }))
  return names
}
