/** A migration that no release has: it counts every row of a table once, batch by batch; and one that indexes it. */
import { type Dialect, type Migration, migrationsOf } from '../../src/schema/migrations.ts'
import { number } from '../../src/verbs/row.ts'
import { all, first, run, sql, type Verb } from '../../src/verbs/verb.ts'

export const rowCount = 2_000
const batch = 40

/** What stands in the database before. */
export const countedTable = 'create table counted (id integer primary key)'

function* total(): Verb<number> {
  const row = yield* first(sql`select count(*) as n from counted`)
  return row === null ? 0 : number(row, 'n')
}

function* next(cursor: string | null): Verb<{ cursor: string | null; rows: number }> {
  const rows = yield* all(sql`select id from counted where id > ${Number(cursor ?? 0)} order by id limit ${batch}`)
  for (const row of rows) yield* run(sql`update counted set times = times + 1 where id = ${number(row, 'id')}`)
  const last = rows.at(-1)
  return { cursor: last === undefined ? null : String(number(last, 'id')), rows: rows.length }
}

const beyond = (dialect: Dialect, name: string, statements: string): Migration => ({
  number: migrationsOf(dialect).length + 1,
  name,
  text: `-- since 9.0.0\n${statements}\n`,
  checksum: name,
})

export const withCounting = (dialect: Dialect): readonly Migration[] => [
  ...migrationsOf(dialect),
  {
    ...beyond(dialect, 'expand-counting', 'alter table counted add column times integer not null default 0;'),
    batches: { total, next },
  },
]

export const withIndex = (): readonly Migration[] => [
  ...migrationsOf('postgres'),
  beyond('postgres', 'expand-index', 'create index concurrently counted_odd on counted (id) where id % 2 = 1;'),
]
