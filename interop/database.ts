/** A PostgreSQL database of one's own, on the server that GRANTOR_TEST_DATABASE_URL names or on a throw-away one. */
import { randomUUID } from 'node:crypto'
import { Client } from 'pg'

export interface Database extends AsyncDisposable {
  readonly url: string
  /** For a server that uses it: on a busy machine it may answer late, and is not away. */
  readonly settings: { readonly GRANTOR_DATABASE_URL: string; readonly GRANTOR_DATABASE_TIMEOUT: string }
  /** The process ids of the backends that serve it now. */
  backends(): Promise<readonly number[]>
}

export async function temporaryDatabase(): Promise<Database> {
  const given = process.env['GRANTOR_TEST_DATABASE_URL']
  const server = given === undefined ? await (await import('../scripts/postgres.ts')).startPostgres() : null
  const base = given ?? server?.url ?? ''
  const name = `grantor_${randomUUID().replaceAll('-', '')}`
  await admin(base, (client) => client.query(`create database ${name}`))
  const url = new URL(base)
  url.pathname = `/${name}`
  return {
    url: url.href,
    settings: { GRANTOR_DATABASE_URL: url.href, GRANTOR_DATABASE_TIMEOUT: '60s' },
    backends: () =>
      admin(base, async (client) => {
        const { rows } = await client.query('select pid from pg_stat_activity where datname = $1', [name])
        return rows.map((row: { pid: number }) => row.pid)
      }),
    async [Symbol.asyncDispose]() {
      await admin(base, (client) => client.query(`drop database ${name} with (force)`))
      await server?.stop()
    },
  }
}

async function admin<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
