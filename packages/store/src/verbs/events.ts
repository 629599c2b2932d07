/** The event log. How an entry gets its position is up to the driver; reading and dropping are the same for both. */
import { decodeEvent, type NewEvent, type SealedEvent } from '@grantor/protocol/events'
import type { Instant, TenantId } from '@grantor/protocol/types'
import type { Checkpoint, LogHead, LogRow } from '../contract/events.ts'
import { StoreUnreadable } from '../contract/store.ts'
import type { Entry } from './entry.ts'
import { bytes, instant, maybeText, number, text } from './row.ts'
import { all, changed, first, log, type Row, run, sql, type Verb } from './verb.ts'

export function* append(entries: readonly Entry[]): Verb<void> {
  yield* log(entries)
}

export const sealedOf = (row: Row): SealedEvent => ({
  ...eventOf(row),
  seq: number(row, 'seq'),
  pos: number(row, 'pos'),
})

/** Throws for an unreadable event: it may contain a revocation, so it must not be skipped. */
function eventOf(row: Row): NewEvent {
  try {
    return decodeEvent(text(row, 'body'))
  } catch {
    throw new StoreUnreadable(`event ${number(row, 'seq')} at position ${number(row, 'pos')} cannot be read`)
  }
}

export function* after(tenant: TenantId, seq: number, limit: number): Verb<readonly SealedEvent[]> {
  const rows = yield* all(
    sql`select pos, seq, body from tenant_log where tenant = ${tenant} and seq > ${seq} order by part, seq limit ${limit}`,
  )
  return rows.map(sealedOf)
}

export function* before(tenant: TenantId, seq: number, limit: number): Verb<readonly SealedEvent[]> {
  const rows = yield* all(
    sql`select pos, seq, body from tenant_log where tenant = ${tenant} and seq < ${seq}
      order by part desc, seq desc limit ${limit}`,
  )
  return rows.map(sealedOf)
}

export function* feed(pos: number, tenant: TenantId | null, limit: number): Verb<readonly SealedEvent[]> {
  const rows = yield* all(
    tenant === null
      ? sql`select pos, seq, body from events where feed = 1 and pos > ${pos} order by pos limit ${limit}`
      : sql`select pos, seq, body from events where feed = 1 and tenant = ${tenant} and pos > ${pos} order by pos limit ${limit}`,
  )
  return rows.map(sealedOf)
}

export function* feedBefore(pos: number, limit: number): Verb<readonly SealedEvent[]> {
  const rows = yield* all(
    sql`select pos, seq, body from events where feed = 1 and pos <= ${pos} order by pos desc limit ${limit}`,
  )
  return rows.map(sealedOf)
}

/** Newest first, before `seq`. */
export function* ofSubject(
  tenant: TenantId,
  subject: string,
  page: { readonly before: number; readonly limit: number },
): Verb<readonly SealedEvent[]> {
  const rows = yield* all(
    sql`select pos, seq, body from events
      where tenant = ${tenant} and subject = ${subject} and seq < ${page.before} order by seq desc limit ${page.limit}`,
  )
  return rows.map(sealedOf)
}

export function* position(): Verb<number> {
  const row = yield* first(sql`select pos from log_position where one = 1`)
  return row === null ? 0 : number(row, 'pos')
}

/** The last event, or the checkpoint if all events before it were dropped. */
export function* head(tenant: TenantId): Verb<LogHead | null> {
  const row = yield* first(sql`select seq, hash from (
      select seq, hash from tenant_log where tenant = ${tenant} order by part desc, seq desc limit 1) last
    union all
    select seq, hash from checkpoints where tenant = ${tenant} order by seq desc limit 1`)
  return row && { tenant, seq: number(row, 'seq'), hash: bytes(row, 'hash') }
}

