/**
 * The notary: assigns positions to committed events. It reads pending events, computes the chain here, and writes all
 * of it in one statement that takes effect only if no other node sealed since the read (`log_position` is compared and
 * set). No lock is held between statements, so a node that stalls or dies at any moment blocks nobody; and since only
 * committed rows are seen, an event that commits late is simply part of a later batch.
 */
import { setTimeout } from 'node:timers/promises'
import type { TenantId } from '@grantor/protocol/types'
import { chainHash, genesis, macOf } from '../../contract/chain.ts'
import type { LogHead } from '../../contract/events.ts'
import { StoreUnavailable } from '../../contract/store.ts'
import { MinuteCounts } from '../../verbs/statistics.ts'
import { bytes, number, text } from '../../verbs/row.ts'
import type { Row } from '../../verbs/verb.ts'
import { type BackgroundLoop, openBackgroundLoop } from '../background-loop.ts'
import { query } from './connection.ts'
import { orUnavailable } from './outage.ts'
import type { ConnectionPool } from './pool.ts'
import type { AskTwice } from './silence.ts'

const largestBatch = 2_000
/** How often to wait for a position before it counts as an outage. */
const mostTries = 100

/**
 * The table of pending events grows and shrinks quickly, so the planner's statistics of it are always wrong: for a
 * table that it believes empty it would choose a nested loop. A full join is never executed so; both sides hold the
 * same keys, so it adds no rows.
 *
 * Every row carries the head of its tenant as of the beginning of this statement, and the position. MATERIALIZED,
 * because the heads would otherwise be looked up again for every row.
 */
const waitingEvents = `with batch as (select n, tenant, at, body, feed from events_pending order by n limit ?1),
  heads as materialized (select t.tenant, s.seq, s.hash from (select distinct tenant from batch) t
    left join lateral (select seq, hash from (
        select seq, hash from events where events.tenant = t.tenant order by seq desc limit 1) last
      union all
      select seq, hash from checkpoints where checkpoints.tenant = t.tenant order by seq desc limit 1) s on true)
  select b.n, tenant, b.at, b.body, b.feed, h.seq, h.hash, (select pos from log_position where one = 1) as pos
  from batch b full join heads h using (tenant) order by b.n`

/** The announcement includes the position, so that receivers need not read it. */
const sealedPrefix = 'events '

/** Null for other announcements. */
export const sealedPosition = (announced: string): number | null =>
  /^events \d+$/.test(announced) ? Number(announced.slice(sealedPrefix.length)) : null

/**
 * The node that has the turn finds all the rows it read, since no other node removed them. The last number bounds the
 * scan.
 */
const sealStatement = (channel: string): string => `with
  turn as (update log_position set pos = $1 where one = 1 and pos = $2 returning pos),
  taken as (delete from events_pending
    where n <= $13 and n = any($3::bigint[]) and exists (select 1 from turn)
    returning n, tenant, at, feed, subject, body),
  moved as (select u.pos, t.tenant, u.seq, t.at, t.feed, t.subject, t.body, u.hash, u.mac
    from taken t full join unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::bytea[], $7::bytea[])
      as u (n, pos, seq, hash, mac) using (n)
    where exists (select 1 from turn)),
  logged as (insert into events (pos, tenant, seq, at, feed, subject, body, hash, mac) select * from moved),
  begun as (insert into logs (tenant) select tenant from moved where seq = 1 on conflict do nothing),
  counted as (insert into statistics_minutes (tenant, minute, series, reason, count)
    select c.* from unnest($8::text[], $9::bigint[], $10::text[], $11::text[], $12::bigint[])
      as c (tenant, minute, series, reason, count)
    where exists (select 1 from turn)
    on conflict (tenant, minute, series, reason) do update set count = statistics_minutes.count + excluded.count)
  select pg_notify('${channel}', '${sealedPrefix}' || pos) from turn`

export class Notary {
  readonly #pool: ConnectionPool
  readonly #auditKey: Uint8Array
  readonly #sealStatement: string
  #batch = largestBatch

  constructor(pool: ConnectionPool, auditKey: Uint8Array, channel: string) {
    this.#pool = pool
    this.#auditKey = auditKey
    this.#sealStatement = sealStatement(channel)
  }

  /**
   * Whether all pending events were sealed, or only one batch of them. 'lost-race': another node sealed first; the rest
   * is for the next call. A batch that timed out once would time out again, and the log would stop: so the next batch
   * is smaller, and grows again after a success.
   */
  async sealBatch(): Promise<'all' | 'some' | 'lost-race'> {
    const asked = this.#batch
    try {
      const sealed = await this.#seal(asked)
      if (sealed === 'some') this.#batch = Math.min(largestBatch, 2 * asked)
      return sealed
    } catch (error) {
      this.#batch = Math.max(1, Math.floor(asked / 4))
      throw error
    }
  }

