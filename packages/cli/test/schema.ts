/** A schema on the PostgreSQL of the tests, as a deployment is told of it. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import pg from 'pg'

const url = process.env['GRANTOR_TEST_DATABASE_URL'] ?? ''

/** A schema of its own, gone afterwards. */
export async function schema(): Promise<AsyncDisposable & { readonly env: Readonly<Record<string, string>> }> {
  assert.notEqual(url, '', 'GRANTOR_TEST_DATABASE_URL must name a PostgreSQL server')
  const name = `cli_${randomBytes(6).toString('hex')}`
  return {
    env: {
      GRANTOR_DATABASE_URL: url,
      GRANTOR_DATABASE_TIMEOUT: '60s',
      GRANTOR_DATABASE_SCHEMA: name,
      GRANTOR_MASTER_KEY: randomBytes(32).toString('base64'),
    },
    [Symbol.asyncDispose]: async () => {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      await client.query(`drop schema if exists ${name} cascade`)
      await client.end()
    },
  }
}
