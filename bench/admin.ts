/** `node bench/admin.ts --rows 1000000`: how long the lists of the admin API take to read, on both databases. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import type { Instant, TenantId } from '@grantor/protocol/types'
import type { AuditKeySource, Store } from '@grantor/store'
import { openPostgres } from '@grantor/store/postgres'
import { openSqlite } from '@grantor/store/sqlite'
import { Client } from 'pg'
import { temporaryFolder } from '../interop/server.ts'
import { startPostgres } from '../scripts/postgres.ts'
import { keepReport } from './report.ts'
import { median, rounded } from './statistics.ts'

const { values } = parseArgs({ options: { rows: { type: 'string', default: '1000000' } } })
const rows = Number(values.rows)
const rounds = 15
const tenant = 'default' as TenantId
const now = Date.now() as Instant
const key = new Uint8Array(32).fill(7)
const auditKey: AuditKeySource = (sealed) => ({ key: sealed ?? key, sealed: sealed ?? key })

const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows})`
const padded = `substr('0000000' || cast(i as text), -7)`
/** People in the order of their names, each with a grant; a client has one of a hundred grants. */
const filling = (end: (text: string) => string): readonly string[] => [
  `insert into tenants (id, name, revision, created_at) values ('${tenant}', 'bench', 1, ${now})`,
  `insert into users (tenant, id, username, username_key, claims, created_at, version, email_key)
    ${numbers} select '${tenant}', 'u' || ${end(padded)}, 'person' || ${end(padded)}, 'person' || ${end(padded)}, '{}',
      ${now}, 1, 'person' || ${end(padded)} || '@example.com' from n`,
  `insert into grants (tenant, id, client_id, subject, session_id, authenticated_at, acr, amr, scope, resources,
      created_at, expires_at)
    ${numbers} select '${tenant}', 'g' || ${end(padded)}, 'c' || cast(i % 100 as text), 'u' || ${end(padded)}, 's',
      ${now}, '1', '["pwd"]', 'openid', '[]', ${now}, ${now + 86_400_000} from n`,
]

/** Each as a page of the API asks for it. */
const lists = (store: Store): Readonly<Record<string, () => Promise<unknown>>> => {
  const all = { subject: null, clientId: null, before: null, limit: 51 }
  const middle = String(Math.ceil(rows / 2)).padStart(7, '0')
  return {
    'people, first page': () => store.users.search(tenant, { prefix: '', after: null, limit: 51 }),
    'people, page in the middle': () => store.users.search(tenant, { prefix: '', after: `person${middle}`, limit: 51 }),
    'people by the beginning of a name': () =>
      store.users.search(tenant, { prefix: 'person0001', after: null, limit: 51 }),
    'people by address': () => store.users.byEmail(tenant, `person${middle}@example.com`, 51),
    'grants, first page': () => store.grants.search(tenant, now, all),
    'grants, page in the middle': () => store.grants.search(tenant, now, { ...all, before: `g${middle}` }),
    'grants of a person': () => store.grants.search(tenant, now, { ...all, subject: `u${middle}` }),
    'grants of a client': () => store.grants.search(tenant, now, { ...all, clientId: 'c7' }),
    'grants of a client, page in the middle': () =>
      store.grants.search(tenant, now, { ...all, clientId: 'c7', before: `g${middle}` }),
    'grants of a person at another client': () =>
      store.grants.search(tenant, now, { ...all, subject: `u${middle}`, clientId: 'c101' }),
  }
}

async function measured(store: Store): Promise<Record<string, { median_ms: number; worst_ms: number }>> {
  const found: Record<string, { median_ms: number; worst_ms: number }> = {}
  for (const [name, read] of Object.entries(lists(store))) {
    const taken: number[] = []
    for (let round = 0; round < rounds; round++) {
      const began = performance.now()
      await read()
      taken.push(performance.now() - began)
    }
    found[name] = { median_ms: rounded(median(taken), 2), worst_ms: rounded(Math.max(...taken), 2) }
  }
  return found
}

async function onSqlite() {
  using folder = temporaryFolder()
  const path = join(folder.path, 'grantor.db')
  const store = await openSqlite({ path, auditKey })
  const file = new DatabaseSync(path)
  for (const text of filling((it) => it)) file.exec(text)
  file.exec('analyze')
  file.close()
  const found = await measured(store)
  await store.close()
  return found
}

async function onPostgres() {
  const server = await startPostgres()
  const schema = `bench_${randomBytes(4).toString('hex')}`
  const store = await openPostgres({ url: server.url, schema, poolSize: 2, patience: 600_000, auditKey, notary: false })
  const client = new Client({ connectionString: server.url, options: `-c search_path=${schema}` })
  await client.connect()
  // There a part of a text from its end has a name of its own.
  for (const text of filling(() => `lpad(cast(i as text), 7, '0')`)) await client.query(text)
  await client.query('analyze')
  const found = await measured(store)
  await store.close()
  await client.query(`drop schema ${schema} cascade`)
  await client.end()
  await server.stop()
  return found
}

const report = { rows, sqlite: await onSqlite(), postgres: await onPostgres() }
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
keepReport('admin', report)
