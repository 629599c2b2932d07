/** A connection to PostgreSQL: what it is opened with, and the translation of placeholders. */
import type { Socket } from 'node:net'
import pg from 'pg'
import { StoreRefused } from '../../contract/store.ts'
import type { Row, Statement, Value } from '../../verbs/verb.ts'
import type { DatabaseHost } from './address.ts'
import { isOutdatedPlan, orUnavailable } from './outage.ts'

export interface PostgresTarget {
  readonly schema: string
  readonly poolSize: number
  /** Milliseconds: a database that takes longer to answer, or a connection longer to be free, counts as away. */
  readonly patience: number
  /**
   * False behind a pooler that gives every transaction another connection: statements stay without names, and nothing is
   * set for the session.
   */
  readonly preparedStatements: boolean
}

/** bigint columns hold times and counters, all below 2^53; count(*) is one too. */
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
    // A server that vanished is noticed by whoever may wait for hours: who listens, migrates, or looks through a part.
    keepAliveInitialDelayMillis: 10_000,
    types,
    ...(preparedStatements ? sessionSettings(schema, patience) : {}),
  }
}

/** Milliseconds. The server's own limit speaks first; this one is for a server that does not speak at all. */
export const silenceFor = (patience: number): number => patience + 1_000

/**
 * No statement here is worth compiling; wrong estimates once made the notary's read cost 400 ms of it. Each goes by an
 * index, if there is one: a plan for a table with hardly a row is kept, and still used when there are many.
 */
const planning = ['jit', 'enable_seqscan', 'enable_hashjoin', 'enable_mergejoin']

/**
 * Whatever the role or the database brings. The guards of verbs read what was committed last; for a lock as for all else
 * the statement's own limit speaks; and that a wait for the standby was cancelled is told by a warning only.
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
  // A node that was stopped in the middle of a verb loses the verb, and the others their wait.
  idle_in_transaction_session_timeout: patience,
})

/** Closes it, and does not wait for a goodbye: one that is silent says none. */
export function abandon(client: pg.Client): void {
  client.end().catch(() => {})
  streamOf(client).destroy()
}

export function streamOf(client: pg.ClientBase): Socket {
  const { connection } = client as unknown as { readonly connection: { readonly stream: Socket } }
  return connection.stream
}

/** Sends every statement without a name, so that no connection has to remember one. */
export class UnnamedClient extends pg.Client {
  // Its overloads are many; what is passed on is what came.
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
 * A migration of another node may have widened a table since a connection prepared the text, and PostgreSQL then refuses
 * it there for ever. Under another name it is prepared anew: by the next query, or at once where nothing is lost by it.
 */
export async function query(on: Queryable, { text, values, counted }: Query): Promise<readonly Row[]> {
  for (;;) {
    const { name, text: translated } = preparedText(text)
    try {
      // pg takes a Buffer for bytea; another Uint8Array it would spell out as text.
      const answer = await orUnavailable(on.query<Row>({ name, text: translated, values: values.map(parameter) }))
      return counted === true ? [{ changes: answer.rowCount }] : answer.rows
    } catch (error) {
      if (!isOutdatedPlan(error)) throw error
      if (preparedText(text).name === name) renamedText(text)
      // In a transaction everything is refused from here on; whoever began it begins it again.
      if (on instanceof pg.Client) throw error
    }
  }
}

const parameter = (value: Value | readonly Value[]): unknown =>
  value instanceof Uint8Array && !Buffer.isBuffer(value)
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : value
