/** The rows that `admin.ts` searches, written with SQL, because a thousand people would need a thousand requests. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'

export interface AdminDatabase {
  fill(folder: string, rows: number): Promise<void>
}

const tenant = 'default'
const day = 86_400_000

/** Where the SQL of the two databases differs. */
interface Dialect {
  /** The number `i` with leading zeros. */
  readonly n: string
  /** The last two digits of `i`. */
  readonly ofHundred: string
  readonly bytes: string
}

/** The columns of a row of a table: SQL over the number `i`. */
interface Filling {
  readonly table: string
  readonly columns: Readonly<Record<string, string>>
  readonly rows: number
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** People in the order of their names, each with a grant, a consent and a session; a client has one of a hundred grants. */
function fillings(rows: number, metadata: string, { n, ofHundred, bytes }: Dialect): readonly Filling[] {
  const now = Date.now()
  const [before, after] = metadata.split('admin-0') as [string, string]
  const some = Math.ceil(rows / 10)
  const grant = (client: string, subject: string) => ({
    client_id: client,
    subject,
    session_id: `'s' || ${n}`,
    authenticated_at: String(now),
    acr: `'1'`,
    amr: `'["pwd"]'`,
    scope: `'openid'`,
    resources: `'[]'`,
    created_at: String(now),
    expires_at: String(now + 30 * day),
  })
  const consent = (client: string, subject: string) => ({
    client_id: client,
    subject,
    client: `'{}'`,
    scope: `'openid'`,
    resources: `'[]'`,
    granted_at: String(now),
    how: `'page'`,
    text_version: `'1'`,
    grant_id: `'g' || ${n}`,
  })
  const session = (subject: string) => ({
    subject,
    handle: `'h' || i || ${subject}`,
    browser: `'b' || ${n}`,
    authenticated_at: String(now),
    acr: `'1'`,
    amr: `'["pwd"]'`,
    created_at: String(now),
    last_seen_at: String(now),
    expires_at: String(now + 30 * day),
  })
  const person = `'u' || ${n}`
  const aHundred = `'c00000' || ${ofHundred}`
  return [
    {
      table: 'users',
      rows,
      columns: {
        id: person,
        username: `'person' || ${n}`,
        username_key: `'person' || ${n}`,
        email_key: `'person' || ${n} || '@example.com'`,
        claims: `'{}'`,
        created_at: String(now),
        version: '1',
      },
    },
    {
      table: 'clients',
      rows,
      columns: {
        id: `'c' || ${n}`,
        metadata: `${quoted(before)} || 'Application ' || ${n} || ${quoted(after)}`,
        // The last tenth registered itself, so that a search for these clients has to scan far.
        origin: `case when i > ${rows - some} then 'dynamic' else 'manual' end`,
        created_at: String(now),
        updated_at: String(now),
        version: 'i',
      },
    },
    { table: 'grants', rows, columns: { id: `'g' || ${n}`, ...grant(aHundred, person) } },
    { table: 'consents', rows, columns: { id: `'a' || ${n}`, ...consent(aHundred, person) } },
    { table: 'sessions', rows, columns: { id: `'s' || ${n}`, ...session(person) } },
    // One person with very many grants, and one client whose grants are all revoked, are searched for, too.
    { table: 'grants', rows: some, columns: { id: `'h' || ${n}`, ...grant(aHundred, `'busy'`) } },
    { table: 'consents', rows: some, columns: { id: `'h' || ${n}`, ...consent(aHundred, `'busy'`) } },
    { table: 'sessions', rows: some, columns: { id: `'t' || ${n}`, ...session(`'busy'`) } },
    {
      table: 'grants',
      rows: some,
      columns: { id: `'i' || ${n}`, ...grant(`'ended'`, person), revoked_at: String(now) },
    },
    {
      table: 'device_codes',
      rows: some,
      columns: {
        handle: `'d' || ${n}`,
        user_code: `'d' || ${n}`,
        client_id: aHundred,
        request: `'{"scope":["openid"]}'`,
        asked_at: `${now} + i % 1000`,
        expires_at: String(now + 30 * day),
        poll_interval: '5',
        salt: bytes,
      },
    },
  ]
}

const insertion = ({ table, columns }: Filling, numbers: string): string =>
  `insert into ${table} (tenant, ${Object.keys(columns).join(', ')})
    select '${tenant}', ${Object.values(columns).join(', ')} from ${numbers}`

const metadataOf = `select metadata from clients where tenant = '${tenant}' and id = 'admin-0'`

export async function fillSqlite(folder: string, rows: number): Promise<void> {
  const file = new DatabaseSync(join(folder, 'grantor.db'))
  file.exec('pragma cache_size = -400000; pragma synchronous = off')
  const { metadata } = file.prepare(metadataOf).get() as { readonly metadata: string }
  const dialect = { n: `substr('0000000' || i, -7)`, ofHundred: `substr('00' || (i % 100), -2)`, bytes: `x'00'` }
  for (const filling of fillings(rows, metadata, dialect))
    file.exec(
      insertion(
        filling,
        `(with recursive t(i) as (select 1 union all select i + 1 from t where i < ${filling.rows}) select i from t)`,
      ),
    )
  file.exec('analyze')
  file.close()
}

export async function fillPostgres(url: string, rows: number): Promise<void> {
  const client = new Client({ connectionString: url, options: '-c search_path=grantor' })
  await client.connect()
  try {
    const { rows: found } = await client.query<{ readonly metadata: unknown }>(metadataOf)
    const held = found[0]?.metadata
    const metadata = typeof held === 'string' ? held : JSON.stringify(held)
    const dialect = { n: `lpad(i::text, 7, '0')`, ofHundred: `lpad((i % 100)::text, 2, '0')`, bytes: `''::bytea` }
    for (const filling of fillings(rows, metadata, dialect))
      await client.query(insertion(filling, `generate_series(1, ${filling.rows}) i`))
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}
