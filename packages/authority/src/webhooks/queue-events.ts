/** Reads the log for event receivers, and queues the deliveries of each event, in one commit with the position read. */
import type { SealedEvent } from '@grantor/protocol/events'
import type { TenantId } from '@grantor/protocol/types'
import type { NewEventDelivery, ReceiverRow, Store, StreamSubject } from '@grantor/store'
import { ignoreOutage } from '../outage.ts'
import { streamDeliveries, type StreamDeliveryDependencies } from '../ssf/stream-delivery.ts'
import { webhookDelivery } from './webhook-delivery.ts'

export interface EventQueueDependencies extends Omit<StreamDeliveryDependencies, 'store'> {
  readonly store: Pick<Store, 'eventReceivers' | 'eventDeliveries'> & StreamDeliveryDependencies['store']
}

const pageSize = 500
/** The most deliveries in one commit, except that an event is never split: other writes wait for it. */
const queuedAtOnce = 1_000

type Writer = (
  event: SealedEvent,
  receiver: ReceiverRow,
  deps: EventQueueDependencies,
) => readonly NewEventDelivery[] | Promise<readonly NewEventDelivery[]>

/** The deliveries of an event for each kind of receiver; none where the receiver does not want it. */
const writers: Readonly<Record<ReceiverRow['kind'], Writer>> = {
  webhook: (event, receiver) => [webhookDelivery(event, receiver) ?? []].flat(),
  stream: streamDeliveries,
}

/** Whether any receiver exists. */
export async function queueEvents(deps: EventQueueDependencies): Promise<boolean> {
  const { eventReceivers, eventDeliveries } = deps.store
  for (;;) {
    const { cursor, since } = await eventReceivers.reading()
    if (since === null) return false
    const page = await eventDeliveries.news(Math.max(cursor, since), pageSize)
    if (page.length === 0) return true
    // Looked up after the events were read: a receiver that is missing here was created after all of them.
    const listening = new Map<TenantId, readonly ReceiverRow[]>()
    for (const tenant of new Set(page.map((event) => event.tenant)))
      listening.set(tenant, await eventReceivers.listening(tenant))
    if (!(await queuePage(page, { cursor, listening }, deps))) continue
    if (page.length < pageSize) return true
  }
}

interface Readers {
  readonly cursor: number
  readonly listening: ReadonlyMap<TenantId, readonly ReceiverRow[]>
}

/** False where another node has already queued this page. */
async function queuePage(
  page: readonly SealedEvent[],
  { cursor, listening }: Readers,
  deps: EventQueueDependencies,
): Promise<boolean> {
  let from = cursor
  let deliveries: NewEventDelivery[] = []
  let removed: Removed[] = []
  for (const event of page) {
    for (const receiver of listening.get(event.tenant) ?? [])
      if (event.pos > receiver.sincePos) deliveries.push(...(await writers[receiver.kind](event, receiver, deps)))
    removed.push(...removedBy(event))
    if (deliveries.length <= queuedAtOnce && event !== page.at(-1)) continue
    const derived = await deps.store.eventDeliveries.derive({ from, to: event.pos, deliveries, removed })
    if (derived === 'elsewhere') return false
    ;[from, deliveries, removed] = [event.pos, [], []]
  }
  return true
}

type Removed = Pick<StreamSubject, 'tenant' | 'subject'>

/**
 * A removed person: this event is the last that streams get about them, and the names that receivers gave are dropped.
 */
const removedBy = ({ name, tenant, subject, data }: SealedEvent): readonly Removed[] =>
  name === 'admin.user_changed' && subject !== null && data?.['removed'] === true ? [{ tenant, subject }] : []

/** The same, ignoring an outage, for callers that have other work as well. */
export const tryQueueEvents = (deps: EventQueueDependencies): Promise<boolean> =>
  queueEvents(deps).catch((cause: unknown) => {
    ignoreOutage(cause)
    return true
  })
