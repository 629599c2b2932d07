/** Opens the connections of a node: finds the server, migrates the schema, and determines where to listen. */
import type { SchemaRecord } from '../../schema/schema-state.ts'
import { StoreRefused } from '../../contract/store.ts'
import { readAddress } from './address.ts'
import { clientConfig, type PostgresTarget, query } from './connection.ts'
import { migratePostgres, readSchema } from './migrate.ts'
import { type PostgresOptions, type PostgresPlace, targetOf } from './options.ts'
import { orUnavailable } from './outage.ts'
import { ConnectionPool } from './pool.ts'
import { PrimaryFinder } from './primary.ts'

interface DirectConnection {
  readonly target: PostgresTarget
  readonly finder: PrimaryFinder
}

interface OpenConnections {
  readonly auditKey: Uint8Array
  readonly pool: ConnectionPool
  /** Null where only a pooler can be reached: it delivers no announcements, so watchers poll. */
  readonly listening: DirectConnection | null
}

export async function openConnections(options: PostgresOptions): Promise<OpenConnections> {
  const target = targetOf(options)
  const finder = finderOf(options.url, target, options)
  const direct = directConnection(options) ?? { target, finder }
  const upgrade = { ...options.upgrade, auditKey: options.auditKey }
  const auditKey = await orUnavailable(migratePostgres(direct.target, direct.finder, upgrade))
  const pool = new ConnectionPool(target, finder)
  await checkRole(pool, target)
  return { auditKey, pool, listening: direct.target.preparedStatements ? direct : null }
}

/** Reads the migration record without changing anything; null where there is no database of ours. */
export async function readPostgresSchema(place: PostgresPlace): Promise<SchemaRecord | null> {
  const target = targetOf(place)
  const { target: at, finder } = directConnection(place) ?? { target, finder: finderOf(place.url, target, place) }
  return orUnavailable(readSchema(at, finder))
}

function directConnection({ directUrl = null, ...place }: PostgresPlace): DirectConnection | null {
  if (directUrl === null) return null
  const target = { ...targetOf(place), preparedStatements: true }
  return { target, finder: finderOf(directUrl, target, place) }
}

const finderOf = (url: string, target: PostgresTarget, { timelines }: PostgresPlace): PrimaryFinder =>
  new PrimaryFinder(readAddress(url), target.patience, (host) => clientConfig(target, host), timelines)

/** Behind a pooler nothing can be set for a session, so the role must have the settings that the statements rely on. */
async function checkRole(pool: ConnectionPool, { schema, preparedStatements }: PostgresTarget): Promise<void> {
  if (preparedStatements) return
  const text = `select current_schema() as found, current_user as role,
    (current_setting('client_min_messages') in ('error', 'fatal', 'panic'))::int as deaf`
  const [row] = await query(pool, { text, values: [] })
  const isFound = row?.['found'] === schema
  if (isFound && row['deaf'] === 0) return
  await pool.end()
  const alter = `ALTER ROLE ${String(row?.['role'])} IN DATABASE … SET`
  const again = 'Then let the pooler connect anew (RECONNECT).'
  throw new StoreRefused(
    isFound
      ? 'a wait for a standby that was cancelled is told by a warning, and the role hears of errors only: ' +
          `${alter} client_min_messages = warning. ${again}`
      : `without prepared statements the role must bring the schema itself: ${alter} search_path = ${schema}; ` +
          `also jit = off, statement_timeout and idle_in_transaction_session_timeout. ${again}`,
  )
}