  async #seal(most: number): Promise<'all' | 'some' | 'lost-race'> {
    const rows = await query(this.#pool, { text: waitingEvents, values: [most] })
    const [first] = rows
    if (first === undefined) return 'all'
    const start = number(first, 'pos')
    const { links, heads } = chain(rows, start)
    const values = [
      start + rows.length,
      start,
      rows.map((row) => number(row, 'n')),
      rows.map((_, index) => start + index + 1),
      links.map((link) => link.seq),
      links.map((link) => link.hash),
      links.map((link) => (heads.get(link.tenant) === link ? macOf(this.#auditKey, link, 'seal') : null)),
      ...countColumns(rows),
      number(rows.at(-1) ?? first, 'n'),
    ]
    const { rows: turn } = await orUnavailable(
      this.#pool.changes.query({ name: 'notary', text: this.#sealStatement, values }),
    )
    if (turn.length === 0) return 'lost-race'
    return rows.length === most ? 'some' : 'all'
  }

  /** Until nothing is pending, or another node is sealing. */
  async sealAll(): Promise<void> {
    while ((await this.sealBatch()) === 'some');
  }

  /** Waits until everything committed before the call is sealed, by this node or another. */
  async settledPosition(): Promise<number> {
    const asked = { text: 'select p.pos, (select max(n) from events_pending) as last from log_position p', values: [] }
    const [row] = await query(this.#pool, asked)
    if (row === undefined) throw new Error('the position is missing')
    if (row['last'] === null) return number(row, 'pos')
    const pending = {
      text: 'select p.pos from log_position p where not exists (select 1 from events_pending where n <= ?1)',
      values: [number(row, 'last')],
    }
    for (let n = 0; n < mostTries; n += 1) {
      await this.sealBatch()
      const [settled] = await query(this.#pool, pending)
      if (settled !== undefined) return number(settled, 'pos')
    }
    throw new StoreUnavailable('PostgreSQL: events wait for their place too long')
  }
}

/** Milliseconds. For commits of others: nodes that died, commands that run beside the servers. */
const sealEvery = 200
/**
 * Milliseconds after a commit of this node, so that a burst becomes one batch and not two: a batch costs as much as
 * dozens of tokens.
 */
const gatherFor = 5
/**
 * Milliseconds for which a node that lost the race leaves the work to the winner; then it continues, in case the winner
 * stopped.
 */
const stepBack = 40
const afterFault = 500

/**
 * Seals in the background, until it is closed; woken when events are pending. Sealing twice takes effect once, so a
 * silent connection delays nothing.
 */
export function sealInBackground(notary: Notary, askTwice: AskTwice): BackgroundLoop {
  let notBefore = 0
  const loop = openBackgroundLoop(
    async () => {
      await setTimeout(gatherFor, undefined, { ref: false })
      if (performance.now() < notBefore) return
      let sealed
      do sealed = await askTwice(() => notary.sealBatch())
      while (sealed === 'some')
      if (sealed === 'lost-race') rest(stepBack * (1 + 2 * Math.random()))
    },
    { every: sealEvery },
    // The database is away, which its callers are told; the next run tries again.
    () => rest(afterFault),
  )
  /** Events that arrive during the rest are sealed at its end. */
  function rest(milliseconds: number): void {
    notBefore = performance.now() + milliseconds
    void setTimeout(milliseconds, undefined, { ref: false }).then(() => loop.wake())
  }
  loop.begin()
  return loop
}

/**
 * Links each event to its predecessor in its tenant; the last link of a tenant is its head. Positions follow `start`.
 */
function chain(rows: readonly Row[], start: number) {
  const heads = new Map<TenantId, LogHead>()
  const links: LogHead[] = []
  for (const [index, row] of rows.entries()) {
    const tenant = text(row, 'tenant') as TenantId
    const before = heads.get(tenant) ?? headIn(row, tenant)
    const event = { body: text(row, 'body'), feed: number(row, 'feed'), pos: start + index + 1 }
    const link = { tenant, seq: before.seq + 1, hash: chainHash(before.hash, event) }
    heads.set(tenant, link)
    links.push(link)
  }
  return { links, heads }
}

/** The statistics of the batch, as columns: counted in the statement that seals the events, and so exactly once. */
function countColumns(rows: readonly Row[]): readonly (readonly (string | number)[])[] {
  const counts = new MinuteCounts()
  for (const row of rows) counts.add({ tenant: text(row, 'tenant'), at: number(row, 'at'), body: text(row, 'body') })
  const columns = ['tenant', 'minute', 'series', 'reason', 'count'] as const
  return columns.map((column) => counts.rows.map((it) => it[column]))
}

const headIn = (row: Row, tenant: TenantId): LogHead =>
  row['seq'] === null
    ? { tenant, seq: 0, hash: genesis }
    : { tenant, seq: number(row, 'seq'), hash: bytes(row, 'hash') }
