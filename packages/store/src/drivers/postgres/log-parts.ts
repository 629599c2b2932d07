/**
 * The parts of the log (docs/decisions/0034): ranges of positions, each a table that is created ahead and dropped as a
 * whole. Events outside every part are stored in `events_rest`, so that every event has a place even if no node creates
 * parts. The names of the tables encode the ranges; nothing else is stored about them.
 */
import type pg from 'pg'
import type { Instant, TenantId } from '@grantor/protocol/types'
import type { LogHead, LogPart } from '../../contract/events.ts'
import { StoreUnavailable } from '../../contract/store.ts'
import { bytes, number, text } from '../../verbs/row.ts'
import type { Row } from '../../verbs/verb.ts'
import { isLockTimeout, isMissing, isViolation, orUnavailable } from './outage.ts'
import { allowSilence, type ConnectionPool } from './pool.ts'
import { patientSilence } from './silence.ts'

/** Positions, some gigabytes of events. A log with fewer events has no parts. */
const leastSize = 2 ** 22
const largestSize = 2 ** 30
/** Milliseconds for which a part should last, at the speed of the previous one, so that there are a dozen or two. */
const lasting = 30 * 24 * 60 * 60 * 1000

/**
 * Other sessions that want the log wait behind this lock request: it gives up before they are refused, and tries again.
 */
const lockTimeout = '1s'

interface Range {
  readonly first: number
  /** The first position after the range. */
  readonly past: number
}

const nameOf = ({ first, past }: Range): string => `events_${first}_${past}`
/** The name of a constraint on `events_rest`, which guarantees that it holds no event of a part to come. */
const promiseOf = ({ first, past }: Range): string => `events_without_${first}_${past}`

function rangeIn(name: string): Range | null {
  const [, first, past] = /^events_(?:without_)?(\d+)_(\d+)$/.exec(name) ?? []
  return first === undefined || past === undefined ? null : { first: Number(first), past: Number(past) }
}

interface PartsState {
  readonly position: number
  /** In the order of their positions. */
  readonly parts: readonly Range[]
  /** A part whose creation was begun and not finished. */
  readonly coming: Range | null
}

export class LogParts {
  readonly #pool: ConnectionPool
  readonly #least: number

  constructor(pool: ConnectionPool, least = leastSize) {
    this.#pool = pool
    this.#least = least
  }

