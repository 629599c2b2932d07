/** Verifies the log: finds events that were edited, removed, inserted, reordered or cut off, and reports where. */
import { setImmediate as turn } from 'node:timers/promises'
import { decodeEvent, feedEvents, type NewEvent, personOf } from '@grantor/protocol/events'
import type { TenantId } from '@grantor/protocol/types'
import { genesis, linkForm, type LogHead, type LogRow, type Store } from '@grantor/store'

export type DamageKind =
  | 'edited'
  | 'missing'
  | 'misplaced'
  | 'unreadable'
  | 'rewritten'
  | 'tail_cut'
  | 'seal_broken'
  | 'checkpoint_broken'
  | 'unsealed'

export interface Damage {
  readonly kind: DamageKind
  /** The first event that is affected. */
  readonly seq: number
  readonly description: string
}

export interface AuditReport {
  readonly tenant: TenantId
  readonly events: number
  /** The first event that is present; greater than 1 behind a checkpoint. */
  readonly from: number
  readonly head: { readonly seq: number; readonly hash: string } | null
  readonly damage: readonly Damage[]
}

/** A head that was noted where whoever can rewrite the database cannot reach it. */
export interface KeptHead {
  readonly seq: number
  readonly hash: string
}

/** How a long verification is watched and stopped. */
export interface WalkWatch {
  /** Called after every page, with the number of events checked and the total. */
  progress(done: number, total: number): void
  readonly signal: AbortSignal
}

const pageSize = 1000
const maxDamage = 100

export async function verifyLog(
  store: Pick<Store, 'events'>,
  tenant: TenantId,
  kept: KeptHead | null,
  watch: WalkWatch | null = null,
): Promise<AuditReport> {
  const damage: Damage[] = []
  const report = (kind: DamageKind, seq: number, description: string) => {
    if (damage.length < maxDamage) damage.push({ kind, seq, description: description })
  }
  const start = await beginning(store, tenant, report)
  const compare = ({ seq, hash }: LogHead) => {
    if (kept?.seq === seq && kept.hash !== hex(hash))
      report('rewritten', seq, 'the history up to here is not the one whose head was noted before')
  }
  // Events dropped since may have ended with the very event that was noted.
  if (start.seq > 0) compare(start)
  const seals = sealReader(store, start, report)
  let head: LogHead = start
  let count = 0
  let pos = 0
  const total = watch === null ? 0 : ((await store.events.head(tenant))?.seq ?? 0) - start.seq
  for await (const row of rowsOf(store, start)) {
    const { hash, bindsPlace } = follow(head, row, report)
    head = { tenant, seq: row.seq, hash }
    count++
    if (watch !== null && count % pageSize === 0) {
      watch.signal.throwIfAborted()
      watch.progress(count, total)
    }
    checkColumns(row, report)
    if (!bindsPlace) checkPlace(row, pos, report)
    pos = row.pos
    seals.reached(row, head)
    compare(head)
  }
  seals.ended(head)
  const lost = await store.events.lost()
  if (kept !== null && kept.seq > head.seq) {
    report('tail_cut', head.seq + 1, `the log ends at ${head.seq}, but a head at ${kept.seq} was noted before`)
  } else if (lost > 0) {
    report('tail_cut', head.seq + 1, `${lost} gone from the end of this log, or of another tenant's`)
  }
  const end = head.seq === 0 ? null : { seq: head.seq, hash: hex(head.hash) }
  return { tenant, events: count, from: start.seq + 1, head: end, damage }
}

type Report = (kind: DamageKind, seq: number, description: string) => void

/** The link that the first present event must be chained to: the empty log, or a checkpoint with a valid signature. */
async function beginning(store: Pick<Store, 'events'>, tenant: TenantId, report: Report): Promise<LogHead> {
  const checkpoint = await store.events.checkpoint(tenant)
  if (checkpoint === null) return { tenant, seq: 0, hash: genesis }
  if (!equal(checkpoint.signature, store.events.macOf(checkpoint, 'checkpoint'))) {
    report(
      'checkpoint_broken',
      checkpoint.seq,
      'the checkpoint behind which older events were dropped was not made by this service',
    )
  }
  return checkpoint
}

async function* rowsOf(store: Pick<Store, 'events'>, start: LogHead) {
  for (let after = start.seq; ;) {
    const rows: readonly LogRow[] = await store.events.rows(start.tenant, after, pageSize)
    yield* rows
    if (rows.length === 0) return
    // Not that of the last row: a moved row may come behind its successors, and must not make the reading go back.
    after = Math.max(...rows.map(({ seq }) => seq))
    // A read on SQLite blocks the event loop; this lets others run in between.
    await turn()
  }
}

interface FollowedLink {
  readonly hash: Uint8Array
  /** Whether the hash covers the position and the feed flag, and so protects them. */
  readonly bindsPlace: boolean
}

/** The hash of this link. If it is wrong, continues from the stored one, so that one damage is reported once. */
function follow(head: LogHead, row: LogRow, report: Report): FollowedLink {
  const { seq, hash } = row
  if (seq !== head.seq + 1) {
    report('missing', head.seq + 1, `events ${head.seq + 1} to ${seq - 1} are gone`)
    return { hash, bindsPlace: false }
  }
  const form = linkForm(head.hash, row, hash)
  if (form === null)
    report('edited', seq, 'this event is not the one that was written here: it was edited, put in, or moved')
  return { hash, bindsPlace: form !== 'body-only' }
}

/** The columns beside the body are only for searching, but a manipulated column must not make a search lie. */
function checkColumns(row: LogRow, report: Report): void {
  const event = readEvent(row.body)
  if (event === null) return report('unreadable', row.seq, 'the text of this event cannot be read')
  const contents = { tenant: event.tenant, at: event.at, subject: personOf(event) }
  for (const [name, value] of Object.entries(contents)) {
    if (value !== row.columns[name]) report('misplaced', row.seq, `the column ${name} contradicts the event`)
  }
}

function readEvent(body: string): NewEvent | null {
  try {
    return decodeEvent(body)
  } catch {
    return null
  }
}

/**
 * For events whose hash covers their text alone: the position must follow the order of the log, and the feed flag must
 * match the name.
 */
function checkPlace(row: LogRow, before: number, report: Report): void {
  if (row.pos <= before) report('misplaced', row.seq, 'its position is before that of the event it follows')
  const event = readEvent(row.body)
  if (event !== null && row.feed !== (feedEvents.has(event.name) ? 1 : 0))
    report('misplaced', row.seq, 'the column feed contradicts the event')
}

/**
 * Compares the seals of the events with the chain. Whoever rewrites bodies can recompute hashes, but not the MACs over
 * them: their key is not in the database. Removing a seal hides nothing, because the last event must have one, and its
 * seal vouches for all events before it.
 */
function sealReader(store: Pick<Store, 'events'>, start: LogHead, report: Report) {
  let sealed = start.seq
  return {
    reached({ mac }: LogRow, head: LogHead): void {
      if (mac === null) return
      if (!equal(mac, store.events.macOf(head, 'seal')))
        report('seal_broken', sealed + 1, `events ${sealed + 1} to ${head.seq} are not the ones that were sealed`)
      sealed = head.seq
    },
    ended(head: LogHead): void {
      if (sealed < head.seq) report('unsealed', sealed + 1, `events from ${sealed + 1} on carry no seal`)
    },
  }
}

export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const equal = (a: Uint8Array, b: Uint8Array): boolean => Buffer.from(a).equals(b)
