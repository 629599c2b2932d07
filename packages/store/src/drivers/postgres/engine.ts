/** PostgreSQL: any number of nodes over one database; every verb a transaction, hot ones a single statement. */
import type pg from 'pg'
import { derivedKey, macOf } from '../../contract/chain.ts'
import type { AuditKeySource } from '../../contract/directory/audit-key.ts'
import { StoreUnavailable, type Store } from '../../contract/store.ts'
import { type VerbArgs, type VerbName, verbOf } from '../../verbs/index.ts'
import { number } from '../../verbs/row.ts'
import type { Issuance } from '../../verbs/tokens/tokens.ts'
import type { Verb } from '../../verbs/verb.ts'
import { ChangeWatcher } from '../change-watcher.ts'
import { storeFromEngine } from '../engine-store.ts'
import type { Engine } from '../engine.ts'
import { orUnavailable, isCollision, isUnstorable, openPool, type PostgresTarget, query } from './connection.ts'
import { hotStatement } from './hot.ts'
import { batchable, IssueBatches } from './issue-batches.ts'
import { Listener } from './listener.ts'
import { migratePostgres } from './migrate.ts'
import { Notary, sealInBackground } from './notary.ts'
import { runVerb } from './run-verb.ts'

export interface PostgresOptions {
  readonly url: string
  /** Opens the key that seals the log. */
  readonly auditKey: AuditKeySource
  /** Default `grantor`; made if it is not there. */
  readonly schema?: string
  readonly poolSize?: number
  /** Milliseconds after which a database that does not answer counts as away. */
  readonly patience?: number
  /** Whether this node seals events in the background (default). A short command leaves it to the servers. */
  readonly notary?: boolean
}

/** Milliseconds; behind LISTEN, which is usually faster. */
const pollEvery = 500
/** A position is waited for this often before it counts as an outage. */
const mostTries = 100

export const openPostgres = async (options: PostgresOptions): Promise<Store> =>
  storeFromEngine(await postgresEngine(options))

export async function postgresEngine(options: PostgresOptions): Promise<Engine> {
  const { url, auditKey: source, schema = 'grantor', poolSize = 10, patience = 3_000 } = options
  const target: PostgresTarget = { url, schema, poolSize, patience }
  const auditKey = await orUnavailable(migratePostgres(target, source))
  const pool = openPool(target)
  const channel = `grantor_${schema}`
  const notary = new Notary(pool, auditKey, channel)
  const sealing = (options.notary ?? true) ? sealInBackground(notary) : null
  const read = <T>(verb: Verb<T>): Promise<T> => drive(pool, verb)
  const watcher = new ChangeWatcher(read, pollEvery)
  const listener = new Listener(target, channel, () => watcher.checkNow())
  const batches = new IssueBatches(pool, (issuance) => alone('tokens.issue', [issuance], null) as Promise<never>)
  let closing: Promise<void> | null = null

  async function alone<N extends VerbName>(name: N, args: VerbArgs<N>, breakAt: number | null): Promise<unknown> {
    const hot = hotStatement(name, args)
    try {
      if (hot !== null) return hot.answer(await query(pool, hot))
    } catch (error) {
      // It left nothing behind: the general way begins anew, and knows how to try again.
      if (!isCollision(error)) throw error
    }
    return runVerb(pool, () => verbOf(name, args), breakAt)
  }

  return {
    async run(name, args, breakAt = null) {
      if (breakAt === 0) throw new Error('broken at step 0, as asked')
      const together = name === 'tokens.issue' ? batchable(args[0] as Issuance) : null
      const answer = together === null ? await alone(name, args, breakAt) : await batches.issue(together)
      sealing?.committed()
      return answer as never
    },
    read,
    snapshot: (verb) => snapshot(pool, verb),
    position: () => settledPosition(pool, notary),
    mac: (head, purpose) => macOf(auditKey, head, purpose),
    derive: (purpose) => derivedKey(auditKey, purpose),
    watchEvents(wake) {
      listener.begin()
      return watcher.watchEvents(wake)
    },
    watchDirectory(changed) {
      listener.begin()
      return watcher.watchDirectory(changed)
    },
    ping: async () => void (await query(pool, { text: 'select 1', values: [] })),
    close: () => (closing ??= close()),
  }

  async function close(): Promise<void> {
    if (sealing !== null) {
      await sealing.close()
      // What is left goes to the other nodes, if the database does not answer any more.
      await sealAll(notary).catch(() => {})
    }
    await Promise.all([listener.close(), watcher.close()])
    await pool.end()
  }
}

async function drive<T>(on: Pick<pg.Pool, 'query'> | pg.ClientBase, verb: Verb<T>): Promise<T> {
  let step = verb.next()
  while (step.done !== true) {
    if (step.value.do !== 'sql') throw new Error('a read only reads')
    step = verb.next(await query(on, step.value).catch(noRows))
  }
  return step.value
}

function noRows(error: unknown): [] {
  if (isUnstorable(error)) return []
  throw error
}

async function snapshot<T>(pool: pg.Pool, verb: Verb<T>): Promise<T> {
  const connection = await orUnavailable(pool.connect())
  let fault: Error | undefined
  const noticed = (error: Error): void => void (fault = error)
  connection.on('error', noticed)
  try {
    await orUnavailable(connection.query('begin isolation level repeatable read read only'))
    const answer = await drive(connection, verb)
    await orUnavailable(connection.query('commit'))
    return answer
  } catch (error) {
    fault ??= error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    connection.off('error', noticed)
    // After a failure the connection is in an open transaction: it is not given back.
    connection.release(fault)
  }
}

/** Until nothing waits, or until someone else is doing it. */
async function sealAll(notary: Notary): Promise<void> {
  for (;;) {
    const sealed = await notary.sealBatch()
    if (sealed === 'lost-race' || sealed === 0) return
  }
}

/** All that was committed when this was asked gets its place first, by us or by another node. */
async function settledPosition(pool: pg.Pool, notary: Notary): Promise<number> {
  const asked = { text: 'select p.pos, (select max(n) from events_pending) as last from log_position p', values: [] }
  const [row] = await query(pool, asked)
  if (row === undefined) throw new Error('the position is missing')
  if (row['last'] === null) return number(row, 'pos')
  const left = {
    text: 'select p.pos from log_position p where not exists (select 1 from events_pending where n <= ?1)',
    values: [number(row, 'last')],
  }
  for (let n = 0; n < mostTries; n += 1) {
    await notary.sealBatch()
    const [settled] = await query(pool, left)
    if (settled !== undefined) return number(settled, 'pos')
  }
  throw new StoreUnavailable('PostgreSQL: events wait for their place too long')
}
