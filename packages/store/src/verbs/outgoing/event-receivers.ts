/**
 * Receivers of events, and their health. A verb that changes a receiver's deliveries locks the receiver first, so that
 * such verbs take turns.
 */
import type { Instant, TenantId } from '@grantor/protocol/types'
import {
  type EventReading,
  isFetching,
  keptForFetching,
  type MostReceivers,
  type NewReceiver,
  type ReceiverHealth,
  type ReceiverKind,
  type ReceiverRow,
  type ReceiverStatus,
  type ReceiverStore,
  statusOrderKey,
} from '../../contract/outgoing/event-receivers.ts'
import { lockSubjects } from '../directory/clock.ts'
import type { Entry } from '../entry.ts'
import { asText, bytes, instant, json, maybeInstant, maybeNumber, maybeText, number, text } from '../row.ts'
import { all, changed, first, log, type Row, run, sql, undo, type Verb } from '../verb.ts'
import { insertDelivery } from './insert-delivery.ts'
import { releaseAll } from './turns.ts'

export const receiverOf = (row: Row): ReceiverRow => {
  const until = maybeInstant(row, 'previous_until')
  return {
    tenant: text(row, 'tenant') as TenantId,
    id: text(row, 'id'),
    kind: text(row, 'kind') as ReceiverKind,
    config: json(row, 'config'),
    sealedSecret: row['sealed_secret'] === null ? null : bytes(row, 'sealed_secret'),
    previous: until === null ? null : { sealed: bytes(row, 'sealed_previous'), until },
    status: text(row, 'status') as ReceiverStatus,
    statusReason: maybeText(row, 'status_reason'),
    declared: number(row, 'declared') === 1,
    sincePos: number(row, 'since_pos'),
    createdAt: instant(row, 'created_at'),
    version: number(row, 'version'),
    failures: number(row, 'failures'),
    failingSince: maybeInstant(row, 'failing_since'),
    restUntil: instant(row, 'rest_until'),
  }
}

export function* insertReceiver(it: NewReceiver): Verb<boolean> {
  return yield* changed(sql`insert into event_receivers (tenant, id, kind, config, sealed_secret, sealed_previous,
      previous_until, status, status_reason, declared, since_pos, created_at, version, failures, rest_until)
    values (${it.tenant}, ${it.id}, ${it.kind}, ${asText(it.config)}, ${it.sealedSecret},
      ${it.previous?.sealed ?? null}, ${it.previous?.until ?? null}, ${it.status}, ${it.statusReason},
      ${it.declared ? 1 : 0}, ${it.sincePos}, ${it.createdAt}, 1, 0, 0)
    on conflict (tenant, id) do nothing`)
}

export function* add(
  it: NewReceiver,
  entries: readonly Entry[],
  most?: MostReceivers,
): Verb<'added' | 'exists' | 'no-tenant' | 'no-client' | 'full'> {
  if (most !== undefined && (yield* isFull(it, most))) {
    yield* undo()
    return 'full'
  }
  const missing = yield* missingOwner(it)
  if (missing !== null || !(yield* insertReceiver(it))) {
    yield* undo()
    return missing ?? 'exists'
  }
  yield* log(entries)
  return 'added'
}

function* missingOwner({ tenant, kind, config }: NewReceiver): Verb<'no-tenant' | 'no-client' | null> {
  if ((yield* first(sql`select id from tenants where id = ${tenant}`)) === null) return 'no-tenant'
  const { clientId } = config
  if (kind !== 'stream' || typeof clientId !== 'string') return null
  const client = yield* first(sql`select id from clients where tenant = ${tenant} and id = ${clientId}`)
  return client === null ? 'no-client' : null
}

/**
 * Under a lock: of two concurrent additions only one can be the last allowed; and deleting a client removes what it
 * added before.
 */
function* isFull({ tenant, kind, config }: NewReceiver, most: MostReceivers): Verb<boolean> {
  const { ofTenant, ofClient = ofTenant } = most
  yield* lockSubjects()
  const held = yield* list(tenant, { kind, after: null, limit: ofTenant })
  const own = held.filter((it) => it.config['clientId'] === config['clientId'])
  return held.length >= ofTenant || own.length >= ofClient
}

export function* find(tenant: TenantId, id: string): Verb<ReceiverRow | null> {
  const row = yield* first(sql`select * from event_receivers where tenant = ${tenant} and id = ${id}`)
  return row && receiverOf(row)
}

export function* list(
  tenant: TenantId,
  { kind, after, limit }: Parameters<ReceiverStore['list']>[1],
): Verb<readonly ReceiverRow[]> {
  const rows = yield* all(sql`select * from event_receivers
    where tenant = ${tenant} and kind = ${kind} and id > ${after ?? ''} order by id limit ${limit}`)
  return rows.map(receiverOf)
}

export function* listening(tenant: TenantId): Verb<readonly ReceiverRow[]> {
  const rows = yield* all(
    sql`select * from event_receivers where tenant = ${tenant} and status <> 'disabled' order by id`,
  )
  return rows.map(receiverOf)
}

