/** Which migrations are left to do, and which databases are refused. */
import { deepEqual, equal, ok, throws } from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { StoreRefused } from '../src/index.ts'
import { type Migration, migrationsOf, sinceOf } from '../src/schema/migrations.ts'
import { outstanding } from '../src/schema/schema-state.ts'
import { faultsOf } from './support/migration-rules.ts'

test('both dialects have the same migrations, numbered without gaps', () => {
  const names = (dialect: 'sqlite' | 'postgres') => migrationsOf(dialect).map(({ number, name }) => `${number} ${name}`)
  deepEqual(names('sqlite'), names('postgres'))
  migrationsOf('sqlite').forEach(({ number }, index) => equal(number, index + 1))
})

test('what was applied is not applied again', () => {
  const known = migrationsOf('sqlite')
  deepEqual(outstanding(known, []), known)
  deepEqual(outstanding(known, known.slice(0, 12)), known.slice(12))
  deepEqual(outstanding(known, known), [])
})

test('an unknown or altered migration is refused', () => {
  const known = migrationsOf('sqlite')
  throws(() => outstanding(known, [{ number: 99, name: 'x', checksum: '' }]), StoreRefused)
  throws(
    () =>
      outstanding(
        known,
        known.map((it) => ({ ...it, checksum: '' })),
      ),
    StoreRefused,
  )
})

const migration = (number: number, name: string, text = '-- since 0.2.0\n'): Migration => ({
  number,
  name,
  text,
  checksum: name,
})

test('a database that was expanded, or contracted behind an expansion we know, is not refused', () => {
  const known = [...migrationsOf('sqlite').slice(0, 12), migration(13, 'expand-labels')]
  deepEqual(outstanding(known, [...known, migration(14, 'expand-more'), migration(15, 'contract-13-labels')]), [])
  throws(() => outstanding(known, [...known, migration(15, 'contract-14-more')]), StoreRefused)
  throws(() => outstanding(known, [...known, migration(14, 'labels')]), StoreRefused)
})

test('a version is not left out while an older node may run: what it uses would be taken away', () => {
  const first = migrationsOf('sqlite').slice(0, 12)
  const known = [...first, migration(13, 'expand-labels', '-- since 0.3.0\n'), migration(14, 'contract-13-labels')]
  throws(
    () => outstanding(known, first),
    (error) =>
      error instanceof StoreRefused && /Start Grantor 0\.3\.0 on it first.*--older-nodes-stopped/.test(error.message),
  )
  deepEqual(outstanding(known, first, { olderNodesStopped: true }).length, 2)
  deepEqual(outstanding(known, known.slice(0, 13)).length, 1)
  deepEqual(outstanding(known, []).length, 14, 'a new database is nobody else’s')
  // One from before the rules says nothing of what it leaves.
  throws(() => outstanding(known, first.slice(0, 11)), /Stop every node/)
})

test('a migration says the version that it comes with: 0.2.0 ends with 43, and what came after is none of it', () => {
  for (const dialect of ['sqlite', 'postgres'] as const) {
    const of020 = migrationsOf(dialect).filter((it) => sinceOf(it) === '0.2.0')
    deepEqual([of020.at(-1)?.number, of020.at(-1)?.name], [43, 'expand-validators'])
  }
})

test('every migration after the twelfth expands, or contracts a version later', () => {
  for (const dialect of ['sqlite', 'postgres'] as const) deepEqual(faultsOf(migrationsOf(dialect)), [])
})

test('a table of SQLite that is made anew has every column and every row that it had', () => {
  using db = new DatabaseSync(':memory:', { enableForeignKeyConstraints: true })
  const columns = `select t.name || '.' || c.name || ' ' || c.type || c."notnull" as "column"
    from pragma_table_list t, pragma_table_info(t.name) c where t.type = 'table' order by 1`
  const known = () =>
    db
      .prepare(columns)
      .all()
      .map(({ column }) => String(column))
  const migrations = migrationsOf('sqlite')
  for (const { text } of migrations.slice(0, 50)) db.exec(text)
  db.exec(`insert into grants (tenant, id, client_id, subject, session_id, authenticated_at, acr, amr, scope, resources,
      created_at, expires_at) values ('acme', 'g', 'web', 'ada', 's', 1, '', '[]', '', '[]', 1, 9);
    insert into codes values ('acme', 'c1', 'g', 'https://a.example', 1, 'x', 8, 2, 3), ('acme', 'c2', 'g', '', 0, null, 7, null, 0);
    insert into refresh_tokens values ('acme', 'r1', 'g', 'a b', x'01', 6, 3, 'r2', 'c'), ('acme', 'r2', 'g', 'a', x'02', 5, null, null, null)`)
  const held = () =>
    ['codes', 'refresh_tokens'].map((table) => db.prepare(`select * from ${table} order by handle`).all())
  const before = held()
  for (const { name, text } of migrations.slice(50)) {
    const had = known()
    db.exec(text)
    const has = new Set(known())
    deepEqual(
      had.filter((column) => !has.has(column)),
      [],
      name,
    )
  }
  deepEqual(held(), before)
})

test('the rules of migrations find what the version before would stumble over', () => {
  const expand = (statement: string) => faultsOf([migration(13, 'expand-x', `-- since 0.2.0\n${statement};\n`)])
  for (const harmless of [
    '-- drop nothing',
    'create table labels (id text primary key, name text not null)',
    'create table labels (id text not null); create unique index labels_id on labels (id)',
    'create index clients_label on clients (label)',
    'alter table clients add column label text',
    "alter table clients add column label text not null default ''",
    "alter table clients add column label text default '' not null",
    'update clients set label = id',
    'alter table clients rename to clients_rest; create table clients (like clients_rest)',
    'create table clients_new (id text); drop table clients; alter table clients_new rename to clients',
  ]) {
    deepEqual(expand(harmless), [], harmless)
  }
  for (const harmful of [
    'drop table clients',
    'ALTER TABLE clients DROP COLUMN label',
    'alter table clients rename column label to name',
    'alter table clients rename to customers',
    'create table clients_new (id text); alter table clients rename to clients_rest',
    'create table clients_new (id text); drop table clients; alter table clients_new rename to customers',
    'alter table clients add column label text not null',
    "alter table clients add label text not null, add column name text default ''",
    'alter table clients alter column label set not null',
    'alter table clients alter label type bigint',
    'alter table clients add constraint labelled check (label is not null)',
    'create unique index clients_label on clients (label)',
    'delete from clients',
  ]) {
    ok(expand(harmful).length > 0, harmful)
  }
  equal(faultsOf([migration(13, 'labels')]).length, 1)
  equal(faultsOf([migration(13, 'expand-x', 'create table x (id text)')]).length, 1)
  const contract = (number: number, since: string) =>
    faultsOf([
      migration(13, 'expand-x', '-- since 0.9.0\n'),
      migration(14, `contract-${number}-x`, `-- since ${since}\ndrop table y;\n`),
    ])
  deepEqual(contract(13, '0.10.0'), [])
  equal(contract(13, '0.9.0').length, 1)
  equal(contract(12, '0.10.0').length, 1)
})
