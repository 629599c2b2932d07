/** The stores of deferred work, held to one contract. */
import assert from 'node:assert/strict'
import type { Instant } from '@grantor/protocol/types'
import { test } from 'node:test'
import type { NewOperation, OperationEnd } from '../../src/deferred/operation-store.ts'
import { memoryOperations } from '../../src/stores/memory-operations.ts'
import { onEveryStore } from './stores.ts'

const start = Date.UTC(2026, 10, 15, 10)
const at = (seconds: number) => (start + seconds * 1000) as Instant
const lease = (worker: string, seconds: number) => ({ worker, now: at(seconds), until: at(seconds + 30) })
const kinds = ['orders.export', 'same']
const page = {
  take: 10,
  sort: [
    { field: 'created_at', descending: true },
    { field: 'id', descending: true },
  ],
  filter: [],
  after: null,
}

const caller = {
  credential: 'access_token' as const,
  issuer: 'https://issuer.example',
  tenant: null,
  subject: 'alice',
  clientId: 'web',
  scope: ['x'],
  jti: 'j',
  grantId: null,
  claims: { iat: 1 },
  expiresAt: at(600),
}

const operation = (id: string, more: Partial<NewOperation> = {}): NewOperation => ({
  id,
  owner: 'alice',
  tenant: 'default',
  kind: 'orders.export',
  request: {
    version: 'v1',
    collection: 'orders',
    action: 'export',
    item: null,
    path: '/v1/orders/export',
    body: { a: 1 },
    prefer: [],
    requestId: 'r',
    intent: 'i',
    caller,
  },
  createdAt: at(0),
  expiresAt: at(1000),
  ...more,
})

const end = (more: Partial<OperationEnd> = {}): OperationEnd => ({
  status: 'succeeded',
  outcome: null,
  progress: null,
  at: at(5),
  expiresAt: at(500),
  ...more,
})

onEveryStore('one that waits is taken once, oldest first, and comes back as it was asked for', async (store) => {
  await store.add(operation('b', { createdAt: at(1) }))
  await store.add(operation('a'))
  const taken = await store.take(lease('w1', 2), kinds)
  assert.deepEqual(
    [taken?.id, taken?.status, taken?.attempt, taken?.startedAt, taken?.request],
    ['a', 'running', 1, at(2), operation('a').request],
  )
  assert.equal((await store.take(lease('w2', 2), kinds))?.id, 'b')
  assert.equal(await store.take(lease('w2', 2), kinds), null)
})

onEveryStore('one that is added again is what it is by now, and is not asked for twice', async (store) => {
  const added = await store.add(operation('a'))
  assert.deepEqual([added.status, added.version, added.request], ['pending', 1, operation('a').request])
  await store.take(lease('w1', 2), kinds)
  const again = await store.add(operation('a', { kind: 'same', createdAt: at(3) }))
  assert.deepEqual([again.status, again.kind, again.version, again.createdAt], ['running', 'orders.export', 2, at(0)])
  const race = await Promise.all(Array.from({ length: 12 }, async () => store.add(operation('b'))))
  assert.ok(race.every(({ id, version }) => id === 'b' && version === 1))
  assert.equal((await store.page('alice', page, at(9))).length, 2)
})

onEveryStore(
  'a worker is given what it offers, also where something older waits that it does not know',
  async (store) => {
    await store.add(operation('a', { kind: 'orders.unheard-of' }))
    await store.add(operation('b', { createdAt: at(1) }))
    assert.equal((await store.take(lease('w1', 2), kinds))?.id, 'b')
    assert.equal(await store.take(lease('w1', 2), kinds), null)
    assert.equal((await store.take(lease('w2', 2), ['orders.unheard-of']))?.attempt, 1)
  },
)

