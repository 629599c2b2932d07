/** Migrations on PostgreSQL: one transaction under an advisory lock, so that nodes starting together migrate once. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { AuditKeySource } from '../../contract/directory/audit-key.ts'
import { type Applied, migrationsOf, migrationsTable, outstanding } from '../../schema/migrations.ts'
import { clientConfig, type PostgresTarget } from './connection.ts'
import type { PrimaryFinder } from './primary.ts'

/** A migration may take its time, and so may the wait for another node's. */
const within = 120_000

/** Returns the key that seals the log. */
export async function migratePostgres(
  target: PostgresTarget,
  finder: PrimaryFinder,
  source: AuditKeySource,
): Promise<Uint8Array> {
  const config = clientConfig(target, await finder.find())
  const client = new pg.Client({
    ...config,
    ...(target.preparedStatements ? { statement_timeout: within } : {}),
    query_timeout: within,
  })
  // What breaks the connection also fails the statement that is waiting; the event itself says nothing more.
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`grantor migrate ${target.schema}`])
    // Not IF NOT EXISTS: that asks for the right to create schemas even where there is nothing to create.
    const { rowCount } = await client.query('select 1 from pg_namespace where nspname = $1', [target.schema])
    if (rowCount === 0) await client.query(`create schema ${target.schema}`)
    // Behind a pooler the session has none.
    await client.query(`set local search_path = ${target.schema}`)
    await client.query(migrationsTable)
    const { rows } = await client.query<Applied>('select number, name, checksum from migrations order by number')
    for (const { number, name, text, checksum } of outstanding(migrationsOf('postgres'), rows)) {
      await client.query(text)
      await client.query('insert into migrations (number, name, checksum) values ($1, $2, $3)', [
        number,
        name,
        checksum,
      ])
    }
    const born = 'insert into deployment (one, epoch, epoch_at, clock) values (1, $1, 0, 0) on conflict do nothing'
    await client.query(born, [randomUUID()])
    const key = await auditKey(client, source)
    await client.query('commit')
    return key
  } finally {
    await client.end()
  }
}

async function auditKey(client: pg.Client, source: AuditKeySource): Promise<Uint8Array> {
  const { rows } = await client.query<{ readonly audit_key: Uint8Array | null }>('select audit_key from deployment')
  const held = rows[0]?.audit_key ?? null
  const { key, sealed } = source(held)
  if (held === null) await client.query('update deployment set audit_key = $1', [Buffer.from(sealed)])
  return key
}
