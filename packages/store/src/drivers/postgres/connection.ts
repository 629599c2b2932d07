/** Connections to PostgreSQL: the pool, its time limits, the translation of placeholders, and what its errors mean. */
import pg from 'pg'
import { StoreRefused, StoreUnavailable } from '../../contract/store.ts'
import type { Row, Statement, Value } from '../../verbs/verb.ts'

export interface PostgresTarget {
  readonly url: string
  readonly schema: string
  readonly poolSize: number
  /** Milliseconds: a database that takes longer to answer, or a connection longer to be free, counts as away. */
  readonly patience: number
}

/** bigint columns hold times and counters, all below 2^53; count(*) is one too. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)),
}

export const clientConfig = ({ url, schema, patience }: Omit<PostgresTarget, 'poolSize'>): pg.ClientConfig => {
  if (!/^[a-z_][a-z0-9_]{0,40}$/.test(schema)) {
    throw new StoreRefused(`"${schema}" cannot name a schema: use lower-case letters, digits and _, at most 41.`)
  }
  return {
    connectionString: url,
    application_name: 'grantor',
    // No statement here is worth compiling; wrong estimates once made the notary's read cost 400 ms of it.
    options: `-c search_path=${schema} -c jit=off`,
    connectionTimeoutMillis: patience,
    statement_timeout: patience,
    // The server's own limit speaks first; this one is for a server that does not speak at all.
    query_timeout: patience + 1_000,
    // A node that was stopped in the middle of a verb loses the verb, and the others their wait.
    idle_in_transaction_session_timeout: patience,
    keepAlive: true,
    types,
  }
}

export function openPool(target: PostgresTarget): pg.Pool {
  const pool = new pg.Pool({ ...clientConfig(target), max: target.poolSize, idleTimeoutMillis: 30_000 })
  // An idle connection that dies is simply replaced by the next one.
  pool.on('error', () => {})
  return pool
}

interface PreparedText {
  readonly name: string
  readonly text: string
}
const preparedTexts = new Map<string, PreparedText>()

/** ?1 becomes $1; each text gets a name, under which each connection prepares it once. */
function preparedText(text: string): PreparedText {
  let it = preparedTexts.get(text)
  if (it === undefined) {
    it = { name: `g${preparedTexts.size}`, text: text.replace(/\?(\d+)/g, '$$$1') }
    preparedTexts.set(text, it)
  }
  return it
}

type Queryable = Pick<pg.Pool, 'query'> | Pick<pg.ClientBase, 'query'>

export async function query(
  on: Queryable,
  { text, values }: Pick<Statement, 'text' | 'values'>,
): Promise<readonly Row[]> {
  const { name, text: translated } = preparedText(text)
  // pg takes a Buffer for bytea; another Uint8Array it would spell out as text.
  const { rows } = await orUnavailable(on.query<Row>({ name, text: translated, values: values.map(parameter) }))
  return rows
}

/** Everything that is asked of pg goes through here, so that only its errors are taken for the database's. */
export async function orUnavailable<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    const ours = error instanceof StoreRefused || error instanceof StoreUnavailable
    throw !ours && isOutage(error) ? unavailable(error) : error
  }
}

const parameter = (value: Value): string | number | null | Buffer =>
  value instanceof Uint8Array && !Buffer.isBuffer(value)
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : value

const codeOf = (error: unknown): string => {
  const code = (error as { readonly code?: unknown } | null)?.code
  return typeof code === 'string' ? code : ''
}

const isSqlState = (code: string): boolean => /^[0-9A-Z]{5}$/.test(code)

/**
 * Classes of SQLSTATE that speak of the server and not of the statement: connection (08), resources (53), operator
 * (57, our time limits included), system (58), read-only (25006), too long idle (25P03), no such database (3D), no
 * access (28). Without a SQLSTATE it is the network or the driver that spoke.
 */
function isOutage(error: unknown): boolean {
  const code = codeOf(error)
  if (!isSqlState(code)) return true
  return /^(08|53|57|58|3D|28)/.test(code) || code === '25006' || code === '25P03'
}

/** Two verbs got in each other's way: serialization failure, deadlock, and a unique key that a guard saw too early. */
export const isCollision = (error: unknown): boolean => ['40001', '40P01', '23505'].includes(codeOf(error))

/** A text that PostgreSQL cannot hold (NUL) is in no row of it. */
export const isUnstorable = (error: unknown): boolean => codeOf(error) === '22021'

const unavailable = (cause: unknown): StoreUnavailable =>
  new StoreUnavailable(`PostgreSQL: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