onEveryStore('of many workers that race for few, each gets another one', async (store) => {
  for (const id of ['a', 'b', 'c']) await store.add(operation(id))
  const taken = await Promise.all(Array.from({ length: 12 }, async (_, n) => store.take(lease(`w${n}`, 1), kinds)))
  // A row that another is taking is passed over, so a worker may come away with nothing and ask again.
  const ids = taken.flatMap((one) => one?.id ?? [])
  assert.equal(new Set(ids).size, ids.length)
  for (let n = 0; n < 3; n++) ids.push((await store.take(lease('last', 1), kinds))?.id ?? '')
  assert.deepEqual(ids.filter(Boolean).sort(), ['a', 'b', 'c'])
})

onEveryStore(
  'a lease that is renewed holds; one that ended lets another begin again, and the first has lost it',
  async (store) => {
    await store.add(operation('a'))
    await store.take(lease('w1', 0), kinds)
    assert.equal(await store.renew('a', lease('w1', 20), { done: 2, total: 5, note: 'on the way' }), 'held')
    assert.equal(await store.take(lease('w2', 40), kinds), null)
    const again = await store.take(lease('w2', 50), kinds)
    assert.deepEqual([again?.attempt, again?.startedAt, again?.progress?.done], [2, at(0), 2])
    assert.equal(await store.renew('a', lease('w1', 51), null), 'lost')
    await store.finish('a', 'w1', end({ at: at(52), expiresAt: at(60) }))
    assert.equal((await store.find('alice', 'a', at(52)))?.status, 'running')
  },
)

onEveryStore('RFC 9110 §8.8.1: its version changes with what is shown of it, and not with its lease', async (store) => {
  await store.add(operation('a'))
  await store.take(lease('w1', 0), kinds)
  const progress = { done: 2, total: 5, note: null }
  const versions: unknown[] = []
  for (const noted of [null, progress, { ...progress }, null, { ...progress, done: 3 }]) {
    assert.equal(await store.renew('a', lease('w1', 1), noted), 'held')
    versions.push((await store.find('alice', 'a', at(1)))?.version)
  }
  assert.deepEqual(versions, [2, 3, 3, 3, 4])
  assert.equal(await store.take(lease('w2', 30), kinds), null)
})

onEveryStore('an end without a word on how far it came leaves what was noted', async (store) => {
  await store.add(operation('a'))
  await store.take(lease('w1', 0), kinds)
  await store.renew('a', lease('w1', 1), { done: 2, total: 5, note: 'on the way' })
  await store.finish('a', 'w1', end({ status: 'failed' }))
  const found = await store.find('alice', 'a', at(6))
  assert.deepEqual([found?.status, found?.progress], ['failed', { done: 2, total: 5, note: 'on the way' }])
})

onEveryStore('an end is final: nothing renews, cancels or finishes it again', async (store) => {
  await store.add(operation('a'))
  await store.take(lease('w1', 0), kinds)
  const outcome = { status: 201, headers: { location: '/v1/orders/1' }, body: '{"id":"1"}' }
  await store.finish('a', 'w1', end({ outcome, progress: { done: 5, total: 5, note: null } }))
  await store.finish('a', 'w1', end({ status: 'failed', at: at(6) }))
  await store.release('a', 'w1')
  assert.equal(await store.renew('a', lease('w1', 6), null), 'lost')
  const found = await store.cancel('alice', 'a', { at: at(7), expiresAt: at(900) })
  assert.deepEqual(
    [found?.status, found?.outcome, found?.endedAt, found?.expiresAt, found?.cancelRequestedAt],
    ['succeeded', outcome, at(5), at(500), null],
  )
  assert.equal(found?.progress?.done, 5)
  assert.equal(await store.take(lease('w2', 100), kinds), null)
})

onEveryStore('canceling ends one that waits, asks one that runs, and ends one whose worker is gone', async (store) => {
  for (const id of ['a', 'b']) await store.add(operation(id, { createdAt: at(id === 'a' ? 0 : 1) }))
  await store.take(lease('w1', 0), kinds)
  const end = { at: at(1), expiresAt: at(500) }
  assert.deepEqual(
    [(await store.cancel('alice', 'b', end))?.status, await store.take(lease('w2', 1), kinds)],
    ['canceled', null],
  )
  const running = await store.cancel('alice', 'a', end)
  assert.deepEqual([running?.status, running?.cancelRequestedAt], ['running', at(1)])
  assert.equal(await store.renew('a', lease('w1', 2), null), 'canceling')
  assert.equal((await store.cancel('alice', 'a', { at: at(60), expiresAt: at(500) }))?.status, 'canceled')
  assert.equal(await store.renew('a', lease('w1', 61), null), 'lost')
})

