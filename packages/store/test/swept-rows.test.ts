/** Long after everything is over nothing that had an end is left: whatever a verb writes, a sweep takes. */
import { deepEqual, equal, notEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { statusListKeeping } from '../src/contract/tokens/status-lists.ts'
import type { Engine } from '../src/drivers/engine.ts'
import { tombstoneKeeping } from '../src/verbs/sweep.ts'
import { all } from '../src/verbs/verb.ts'
import { everything } from '../suite/database-rows.ts'
import { at } from '../suite/samples.ts'
import { workedDatabase } from './support/worked-database.ts'

/** Columns that say when a row is of no use any more. */
const ends = ['expires_at', 'kept_until', 'keep_until', 'until']

/**
 * A mail that is late is given up by whoever sends, with an event that says so. What somebody agreed to stays on record
 * as long as they do.
 */
const notSwept = new Set(['mails', 'consents'])

const years = at(5 * 365 * 86_400_000)

test('whatever any verb writes that has an end is gone years after it', async (t) => {
  const { engine, store } = await workedDatabase(t)
  const endless = (row: string): boolean =>
    ends.every((end) => typeof (JSON.parse(row) as Record<string, unknown>)[end] !== 'number')
  const withEnds = async (): Promise<readonly string[]> =>
    Object.entries(await everything(engine)).flatMap(([table, rows]) => (rows.every(endless) ? [] : [table]))
  const before = await withEnds()
  deepEqual(
    (await tablesWithEnds(engine)).filter((table) => !before.includes(table)),
    [],
    'each has a row that ends',
  )
  while ((await store.sweep(years, 1_000)) > 0);
  deepEqual(
    (await withEnds()).filter((table) => !notSwept.has(table)),
    [],
  )
})

const knownForADay = `api_keys assertions used_proofs revoked_tokens token_cutoffs interactions sessions codes
  device_codes refresh_tokens grants`

/** How long past its end a row is kept, where that is not for nothing: what was spent or ended is known for a day. */
const keptFor: Readonly<Record<string, number>> = {
  ...Object.fromEntries(knownForADay.split(/\s+/).map((table) => [table, tombstoneKeeping])),
  status_lists: statusListKeeping,
}

test('each row is kept to the very moment at which it may go, and no longer', async (t) => {
  const { engine, store } = await workedDatabase(t)
  const count = async (table: string, end: string, at: number): Promise<number> => {
    const text = `select count(*) as rows from ${table} where ${end} = ${at}`
    return Number((await engine.read(all({ do: 'sql', text, values: [] })))[0]?.['rows'])
  }
  const moments: { readonly table: string; readonly end: string; readonly at: number; readonly goes: number }[] = []
  for (const table of (await tablesWithEnds(engine)).filter((name) => !notSwept.has(name))) {
    const columns = { do: 'sql', text: `select name from pragma_table_info('${table}')`, values: [] } as const
    const names = new Set((await engine.read(all(columns))).map((row) => String(row['name'])))
    // What says for how long it is kept goes by that.
    const end = ends.findLast((name) => names.has(name)) ?? ''
    const text = `select distinct ${end} as at from ${table} where ${end} is not null`
    for (const row of await engine.read(all({ do: 'sql', text, values: [] }))) {
      const ended = Number(row['at'])
      moments.push({ table, end, at: ended, goes: ended + (keptFor[table] ?? 0) })
    }
  }
  const swept = async (moment: number): Promise<void> => {
    while ((await store.sweep(at(moment), 1_000)) > 0);
  }
  const together = Map.groupBy(moments, ({ goes }) => goes)
  for (const [goes, rows] of [...together].toSorted(([one], [two]) => one - two)) {
    await swept(goes - 1)
    for (const { table, end, at: ended } of rows.filter((it) => !mayGoBefore.has(it.table)))
      notEqual(await count(table, end, ended), 0, `${table} that ends at ${ended} is there`)
    await swept(goes)
    for (const { table, end, at: ended } of rows.filter((it) => it.table !== 'grants'))
      equal(await count(table, end, ended), 0, `${table} that ends at ${ended} is gone`)
  }
})

/** Keys go a day after they are revoked, if that is sooner. */
const mayGoBefore = new Set(['api_keys'])

const tablesWithEnds = async (engine: Engine): Promise<readonly string[]> => {
  const columns = ends.map((end) => `'${end}'`).join(', ')
  const rows = await engine.read(
    all({
      do: 'sql',
      text: `select distinct m.name from sqlite_master m, pragma_table_info(m.name) c
        where m.type = 'table' and c.name in (${columns})`,
      values: [],
    }),
  )
  return rows.map((row) => String(row['name']))
}
