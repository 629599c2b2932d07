/** Of the deliveries of a receiver with the same key only the first has a due time. */
import type { Instant } from '@grantor/protocol/types'
import type { ReceiverRow } from '../../contract/outgoing/event-receivers.ts'
import type { EventDeliveryRow } from '../../contract/outgoing/event-deliveries.ts'
import { run, sql, type Verb } from '../verb.ts'

/** Gives the next delivery of the key a due time, unless another has one already. */
export function* release(
  { tenant, receiver, orderKey }: Pick<EventDeliveryRow, 'tenant' | 'receiver' | 'orderKey'>,
  at: Instant,
): Verb<void> {
  yield* run(sql`update event_deliveries set due_at = ${at}
    where (tenant, receiver, id) in (select tenant, receiver, id from event_deliveries
        where tenant = ${tenant} and receiver = ${receiver} and order_key = ${orderKey} and state = 'waiting'
          and due_at is null order by pos, id limit 1)
      and not exists (select 1 from event_deliveries a where a.tenant = ${tenant} and a.receiver = ${receiver}
        and a.order_key = ${orderKey} and a.state = 'waiting' and a.due_at is not null)`)
}

/**
 * Gives the first delivery of each key a due time, where none has one. One statement for all, because many may wait.
 */
export function* releaseAll({ tenant, id }: Pick<ReceiverRow, 'tenant' | 'id'>, at: Instant): Verb<void> {
  yield* run(sql`update event_deliveries set due_at = ${at} where (tenant, receiver, id) in (
    select w.tenant, w.receiver, w.id from (
      select tenant, receiver, id, row_number() over (partition by order_key order by pos, id) as place,
        max(due_at) over (partition by order_key) as held
      from event_deliveries where tenant = ${tenant} and receiver = ${id} and state = 'waiting') w
    where w.place = 1 and w.held is null)`)
}
