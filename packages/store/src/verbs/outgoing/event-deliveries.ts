/**
 * Deliveries of events to receivers. Of those with the same key only one has a due time, and the others wait for it;
 * settling it gives the next one a due time, in the same commit.
 */
import type { SealedEvent } from '@grantor/protocol/events'
import type { Instant, TenantId } from '@grantor/protocol/types'
import { failuresTolerated, isFetching, keptForFetching } from '../../contract/outgoing/event-receivers.ts'
import type {
  DeliveryOutcome,
  EventDeliveryRow,
  EventDeliverySearch,
  EventDeliveryState,
  EventDeliveryStore,
  TakenDelivery,
} from '../../contract/outgoing/event-deliveries.ts'
import type { NewEventDelivery } from '../../contract/outgoing/new-event-delivery.ts'
import type { Entry } from '../entry.ts'
import { sealedOf } from '../events.ts'
import { instant, maybeInstant, maybeNumber, maybeText, number, text } from '../row.ts'
import { all, changed, changes, first, log, type Row, run, sql, type Verb } from '../verb.ts'
import { noteHealth, schedule, stamp, deliverableKeys } from './event-receivers.ts'
import { insertDelivery } from './insert-delivery.ts'
import { forget } from './stream-subjects.ts'
import { release, releaseAll } from './turns.ts'

const rowOf = (row: Row): EventDeliveryRow => ({
  tenant: text(row, 'tenant') as TenantId,
  receiver: text(row, 'receiver'),
  id: text(row, 'id'),
  pos: number(row, 'pos'),
  type: text(row, 'type'),
  orderKey: text(row, 'order_key'),
  payload: text(row, 'payload'),
  state: text(row, 'state') as EventDeliveryState,
  madeAt: instant(row, 'made_at'),
  queuedAt: instant(row, 'queued_at'),
  dueAt: maybeInstant(row, 'due_at'),
  attempts: number(row, 'attempts'),
  tries: number(row, 'attempts') - number(row, 'attempts_before'),
  lastStatus: maybeNumber(row, 'last_status'),
  lastError: maybeText(row, 'last_error'),
  latency: maybeNumber(row, 'latency'),
  settledAt: maybeInstant(row, 'settled_at'),
})

export function* news(pos: number, limit: number): Verb<readonly SealedEvent[]> {
  const rows = yield* all(sql`select pos, seq, body from events where pos > ${pos} order by pos limit ${limit}`)
  return rows.map(sealedOf)
}

export function* derive(it: Parameters<EventDeliveryStore['derive']>[0]): Verb<'derived' | 'elsewhere'> {
  const moved = yield* changed(sql`update event_cursor set pos = ${it.to} where one = 1 and pos = ${it.from}`)
  if (!moved) return 'elsewhere'
  const byReceiver = Map.groupBy(it.deliveries, ({ tenant, receiver }) => `${tenant} ${receiver}`)
  for (const [, queued] of [...byReceiver].toSorted(([one], [other]) => (one < other ? -1 : 1)))
    yield* insertFor(queued)
  for (const gone of it.removed ?? []) yield* forget(gone)
  return 'derived'
}

/** All of one receiver; none if it is gone or disabled by now. */
function* insertFor(queued: readonly NewEventDelivery[]): Verb<boolean> {
  const [delivery] = queued
  const receiver = delivery === undefined ? null : yield* stamp({ tenant: delivery.tenant, id: delivery.receiver })
  if (receiver === null || receiver.status === 'disabled') return false
  for (const it of queued) yield* insertDelivery(it, receiver)
  yield* schedule(receiver, receiver.restUntil)
  return true
}

export function* queue(it: NewEventDelivery, entries: readonly Entry[]): Verb<'queued' | 'absent'> {
  if (!(yield* insertFor([it]))) return 'absent'
  yield* log(entries)
  return 'queued'
}

export function* due(now: Instant): Verb<boolean> {
  return (
    (yield* first(sql`select 1 as due from event_receivers
      where next_at is not null and next_at <= ${now} limit 1`)) !== null
  )
}

export function* take({ now, lease, busy }: Parameters<EventDeliveryStore['take']>[0]): Verb<TakenDelivery | null> {
  const [one = '', two = '', three = '', four = ''] = busy
  const waiting = yield* first(sql`select tenant, id from event_receivers
    where next_at is not null and next_at <= ${now}
      and (tenant || ' ' || id) not in (${one}, ${two}, ${three}, ${four})
    order by next_at, tenant, id limit 1`)
  if (waiting === null) return null
  const to = yield* stamp({ tenant: text(waiting, 'tenant') as TenantId, id: text(waiting, 'id') })
  // The second of two takers checks the row again after the first has changed it.
  if (to === null || to.restUntil > now) return null
  const until = (now + lease) as Instant
  const [from, upTo] = deliverableKeys(to.status)
  const row = yield* first(sql`update event_deliveries set due_at = ${until}, attempts = attempts + 1
    where (tenant, receiver, id) in (select tenant, receiver, id from event_deliveries
      where tenant = ${to.tenant} and receiver = ${to.id} and due_at is not null and due_at <= ${now}
        and order_key >= ${from} and order_key <= ${upTo}
      order by due_at, pos limit 1)
    returning *`)
  // A failing receiver gets one delivery at a time, and rests until that is settled.
  const restUntil = to.failures >= failuresTolerated && row !== null ? until : to.restUntil
  if (restUntil !== to.restUntil) yield* noteHealth(to, { ...to, restUntil })
  yield* schedule(to, restUntil)
  return row && { ...rowOf(row), to }
}

