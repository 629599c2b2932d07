/** Runs a verb on PostgreSQL between BEGIN and COMMIT; the guards in its WHERE clauses lock the rows. */
import type { Instant } from '@grantor/protocol/types'
import type pg from 'pg'
import { StoreUnavailable } from '../../contract/store.ts'
import { type Entry, repeatedCutoff } from '../../verbs/entry.ts'
import { isPatient, type VerbArgs, type VerbName, verbOf } from '../../verbs/index.ts'
import { log, type LogStep, type Statement, type Value, type Verb } from '../../verbs/verb.ts'
import { query } from './connection.ts'
import { hotStatement, leftToVerb } from './hot.ts'
import { isCollision, isContention, orUnavailable, unavailable } from './outage.ts'
import type { ConnectionPool } from './pool.ts'

/** Colliding verbs are run again from the beginning, up to this often. */
const attempts = 5

/** Runs the call as one hot statement if there is one, otherwise step by step. */
export async function runCall<N extends VerbName>(
  pool: ConnectionPool,
  name: N,
  args: VerbArgs<N>,
  manner: Pick<Manner, 'breakAt' | 'calledAt' | 'logged'>,
): Promise<unknown> {
  const hot = hotStatement(name, args)
  if (hot !== null) {
    try {
      const answer = hot.answer(await query(pool.changes, hot))
      if (answer !== leftToVerb) {
        if (hot.logs) manner.logged?.()
        return answer
      }
    } catch (error) {
      // The statement changed nothing: the verb begins anew, and handles collisions.
      if (!isCollision(error)) throw error
    }
  }
  return runVerb(pool, () => verbOf(name, args), { ...manner, patient: isPatient(name, args) })
}

interface Manner {
  readonly breakAt?: number | null
  /** By `performance.now()`; the delay of the verb is counted from it. */
  readonly calledAt?: number
  /** No time limit for its statements. */
  readonly patient?: boolean
  /** Called after a commit that wrote to the log. */
  readonly logged?: () => void
}

export async function runVerb(pool: ConnectionPool, begin: () => Verb<unknown>, manner: Manner = {}): Promise<unknown> {
  const { answer, missed } = await attempted(pool, begin, manner)
  // Before the caller is told that access was withdrawn; the change itself is visible already, however long this takes.
  if (missed.length > 0) {
    await attempted(pool, () => log(missed), {})
    manner.logged?.()
  }
  return answer
}

async function attempted(pool: ConnectionPool, begin: () => Verb<unknown>, manner: Manner): Promise<Outcome> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptVerb(pool, begin(), manner)
    } catch (error) {
      if (!isCollision(error)) throw error
      // Contention on busy rows is not a bug of this verb.
      if (attempt === attempts) throw isContention(error) ? unavailable(error) : error
    }
  }
}

interface Outcome {
  readonly answer: unknown
  /** Cutoffs to be repeated, because tokens may have been issued while the commit lasted into a later second. */
  readonly missed: readonly Entry[]
}

async function attemptVerb(
  pool: ConnectionPool,
  verb: Verb<unknown>,
  { breakAt = null, calledAt = performance.now(), patient = false, logged }: Manner,
): Promise<Outcome> {
  const connection = await orUnavailable(patient ? pool.beginPatiently() : pool.begin('begin'))
  let fault: Error | undefined
  // The error of a connection that breaks while checked out is emitted as an event as well.
  const noticed = (error: Error): void => void (fault = error)
  connection.on('error', noticed)
  try {
    const { answer, undone, logs } = await drive(connection, verb, { breakAt, calledAt })
    const { command } = await orUnavailable(connection.query(undone ? 'rollback' : 'commit'))
    // COMMIT of a failed transaction is answered with ROLLBACK, without an error.
    if (!undone && command !== 'COMMIT') throw new StoreUnavailable(`PostgreSQL: COMMIT was answered with ${command}`)
    if (!undone && logs.length > 0) logged?.()
    return { answer, missed: undone ? [] : missedBy(logs, performance.now() - calledAt) }
  } catch (error) {
    // A broken connection is not asked again: its transaction has ended with it.
    if (error instanceof StoreUnavailable) fault ??= error
    else await connection.query('rollback').catch((lost: Error) => (fault = lost))
    throw error
  } finally {
    connection.off('error', noticed)
    connection.release(fault)
  }
}

async function drive(
  connection: pg.ClientBase,
  verb: Verb<unknown>,
  { breakAt, calledAt }: { readonly breakAt: number | null; readonly calledAt: number },
): Promise<{ readonly answer: unknown; readonly undone: boolean; readonly logs: readonly LogStep[] }> {
  let undone = false
  const logs: LogStep[] = []
  let step = verb.next()
  for (let n = 0; step.done !== true; n += 1) {
    if (n === breakAt) throw new Error(`broken at step ${n}, as asked`)
    switch (step.value.do) {
      case 'sql':
        step = verb.next(await query(connection, step.value))
        break
      case 'check-basis':
        // Other nodes change the directory too, so nothing is cached.
        step = verb.next(await query(connection, step.value.statement))
        break
      case 'log':
        logs.push(step.value)
        for (const statement of inserts(step.value.entries)) await query(connection, statement)
        step = verb.next([])
        break
      case 'delay':
        step = verb.next([{ milliseconds: performance.now() - calledAt }])
        break
      case 'undo':
        undone = true
        step = verb.next([])
    }
  }
  return { answer: step.value, undone, logs }
}

/** `delay`: milliseconds from the call to the end of its commit. */
const missedBy = (logs: readonly LogStep[], delay: number): readonly Entry[] =>
  logs.flatMap(({ entries, asked }) =>
    entries.flatMap((entry, n) => repeatedCutoff(entry, ((asked[n] ?? entry).at + Math.floor(delay)) as Instant) ?? []),
  )

const rowsAtOnce = 100

/** Full batches share one text; the last batch has a text for its length. */
function* inserts(entries: readonly Entry[]): Generator<Pick<Statement, 'text' | 'values'>> {
  for (let start = 0; start < entries.length; start += rowsAtOnce) {
    const batch = entries.slice(start, start + rowsAtOnce)
    const placeholders = batch.map((_, i) => `(${[1, 2, 3, 4, 5].map((n) => `?${i * 5 + n}`).join(', ')})`)
    const values = batch.flatMap((e): Value[] => [e.tenant, e.at, e.feed, e.subject, e.body])
    yield {
      text: `insert into events_pending (tenant, at, feed, subject, body) values ${placeholders.join(', ')}`,
      values,
    }
  }
}
