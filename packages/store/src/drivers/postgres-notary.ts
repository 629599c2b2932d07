/**
 * The notary: gives committed events their place. It reads what has none, computes the chain here, and writes all of it
 * in one statement that takes effect only if nobody else sealed since the read (`log_position` is compared and set).
 * No lock is held between statements, so a node that is stopped or killed at any moment holds up nobody; and since only
 * committed rows are ever seen, an event that commits late is simply part of a later batch.
 */
import type { Instant, TenantId } from '@grantor/protocol'
import type pg from 'pg'
import type { LogHead } from '../contract/events.ts'
import { chainHash, genesis, macOf } from '../log.ts'
import { bytes, number, text } from '../row.ts'
import type { Row } from '../verb.ts'
import { guarded, query } from './postgres-connection.ts'

export const batchSize = 2_000

/**
 * Every row carries the head of its tenant as it was when this statement began, and the position. MATERIALIZED, because
 * the planner knows nothing of these sizes and would otherwise look the heads up again for every row.
 */
const waitingEvents = `with batch as (select n, tenant, body from events_pending order by n limit ?1),
  heads as materialized (select t.tenant, s.seq, s.hash from (select distinct tenant from batch) t
    left join lateral (select seq, hash from seals where seals.tenant = t.tenant order by seq desc limit 1) s on true)
  select b.n, b.tenant, b.body, h.seq, h.hash, (select pos from log_position where one = 1) as pos
  from batch b join heads h on h.tenant = b.tenant order by b.n`

const place = (channel: string): string => `with
  turn as (update log_position set pos = $1 where one = 1 and pos = $2 returning pos),
  moved as (delete from events_pending p
    using unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::bytea[]) as u (n, pos, seq, hash)
    where p.n = u.n and exists (select 1 from turn)
    returning u.pos, p.tenant, u.seq, p.at, p.feed, p.subject, p.body, u.hash),
  logged as (insert into events (pos, tenant, seq, at, feed, subject, body, hash) select * from moved),
  sealed as (insert into seals (tenant, seq, hash, mac, at)
    select s.tenant, s.seq, s.hash, s.mac, $11 from turn,
      unnest($7::text[], $8::bigint[], $9::bytea[], $10::bytea[]) as s (tenant, seq, hash, mac))
  select pg_notify('${channel}', 'events') from turn`

/** 'lost': another node sealed first; what is left is for the next call. */
export type Sealing = { readonly outcome: 'sealed'; readonly count: number } | { readonly outcome: 'lost' }

export class Notary {
  readonly #pool: pg.Pool
  readonly #auditKey: Uint8Array
  readonly #place: string

  constructor(pool: pg.Pool, auditKey: Uint8Array, channel: string) {
    this.#pool = pool
    this.#auditKey = auditKey
    this.#place = place(channel)
  }

  async sealBatch(at: Instant): Promise<Sealing> {
    const rows = await query(this.#pool, { text: waitingEvents, values: [batchSize] })
    const [first] = rows
    if (first === undefined) return { outcome: 'sealed', count: 0 }
    const start = number(first, 'pos')
    const { seqs, hashes, heads } = chain(rows)
    const values = [
      start + rows.length,
      start,
      rows.map((row) => number(row, 'n')),
      rows.map((_, index) => start + index + 1),
      seqs,
      hashes,
      heads.map((head) => head.tenant),
      heads.map((head) => head.seq),
      heads.map((head) => head.hash),
      heads.map((head) => macOf(this.#auditKey, head, 'seal')),
      at,
    ]
    const { rows: turn } = await guarded(this.#pool.query({ name: 'notary', text: this.#place, values }))
    return turn.length === 1 ? { outcome: 'sealed', count: rows.length } : { outcome: 'lost' }
  }
}

/** Links each event to the one before it in its tenant. */
function chain(rows: readonly Row[]) {
  const heads = new Map<TenantId, LogHead>()
  const seqs: number[] = []
  const hashes: Uint8Array[] = []
  for (const row of rows) {
    const tenant = text(row, 'tenant') as TenantId
    const before = heads.get(tenant) ?? headIn(row, tenant)
    const head = { tenant, seq: before.seq + 1, hash: chainHash(before.hash, text(row, 'body')) }
    heads.set(tenant, head)
    seqs.push(head.seq)
    hashes.push(head.hash)
  }
  return { seqs, hashes, heads: [...heads.values()] }
}

const headIn = (row: Row, tenant: TenantId): LogHead =>
  row['seq'] === null
    ? { tenant, seq: 0, hash: genesis }
    : { tenant, seq: number(row, 'seq'), hash: bytes(row, 'hash') }
