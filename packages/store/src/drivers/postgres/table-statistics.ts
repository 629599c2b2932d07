/**
 * PostgreSQL plans a statement by what it was last told of its tables, and keeps the plan. Of a database that fills quickly
 * autovacuum tells it after minutes, and until then a plan from the time when the tables were empty reads all rows of a
 * tenant. So a table that grew fourfold is looked at by us.
 */
import { type BackgroundLoop, openBackgroundLoop } from '../background-loop.ts'
import type { Queryable } from './connection.ts'
import { orUnavailable } from './outage.ts'
import type { ConnectionPool } from './pool.ts'

/** Milliseconds. */
const lookEvery = 5_000

/** Of more, autovacuum has told long before; fewer rows are read quickly by any plan. */
const watched = { from: 200, to: 1_000_000, blocks: 65_536 }

/**
 * By the rows that the server has counted, and by what the files hold: what was counted is gone when a server crashes, and
 * a standby that is promoted has counted nothing, so neither we nor autovacuum would learn what had grown before.
 */
const grownTables = `select quote_ident(c.relname) as name from pg_class c
  cross join lateral (select pg_stat_get_live_tuples(c.oid) as rows,
    pg_relation_size(c.oid) / current_setting('block_size')::int as blocks) as held
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and pg_has_role(c.relowner, 'usage')
    and ((rows between ${watched.from} and ${watched.to} and rows > 4 * c.reltuples)
      or (blocks <= ${watched.blocks} and blocks > 4 * greatest(c.relpages, 1)))
  order by name`

export const analyzeInBackground = (pool: ConnectionPool): BackgroundLoop => {
  const loop = openBackgroundLoop(
    async () => void (await analyzeGrownTables(pool.changes)),
    { every: lookEvery },
    // Without it everything is right, and slower.
    () => {},
  )
  loop.begin()
  return loop
}

/** The names of those that were looked at. */
export async function analyzeGrownTables(on: Queryable): Promise<readonly string[]> {
  const { rows } = await orUnavailable(on.query<{ name: string }>({ text: grownTables, values: [] }))
  const names = rows.map(({ name }) => name)
  // Another node may be at it.
  for (const name of names) await orUnavailable(on.query({ text: `analyze (skip_locked) ${name}`, values: [] }))
  return names
}
