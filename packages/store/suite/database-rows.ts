/** All rows of a database, for comparing what it held before and after. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Engine } from '../src/drivers/engine.ts'
import type { Row, Verb } from '../src/verbs/verb.ts'

const schemas = join(import.meta.dirname, '..', 'src', 'schema')

const statement = /^(create|drop) table (\w+)|^alter table (\w+) rename to (\w+)/gm

/** As the migrations leave them, so that none is forgotten here. */
function tablesOf(database: 'sqlite' | 'postgres'): ReadonlySet<string> {
  const schema = join(schemas, database)
  const tables = new Set<string>()
  for (const file of readdirSync(schema).toSorted()) {
    const text = readFileSync(join(schema, file), 'utf8')
    for (const [, act, name = '', from = '', to = ''] of text.matchAll(statement)) {
      if (act === 'create') tables.add(name)
      else tables.delete(act === 'drop' ? name : from)
      if (to !== '') tables.add(to)
    }
  }
  return tables
}

/** What only one of them has is how it numbers the log. */
const tables = [...tablesOf('sqlite').intersection(tablesOf('postgres'))]

/** Everything the database holds, in an order that does not depend on it. */
export async function everything(engine: Engine): Promise<Record<string, readonly string[]>> {
  await engine.position()
  const found: Record<string, readonly string[]> = {}
  for (const table of tables) {
    const rows = await engine.read(
      (function* (): Verb<readonly Row[]> {
        return yield { do: 'sql', text: `select * from ${table}`, values: [] }
      })(),
    )
    found[table] = rows
      .map((row) => JSON.stringify(row, (_, value: unknown) => (value instanceof Uint8Array ? [...value] : value)))
      .sort()
  }
  return found
}
