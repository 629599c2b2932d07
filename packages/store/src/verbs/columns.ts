/** The columns of a row to insert, used by the verb on either database and by PostgreSQL's own statement. */
import type { Statement, Value } from './verb.ts'

/** The type of each column in PostgreSQL, and where its value comes from. */
export type Columns<T> = Readonly<
  Record<string, readonly ['text' | 'bigint' | 'bytea', (item: T) => Value | undefined]>
>

export function insertInto<T>(table: string, columns: Columns<T>): (item: T) => Statement {
  const names = Object.keys(columns)
  const text = `insert into ${table} (${names.join(', ')}) values (${names.map((_, n) => `?${n + 1}`).join(', ')})`
  return (item) => ({ do: 'sql', text, values: Object.values(columns).map(([, valueOf]) => valueOf(item) ?? null) })
}
