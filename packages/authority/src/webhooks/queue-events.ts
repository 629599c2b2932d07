/** Reads the log for those who are told of events, and queues a delivery for each, in one commit with how far it read. */
import type { SealedEvent } from '@grantor/protocol/events'
import type { TenantId } from '@grantor/protocol/types'
import type { NewEventDelivery, ReceiverRow, Store } from '@grantor/store'
import { ignoreOutage } from '../outage.ts'
import { streamDeliveries, type StreamDeliveryDependencies } from '../ssf/stream-delivery.ts'
import { webhookDelivery } from './webhook-delivery.ts'

export interface EventQueueDependencies extends Omit<StreamDeliveryDependencies, 'store'> {
  readonly store: Pick<Store, 'eventReceivers' | 'eventDeliveries'> & StreamDeliveryDependencies['store']
}

const pageSize = 500

type Writer = (
  event: SealedEvent,
  receiver: ReceiverRow,
  deps: EventQueueDependencies,
) => readonly NewEventDelivery[] | Promise<readonly NewEventDelivery[]>

/** What each kind of receiver is told of an event; nothing where it does not want to hear of it. */
const writers: Readonly<Record<ReceiverRow['kind'], Writer>> = {
  webhook: (event, receiver) => [webhookDelivery(event, receiver) ?? []].flat(),
  stream: streamDeliveries,
}

/** Whether anybody is told of events at all. */
export async function queueEvents(deps: EventQueueDependencies): Promise<boolean> {
  const { eventReceivers, eventDeliveries } = deps.store
  for (;;) {
    const { cursor, since } = await eventReceivers.reading()
    if (since === null) return false
    const page = await eventDeliveries.news(Math.max(cursor, since), pageSize)
    const to = page.at(-1)?.pos
    if (to === undefined) return true
    // Looked up after the events were read: whoever is missing here was made after all of them.
    const listening = new Map<TenantId, readonly ReceiverRow[]>()
    for (const tenant of new Set(page.map((event) => event.tenant)))
      listening.set(tenant, await eventReceivers.listening(tenant))
    const deliveries: NewEventDelivery[] = []
    for (const event of page)
      for (const receiver of listening.get(event.tenant) ?? [])
        if (event.pos > receiver.sincePos) deliveries.push(...(await writers[receiver.kind](event, receiver, deps)))
    await eventDeliveries.derive({ from: cursor, to, deliveries })
    if (page.length < pageSize) return true
  }
}

/** The same for whoever has other things to do as well. */
export const tryQueueEvents = (deps: EventQueueDependencies): Promise<boolean> =>
  queueEvents(deps).catch((cause: unknown) => {
    ignoreOutage(cause)
    return true
  })
