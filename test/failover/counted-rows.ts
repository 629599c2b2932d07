/** A migration that no release has: it counts every row of a table, batch by batch, so that one done twice is seen. */
import { type Migration, migrationsOf } from '@grantor/store'

type Batches = NonNullable<Migration['batches']>

export const countedRows = 4_000
const batch = 40

/** What stands in the database before. */
export const countedTable = `create table grantor.counted (id integer primary key);
  insert into grantor.counted select generate_series(1, ${countedRows})`

const statement = (text: string, ...values: readonly number[]) => ({ do: 'sql', text, values }) as const

function* next(cursor: string | null): ReturnType<Batches['next']> {
  const rows = yield statement('select id from counted where id > ?1 order by id limit ?2', Number(cursor ?? 0), batch)
  const [first, last] = [rows[0]?.['id'], rows.at(-1)?.['id']].map(Number)
  if (first === undefined || last === undefined || rows.length === 0) return { cursor: null, rows: 0 }
  // So that it can be cut off in the middle.
  yield statement('select pg_sleep(0.02)')
  yield statement('update counted set times = times + 1 where id between ?1 and ?2', first, last)
  return { cursor: String(last), rows: rows.length }
}

// oxlint-disable-next-line require-yield -- it asks nothing
function* total(): ReturnType<Batches['total']> {
  return countedRows
}

const known = migrationsOf('postgres')

export const withCounting: readonly Migration[] = [
  ...known,
  {
    number: known.length + 1,
    name: 'expand-counting',
    text: '-- since 9.0.0\nalter table counted add column times integer not null default 0;\n',
    checksum: 'counting',
    batches: { total, next },
  },
]
