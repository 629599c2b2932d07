/** An empty store for a test: a copy of a database that this process has migrated once, which costs a third of migrating. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { AuditKeySource, Store } from '@grantor/store'
import { openPostgres, type PostgresOptions } from '@grantor/store/postgres'
import { openSqlite } from '@grantor/store/sqlite'
import pg from 'pg'

export type Database = 'sqlite' | 'postgres'

export interface FreshStore {
  readonly store: Store
  /** Once more, beside it. */
  open(): Promise<Store>
  forget(): Promise<void>
  tamper(sql: string): Promise<void>
  dump(): Promise<string>
}

const asText = (rows: readonly unknown[]): string =>
  rows
    .map((row) =>
      JSON.stringify(row, (_, it: unknown) => (it instanceof Uint8Array ? Buffer.from(it).toString('latin1') : it)),
    )
    .join('\n')

const auditKeyOf = (key: Uint8Array): AuditKeySource => {
  return (sealed) => ({ key, sealed: sealed ?? key })
}

export const freshStore = (database: Database, log: Pick<PostgresOptions, 'leastLogPart'>): Promise<FreshStore> =>
  database === 'sqlite' ? freshSqlite(auditKeyOf(randomBytes(32))) : freshPostgres(auditKeyOf(randomBytes(32)), log)

/** What a deployment is born with is made anew in each copy. */
const unborn = 'delete from deployment'

let migratedSqlite: Promise<Uint8Array> | null = null

async function migrateSqlite(): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'grantor-authority-'))
  const path = join(folder, 'grantor.db')
  const store = await openSqlite({ path, auditKey: auditKeyOf(randomBytes(32)) })
  await store.close()
  withSqlite(path, (connection) => connection.exec(unborn))
  const bytes = await readFile(path)
  await rm(folder, { recursive: true })
  return bytes
}

function withSqlite<T>(path: string, work: (connection: DatabaseSync) => T): T {
  const connection = new DatabaseSync(path, { timeout: 5000 })
  try {
    return work(connection)
  } finally {
    connection.close()
  }
}

async function freshSqlite(auditKey: AuditKeySource): Promise<FreshStore> {
  migratedSqlite ??= migrateSqlite()
  const folder = await mkdtemp(join(tmpdir(), 'grantor-authority-'))
  const path = join(folder, 'grantor.db')
  await writeFile(path, await migratedSqlite, { mode: 0o600 })
  const store = await openSqlite({ path, auditKey })
  const open = () => openSqlite({ path, auditKey, role: 'command' })
  const tamper = async (sql: string) => withSqlite(path, (connection) => connection.exec(sql))
  const dump = async () =>
    withSqlite(path, (connection) => {
      const tables = connection.prepare("select name from sqlite_master where type = 'table'").all()
      return tables.map(({ name }) => asText(connection.prepare(`select * from "${String(name)}"`).all())).join('\n')
    })
  return { store, open, tamper, dump, forget: () => rm(folder, { recursive: true }) }
}

const schema = 'grantor'

function serverAddress(): string {
  const url = process.env['GRANTOR_TEST_DATABASE_URL']
  if (url === undefined) throw new Error('GRANTOR_TEST_DATABASE_URL is not set; run the tests with npm test')
  return url
}

function addressOf(database: string): string {
  const url = new URL(serverAddress())
  url.pathname = `/${database}`
  return url.href
}

async function withPostgres<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, options: `-c search_path=${schema}` })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const create = (more: string): Promise<string> => {
  const name = `authority_${randomBytes(6).toString('hex')}`
  return withPostgres(serverAddress(), async (client) => {
    await client.query(`create database ${name} ${more}`)
    return name
  })
}

const drop = (name: string): Promise<unknown> =>
  withPostgres(serverAddress(), (client) => client.query(`drop database ${name} with (force)`))

let migratedPostgres: Promise<string> | null = null

async function migratePostgres(): Promise<string> {
  const name = await create('')
  process.once('beforeExit', () => void drop(name))
  const url = addressOf(name)
  const store = await openPostgres({ url, schema, auditKey: auditKeyOf(randomBytes(32)), notary: true })
  await store.close()
  await withPostgres(url, (client) => client.query(unborn))
  return name
}

async function freshPostgres(
  auditKey: AuditKeySource,
  log: Pick<PostgresOptions, 'leastLogPart'>,
): Promise<FreshStore> {
  migratedPostgres ??= migratePostgres()
  const name = await create(`template ${await migratedPostgres}`)
  const url = addressOf(name)
  const open = () => openPostgres({ url, schema, auditKey, notary: true, patience: 60_000, ...log })
  const store = await open()
  const tamper = (sql: string) => withPostgres(url, async (client) => void (await client.query(sql)))
  const dump = () =>
    withPostgres(url, async (client) => {
      const tables = await client.query<{ name: string }>(
        'select table_name as name from information_schema.tables where table_schema = current_schema()',
      )
      const texts: string[] = []
      for (const { name } of tables.rows) texts.push(asText((await client.query(`select * from "${name}"`)).rows))
      return texts.join('\n')
    })
  return { store, open, tamper, dump, forget: async () => void (await drop(name)) }
}
