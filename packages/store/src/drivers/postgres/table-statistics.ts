/**
 * PostgreSQL plans a statement by its statistics of the tables, and caches the plan. For a database that fills quickly,
 * autovacuum updates the statistics only after minutes, and until then a plan for empty tables scans all rows of a
 * tenant. So a table that grew fourfold is analyzed here.
 */
import { type BackgroundLoop, openBackgroundLoop } from '../background-loop.ts'
import type { Queryable } from './connection.ts'
import { orUnavailable } from './outage.ts'
import type { ConnectionPool } from './pool.ts'

/** Milliseconds. */
const lookEvery = 5_000

/** Larger tables were analyzed by autovacuum long before; smaller ones are fast with any plan. */
const watched = { from: 200, to: 1_000_000, blocks: 65_536 }

/**
 * Compares the server's row counts and the file sizes: the counts are lost when a server crashes, and a promoted
 * standby has none, so growth before that would go unnoticed.
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
    // Without it everything is correct, only slower.
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
