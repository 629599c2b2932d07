/** Long after everything is over nothing that had an end is left: whatever a verb writes, a sweep takes. */
import { deepEqual } from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { storeFromEngine } from '../src/drivers/engine-store.ts'
import { sqliteEngine } from '../src/drivers/sqlite/engine.ts'
import type { Engine } from '../src/drivers/engine.ts'
import { type VerbName, verbs } from '../src/verbs/index.ts'
import { all } from '../src/verbs/verb.ts'
import { beside, renaming } from '../suite/beside.ts'
import { everything } from '../suite/database-rows.ts'
import { at } from '../suite/samples.ts'
import { populated, verbCalls } from '../suite/verb-calls.ts'
import { openAuditKey } from './support/audit-key.ts'

/** Columns that say when a row is of no use any more. */
const ends = ['expires_at', 'kept_until', 'keep_until', 'until']

/**
 * A mail that is late is given up by whoever sends, with an event that says so. What somebody agreed to stays on record
 * as long as they do.
 */
const notSwept = new Set(['mails', 'consents'])

/** Of the deployment: they would change what the others wrote. */
const left = new Set<VerbName>(['directory.setBack', 'directory.beginNewEpoch', 'sweep'])

const years = at(5 * 365 * 86_400_000)

test('whatever any verb writes that has an end is gone years after it', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'grantor-swept-'))
  const engine = await sqliteEngine({ path: join(folder, 'grantor.db'), auditKey: openAuditKey })
  t.after(() => engine.close().then(() => rmSync(folder, { recursive: true })))
  const store = storeFromEngine(engine)
  for (const [n, name] of (Object.keys(verbs) as VerbName[]).filter((it) => !left.has(it)).entries()) {
    const within = (text: string): string => (text === 'acme' ? `tenant-${n}` : text)
    const own = beside(store, within)
    await populated(own)
    await engine.run(name, renaming(await verbCalls[name]({ engine, store: own }), within))
  }
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
