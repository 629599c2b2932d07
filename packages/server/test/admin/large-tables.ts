/** A PostgreSQL schema whose tables have many rows of one tenant. */
import type { Client } from 'pg'

const rowsOfEach = 3000

/** What every other row has in a column that many rows may agree in. */
export const common = 'common'

interface Column {
  readonly table_name: string
  readonly column_name: string
  readonly data_type: string
  readonly is_nullable: 'YES' | 'NO'
  /** Whether it is the last of a unique index: the others of it may agree. */
  readonly tells_apart: boolean
  /** The first of the words that it may have; null for any. */
  readonly word: string | null
}

const number = "lpad(i::text, 8, '0')"
const shared = new Set(['client', 'client_id', 'group_id', 'member', 'provider', 'resource', 'role', 'subject'])

/** Of roles there are few, so that whoever has one tells its rows apart. */
const tellsApart = ({ table_name: table, column_name: name, tells_apart: last }: Column): boolean =>
  table.endsWith('_roles') ? name !== 'role' : last

/** A year after the tests are run: nothing in the rows is over. */
const later = Date.now() + 365 * 86_400_000

function valueOf(column: Column): string {
  const { column_name: name, data_type: type } = column
  if (name === 'tenant') return `'default'`
  if (column.word !== null) return `'${column.word}'`
  if (tellsApart(column)) return type === 'bytea' ? `convert_to(${number}, 'UTF8')` : type === 'text' ? number : 'i'
  if (shared.has(name)) return `case when i % 2 = 0 then '${common}' else ${number} end`
  if (column.is_nullable === 'YES') return 'null'
  if (type === 'bytea') return `convert_to(${number}, 'UTF8')`
  return type === 'text' ? number : type === 'bigint' ? String(later) : '0'
}

/** Left alone: tables of one row, and those that the database describes itself by. */
const leftAlone = /_cursor$|^(?:migrations|log_.*)$/

export async function fillTables(client: Client): Promise<void> {
  // Rows need not fit together: they are only counted.
  await client.query('set session_replication_role = replica')
  const { rows } = await client.query<Column>(columnsOf)
  for (const [table, columns] of Map.groupBy(rows, ({ table_name: table }) => table)) {
    if (leftAlone.test(table) || columns.some(({ column_name: name }) => name === 'one')) continue
    const names = columns.map(({ column_name: name }) => `"${name}"`)
    await client.query(`insert into "${table}" (${names.join(', ')})
      select ${columns.map(valueOf).join(', ')} from generate_series(1, ${rowsOfEach}) i on conflict do nothing`)
  }
  await client.query('analyze')
}

const columnsOf = `
  select c.table_name, c.column_name, c.data_type, c.is_nullable,
    exists (select 1 from pg_index x join pg_attribute a on a.attrelid = x.indrelid and a.attname = c.column_name
      where x.indrelid = t.oid and x.indisunique and x.indkey[x.indnkeyatts - 1] = a.attnum) as tells_apart,
    (select substring(pg_get_constraintdef(k.oid) from '''([^'']+)''') from pg_constraint k
      join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
      where k.conrelid = t.oid and k.contype = 'c' and a.attname = c.column_name limit 1) as word
  from information_schema.columns c
  join pg_class t on t.relname = c.table_name and t.relnamespace = current_schema()::regnamespace
  where c.table_schema = current_schema() and t.relkind in ('r', 'p') and not t.relispartition
    and c.is_generated = 'NEVER' and c.identity_generation is null`
