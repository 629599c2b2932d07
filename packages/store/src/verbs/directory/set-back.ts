/**
 * The clock was set back. Times that were already used will come again, so earlier and later things can no longer be
 * told apart by them: tokens end with their keys, and so do recorded cutoffs of tokens.
 */
import { randomUUIDv7 } from 'node:crypto'
import type { NewEvent } from '@grantor/protocol/events'
import type { EventId, Instant, TenantId } from '@grantor/protocol/types'
import { type Entry, entryOf } from '../entry.ts'
import { instant, text } from '../row.ts'
import { all, first, log, type Row, run, sql, type Statement, type Verb } from '../verb.ts'
import { endLists } from '../tokens/status-lists.ts'
import { reviseAll } from './clock.ts'

/** The time of the last sealed event. */
export function* latest(): Verb<Instant | null> {
  const row = yield* first(sql`select at from events order by pos desc limit 1`)
  return row && instant(row, 'at')
}

export interface SetBack {
  /** The latest time that was used, and the present time. */
  readonly from: Instant
  readonly at: Instant
}

/**
 * `pattern` is encoded here, once for each dropped key, because only this verb knows which are dropped. The last event
 * records that everything was done.
 */
export function* setBack({ from, at }: SetBack, pattern: NewEvent): Verb<void> {
  yield* reviseAll()
  const dropped = yield* all(
    sql`update keys set dropped_at = ${at} where dropped_at is null returning tenant, kid, alg`,
  )
  yield* run(sql`delete from opaque_tokens`)
  yield* run(sql`delete from token_cutoffs`)
  yield* endLists(at)
  for (const statement of shortLived(from - at)) yield* run(statement)
  for (const statement of ofSessions(at, from - at)) yield* run(statement)
  // Waiting rows become due now: their times were set by the wrong clock.
  yield* run(sql`update mails set due_at = ${at} where due_at > ${at}`)
  yield* run(sql`update deliveries set due_at = ${at} where due_at > ${at}`)
  yield* run(sql`update event_deliveries set due_at = ${at} where due_at > ${at}`)
  yield* run(sql`update event_receivers set rest_until = ${at} where rest_until > ${at}`)
  yield* run(sql`update event_receivers set next_at = ${at} where next_at > ${at}`)
  yield* run(sql`update signal_polls set next_at = ${at} where next_at > ${at}`)
  yield* run(sql`update device_codes set notify_at = ${at} where notify_at > ${at}`)
  yield* log([...dropped.map((row) => keyDropped(row, pattern)), entryOf(pattern)])
}

/**
 * Short-lived rows keep their remaining time, instead of living longer by the amount the clock was set back; expired
 * rows stay expired.
 */
const shortLived = (by: number): readonly Statement[] => [
  sql`update codes set expires_at = expires_at - ${by}`,
  sql`update device_codes set expires_at = expires_at - ${by}`,
  sql`update pushed_requests set expires_at = expires_at - ${by}, kept_until = kept_until - ${by}`,
  sql`update mailed_links set expires_at = expires_at - ${by}`,
  sql`update sign_in_links set expires_at = expires_at - ${by}`,
  sql`update invitations set expires_at = expires_at - ${by}`,
  sql`update passkey_challenges set expires_at = expires_at - ${by}`,
  sql`update provider_visits set expires_at = expires_at - ${by}`,
]

/**
 * The age of a sign-in stays the same: otherwise it would count as newer than every request for a fresh one until its
 * time comes.
 */
const ofSessions = (at: number, by: number): readonly Statement[] => [
  sql`update sessions set authenticated_at = authenticated_at - ${by} where authenticated_at > ${at}`,
  sql`update sessions set created_at = created_at - ${by} where created_at > ${at}`,
  sql`update sessions set last_seen_at = last_seen_at - ${by} where last_seen_at > ${at}`,
]

const keyDropped = (row: Row, pattern: NewEvent): Entry =>
  entryOf({
    ...pattern,
    id: randomUUIDv7() as string as EventId,
    name: 'key.dropped',
    tenant: text(row, 'tenant') as TenantId,
    data: { kid: text(row, 'kid'), alg: text(row, 'alg') },
  })
