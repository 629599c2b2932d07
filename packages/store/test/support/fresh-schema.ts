/** A schema of its own for each test, on the PostgreSQL that the run was given; without one the run fails. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'

export interface FreshSchema {
  readonly url: string
  readonly schema: string
  drop(): Promise<void>
}

export async function freshSchema(): Promise<FreshSchema> {
  const url = process.env['GRANTOR_TEST_DATABASE_URL']
  if (url === undefined) throw new Error('GRANTOR_TEST_DATABASE_URL names no PostgreSQL; `npm test` starts one')
  const schema = `t_${randomBytes(6).toString('hex')}`
  const drop = async (): Promise<void> => void (await ask(url, `drop schema if exists ${schema} cascade`))
  return { url, schema, drop }
}

/** One statement on a connection of its own. */
export async function ask(url: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}