export function* settle(
  it: Pick<EventDeliveryRow, 'tenant' | 'receiver' | 'id' | 'orderKey' | 'attempts'> & {
    /** The version of the receiver that was tried; null for any. */
    readonly tried: number | null
  },
  outcome: DeliveryOutcome,
  entries: readonly Entry[],
): Verb<'settled' | 'taken-again' | 'receiver-changed'> {
  const { tenant, receiver, id, tried } = it
  const { at, state } = outcome
  const to = yield* stamp({ tenant, id: receiver })
  if (to === null) return 'taken-again'
  const isTried = tried === null || tried === to.version
  if (!isTried && outcome.disable !== null) return 'receiver-changed'
  // The answer of an earlier address says nothing about the present one.
  const [health, dueAt] = isTried ? [outcome.health, outcome.dueAt] : [to, at]
  const done = state !== 'waiting'
  const settled = yield* changed(sql`update event_deliveries set state = ${state}, due_at = ${done ? null : dueAt},
      last_status = ${outcome.status}, last_error = ${outcome.error}, latency = ${outcome.latency},
      settled_at = ${done ? at : null}, keep_until = coalesce(${done ? outcome.keepUntil : null}, keep_until)
    where tenant = ${tenant} and receiver = ${receiver} and id = ${id} and state = 'waiting'
      and attempts = ${it.attempts}`)
  if (!settled) return 'taken-again'
  if (done) yield* release(it, at)
  if (outcome.disable !== null)
    yield* run(sql`update event_receivers set status = 'disabled', status_reason = ${outcome.disable},
      version = version + 1 where tenant = ${tenant} and id = ${receiver}`)
  yield* noteHealth(to, health)
  yield* schedule({ ...to, status: outcome.disable === null ? to.status : 'disabled' }, health.restUntil)
  yield* log(entries)
  return 'settled'
}

export function* search(
  tenant: TenantId,
  { receiver, state, before, limit }: EventDeliverySearch,
): Verb<readonly EventDeliveryRow[]> {
  // Greater than every id: ids are printable ASCII.
  const end = before ?? '\u007f'
  const rows = yield* all(
    state === null
      ? sql`select * from event_deliveries where tenant = ${tenant} and receiver = ${receiver} and id < ${end}
          order by id desc limit ${limit}`
      : sql`select * from event_deliveries where tenant = ${tenant} and receiver = ${receiver} and state = ${state}
          and id < ${end} order by id desc limit ${limit}`,
  )
  return rows.map(rowOf)
}

export function* find(tenant: TenantId, receiver: string, id: string): Verb<EventDeliveryRow | null> {
  const row = yield* first(
    sql`select * from event_deliveries where tenant = ${tenant} and receiver = ${receiver} and id = ${id}`,
  )
  return row && rowOf(row)
}

export function* replay(
  { tenant, receiver, id, at }: Omit<Parameters<EventDeliveryStore['replay']>[0], 'events'>,
  entries: readonly Entry[],
): Verb<number> {
  const to = yield* stamp({ tenant, id: receiver })
  if (to === null) return 0
  const keepUntil = isFetching(to) ? at + keptForFetching : null
  const again = yield* changes(
    id === null
      ? sql`update event_deliveries set state = 'waiting', queued_at = ${at}, attempts_before = attempts,
          settled_at = null, keep_until = ${keepUntil}
        where tenant = ${tenant} and receiver = ${receiver} and state = 'dead'`
      : sql`update event_deliveries set state = 'waiting', queued_at = ${at}, attempts_before = attempts,
          settled_at = null, keep_until = ${keepUntil}
        where tenant = ${tenant} and receiver = ${receiver} and id = ${id} and state <> 'waiting'`,
  )
  if (again === 0) return 0
  yield* releaseAll(to, at)
  yield* schedule(to, to.restUntil)
  yield* log(entries)
  return again
}

export function* waiting(
  { tenant, id, status }: Parameters<EventDeliveryStore['waiting']>[0],
  limit: number,
): Verb<readonly EventDeliveryRow[]> {
  const [from, upTo] = deliverableKeys(status)
  const rows = yield* all(sql`select * from event_deliveries
    where tenant = ${tenant} and receiver = ${id} and state = 'waiting'
      and order_key >= ${from} and order_key <= ${upTo} order by id limit ${limit}`)
  return rows.map(rowOf)
}

export function* acknowledge(
  it: Omit<Parameters<EventDeliveryStore['acknowledge']>[0], 'events'>,
  entries: readonly Entry[],
): Verb<number> {
  const { tenant, receiver, at, keepUntil } = it
  const to = yield* stamp({ tenant, id: receiver })
  if (to === null) return 0
  const answers = [
    ...it.arrived.map((id) => ({ id, state: 'delivered', error: null })),
    ...it.failed.map(({ id, error }) => ({ id, state: 'dead', error })),
  ]
  let done = 0
  for (const { id, state, error } of answers) {
    done += yield* changes(sql`update event_deliveries set state = ${state}, due_at = null, last_error = ${error},
        settled_at = ${at}, keep_until = ${keepUntil}
      where tenant = ${tenant} and receiver = ${receiver} and id = ${id} and state = 'waiting'`)
  }
  if (done === 0) return 0
  // The receiver is pushed to by now, so deliveries that waited for these become due.
  if (!isFetching(to)) {
    yield* releaseAll(to, at)
    yield* schedule(to, to.restUntil)
  }
  yield* log(entries)
  return done
}
