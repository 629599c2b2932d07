/**
 * Fixed statistics for SQLite's planner, whatever the tables contain: that they are large, and that nearly all rows
 * belong to one tenant. By default it assumes ten rows per tenant, prefers a primary key that begins with the tenant to
 * a more selective index, and reads every session to find those of one browser. Measured statistics would be right only
 * for the size at which they were taken.
 */
import type { DatabaseSync } from 'node:sqlite'

const rows = { usually: 1_000_000, few: 1_000 }

/** Tables that operators fill by hand, or of which there is one row for very many others. */
const withFewRows = new Set([
  'event_receivers',
  'keys',
  'resources',
  'roles',
  'scopes',
  'signal_polls',
  'status_lists',
  'tenants',
])

/** The number of distinct values of a column; in other columns nearly all values differ. */
const values: Readonly<Record<string, number>> = {
  tenant: 1,
  client: 100,
  client_id: 100,
  list: 100,
  provider: 100,
  receiver: 1_000,
  resource: 100,
  role: 100,
  state: 100,
}
const valuesUsually = 100_000

interface Index {
  readonly table: string
  readonly name: string
  readonly isUnique: boolean
  readonly columns: readonly string[]
}

/** Written once for each schema, and read whenever a connection is opened. */
export function describeTables(db: DatabaseSync): void {
  // Analyzing a tiny table creates the statistics table.
  db.exec('analyze migrations')
  db.exec('delete from sqlite_stat1')
  const insert = db.prepare('insert into sqlite_stat1 (tbl, idx, stat) values (?, ?, ?)')
  for (const index of indexesOf(db)) insert.run(index.table, index.name, statisticsOf(index))
  db.exec('analyze sqlite_schema')
}

/** The number of rows, then how many rows share the first column, the first two, and so on. */
function statisticsOf({ table, columns, isUnique }: Index): string {
  const all = withFewRows.has(table) ? rows.few : rows.usually
  let shared = all
  const counts = columns.map((column, at) => {
    shared = Math.ceil(shared / (values[column] ?? valuesUsually))
    return isUnique && at === columns.length - 1 ? 1 : shared
  })
  return [all, ...counts].join(' ')
}

function indexesOf(db: DatabaseSync): readonly Index[] {
  const columns =
    db.prepare(`select t.name as "table", t.wr as without_rowid, i.name, i."unique", i.origin, x.name as "column"
    from pragma_table_list t, pragma_index_list(t.name) i, pragma_index_info(i.name) x
    where t.schema = 'main' and t.type = 'table' and t.name not like 'sqlite\\_%' escape '\\'
    order by t.name, i.name, x.seqno`)
  const indexes = new Map<string, Index & { readonly columns: string[] }>()
  for (const row of columns.all()) {
    const table = String(row['table'])
    const found = indexes.get(String(row['name'])) ?? {
      table,
      // In a table without rowid the primary key is the table itself.
      name: row['without_rowid'] === 1 && row['origin'] === 'pk' ? table : String(row['name']),
      isUnique: row['unique'] === 1,
      columns: [],
    }
    indexes.set(String(row['name']), found)
    found.columns.push(String(row['column']))
  }
  return [...indexes.values()]
}