export function* rows(tenant: TenantId, afterSeq: number, limit: number): Verb<readonly LogRow[]> {
  const found = yield* all(
    sql`select * from tenant_log where tenant = ${tenant} and seq > ${afterSeq} order by part, seq limit ${limit}`,
  )
  return found.map((row) => ({
    pos: number(row, 'pos'),
    seq: number(row, 'seq'),
    body: text(row, 'body'),
    hash: bytes(row, 'hash'),
    mac: row['mac'] === null ? null : bytes(row, 'mac'),
    feed: number(row, 'feed'),
    columns: {
      tenant: text(row, 'tenant'),
      at: number(row, 'at'),
      subject: maybeText(row, 'subject'),
    },
  }))
}

/** Heads that one statement looks up, within its time limit. */
const headsAtOnce = 1_000

/**
 * Every event took one position and one number in its tenant, so the numbers of all heads add up to the position. Must
 * be read on one snapshot; only tenants found through the lists count, so omitting one hides nothing.
 */
export function* lost(): Verb<number> {
  let remaining = yield* position()
  let last: string | null = ''
  while (last !== null) {
    const row: Row | null = yield* first(sql`select max(tenant) as last, coalesce(sum(seq), 0) as seq from (
      select tenant, (select max(seq) from (
          select seq from (
            select seq from tenant_log where tenant = l.tenant order by part desc, seq desc limit 1) link
          union all select seq from checkpoints where tenant = l.tenant) links) as seq
      from (select tenant from logs where tenant > ${last} order by tenant limit ${headsAtOnce}) l) heads`)
    last = row && maybeText(row, 'last')
    remaining -= Number(row?.['seq'] ?? 0)
  }
  return Math.max(0, remaining)
}

export function* tenants(after: string, limit: number): Verb<readonly TenantId[]> {
  const rows = yield* all(sql`select tenant from logs where tenant > ${after} order by tenant limit ${limit}`)
  return rows.map((row) => text(row, 'tenant') as TenantId)
}

export function* checkpoint(tenant: TenantId): Verb<Checkpoint | null> {
  const row = yield* first(sql`select * from checkpoints where tenant = ${tenant}`)
  return (
    row && {
      tenant,
      seq: number(row, 'seq'),
      hash: bytes(row, 'hash'),
      at: instant(row, 'at'),
      signature: bytes(row, 'signature'),
    }
  )
}

export function* prunable(tenant: TenantId, before: Instant, limit: number): Verb<LogHead | null> {
  const found = yield* all(
    // Events behind the checkpoint that lie in a part count as dropped.
    sql`select seq, at, hash from tenant_log where tenant = ${tenant}
      and seq > coalesce((select seq from checkpoints where tenant = ${tenant}), 0) order by part, seq limit ${limit}`,
  )
  let last: Row | null = null
  for (const row of found) {
    // Only an unbroken beginning is dropped: a young event keeps older ones behind it.
    if (number(row, 'at') >= before) break
    last = row
  }
  return last && { tenant, seq: number(last, 'seq'), hash: bytes(last, 'hash') }
}

export function* prune(it: Checkpoint, entries: readonly Entry[]): Verb<'pruned' | 'stale'> {
  const { tenant, seq } = it
  const link = yield* first(
    sql`select seq from tenant_log where tenant = ${tenant} and seq = ${seq} and hash = ${it.hash}`,
  )
  if (link === null) return 'stale'
  // The checkpoint never goes back: on PostgreSQL another node may be dropping that link, and later ones, at this
  // moment.
  const moved = yield* changed(sql`insert into checkpoints (tenant, seq, hash, at, signature)
    values (${tenant}, ${seq}, ${it.hash}, ${it.at}, ${it.signature})
    on conflict (tenant) do update set seq = excluded.seq, hash = excluded.hash, at = excluded.at, signature = excluded.signature
      where checkpoints.seq < excluded.seq`)
  if (!moved) return 'stale'
  yield* run(sql`delete from events where pos in (
    select pos from tenant_log_by_row where tenant = ${tenant} and seq <= ${seq})`)
  yield* log(entries)
  return 'pruned'
}
