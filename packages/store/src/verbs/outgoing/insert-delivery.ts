/**
 * Inserts a delivery: due at once, unless an earlier one with its key waits. For a polling receiver it is kept for a
 * limited time.
 */
import { isFetching, keptForFetching, type NewReceiver } from '../../contract/outgoing/event-receivers.ts'
import type { NewEventDelivery } from '../../contract/outgoing/new-event-delivery.ts'
import { run, sql, type Verb } from '../verb.ts'

export function* insertDelivery(it: NewEventDelivery, to: Pick<NewReceiver, 'config'>): Verb<void> {
  const keepUntil = isFetching(to) ? it.madeAt + keptForFetching : null
  yield* run(sql`insert into event_deliveries (tenant, receiver, id, pos, type, order_key, payload, state, made_at,
      queued_at, due_at, attempts, attempts_before, keep_until)
    values (${it.tenant}, ${it.receiver}, ${it.id}, ${it.pos}, ${it.type}, ${it.orderKey}, ${it.payload}, 'waiting',
      ${it.madeAt}, ${it.madeAt}, case when exists (select 1 from event_deliveries w where w.tenant = ${it.tenant}
        and w.receiver = ${it.receiver} and w.order_key = ${it.orderKey} and w.state = 'waiting')
      then null else cast(${it.madeAt} as bigint) end, 0, 0, ${keepUntil})
    on conflict (tenant, receiver, id) do nothing`)
}