export function* replaceReceiver({
  receiver: it,
  version,
  at,
  notice,
}: Omit<Parameters<ReceiverStore['replace']>[0], 'events'>): Verb<boolean> {
  const held = yield* stamp(it)
  if (held === null || held.version !== version) return false
  yield* run(sql`update event_receivers set config = ${asText(it.config)}, sealed_secret = ${it.sealedSecret},
      sealed_previous = ${it.previous?.sealed ?? null}, previous_until = ${it.previous?.until ?? null},
      status = ${it.status}, status_reason = ${it.statusReason}, declared = ${it.declared ? 1 : 0},
      since_pos = ${it.sincePos}, version = version + 1
    where tenant = ${it.tenant} and id = ${it.id}`)
  const moved = held.config['url'] !== it.config['url']
  const revived = it.status === 'enabled' && (held.status !== 'enabled' || moved)
  const health = revived ? { failures: 0, failingSince: null, restUntil: at } : held
  yield* noteHealth(it, health)
  // Waiting deliveries are due at the new address, and while the receiver was disabled they were not tried.
  if (revived)
    yield* run(sql`update event_deliveries set queued_at = ${at}, attempts_before = attempts,
        due_at = case when due_at > ${at} then ${at} else due_at end
      where tenant = ${it.tenant} and receiver = ${it.id} and state = 'waiting'`)
  // A polling receiver acknowledges in any order.
  if (revived || moved) yield* releaseAll(it, at)
  if (isFetching(it) !== isFetching(held))
    yield* run(sql`update event_deliveries set keep_until = ${isFetching(it) ? at + keptForFetching : null}
      where tenant = ${it.tenant} and receiver = ${it.id} and state = 'waiting'`)
  if (notice !== undefined) yield* insertDelivery(notice, it)
  yield* schedule(it, health.restUntil)
  return true
}

export function* replace(
  change: Omit<Parameters<ReceiverStore['replace']>[0], 'events'>,
  entries: readonly Entry[],
): Verb<'replaced' | 'changed-meanwhile'> {
  if (!(yield* replaceReceiver(change))) {
    yield* undo()
    return 'changed-meanwhile'
  }
  yield* log(entries)
  return 'replaced'
}

export function* removeReceiver(tenant: TenantId, id: string): Verb<boolean> {
  if ((yield* stamp({ tenant, id })) === null) return false
  yield* run(sql`delete from event_deliveries where tenant = ${tenant} and receiver = ${id}`)
  yield* run(sql`delete from stream_subjects where tenant = ${tenant} and stream = ${id}`)
  yield* run(sql`delete from event_receivers where tenant = ${tenant} and id = ${id}`)
  return true
}

/** Streams belong to a client, and are removed with it. */
export function* removeStreamsOf(tenant: TenantId, clientId: string): Verb<void> {
  const streams = yield* all(sql`select * from event_receivers
    where tenant = ${tenant} and kind = 'stream' order by id`)
  for (const { id, config } of streams.map(receiverOf))
    if (config['clientId'] === clientId) yield* removeReceiver(tenant, id)
}

export function* remove(tenant: TenantId, id: string, entries: readonly Entry[]): Verb<'removed' | 'absent'> {
  if (!(yield* removeReceiver(tenant, id))) return 'absent'
  yield* log(entries)
  return 'removed'
}

export function* reading(): Verb<EventReading> {
  const row = yield* first(sql`select c.pos as pos,
      (select min(since_pos) from event_receivers where status <> 'disabled') as since
    from event_cursor c where c.one = 1`)
  return row === null ? { cursor: 0, since: null } : { cursor: number(row, 'pos'), since: maybeNumber(row, 'since') }
}

type Which = Pick<ReceiverRow, 'tenant' | 'id'>

/** Locks the receiver until the commit: on PostgreSQL other changes of its deliveries come after. */
export function* stamp({ tenant, id }: Which): Verb<ReceiverRow | null> {
  const row = yield* first(sql`update event_receivers set next_at = next_at
    where tenant = ${tenant} and id = ${id} returning *`)
  return row && receiverOf(row)
}

export function* noteHealth({ tenant, id }: Which, health: ReceiverHealth): Verb<void> {
  yield* run(sql`update event_receivers set failures = ${health.failures}, failing_since = ${health.failingSince},
    rest_until = ${health.restUntil} where tenant = ${tenant} and id = ${id}`)
}

/** The range of order keys that may be delivered: all, or only events about the receiver's own status. */
export const deliverableKeys = (status: ReceiverStatus): readonly [string, string] =>
  status === 'enabled' ? ['', '\u{10ffff}'] : [statusOrderKey, statusOrderKey]

/** Schedules the search for its next row: when one is due, but not before its rest ends. */
export function* schedule(
  { tenant, id, config, status }: Which & Pick<NewReceiver, 'config' | 'status'>,
  restUntil: Instant,
): Verb<void> {
  if (isFetching({ config })) {
    yield* run(sql`update event_receivers set next_at = null where tenant = ${tenant} and id = ${id}`)
    return
  }
  const [from, upTo] = deliverableKeys(status)
  const row = yield* first(sql`select min(due_at) as due from event_deliveries
    where tenant = ${tenant} and receiver = ${id} and due_at is not null
      and order_key >= ${from} and order_key <= ${upTo}`)
  const due = row && maybeNumber(row, 'due')
  const nextAt = due === null ? null : Math.max(due, restUntil)
  yield* run(sql`update event_receivers set next_at = ${nextAt} where tenant = ${tenant} and id = ${id}`)
}
