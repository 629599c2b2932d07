/** Events on their way to receivers: in the order of the log for each key, leased to one, given up, and sent again. */
import { deepEqual, equal } from 'node:assert/strict'
import type { DeliveryOutcome } from '../../src/contract/outgoing/event-deliveries.ts'
import { failuresTolerated, keptForFetching, statusOrderKey } from '../../src/contract/outgoing/event-receivers.ts'
import type { Store } from '../../src/contract/store.ts'
import { acme, at, change, client, event, other, user } from '../samples.ts'
import { logged, type OpenEngine, storeTest } from '../store-test.ts'
import { arrived, delivery, healthy, receiver, taken } from './event-samples.ts'

async function withReceiver(store: Store, ...ids: string[]): Promise<void> {
  await store.directory.apply([change()])
  for (const id of ids.length === 0 ? ['r1'] : ids) await store.eventReceivers.add(receiver(id), [])
}

const take = (store: Store, now = 2_000, busy: readonly string[] = []) =>
  store.eventDeliveries.take({ now: at(now), lease: 1_000, busy })
const takenId = async (store: Store, now = 2_000) => (await take(store, now))?.id ?? null

const which = { tenant: acme, receiver: 'r1' } as const
const fetching = receiver('r1', { kind: 'stream', config: { method: 'poll', url: null } })
const pushing = receiver('r1', { kind: 'stream', config: { method: 'push', url: 'https://shop.example/signals' } })
/** The first arrived, the others did not serve. */
const acknowledged = (store: Store, id: string, ...refused: readonly string[]) =>
  store.eventDeliveries.acknowledge({
    ...which,
    arrived: [id],
    failed: refused.map((it) => ({ id: it, error: 'invalid_request' })),
    at: at(2_000),
    keepUntil: at(9_000_000_000),
    events: [],
  })
const named = { removed: false, subId: { format: 'email', email: 'ada@corp.example' }, at: at(1_000), most: 9 } as const

const failed = (more: Partial<DeliveryOutcome> = {}): DeliveryOutcome =>
  arrived({ state: 'waiting', dueAt: at(9_000), keepUntil: null, status: 500, error: 'status', ...more })