onEveryStore('one that is let go waits again, for anybody', async (store) => {
  await store.add(operation('a'))
  await store.take(lease('w1', 0), kinds)
  await store.release('a', 'w2')
  assert.equal(await store.take(lease('w2', 1), kinds), null)
  await store.release('a', 'w1')
  assert.equal((await store.take(lease('w2', 1), kinds))?.attempt, 2)
})

onEveryStore('nobody finds, lists or cancels what another asked for; what has expired is gone', async (store) => {
  await store.add(operation('a'))
  await store.add(operation('b', { owner: 'bob' }))
  assert.equal(await store.find('bob', 'a', at(0)), null)
  assert.equal(await store.cancel('bob', 'a', { at: at(0), expiresAt: at(9) }), null)
  assert.deepEqual(
    (await store.page('alice', page, at(0))).map(({ id }) => id),
    ['a'],
  )
  assert.equal(await store.find('alice', 'a', at(1000)), null)
  assert.deepEqual(await store.page('alice', page, at(1000)), [])
  assert.equal(await store.take(lease('w', 1000), kinds), null)
})

onEveryStore('a list goes on where its last page ended, in either direction, by status and kind', async (store) => {
  for (let n = 0; n < 5; n++)
    await store.add(operation(`op${n}`, { createdAt: at(Math.floor(n / 2)), kind: n === 4 ? 'other' : 'same' }))
  const all = await store.page('alice', page, at(9))
  assert.deepEqual(
    all.map(({ id }) => id),
    ['op4', 'op3', 'op2', 'op1', 'op0'],
  )
  const after = [new Date(at(1)).toISOString(), 'op3']
  assert.deepEqual(
    (await store.page('alice', { ...page, after, take: 2 }, at(9))).map(({ id }) => id),
    ['op2', 'op1'],
  )
  const upwards = page.sort.map((key) => ({ ...key, descending: false }))
  assert.deepEqual(
    (await store.page('alice', { ...page, sort: upwards, after }, at(9))).map(({ id }) => id),
    ['op4'],
  )
  const filter = [{ field: 'kind', op: 'eq', values: ['other'] }] as const
  assert.deepEqual(
    (await store.page('alice', { ...page, filter }, at(9))).map(({ id }) => id),
    ['op4'],
  )
})

test('memory is bounded: the oldest that ended go early, and where nothing has ended no more is taken', async () => {
  const ids = async (store: ReturnType<typeof memoryOperations>) =>
    (await store.page('alice', page, at(9))).map(({ id }) => id).sort()
  const store = memoryOperations({ capacity: 3 })
  for (const id of ['a', 'b', 'c']) await store.add(operation(id))
  assert.throws(() => store.add(operation('d')), /deferred work/)
  assert.equal((await store.add(operation('a'))).id, 'a', 'one that is there needs no room')
  await store.take(lease('w', 0), kinds)
  await store.take(lease('w', 0), kinds)
  await store.finish('b', 'w', end())
  await store.add(operation('d'))
  assert.deepEqual(await ids(store), ['a', 'c', 'd'])
  const small = memoryOperations({ room: 2_000 })
  await small.add(operation('a'))
  await small.take(lease('w', 0), kinds)
  await small.finish('a', 'w', end({ outcome: { status: 200, headers: {}, body: 'x'.repeat(2_000) } }))
  await small.add(operation('b'))
  await small.add(operation('c'))
  assert.deepEqual(await ids(small), ['b', 'c'])
  await small.add(operation('e', { createdAt: at(1000) }))
  await small.add(operation('f', { createdAt: at(1000) }))
  assert.deepEqual(await small.find('alice', 'c', at(0)), null, 'what has expired makes room first')
})
