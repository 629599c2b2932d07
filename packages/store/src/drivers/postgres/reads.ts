/** Reads from PostgreSQL: one statement after the other, or all of them on one snapshot. */
import type { Instant } from '@grantor/protocol/types'
import { instant } from '../../verbs/row.ts'
import type { Row, Statement, Verb } from '../../verbs/verb.ts'
import { query } from './connection.ts'
import { Lookups } from './batching/lookups.ts'
import { isOutdatedPlan, isUnstorable, orUnavailable } from './outage.ts'
import type { ConnectionPool } from './pool.ts'
import type { AskTwice } from './silence.ts'

/** Lookups that arrive together are sent together, all other reads one by one. */
export function readsOn(
  pool: ConnectionPool,
  { patience, askTwice }: { readonly patience: number; readonly askTwice: AskTwice },
): <T>(verb: Verb<T>) => Promise<T> {
  const lookups = new Lookups(pool, patience, askTwice)
  return (verb) => readFrom(verb, (it) => (it.lookup === true ? lookups.ask(it) : askTwice(() => query(pool, it))))
}

async function readFrom<T>(verb: Verb<T>, ask: (statement: Statement) => Promise<readonly Row[]>): Promise<T> {
  let step = verb.next()
  while (step.done !== true) {
    if (step.value.do !== 'sql') throw new Error('a read only reads')
    step = verb.next(await ask(step.value).catch(noRows))
  }
  return step.value
}

/** PostgreSQL cannot store a text with NUL, so no row contains it. */
const holdsNul = ({ values }: Statement): boolean => values.some((it) => typeof it === 'string' && it.includes('\0'))

function noRows(error: unknown): [] {
  if (isUnstorable(error)) return []
  throw error
}

/** Begins again if a migration changed a table. */
export async function readSnapshot<T>(pool: ConnectionPool, begin: () => Verb<T>): Promise<T> {
  for (;;) {
    try {
      return await attemptSnapshot(pool, begin())
    } catch (error) {
      if (!isOutdatedPlan(error)) throw error
    }
  }
}

async function attemptSnapshot<T>(pool: ConnectionPool, verb: Verb<T>): Promise<T> {
  const connection = await orUnavailable(pool.beginSnapshot())
  let fault: Error | undefined
  const noticed = (error: Error): void => void (fault = error)
  connection.on('error', noticed)
  try {
    // A refused statement would end the transaction for the following ones.
    const ask = async (it: Statement): Promise<readonly Row[]> => (holdsNul(it) ? [] : query(connection, it))
    const answer = await readFrom(verb, ask)
    await orUnavailable(connection.query('commit'))
    return answer
  } catch (error) {
    fault ??= error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    connection.off('error', noticed)
    // After a failure the connection has an open transaction, so it is closed and not reused.
    connection.release(fault)
  }
}

/** The time of the database's own clock. */
export async function databaseTime(pool: ConnectionPool): Promise<Instant> {
  const text = 'select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now'
  const [row] = await query(pool, { text, values: [] })
  return instant(row as Row, 'now')
}

/**
 * A commit of its own that is written to PostgreSQL's log and changes nothing. What was committed earlier lies before
 * it there, so a standby that has this commit has all of it. If no standby is awaited, whatever can be read is on the
 * disk.
 */
export async function untilDurable(pool: ConnectionPool): Promise<void> {
  const text = `select case when current_setting('synchronous_standby_names') <> ''
    then pg_logical_emit_message(true, 'grantor', '') end as written`
  await query(pool.changes, { text, values: [] })
}
