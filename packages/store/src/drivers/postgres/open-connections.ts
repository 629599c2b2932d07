/** Opens the connections of a node: finds the server, brings its schema up to date, and says where to listen. */
import type { AuditKeySource } from '../../contract/directory/audit-key.ts'
import { StoreRefused } from '../../contract/store.ts'
import { readAddress } from './address.ts'
import { clientConfig, type PostgresTarget, query } from './connection.ts'
import { migratePostgres } from './migrate.ts'
import { orUnavailable } from './outage.ts'
import { ConnectionPool } from './pool.ts'
import { PrimaryFinder } from './primary.ts'

interface Addresses {
  readonly url: string
  /** Past a pooler, if `url` leads to one. */
  readonly directUrl: string | null
  readonly target: PostgresTarget
  readonly source: AuditKeySource
}

interface DirectConnection {
  readonly target: PostgresTarget
  readonly finder: PrimaryFinder
}

interface OpenConnections {
  readonly auditKey: Uint8Array
  readonly pool: ConnectionPool
  /** Null where only a pooler can be reached: through it nothing is heard, and watchers poll. */
  readonly listening: DirectConnection | null
}

export async function openConnections({ url, directUrl, target, source }: Addresses): Promise<OpenConnections> {
  const finder = finderOf(url, target)
  const direct = directUrl === null ? { target, finder } : directConnection(directUrl, target)
  const auditKey = await orUnavailable(migratePostgres(direct.target, direct.finder, source))
  const pool = new ConnectionPool(target, finder)
  await checkSchema(pool, target)
  return { auditKey, pool, listening: direct.target.preparedStatements ? direct : null }
}

function directConnection(url: string, pooled: PostgresTarget): DirectConnection {
  const target = { ...pooled, preparedStatements: true }
  return { target, finder: finderOf(url, target) }
}

const finderOf = (url: string, target: PostgresTarget): PrimaryFinder =>
  new PrimaryFinder(readAddress(url), target.patience, (host) => clientConfig(target, host))

/** Behind a pooler nothing is set for a session, so the role has to bring what the statements rely on. */
async function checkSchema(pool: ConnectionPool, { schema, preparedStatements }: PostgresTarget): Promise<void> {
  if (preparedStatements) return
  const [row] = await query(pool, { text: 'select current_schema() as found, current_user as role', values: [] })
  if (row?.['found'] === schema) return
  await pool.end()
  throw new StoreRefused(
    `without prepared statements the role must bring the schema itself: ` +
      `ALTER ROLE ${String(row?.['role'])} IN DATABASE … SET search_path = ${schema}; also jit = off, ` +
      'statement_timeout and idle_in_transaction_session_timeout. Then let the pooler connect anew (RECONNECT).',
  )
}