  /** If the newest part is in use, creates the next one. Continues a creation that was interrupted. */
  async keepAhead(now: Instant): Promise<void> {
    const begun = await this.#transaction(async (client) => {
      await takeTurn(client)
      const state = await stateOf(client)
      if (state.coming !== null) return state.coming
      const next = await this.#nextOf(client, state, now)
      if (next === null) return null
      // Enforced for new rows at once, and validated below: without the constraint, attaching would scan the table
      // under a lock.
      await client.query(`alter table events_rest add constraint ${promiseOf(next)}
        check (pos < ${next.first} or pos >= ${next.past}) not valid`)
      return next
    })
    if (begun !== null) await this.#finish(begun)
  }

  async #nextOf(client: pg.PoolClient, { position, parts }: PartsState, now: Instant): Promise<Range | null> {
    const last = parts.at(-1)
    if (position < (last?.first ?? this.#least)) return null
    // Far enough ahead that no event reaches it before the part exists.
    const isNear = last === undefined || position + this.#least / 4 >= last.past
    const first = isNear ? (Math.floor(position / this.#least) + 2) * this.#least : last.past
    return { first, past: first + (await this.#sizeFor(client, { from: last?.first ?? 0, position, now })) }
  }

  async #sizeFor(
    client: pg.PoolClient,
    { from, position, now }: { readonly from: number; readonly position: number; readonly now: Instant },
  ): Promise<number> {
    const { rows } = await client.query<Row>('select pos, at from events where pos >= $1 order by pos limit 1', [from])
    const [oldest] = rows
    const took = oldest === undefined ? 0 : now - number(oldest, 'at')
    if (oldest === undefined || took <= 0) return this.#least
    const needed = ((position - number(oldest, 'pos')) / took) * lasting
    return Math.min(largestSize, Math.max(1, Math.ceil(needed / this.#least)) * this.#least)
  }

  async #finish(range: Range): Promise<void> {
    const [part, promise] = [nameOf(range), promiseOf(range)]
    const isKept = await this.#transaction(async (client) => {
      if (!(await isComing(client, range))) return false
      await patientQuery(client, `alter table events_rest validate constraint ${promise}`)
      return true
    }).catch((error: unknown) => {
      if (isMissing(error)) return false
      if (!isViolation(error)) throw error
      return 'broken' as const
    })
    if (isKept === false || isKept === null) return
    await this.#transaction(async (client) => {
      await takeTurn(client)
      if (!(await isComing(client, range))) return
      if (isKept === true) {
        await client.query(`create table ${part} (like events_rest including defaults including indexes)`)
        await client.query(
          `alter table events attach partition ${part} for values from (${range.first}) to (${range.past})`,
        )
      }
      await client.query(`alter table events_rest drop constraint ${promise}`)
    })
  }

  /**
   * The oldest part; null while it is in use, or its last event is not older than `before`, or another node drops it.
   */
  async oldest(before: Instant): Promise<LogPart | null> {
    return this.#transaction(async (client) => {
      const { position, parts } = await stateOf(client)
      const [range] = parts
      if (range === undefined || position < range.past) return null
      const { rows: last } = await client.query<Row>(`select at from ${nameOf(range)} order by pos desc limit 1`)
      if (last[0] !== undefined && number(last[0], 'at') >= before) return null
      const heads = `select distinct on (tenant) tenant, seq, hash from ${nameOf(range)} order by tenant, seq desc`
      return { ...range, heads: (await patientQuery(client, heads)).map(headOf) }
    }).catch((error: unknown) => {
      // Another node dropped it after its name was read.
      if (isMissing(error)) return null
      throw error
    })
  }

  /** False where the log is too busy at the moment. */
  async drop(range: Range): Promise<boolean> {
    const dropped = await this.#transaction(async (client) => {
      await client.query(`drop table if exists ${nameOf(range)}`)
      return true
    })
    return dropped ?? false
  }

  /** Null where a lock could not be obtained. */
  async #transaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T | null> {
    const client = await orUnavailable(this.#pool.begin(`begin; set local lock_timeout = '${lockTimeout}'`))
    let fault: Error | undefined
    const noticed = (error: Error): void => void (fault = error)
    client.on('error', noticed)
    try {
      const answer = await orUnavailable(work(client))
      await orUnavailable(client.query('commit'))
      return answer
    } catch (error) {
      // An unavailable connection is not asked again.
      if (error instanceof StoreUnavailable) fault ??= error
      else await client.query('rollback').catch((broken: Error) => (fault = broken))
      if (isLockTimeout(error)) return null
      throw error
    } finally {
      client.off('error', noticed)
      client.release(fault)
    }
  }
}

const headOf = (row: Row): LogHead => ({
  tenant: text(row, 'tenant') as TenantId,
  seq: number(row, 'seq'),
  hash: bytes(row, 'hash'),
})

async function patientQuery(client: pg.PoolClient, statement: string): Promise<readonly Row[]> {
  await client.query('set local statement_timeout = 0')
  allowSilence(client, patientSilence)
  return (await client.query<Row>(statement)).rows
}

/** One node at a time decides on new parts; waits for its turn as for any lock. */
const takeTurn = (client: pg.PoolClient): Promise<unknown> =>
  client.query(`select pg_advisory_xact_lock(hashtextextended('grantor parts ' || current_schema(), 0))`)

async function stateOf(client: pg.PoolClient): Promise<PartsState> {
  const { rows } = await client.query<Row>(`select pos from log_position where one = 1`)
  const { rows: tables } = await client.query<Row>(`select c.relname::text as name from pg_inherits i
    join pg_class c on c.oid = i.inhrelid where i.inhparent = 'events'::regclass`)
  const { rows: promises } = await client.query<Row>(
    `select conname::text as name from pg_constraint where conrelid = 'events_rest'::regclass and contype = 'c'`,
  )
  const rangesOf = (named: readonly Row[]): readonly Range[] =>
    named
      .map((row) => rangeIn(text(row, 'name')))
      .filter((range) => range !== null)
      .toSorted((one, other) => one.first - other.first)
  return {
    position: rows[0] === undefined ? 0 : number(rows[0], 'pos'),
    parts: rangesOf(tables),
    coming: rangesOf(promises)[0] ?? null,
  }
}

async function isComing(client: pg.PoolClient, { first, past }: Range): Promise<boolean> {
  const { coming } = await stateOf(client)
  return coming?.first === first && coming.past === past
}
