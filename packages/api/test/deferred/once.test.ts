/** Deferred work under an Idempotency-Key is begun once, whatever is lost on the way to its answer. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Instant, JsonObject } from '@grantor/protocol/types'
import { Type } from 'typebox'
import type { RequestContext } from '../../src/collection/handlers.ts'
import type { OperationStore } from '../../src/deferred/operation-store.ts'
import { memoryIdempotency } from '../../src/stores/memory-idempotency.ts'
import { memoryOperations } from '../../src/stores/memory-operations.ts'
import { sample, type SampleOptions } from '../sample.ts'
import { onEveryStore } from './stores.ts'

/** An API whose work counts how often it was begun, and the clients of a test beside it. */
function counting(operations: OperationStore, { plan, server }: SampleOptions = {}) {
  const begun: string[] = []
  const it = sample({
    plan: {
      actions: {
        weigh: {
          on: 'collection',
          scope: 'parcels:read',
          summary: 'Weigh',
          body: Type.Object({}),
          example: {},
          deferred: 'always',
          run: (_body: never, { intent }: RequestContext) => ({ times: begun.push(intent) }),
        },
      },
      ...plan,
    },
    server: { operations, workTiming: { renew: 10, poll: 10 }, ...server },
  })
  const as = { scope: 'parcels:read parcels:write', expiresIn: 3600 }
  const weigh = (headers: Record<string, string>, url = '/v1/parcels/weigh') =>
    it.client({ method: 'POST', url, body: {}, as, headers })
  const listed = async () => (await it.client({ url: '/v1/operations', as })).json()['items'] as readonly JsonObject[]
  const close = () => Promise.all([it.client.close(), it.api.close()])
  const later = () => (it.clock.now = (it.clock.now + 30_000) as Instant)
  return { ...it, begun, weigh, listed, close, later }
}

/** Keys whose ends are never written: what a process leaves that is killed before it. */
const cutOff = () => ({ ...memoryIdempotency(), complete: () => undefined })
const key = { 'idempotency-key': 'k' }

for (const rerun of [false, true]) {
  onEveryStore(`a retry of what was cut off finds its operation, where rerun is ${rerun}`, async (store) => {
    const it = counting(store, { plan: { idempotency: { rerun } }, server: { idempotency: cutOff() } })
    const first = await it.weigh(key)
    assert.equal(first.status, 202)
    it.later()
    const second = await it.weigh(key)
    assert.deepEqual([second.status, second.headers['location']], [202, first.headers['location']])
    it.later()
    const waited = await it.weigh({ ...key, prefer: 'wait=20' })
    // Another preference is another request.
    assert.equal(waited.status, 422)
    assert.equal((await it.listed()).length, 1)
    await it.close()
  })
}

onEveryStore('work whose acceptance was written and not heard of is the same one for the retry', async (store) => {
  let away = true
  const add: OperationStore['add'] = async (operation) => {
    const added = await store.add(operation)
    if (!away) return added
    away = false
    throw new Error('the connection broke')
  }
  const it = counting({ ...store, add })
  const refused = await it.weigh({ ...key, prefer: 'wait=20' })
  assert.deepEqual([refused.status, refused.headers['retry-after']], [503, '1'])
  const retried = await it.weigh({ ...key, prefer: 'wait=20' })
  assert.deepEqual([retried.status, retried.json()], [200, { times: 1 }])
  assert.equal((await it.listed()).length, 1)
  assert.equal(it.faults.length, 1)
  await it.close()
})

test('a store that is away while the client waits costs the wait: 202, and the key is kept', async () => {
  const memory = memoryOperations()
  const find: OperationStore['find'] = () => Promise.reject(new Error('away'))
  const it = counting({ ...memory, find })
  const accepted = await it.weigh({ ...key, prefer: 'wait=20' })
  assert.equal(accepted.status, 202)
  const again = await it.weigh({ ...key, prefer: 'wait=20' })
  assert.deepEqual(
    [again.status, again.headers['location'], again.headers['idempotency-replayed']],
    [202, accepted.headers['location'], 'true'],
  )
  assert.equal((await it.listed()).length, 1)
  await it.close()
})

test('what the work itself has done is not held against the retry that asks for it', async () => {
  const remove = {
    on: 'item' as const,
    scope: 'parcels:read',
    summary: 'Throw away',
    body: Type.Object({}),
    example: {},
    deferred: 'always' as const,
    run: (_body: never, _context: RequestContext, entry: { readonly value: { readonly id: string } } | null) => {
      it.rows.delete(`default/${entry?.value.id}`)
      return { thrown: true }
    },
  }
  const it = counting(memoryOperations(), { plan: { actions: { remove } }, server: { idempotency: cutOff() } })
  it.put('a')
  const headers = { ...key, prefer: 'wait=20' }
  const done = await it.weigh(headers, '/v1/parcels/a/remove')
  assert.deepEqual([done.status, done.json()], [200, { thrown: true }])
  it.later()
  const retried = await it.weigh(headers, '/v1/parcels/a/remove')
  assert.deepEqual([retried.status, retried.json()], [200, { thrown: true }])
  assert.equal((await it.weigh({ 'idempotency-key': 'k2' }, '/v1/parcels/a/remove')).status, 404)
  assert.equal((await it.listed()).length, 1)
  await it.close()
})

test('without a key every request is an operation of its own, with an id in the form of all', async () => {
  const it = counting(memoryOperations())
  const [one, two] = [await it.weigh({ prefer: 'wait=20' }), await it.weigh({})]
  assert.deepEqual([one.status, two.status], [200, 202])
  const ids = (await it.listed()).map(({ id }) => id as string)
  assert.equal(new Set(ids).size, 2)
  for (const id of ids) assert.match(id, /^op_[0-9a-f]{32}$/)
  await it.close()
})

onEveryStore('a process leaves alone what it does not offer: one that does is there, or will be', async (store) => {
  const newer = counting(store, { server: { workers: 0 } })
  const accepted = await newer.weigh({})
  const older = counting(store, {
    plan: { deferred: 'preferred', actions: {} },
    server: { now: () => newer.clock.now },
  })
  const body = { label: 'x', weight: 1 }
  const as = { scope: 'parcels:write' }
  const headers = { ...key, prefer: 'respond-async, wait=20' }
  // Younger, and done by the old one all the same.
  assert.equal((await older.client({ method: 'POST', url: '/v1/parcels', body, as, headers })).status, 201)
  const url = String(accepted.headers['location'])
  const shown = await newer.client({ url, as: { scope: 'parcels:read' } })
  assert.equal(shown.json()['status'], 'pending')
  await Promise.all([older.close(), newer.close()])
})
