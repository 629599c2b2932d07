/** Receivers of events, and what waits for them, for the suite. */
import { type NewReceiver, statusOrderKey } from '../../src/contract/outgoing/event-receivers.ts'
import type { DeliveryOutcome, TakenDelivery } from '../../src/contract/outgoing/event-deliveries.ts'
import type { NewEventDelivery } from '../../src/contract/outgoing/new-event-delivery.ts'
import type { Instant } from '@grantor/protocol/types'
import type { Store } from '../../src/contract/store.ts'
import type { VerbArgs, VerbName } from '../../src/verbs/index.ts'
import { acme, at, entries } from '../samples.ts'
import type { StoreUnderTest } from '../store-test.ts'

export const receiver = (id: string, more: Partial<NewReceiver> = {}): NewReceiver => ({
  tenant: acme,
  id,
  kind: 'webhook',
  config: { url: 'https://hooks.example/in', events: ['*'] },
  sealedSecret: Uint8Array.from([0, 9, 255]),
  previous: null,
  status: 'enabled',
  statusReason: null,
  declared: false,
  sincePos: 0,
  createdAt: at(1_000),
  ...more,
})

export const delivery = (id: string, more: Partial<NewEventDelivery> = {}): NewEventDelivery => ({
  tenant: acme,
  receiver: 'r1',
  id,
  pos: 1,
  type: 'session.ended',
  orderKey: 'ada',
  payload: '{}',
  madeAt: at(1_000),
  ...more,
})

export const healthy = { failures: 0, failingSince: null, restUntil: at(0) } as const

export const arrived = (more: Partial<DeliveryOutcome> = {}): DeliveryOutcome => ({
  at: at(2_000),
  state: 'delivered',
  dueAt: null,
  keepUntil: at(90_000),
  status: 204,
  error: null,
  latency: 12,
  health: healthy,
  disable: null,
  ...more,
})

const request = { now: at(2_000), lease: 1_000, busy: [] } as const

export async function taken(store: Store, more: { readonly now?: Instant } = {}): Promise<TakenDelivery> {
  const it = await store.eventDeliveries.take({ ...request, ...more })
  if (it === null) throw new Error('nothing is due')
  return it
}

async function queued(store: Store, ...ids: string[]): Promise<void> {
  await store.eventReceivers.add(receiver('r1'), [])
  for (const [n, id] of ids.entries()) await store.eventDeliveries.queue(delivery(id, { pos: n + 1 }), [])
}

/** By its name: whoever takes would get what another tenant waits for. */
const untaken = { tenant: acme, receiver: 'r1', id: 'd1', orderKey: 'ada', attempts: 0 }

const subId = { format: 'opaque', id: 'a' }
export const streamSubject = {
  tenant: acme,
  stream: 'r1',
  subject: 'ada',
  removed: false,
  subId,
  at: at(1_000),
  most: 5,
}

type EventVerb = Extract<VerbName, `event${'Deliveries' | 'Receivers'}.${string}` | `streamSubjects.${string}`>
type Calls = { readonly [N in EventVerb]: (it: StoreUnderTest) => Promise<VerbArgs<N>> }

export const eventCalls: Calls = {
  'eventReceivers.add': async () => [receiver('new'), entries('admin.webhook_changed'), { ofTenant: 9, ofClient: 9 }],
  'eventReceivers.replace': async ({ store }) => {
    await queued(store)
    const config = { url: 'https://other.example' }
    const notice = delivery('n1', { orderKey: statusOrderKey })
    return [
      { receiver: receiver('r1', { config }), version: 1, at: at(2_000), notice },
      entries('admin.webhook_changed'),
    ]
  },
  'eventReceivers.remove': async ({ store }) => {
    await queued(store, 'd1')
    await store.streamSubjects.put(streamSubject)
    return [acme, 'r1', entries('admin.webhook_changed')]
  },
  'eventDeliveries.derive': async ({ store }) => {
    await queued(store)
    return [{ from: 0, to: 5, deliveries: [delivery('d1'), delivery('d2', { pos: 2 })] }]
  },
  'eventDeliveries.queue': async ({ store }) => {
    await queued(store)
    return [delivery('d1'), entries('admin.webhook_changed')]
  },
  'eventDeliveries.take': async ({ store }) => {
    await queued(store, 'd1')
    return [request]
  },
  'eventDeliveries.settle': async ({ store }) => {
    await queued(store, 'd1', 'd2')
    return [{ ...untaken, tried: null }, arrived({ disable: 'gone' }), entries('webhook.disabled')]
  },
  'eventDeliveries.acknowledge': async ({ store }) => {
    await queued(store, 'd1', 'd2', 'd3')
    const failed = [{ id: 'd2', error: 'invalid_key' }]
    const more = { at: at(3_000), keepUntil: at(9_000) }
    return [{ tenant: acme, receiver: 'r1', arrived: ['d1', 'other'], failed, ...more }, entries('stream.undelivered')]
  },
  'streamSubjects.put': async ({ store }) => {
    await queued(store)
    return [streamSubject]
  },
  'eventDeliveries.replay': async ({ store }) => {
    await queued(store, 'd1', 'd2')
    const row = await store.eventDeliveries.find(acme, 'r1', 'd1')
    if (row === null) throw new Error('it is not there')
    await store.eventDeliveries.settle(row, arrived({ state: 'dead' }), [])
    return [{ tenant: acme, receiver: 'r1', id: null, at: at(3_000) }, entries('admin.webhook_changed')]
  },
}