export function eventDeliverySuite(open: OpenEngine): void {
  storeTest(open, 'one who fetches is brought nothing, and acknowledges what is its own alone', async ({ store }) => {
    await store.directory.apply([change()])
    await store.eventReceivers.add(receiver('r1', { kind: 'stream', config: { method: 'poll' } }), [])
    await store.eventReceivers.add(receiver('r2', { kind: 'stream', config: { method: 'poll' } }), [])
    for (const id of ['d1', 'd2', 'd3']) await store.eventDeliveries.queue(delivery(id), [])
    equal(await store.eventDeliveries.due(at(9_000_000)), false)
    const waiting = async (id: string, limit = 10) =>
      (await store.eventDeliveries.waiting({ tenant: acme, id, status: 'enabled' }, limit)).map((row) => row.id)
    deepEqual(await waiting('r1'), ['d1', 'd2', 'd3'])
    deepEqual(await waiting('r1', 2), ['d1', 'd2'])
    const answer = { tenant: acme, at: at(2_000), keepUntil: at(9_000), events: [] }
    const wrong = { ...answer, receiver: 'r2', arrived: ['d1'], failed: [{ id: 'd2', error: 'x' }] }
    equal(await store.eventDeliveries.acknowledge(wrong), 0)
    const right = { ...answer, receiver: 'r1', arrived: ['d1', 'd1'], failed: [{ id: 'd2', error: 'invalid_key' }] }
    equal(await store.eventDeliveries.acknowledge(right), 2)
    equal(await store.eventDeliveries.acknowledge(right), 0)
    deepEqual(await waiting('r1'), ['d3'])
    equal((await store.eventDeliveries.find(acme, 'r1', 'd2'))?.state, 'dead')
  })

  storeTest(
    open,
    'what was acknowledged in whichever order leaves nobody waiting where it is pushed from then on',
    async ({ store }) => {
      await store.directory.apply([change()])
      await store.eventReceivers.add(fetching, [])
      for (const [n, id] of ['d1', 'd2', 'd3'].entries())
        await store.eventDeliveries.queue(delivery(id, { pos: n + 1 }), [])
      await acknowledged(store, 'd1')
      equal(await takenId(store), null)
      await store.eventReceivers.replace({ receiver: pushing, version: 1, at: at(2_000), events: [] })
      equal(await takenId(store), 'd2')
      equal(await takenId(store), null, 'in order')
      // One that was fetched before, and is acknowledged only now.
      await acknowledged(store, 'd2')
      equal(await takenId(store), 'd3')
    },
  )

  storeTest(open, 'whoever moves while it is paused hears of its status in order', async ({ store }) => {
    await store.directory.apply([change()])
    await store.eventReceivers.add({ ...fetching, status: 'paused' }, [])
    for (const id of ['n1', 'n2', 'n3'])
      await store.eventDeliveries.queue(delivery(id, { pos: 0, orderKey: statusOrderKey }), [])
    await acknowledged(store, 'n1')
    const receiver = { ...pushing, status: 'paused' as const }
    await store.eventReceivers.replace({ receiver, version: 1, at: at(2_000), events: [] })
    equal(await takenId(store), 'n2')
    equal(await takenId(store), null)
  })

  storeTest(open, 'two signals of one event are queued again one after the other', async ({ store }) => {
    await withReceiver(store)
    for (const id of ['d1', 'd1-1']) {
      await store.eventDeliveries.queue(delivery(id), [])
      await store.eventDeliveries.settle(await taken(store), arrived({ state: 'dead' }), [])
    }
    await store.eventDeliveries.replay({ tenant: acme, receiver: 'r1', id: null, at: at(2_000), events: [] })
    deepEqual([await takenId(store), await takenId(store)], ['d1', null])
  })

  storeTest(open, 'what is for one who fetches is kept for a week, however it came to be', async ({ store }) => {
    await store.directory.apply([change()])
    await store.eventReceivers.add(pushing, [])
    const ids = async () =>
      (await store.eventDeliveries.waiting({ tenant: acme, id: 'r1', status: 'enabled' }, 9)).map(({ id }) => id)
    const put = (it: ReturnType<typeof receiver>, version: number) =>
      store.eventReceivers.replace({ receiver: it, version, at: at(2_000), events: [] })
    for (const id of ['d1', 'd2']) await store.eventDeliveries.queue(delivery(id, { orderKey: id }), [])
    const underWay = await taken(store)
    equal(await put(fetching, 1), 'replaced')
    equal(await store.eventDeliveries.settle(underWay, failed({ health: healthy }), []), 'settled')
    // Queued by one who knew it as it was before.
    await store.eventDeliveries.queue(delivery('d3'), [])
    await store.eventDeliveries.queue(delivery('refused'), [])
    await acknowledged(store, 'd2', 'refused')
    equal(await store.eventDeliveries.replay({ ...which, id: 'refused', at: at(3_000), events: [] }), 1)
    await store.sweep(at(1_000 + keptForFetching - 1), 10)
    deepEqual(await ids(), ['d1', 'd3', 'refused'])
    await store.sweep(at(1_000 + keptForFetching), 10)
    deepEqual(await ids(), ['d1', 'refused'])
    await store.sweep(at(2_000 + keptForFetching), 10)
    deepEqual(await ids(), ['refused'])
    equal(await put(pushing, 2), 'replaced')
    await store.sweep(at(9 * keptForFetching), 10)
    deepEqual(await ids(), ['refused'], 'what is pushed is kept until it arrived or is given up')
  })

  storeTest(open, 'what waited while nobody was told has all its time and its tries', async ({ store }) => {
    await withReceiver(store)
    for (const [n, id] of ['d1', 'd2', 'd3'].entries())
      await store.eventDeliveries.queue(delivery(id, { pos: n, orderKey: id === 'd3' ? 'd2' : id }), [])
    await store.eventDeliveries.settle(await taken(store), failed({ health: healthy, dueAt: at(90_000) }), [])
    const put = (it: ReturnType<typeof receiver>, version: number) =>
      store.eventReceivers.replace({ receiver: it, version, at: at(50_000), events: [] })
    equal(await put(receiver('r1', { status: 'disabled' }), 1), 'replaced')
    equal((await store.eventDeliveries.find(acme, 'r1', 'd1'))?.queuedAt, 1_000)
    equal(await put(receiver('r1'), 2), 'replaced')
    const rows = (await store.eventDeliveries.waiting({ tenant: acme, id: 'r1', status: 'enabled' }, 9)).map(
      ({ id, queuedAt, dueAt, attempts, tries }) => [id, queuedAt, dueAt, attempts, tries],
    )
    deepEqual(rows, [
      ['d1', 50_000, 50_000, 1, 0],
      ['d2', 50_000, 1_000, 0, 0],
      ['d3', 50_000, null, 0, 0],
    ])
  })

  storeTest(open, 'of a person who is no more no stream keeps what it called them', async ({ store }) => {
    for (const tenant of [acme, other]) {
      await store.directory.apply([change({ tenant })])
      for (const [id, status] of [
        ['off', 'disabled'],
        ['on', 'enabled'],
        ['paused', 'paused'],
      ] as const) {
        await store.eventReceivers.add(receiver(id, { tenant, kind: 'stream', status }), [])
        for (const subject of ['ada', 'bob']) await store.streamSubjects.put({ ...named, tenant, stream: id, subject })
      }
      await store.users.create(user('ada', { tenant }), [])
    }
    const streams = async (tenant = acme, subject = 'ada') => {
      const found = []
      for (const id of ['off', 'on', 'paused'])
        if ((await store.streamSubjects.find(tenant, id, subject)) !== null) found.push(id)
      return found
    }
    const removal = { tenant: acme, id: 'ada', version: 1, by: 'test', at: at(3_000), events: [] }
    equal(await store.users.remove(removal), 'removed')
    deepEqual(await streams(), ['on', 'paused'], 'they are yet to be told by it')
    const removed = [{ tenant: acme, subject: 'ada' }]
    equal(await store.eventDeliveries.derive({ from: 5, to: 9, deliveries: [], removed }), 'elsewhere')
    deepEqual(await streams(), ['on', 'paused'])
    equal(await store.eventDeliveries.derive({ from: 0, to: 9, deliveries: [], removed }), 'derived')
    deepEqual(await streams(), [])
    for (const [tenant, subject] of [
      [acme, 'bob'],
      [other, 'ada'],
    ] as const)
      deepEqual(await streams(tenant, subject), ['off', 'on', 'paused'])
  })

  storeTest(open, 'a stream names people up to a bound, each once', async ({ store }) => {
    await store.directory.apply([change()])
    await store.eventReceivers.add(receiver('r1', { kind: 'stream' }), [])
    const put = (subject: string, removed = false, stream = 'r1') =>
      store.streamSubjects.put({ tenant: acme, stream, subject, removed, subId: null, at: at(1_000), most: 2 })
    equal(await put('ada', false, 'gone'), 'absent')
    deepEqual([await put('ada'), await put('bob'), await put('eve')], ['put', 'put', 'full'])
    equal(await put('ada', true), 'put')
    const ada = { tenant: acme, stream: 'r1', subject: 'ada', removed: true, subId: null }
    deepEqual(await store.streamSubjects.find(acme, 'r1', 'ada'), ada)
    // Another stream has a bound and people of its own.
    await store.eventReceivers.add(receiver('r2', { kind: 'stream' }), [])
    equal(await store.streamSubjects.find(acme, 'r2', 'ada'), null)
    equal(await put('ada', false, 'r2'), 'put')
    equal((await store.streamSubjects.find(acme, 'r2', 'ada'))?.removed, false)
    equal((await store.streamSubjects.find(acme, 'r1', 'ada'))?.removed, true)
    equal(await store.streamSubjects.isKnown(acme, 'ada', 'web'), false)
    await store.eventReceivers.remove(acme, 'r1', [])
    equal(await store.streamSubjects.find(acme, 'r1', 'ada'), null)
  })

  storeTest(open, 'of those that come at once as many are added as there may be', async ({ store }) => {
    await store.directory.apply([change()])
    for (const id of ['web', 'app']) await store.clients.create(client(id), [])
    const most = { ofTenant: 7, ofClient: 5 }
    const added = (clientId: string) =>
      Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          store.eventReceivers.add(receiver(`${clientId} ${n}`, { kind: 'stream', config: { clientId } }), [], most),
        ),
      )
    const counted = async (clientId: string) => (await added(clientId)).filter((it) => it === 'added').length
    deepEqual([await counted('web'), await counted('app')], [5, 2])
    equal(await store.eventReceivers.add(receiver('hook'), [], most), 'added', 'those of another kind do not count')
  })

  storeTest(open, 'a client that is deleted leaves no stream, whatever it makes meanwhile', async ({ store }) => {
    await store.directory.apply([change()])
    await store.clients.create(client('web'), [])
    const own = (n: number) => receiver(`s${n}`, { kind: 'stream', config: { clientId: 'web' } })
    const most = { ofTenant: 99, ofClient: 99 }
    const making = Array.from({ length: 30 }, (_, n) => store.eventReceivers.add(own(n), [], most))
    const [removed, ...made] = await Promise.all([store.clients.remove(acme, 'web', at(9), []), ...making])
    equal(removed, 'removed')
    deepEqual(
      made.filter((it) => it !== 'added' && it !== 'no-client'),
      [],
    )
    deepEqual(await store.eventReceivers.listening(acme), [])
    equal(await store.eventReceivers.add(own(99), [], most), 'no-client')
    await store.clients.create(client('web', { tenant: acme }), [])
    equal(await store.eventReceivers.add(own(99), [], most), 'added')
  })

  storeTest(open, 'a delivery is taken by one, and by the next one when its lease is over', async ({ store }) => {
    await withReceiver(store)
    await store.eventDeliveries.queue(delivery('d1'), [event('login.failed')])
    equal(await store.eventDeliveries.due(at(999)), false)
    const first = await taken(store)
    deepEqual([first.id, first.attempts, first.tries, first.to.config], ['d1', 1, 1, receiver('r1').config])
    equal(await takenId(store, 2_999), null)
    const second = await taken(store, { now: at(3_000) })
    equal(second.attempts, 2)
    equal(await store.eventDeliveries.settle(first, arrived(), []), 'taken-again')
    equal(await store.eventDeliveries.settle(second, arrived(), [event('webhook.disabled')]), 'settled')
    equal(await store.eventDeliveries.settle(second, arrived(), []), 'taken-again')
    deepEqual(await logged(store, acme), ['admin.tenant_changed', 'login.failed', 'webhook.disabled'])
    const kept = await store.eventDeliveries.find(acme, 'r1', 'd1')
    deepEqual([kept?.state, kept?.lastStatus, kept?.latency, kept?.dueAt], ['delivered', 204, 12, null])
    equal(await store.sweep(at(89_999), 10), 0)
    equal(await store.sweep(at(90_000), 10), 1)
  })

  storeTest(open, 'what is about one subject waits for the earlier one; others pass', async ({ store }) => {
    await withReceiver(store)
    const deliveries = [
      delivery('d1', { pos: 1 }),
      delivery('d2', { pos: 2 }),
      delivery('d3', { pos: 3, orderKey: 'bob' }),
      delivery('d4', { pos: 4 }),
    ]
    equal(await store.eventDeliveries.derive({ from: 0, to: 4, deliveries }), 'derived')
    const first = await taken(store)
    const third = await taken(store)
    deepEqual([first.id, third.id], ['d1', 'd3'])
    equal(await takenId(store), null)
    await store.eventDeliveries.settle(first, failed({ health: healthy }), [])
    await store.eventDeliveries.settle(third, arrived(), [])
    equal(await takenId(store, 8_999), null, 'the next one waits for the one that is tried again')
    const retried = await taken(store, { now: at(9_000) })
    equal(retried.id, 'd1')
    await store.eventDeliveries.settle(retried, arrived({ state: 'dead', at: at(9_000) }), [])
    const second = await taken(store, { now: at(9_000) })
    equal(second.id, 'd2')
    await store.eventDeliveries.settle(second, arrived({ at: at(9_000) }), [])
    equal(await takenId(store, 9_000), 'd4')
  })

  storeTest(open, 'of 50 nodes that read the same events one queues them, each event once', async ({ store }) => {
    await withReceiver(store)
    const derive = (from: number) =>
      store.eventDeliveries.derive({ from, to: from + 7, deliveries: [delivery('d1'), delivery('d2', { pos: 2 })] })
    for (const from of [0, 7]) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => derive(from)))
      equal(answers.filter((it) => it === 'derived').length, 1)
    }
    deepEqual(await store.eventReceivers.reading(), { cursor: 14, since: 0 })
    const found = await store.eventDeliveries.search(acme, { receiver: 'r1', state: null, before: null, limit: 9 })
    deepEqual(
      found.map(({ id }) => id),
      ['d2', 'd1'],
    )
  })

  storeTest(open, 'while four take and settle and one queues, each subject keeps its order', async ({ store }) => {
    await withReceiver(store)
    const arrivals: { readonly key: string; readonly pos: number }[] = []
    const total = 60
    let done = false
    const queueing = (async () => {
      for (let pos = 1; pos <= total; pos += 3)
        await store.eventDeliveries.derive({
          from: pos === 1 ? 0 : pos - 1,
          to: pos + 2,
          deliveries: [0, 1, 2].map((n) =>
            delivery(`d${pos + n}`, { pos: pos + n, orderKey: `key ${(pos + n) % 4}`, madeAt: at(1_000) }),
          ),
        })
      done = true
    })()
    const node = async () => {
      while (arrivals.length < total) {
        const before = done
        const it = await take(store)
        if (it !== null) {
          arrivals.push({ key: it.orderKey, pos: it.pos })
          equal(await store.eventDeliveries.settle(it, arrived(), []), 'settled')
        } else if (before && !(await store.eventDeliveries.due(at(2_000))) && arrivals.length < total) {
          // All that is left is under way with another; look again when that one is back.
          await new Promise((resolve) => setImmediate(resolve))
        }
      }
    }
    await Promise.all([queueing, node(), node(), node(), node()])
    equal(arrivals.length, total, 'each once')
    for (const key of ['key 0', 'key 1', 'key 2', 'key 3']) {
      const order = arrivals.filter((it) => it.key === key).map(({ pos }) => pos)
      deepEqual(
        order,
        order.toSorted((one, two) => one - two),
      )
    }
  })

  storeTest(open, 'a receiver that fails is left alone, and then asked once at a time', async ({ store }) => {
    await withReceiver(store, 'r1', 'r2')
    for (const [n, id] of ['d1', 'd2', 'd3'].entries())
      await store.eventDeliveries.queue(delivery(id, { pos: n, orderKey: id }), [])
    const first = await taken(store)
    const health = { failures: failuresTolerated, failingSince: at(2_000), restUntil: at(5_000) }
    await store.eventDeliveries.settle(first, failed({ health }), [])
    equal(await takenId(store, 4_999), null)
    await store.eventDeliveries.queue(delivery('other', { receiver: 'r2' }), [])
    equal(await takenId(store, 4_999), 'other', 'whoever does not fail is told')
    const probe = await taken(store, { now: at(5_000) })
    equal(probe.to.failures, failuresTolerated)
    equal(await takenId(store, 5_000), null, 'one at a time')
    await store.eventDeliveries.settle(probe, arrived({ at: at(5_500) }), [])
    equal(await takenId(store, 5_500), 'd3', 'well again')
  })

  storeTest(open, 'what waits for another try is due at once where the address is another', async ({ store }) => {
    await withReceiver(store)
    await store.eventDeliveries.queue(delivery('d1'), [])
    const taken = await take(store, 2_000)
    if (taken === null) throw new Error('nothing was taken')
    const again = { state: 'waiting' as const, dueAt: at(90_000), at: at(2_500), keepUntil: null }
    await store.eventDeliveries.settle(taken, arrived(again), [])
    equal(await takenId(store, 3_000), null)
    const put = (it: ReturnType<typeof receiver>, version: number) =>
      store.eventReceivers.replace({ receiver: it, version, at: at(4_000), events: [] })
    equal(await put(receiver('r1'), 1), 'replaced')
    equal(await takenId(store, 4_000), null, 'the address is the same')
    equal(await put(receiver('r1', { config: { url: 'https://mended.example/hook' } }), 2), 'replaced')
    equal(await takenId(store, 4_000), 'd1')
  })

  storeTest(open, 'what failed at the address before is tried at once at the one since', async ({ store }) => {
    await withReceiver(store)
    await store.eventDeliveries.queue(delivery('d1'), [])
    const first = await taken(store)
    const moved = receiver('r1', { config: { url: 'https://mended.example/hook' } })
    equal(await store.eventReceivers.replace({ receiver: moved, version: 1, at: at(2_200), events: [] }), 'replaced')
    await store.eventDeliveries.settle(first, failed({ at: at(2_500), dueAt: at(90_000) }), [])
    equal(await takenId(store, 2_500), 'd1')
  })

  storeTest(open, 'busy, paused and disabled receivers are passed over; what waits is kept', async ({ store }) => {
    await withReceiver(store, 'r1', 'r2')
    await store.eventDeliveries.queue(delivery('d1'), [])
    await store.eventDeliveries.queue(delivery('d2', { receiver: 'r2' }), [])
    equal((await take(store, 2_000, ['acme r1']))?.id, 'd2')
    const put = (status: 'enabled' | 'paused' | 'disabled', version: number) =>
      store.eventReceivers.replace({ receiver: receiver('r1', { status }), version, at: at(2_000), events: [] })
    equal(await put('paused', 1), 'replaced')
    equal(await takenId(store), null)
    equal(await store.eventDeliveries.queue(delivery('d3'), []), 'queued', 'kept for when it goes on')
    equal(await put('disabled', 1), 'changed-meanwhile')
    equal(await put('disabled', 2), 'replaced')
    deepEqual(
      (await store.eventReceivers.listening(acme)).map(({ id }) => id),
      ['r2'],
    )
    equal(await store.eventDeliveries.queue(delivery('d4'), []), 'absent')
    equal(await put('enabled', 3), 'replaced')
    equal(await takenId(store), 'd1')
  })

  storeTest(open, 'one that is paused or disabled hears of that, in order, and of nothing else', async ({ store }) => {
    await withReceiver(store)
    await store.eventDeliveries.queue(delivery('d1'), [])
    const put = (status: 'enabled' | 'paused' | 'disabled', version: number) =>
      store.eventReceivers.replace({
        receiver: receiver('r1', { status }),
        version,
        at: at(2_000),
        notice: delivery(`n${version}`, { pos: 0, orderKey: statusOrderKey }),
        events: [],
      })
    equal(await put('paused', 1), 'replaced')
    equal(await put('disabled', 1), 'changed-meanwhile')
    equal((await store.eventDeliveries.find(acme, 'r1', 'n1'))?.state, 'waiting')
    equal(await put('disabled', 2), 'replaced')
    const waiting = (status: 'enabled' | 'paused') =>
      store.eventDeliveries.waiting({ tenant: acme, id: 'r1', status }, 10).then((rows) => rows.map(({ id }) => id))
    deepEqual(
      [await waiting('enabled'), await waiting('paused')],
      [
        ['d1', 'n1', 'n2'],
        ['n1', 'n2'],
      ],
    )
    equal(await store.eventDeliveries.due(at(2_000)), true)
    const first = await taken(store)
    equal(first.id, 'n1')
    equal(await takenId(store), null, 'the second waits for the first')
    equal(await store.eventDeliveries.settle(first, arrived(), []), 'settled')
    await store.eventDeliveries.settle(await taken(store), arrived(), [])
    equal(await store.eventDeliveries.due(at(9_000_000)), false)
    equal(await put('enabled', 3), 'replaced')
    deepEqual(new Set([await takenId(store), await takenId(store)]), new Set(['d1', 'n3']))
  })

  storeTest(open, 'a try can disable its receiver; what is deleted takes with it what waits', async ({ store }) => {
    await withReceiver(store)
    await store.eventDeliveries.queue(delivery('d1'), [])
    await store.eventDeliveries.queue(delivery('d2', { orderKey: 'bob' }), [])
    await store.eventDeliveries.settle(await taken(store), failed({ disable: 'gone', dueAt: at(2_000) }), [])
    const found = await store.eventReceivers.find(acme, 'r1')
    deepEqual([found?.status, found?.statusReason], ['disabled', 'gone'])
    equal(await takenId(store), null)
    equal(await store.eventReceivers.remove(other, 'r1', []), 'absent')
    equal(await store.eventReceivers.remove(acme, 'r1', []), 'removed')
    equal(await store.eventDeliveries.find(acme, 'r1', 'd2'), null)
    equal(await store.eventReceivers.add(receiver('r1'), []), 'added')
    equal(await takenId(store), null, 'nothing of the one before it')
    equal(await store.eventReceivers.add(receiver('r1'), []), 'exists')
    equal(await store.eventReceivers.add(receiver('r1', { tenant: other }), []), 'no-tenant')
  })

  storeTest(open, 'dead ones are queued again in their order, delivered ones one by one', async ({ store }) => {
    await withReceiver(store)
    for (const [n, id] of ['d1', 'd2', 'd3'].entries()) {
      await store.eventDeliveries.queue(delivery(id, { pos: n + 1 }), [])
      await store.eventDeliveries.settle(await taken(store), arrived({ state: id === 'd3' ? 'delivered' : 'dead' }), [])
    }
    const replay = (id: string | null) =>
      store.eventDeliveries.replay({ tenant: acme, receiver: 'r1', id, at: at(2_000), events: [] })
    deepEqual([await replay('unknown'), await replay('d3'), await replay('d3'), await replay(null)], [0, 1, 0, 2])
    const order: string[] = []
    for (let n = 0; n < 3; n += 1) {
      const it = await taken(store)
      equal(it.tries, 1)
      order.push(it.id)
      equal(await takenId(store), null, 'one at a time')
      await store.eventDeliveries.settle(it, arrived(), [])
    }
    deepEqual(order, ['d3', 'd1', 'd2'], 'the first had its turn already')
    equal(await replay(null), 0)
  })

  storeTest(
    open,
    'what is queued again waits for nothing of another receiver, tenant or subject',
    async ({ store }) => {
      await withReceiver(store, 'r1', 'r2')
      await store.directory.apply([change({ tenant: other })])
      await store.eventReceivers.add(receiver('r1', { tenant: other }), [])
      await store.eventDeliveries.queue(delivery('d5', { pos: 5 }), [])
      await store.eventDeliveries.settle(await taken(store), arrived({ state: 'dead' }), [])
      await store.eventDeliveries.queue(delivery('of another', { pos: 1, orderKey: 'bob' }), [])
      await store.eventDeliveries.queue(delivery('of r2', { pos: 1, receiver: 'r2' }), [])
      await store.eventDeliveries.queue(delivery('elsewhere', { pos: 1, tenant: other }), [])
      for (let n = 0; n < 3; n += 1) await taken(store)
      const replay = { tenant: acme, receiver: 'r1', at: at(2_000), events: [event('admin.webhook_changed')] }
      equal(await store.eventDeliveries.replay({ ...replay, id: 'nothing' }), 0)
      equal(await store.eventDeliveries.replay({ ...replay, id: null, receiver: 'r9' }), 0)
      equal((await logged(store, acme)).includes('admin.webhook_changed'), false)
      equal(await store.eventDeliveries.replay({ ...replay, id: null }), 1)
      equal((await logged(store, acme)).includes('admin.webhook_changed'), true)
      equal(await takenId(store), 'd5')
      for (const [tenant, id] of [
        [acme, 'r2'],
        [other, 'r1'],
      ] as const)
        equal((await store.eventDeliveries.waiting({ tenant, id, status: 'enabled' }, 9))[0]?.queuedAt, 1_000)
    },
  )

  storeTest(
    open,
    'of what is due at once the earlier event goes first; what is due earlier before it',
    async ({ store }) => {
      await withReceiver(store)
      await store.eventDeliveries.queue(delivery('late', { pos: 9, orderKey: 'a' }), [])
      await store.eventDeliveries.queue(delivery('early', { pos: 2, orderKey: 'b' }), [])
      await store.eventDeliveries.queue(delivery('put off', { pos: 1, orderKey: 'c', madeAt: at(1_500) }), [])
      deepEqual([await takenId(store), await takenId(store), await takenId(store)], ['early', 'late', 'put off'])
    },
  )

  storeTest(
    open,
    'a receiver that fails less often than is tolerated is told of several things at once',
    async ({ store }) => {
      await withReceiver(store)
      for (const id of ['d1', 'd2', 'd3']) await store.eventDeliveries.queue(delivery(id, { orderKey: id }), [])
      const health = { failures: failuresTolerated - 1, failingSince: at(2_000), restUntil: at(0) }
      await store.eventDeliveries.settle(await taken(store), failed({ health }), [])
      deepEqual([await takenId(store), await takenId(store), await takenId(store)], ['d2', 'd3', null])
    },
  )

  storeTest(open, 'a receiver reads back whole, as it was added and as it was replaced', async ({ store }) => {
    await store.directory.apply([change()])
    const previous = { sealed: Uint8Array.from([4, 5]), until: at(7_000) }
    const added = receiver('r1', { kind: 'stream', previous, declared: true, sincePos: 4, statusReason: 'so' })
    const bare = receiver('r2')
    for (const it of [added, bare, receiver('r3', { sealedSecret: null })]) {
      equal(await store.eventReceivers.add(it, []), 'added')
      const found = await store.eventReceivers.find(it.tenant, it.id)
      deepEqual({ ...found, ...it }, found)
      deepEqual([found?.version, found?.failures, found?.failingSince, found?.restUntil], [1, 0, null, 0])
    }
    const next = receiver('r2', { config: { url: 'https://next.example' }, previous, declared: true, sincePos: 9 })
    equal(await store.eventReceivers.replace({ receiver: next, version: 1, at: at(2_000), events: [] }), 'replaced')
    const after = await store.eventReceivers.find(acme, 'r2')
    deepEqual({ ...after, ...next }, after)
    equal(await store.eventReceivers.replace({ receiver: bare, version: 2, at: at(2_000), events: [] }), 'replaced')
    const again = await store.eventReceivers.find(acme, 'r2')
    deepEqual({ ...again, ...bare, version: 3 }, again)
    deepEqual((await store.eventReceivers.find(acme, 'r1'))?.config, added.config)
  })

  storeTest(
    open,
    'a receiver that is enabled again begins anew; one that was enabled stays as ill as it was',
    async ({ store }) => {
      await withReceiver(store)
      await store.eventDeliveries.queue(delivery('d1'), [])
      const health = { failures: 3, failingSince: at(2_000), restUntil: at(9_000) }
      await store.eventDeliveries.settle(await taken(store), failed({ health, dueAt: at(3_000) }), [])
      const put = async (status: 'enabled' | 'paused', version: number) => {
        const next = { receiver: receiver('r1', { status }), version, at: at(2_500), events: [] }
        equal(await store.eventReceivers.replace(next), 'replaced')
        const found = await store.eventReceivers.find(acme, 'r1')
        return [found?.failures, found?.failingSince, found?.restUntil]
      }
      deepEqual(await put('enabled', 1), [3, 2_000, 9_000])
      equal(await takenId(store, 8_999), null)
      deepEqual(await put('paused', 2), [3, 2_000, 9_000])
      deepEqual(await put('enabled', 3), [0, null, 2_500])
      equal(await takenId(store, 3_000), 'd1')
    },
  )

  storeTest(open, 'a receiver is told what is behind its beginning', async ({ store }) => {
    deepEqual(await store.eventReceivers.reading(), { cursor: 0, since: null })
    await withReceiver(store)
    await store.eventReceivers.add(receiver('r2', { sincePos: 40, status: 'disabled' }), [])
    await store.eventReceivers.add(receiver('r3', { sincePos: 30 }), [])
    await store.eventReceivers.remove(acme, 'r1', [])
    deepEqual(await store.eventReceivers.reading(), { cursor: 0, since: 30 })
    const list = async (after: string | null) =>
      (await store.eventReceivers.list(acme, { kind: 'webhook', after, limit: 9 })).map(({ id }) => id)
    deepEqual([await list(null), await list('r2')], [['r2', 'r3'], ['r3']])
    deepEqual(await store.eventReceivers.list(acme, { kind: 'stream', after: null, limit: 9 }), [])
    await store.events.append([event('login.failed'), event('token.issued', { tenant: other })])
    await store.events.position()
    const news = await store.eventDeliveries.news(0, 10)
    deepEqual(
      news.map(({ name }) => name),
      ['admin.tenant_changed', 'login.failed', 'token.issued'],
    )
  })
}
