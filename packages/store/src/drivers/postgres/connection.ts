/** A connection to PostgreSQL: its settings, and the translation of placeholders. */
import type { Socket } from 'node:net'
import pg from 'pg'
import { StoreRefused } from '../../contract/store.ts'
import type { Row, Statement, Value } from '../../verbs/verb.ts'
import type { DatabaseHost } from './address.ts'
import { isOutdatedPlan, orUnavailable } from './outage.ts'

export interface PostgresTarget {
  readonly schema: string
  readonly poolSize: number
  /** Milliseconds after which a database that does not answer, or a pool without a free connection, counts as away. */
  readonly patience: number
  /**
   * False behind a pooler in transaction mode: statements are sent without names, and nothing is set for the session.
   */
  readonly preparedStatements: boolean
}

/** bigint columns, and count(*), hold times and counters below 2^53, so they are read as numbers. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)),
}

export function clientConfig(target: Omit<PostgresTarget, 'poolSize'>, { url }: DatabaseHost): pg.ClientConfig {
  const { schema, patience, preparedStatements } = target
  if (!/^[a-z_][a-z0-9_]{0,40}$/.test(schema)) {
    throw new StoreRefused(`"${schema}" cannot name a schema: use lower-case letters, digits and _, at most 41.`)
  }
  return {
    connectionString: url,
    application_name: 'grantor',
    connectionTimeoutMillis: patience,
    query_timeout: silenceFor(patience),
    keepAlive: true,
    // Detects a vanished server for connections that may wait for hours: listening, migrating, scanning a part of the
    // log.
    keepAliveInitialDelayMillis: 10_000,
    types,
    ...(preparedStatements ? sessionSettings(schema, patience) : {}),
  }
}

/** Milliseconds. The server's own timeout comes first; this one is for a server that does not answer at all. */
export const silenceFor = (patience: number): number => patience + 1_000

/**
 * Statements here are too short to be worth JIT compilation; wrong estimates once made the notary's read spend 400 ms
 * on it. Scans and joins without an index are off: a plan made for a nearly empty table is cached, and still used when
 * the table is large.
 */
const planning = ['jit', 'enable_seqscan', 'enable_hashjoin', 'enable_mergejoin']

/**
 * Settings that override those of the role or the database. Guards of verbs must read the latest commit; waiting for a
 * lock is limited by the statement timeout; and only a warning tells that a wait for the standby was cancelled.
 */
const ours = {
  default_transaction_isolation: String.raw`read\ committed`,
  lock_timeout: '0',
  client_min_messages: 'warning',
}

const sessionSettings = (schema: string, patience: number): pg.ClientConfig => ({
  options: [
    ...Object.entries({ search_path: schema, ...ours }).map(([name, value]) => `-c ${name}=${value}`),
    ...planning.map((name) => `-c ${name}=off`),
  ].join(' '),
  statement_timeout: patience,
  // A node that stalls in the middle of a verb loses the verb, so that other nodes need not wait for its locks.
  idle_in_transaction_session_timeout: patience,
})

/** Closes the connection without waiting for the server, which may be silent. */
export function abandon(client: pg.Client): void {
  client.end().catch(() => {})
  streamOf(client).destroy()
}

export function streamOf(client: pg.ClientBase): Socket {
  const { connection } = client as unknown as { readonly connection: { readonly stream: Socket } }
  return connection.stream
}

/** Sends every statement without a name, so that no connection needs prepared statements. */
export class UnnamedClient extends pg.Client {
  // The method has many overloads; all arguments are passed on.
  override query(...args: readonly never[]): never {
    const [config, ...rest] = args as readonly unknown[]
    const unnamed = typeof config === 'object' && config !== null ? { ...config, name: undefined } : config
    return Reflect.apply(super.query, this, [unnamed, ...rest]) as never
  }
}

interface PreparedText {
  readonly name: string
  readonly text: string
}
const preparedTexts = new Map<string, PreparedText>()
let namesGiven = 0

/** ?1 becomes $1; each text gets a name, under which each connection prepares it once. */
function preparedText(text: string): PreparedText {
  return preparedTexts.get(text) ?? renamedText(text)
}

function renamedText(text: string): PreparedText {
  const it = { name: `g${namesGiven++}`, text: text.replace(/\?(\d+)/g, '$$$1') }
  preparedTexts.set(text, it)
  return it
}

/** A pool, or one connection of it. */
export interface Queryable {
  query<R extends pg.QueryResultRow>(config: pg.QueryConfig<unknown[]>): Promise<pg.QueryResult<R>>
}

type Query = Pick<Statement, 'text' | 'counted'> & { readonly values: readonly (Value | readonly Value[])[] }

/**
 * A migration of another node may have changed a table since a connection prepared the text, and PostgreSQL then
 * refuses that name for ever. Under a new name it is prepared again: by the next query, or at once where no transaction
 * is lost.
 */
export async function query(on: Queryable, { text, values, counted }: Query): Promise<readonly Row[]> {
  for (;;) {
    const { name, text: translated } = preparedText(text)
    try {
      // pg accepts a Buffer for bytea; another Uint8Array it would send as text.
      const answer = await orUnavailable(on.query<Row>({ name, text: translated, values: values.map(parameter) }))
      return counted === true ? [{ changes: answer.rowCount }] : answer.rows
    } catch (error) {
      if (!isOutdatedPlan(error)) throw error
      if (preparedText(text).name === name) renamedText(text)
      // Inside a transaction everything is refused from here on; the caller that began it must begin again.
      if (on instanceof pg.Client) throw error
    }
  }
}

const parameter = (value: Value | readonly Value[]): unknown =>
  value instanceof Uint8Array && !Buffer.isBuffer(value)
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : value
