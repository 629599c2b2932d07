/** Idempotency keys: the vectors I1–I11 on both adapters, and the contract of their stores. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { problem, type Problem } from '@grantor/protocol/http'
import type { Instant } from '@grantor/protocol/types'
import { Type } from 'typebox'
import type { IdempotencyAttempt, IdempotencyStore } from '../src/idempotency/idempotency-store.ts'
import { memoryIdempotency } from '../src/stores/memory-idempotency.ts'
import { sqliteIdempotency } from '../src/stores/sqlite-idempotency.ts'
import type { TestedAdapter, SentRequest } from './adapters.ts'
import { onEveryAdapter } from './on-every-adapter.ts'
import { all, sample } from './sample.ts'

const body = { label: 'x', weight: 1 }
const post = (adapter: TestedAdapter, key: string, more: SentRequest = {}) =>
  adapter.send('/v1/parcels', { method: 'POST', body, ...more, headers: { 'idempotency-key': key, ...more.headers } })

onEveryAdapter(
  'I1: a key that is required and missing, or no key at all, is 400 and names the header',
  async (adapter) => {
    const missing = await adapter.send('/v1/parcels', { method: 'POST', body })
    assert.equal(missing.status, 400)
    assert.equal(missing.json['code'], 'idempotency_key_missing')
    assert.deepEqual((missing.json['errors'] as { header: string }[])[0]?.header, 'idempotency-key')
    for (const key of ['""', 'a b', `"${'x'.repeat(256)}"`]) {
      const got = await post(adapter, key)
      assert.equal(got.status, 400, key)
      assert.deepEqual(
        [got.json['code'], got.json['title']],
        ['idempotency_key_malformed', 'Malformed Idempotency-Key'],
      )
    }
    assert.equal((await post(adapter, 'k')).status, 201)
    assert.deepEqual(adapter.sample.calls, ['create x'])
  },
  { plan: { idempotency: { required: true } } },
)

onEveryAdapter(
  'I2, I3, I10: a repeated request is answered with the same bytes, however it is spelt',
  async (adapter) => {
    const first = await post(adapter, 'key-1')
    assert.equal(first.status, 201)
    assert.equal(first.headers['idempotency-replayed'], undefined)
    for (const again of [
      await post(adapter, 'key-1'),
      await post(adapter, '"key-1"'),
      await post(adapter, 'key-1', { body: '{ "weight" : 1.0, "label":"\\u0078" }' }),
    ]) {
      assert.equal(again.status, 201)
      assert.equal(again.text, first.text)
      assert.equal(again.headers['idempotency-replayed'], 'true')
      for (const name of ['location', 'etag', 'content-type']) assert.equal(again.headers[name], first.headers[name])
      assert.notEqual(again.headers['x-request-id'], first.headers['x-request-id'])
    }
    assert.deepEqual(adapter.sample.calls, ['create x'])
  },
)

onEveryAdapter('I4: the same key for another request is 422', async (adapter) => {
  await post(adapter, 'k')
  const got = await post(adapter, 'k', { body: { ...body, weight: 2 } })
  assert.equal(got.status, 422)
  assert.equal(got.json['code'], 'idempotency_key_reused')
})

onEveryAdapter('I5: of fifty requests at once with one key exactly one runs', async (adapter) => {
  const got = await Promise.all(Array.from({ length: 50 }, () => post(adapter, 'k')))
  assert.deepEqual(adapter.sample.calls, ['create x'])
  assert.equal(
    got.filter(({ status, headers }) => status === 201 && headers['idempotency-replayed'] === undefined).length,
    1,
  )
  for (const { status, headers, json } of got) {
    if (status === 201) continue
    assert.equal(status, 409)
    assert.equal(json['code'], 'idempotency_in_progress')
    assert.equal(headers['retry-after'], '1')
  }
})

onEveryAdapter('I7: a key belongs to its client, subject and tenant', async (adapter) => {
  const callers = [{}, { clientId: 'other' }, { sub: 'other' }, { tenant: 'acme' }]
  for (const as of callers)
    assert.equal((await post(adapter, 'k', { as: { scope: all, ...as } })).headers['idempotency-replayed'], undefined)
  assert.equal(adapter.sample.calls.length, callers.length)
})

onEveryAdapter('I8: who may no longer call, or lacks the scope, gets no replay', async (adapter) => {
  const token = adapter.issuer.mint({ scope: all })
  const headers = { authorization: `Bearer ${token}` }
  assert.equal((await post(adapter, 'k', { as: null, headers })).status, 201)
  assert.equal((await post(adapter, 'k', { as: { scope: 'parcels:read' } })).status, 401)
  adapter.issuer.revoke(token)
  assert.equal((await post(adapter, 'k', { as: null, headers })).status, 401)
})

onEveryAdapter(
  'I8: an answer is not for a token with another scope; one that was refreshed gets it',
  async (adapter) => {
    const wide = { scope: `${all} parcels:all` }
    const first = await post(adapter, 'k', { as: wide })
    assert.equal(first.status, 201)
    const narrow = await post(adapter, 'k', { as: { scope: 'parcels:write' } })
    assert.deepEqual([narrow.status, narrow.json['code']], [422, 'idempotency_key_reused'])
    assert.ok(!narrow.text.includes(String(first.json['id'])))
    const refreshed = await post(adapter, 'k', { as: { scope: wide.scope.split(' ').toReversed().join(' ') } })
    assert.deepEqual(
      [refreshed.status, refreshed.text, refreshed.headers['idempotency-replayed']],
      [201, first.text, 'true'],
    )
    assert.deepEqual(adapter.sample.calls, ['create x'])
  },
)

onEveryAdapter('I9: what failed had no effect, so it runs again', async (adapter) => {
  const broken = { body: { label: 'boom', weight: 1 } }
  assert.equal((await post(adapter, 'k', broken)).status, 500)
  assert.equal((await post(adapter, 'k', broken)).status, 500)
  assert.equal(adapter.sample.calls.length, 2)
  assert.equal((await post(adapter, 'k2', { body: { label: '' } })).status, 400)
  assert.equal((await post(adapter, 'k2')).status, 201)
})

onEveryAdapter(
  'I11: a 429 is not kept',
  async (adapter) => {
    await post(adapter, 'k')
    assert.equal((await post(adapter, 'k2')).status, 429)
  },
  { server: { limits: { client: { name: 'one', quota: 1, window: 3600 } } } },
)

onEveryAdapter(
  'a repeated DELETE is answered 204 again, where it would be 404 without a key; reads ignore keys',
  async (adapter) => {
    adapter.sample.put('a')
    const headers = { 'idempotency-key': 'k' }
    assert.equal((await adapter.send('/v1/parcels/a', { headers })).status, 200)
    assert.equal((await adapter.send('/v1/parcels/a', { method: 'DELETE', headers })).status, 204)
    const again = await adapter.send('/v1/parcels/a', { method: 'DELETE', headers })
    assert.equal(again.status, 204)
    assert.equal(again.headers['idempotency-replayed'], 'true')
    assert.equal((await adapter.send('/v1/parcels/a', { method: 'DELETE' })).status, 404)
    assert.equal((await adapter.send('/v1/parcels/a', { headers })).status, 404)
  },
)

test('a key is kept for 24 hours, and is new afterwards', async () => {
  const { client, clock, calls } = sample()
  const send = () =>
    client({
      method: 'POST',
      url: '/v1/parcels',
      as: { scope: all, expiresIn: 10 },
      body,
      headers: { 'idempotency-key': 'k' },
    })
  await send()
  clock.now = (clock.now + 86_399_999) as Instant
  assert.equal((await send()).headers['idempotency-replayed'], 'true')
  clock.now = (clock.now + 1) as Instant
  assert.equal((await send()).headers['idempotency-replayed'], undefined)
  assert.equal(calls.length, 2)
})

test('a store that is away refuses what it could not protect, and spoils nothing that was done', async () => {
  const fail = (): never => {
    throw new Error('away')
  }
  const headers = { 'idempotency-key': 'k' }
  const dead = sample({ server: { idempotency: { begin: fail, renew: fail, complete: fail, release: fail } } })
  const refused = await dead.client({ method: 'POST', url: '/v1/parcels', as: { scope: all }, body, headers })
  assert.equal(refused.status, 503)
  assert.equal(refused.headers['retry-after'], '1')
  assert.deepEqual(dead.calls, [])
  const dying = sample({ server: { idempotency: { ...memoryIdempotency(), complete: fail } } })
  assert.equal(
    (await dying.client({ method: 'POST', url: '/v1/parcels', as: { scope: all }, body, headers })).status,
    201,
  )
  assert.equal(dying.faults.length, 1)
})

test('a key whose beginning was not heard of is free again: nothing was run under it', async () => {
  for (const rerun of [false, true]) {
    const memory = memoryIdempotency()
    let lost = 1
    const begin: IdempotencyStore['begin'] = (...attempt) => {
      const found = memory.begin(...attempt)
      if (lost-- > 0) throw new Error('the connection broke before the answer came')
      return found
    }
    const { client, calls } = sample({
      plan: { idempotency: { rerun } },
      server: { idempotency: { ...memory, begin } },
    })
    const headers = { 'idempotency-key': 'k' }
    const send = () => client({ method: 'POST', url: '/v1/parcels', as: { scope: all }, body, headers })
    assert.equal((await send()).status, 503)
    assert.deepEqual([(await send()).status, calls.length], [201, 1])
    assert.equal((await send()).headers['idempotency-replayed'], 'true')
  }
})

test('a request that was cut off is 409 until someone knows better, or runs again where that is safe', async () => {
  for (const rerun of [false, true]) {
    const store = memoryIdempotency()
    const cut = sample({
      plan: { idempotency: { rerun } },
      server: { idempotency: { ...store, complete: () => undefined } },
    })
    const send = () =>
      cut.client({ method: 'POST', url: '/v1/parcels', as: { scope: all }, body, headers: { 'idempotency-key': 'k' } })
    assert.equal((await send()).status, 201)
    assert.equal((await send()).json()['code'], 'idempotency_in_progress')
    cut.clock.now = (cut.clock.now + 30_000) as Instant
    const after = await send()
    assert.equal(after.status, rerun ? 201 : 409)
    if (!rerun) assert.equal(after.json()['code'], 'outcome_unknown')
    assert.equal(cut.calls.length, rerun ? 2 : 1)
  }
})

/** An API that names what it makes by the intent, and then answers as it is told. */
function naming(rerun: boolean) {
  const made = new Set<string>()
  const ends: ('throws' | 'refuses')[] = []
  const it = sample({
    plan: {
      idempotency: { rerun },
      list: {},
      handlers: {
        create({ label }, { intent, tenant, now: at }) {
          const end = ends.shift()
          if (end === 'refuses') return problem('conflict', 'Not now.')
          made.add(intent)
          if (end === 'throws') throw new Error('after the write')
          const value = { id: 'p1', label, weight: 1, fragile: false, state: 'packed' as const }
          return { tenant, version: 1, value: { ...value, made_at: new Date(at).toISOString() } }
        },
      },
    },
  })
  const send = async (...next: typeof ends) => {
    ends.splice(0, ends.length, ...next)
    const headers = { 'idempotency-key': 'k' }
    return (await it.client({ method: 'POST', url: '/v1/parcels', as: { scope: all }, body, headers })).status
  }
  return { ...it, made, send }
}

test('a handler that wrote and then failed is run again with the same intent: what that names is made once', async () => {
  const { made, send } = naming(true)
  assert.deepEqual([await send('throws'), await send('throws'), await send(), await send()], [500, 500, 201, 201])
  assert.equal(made.size, 1)
})

test('a refusal forgets what nobody has made, and never the intent of a run before it', async () => {
  const fresh = naming(true)
  assert.equal(await fresh.send('refuses'), 409)
  const cut = naming(true)
  assert.deepEqual([await cut.send('throws'), await cut.send('refuses'), await cut.send()], [500, 409, 201])
  assert.deepEqual([fresh.made.size, cut.made.size], [0, 1])
})

test('without rerun a failure frees the key: it runs anew', async () => {
  const { made, send } = naming(false)
  assert.deepEqual([await send('throws'), await send()], [500, 201])
  assert.equal(made.size, 2)
})

/** An API with an action that runs until its gate is opened: with a problem, or with what it returned. */
function gated(more: Partial<IdempotencyStore> = {}) {
  const gates: PromiseWithResolvers<Problem | { readonly runs: number }>[] = []
  const store = { ...memoryIdempotency(), ...more }
  const it = sample({
    server: { idempotency: store },
    plan: {
      idempotency: { rerun: true },
      actions: {
        weigh: {
          on: 'collection',
          scope: 'parcels:write',
          summary: 'Weigh',
          body: Type.Object({}),
          example: {},
          run() {
            const gate = Promise.withResolvers<Problem | { readonly runs: number }>()
            gates.push(gate)
            return gate.promise
          },
        },
      },
    },
  })
  const weigh = () =>
    it.client({
      method: 'POST',
      url: '/v1/parcels/weigh',
      body: {},
      as: { scope: all, expiresIn: 3600 },
      headers: { 'idempotency-key': 'k' },
    })
  const began = async (runs: number) => {
    while (gates.length < runs) await new Promise((resolve) => void setImmediate(resolve))
  }
  const later = (milliseconds: number) => (it.clock.now = (it.clock.now + milliseconds) as Instant)
  return { ...it, weigh, began, gates, later }
}

test('a run that outlasted its lease leaves the key, and what is kept of it, to whoever took it over', async () => {
  for (const end of [problem('conflict', 'The scales are broken.'), { runs: 1 }]) {
    const { weigh, began, gates, later } = gated()
    const slow = weigh()
    await began(1)
    // No timer ran meanwhile: the process stood still.
    later(31_000)
    const second = weigh()
    await began(2)
    gates[0]?.resolve(end)
    assert.equal((await slow).status, 'runs' in end ? 200 : 409)
    const third = await weigh()
    assert.deepEqual([third.status, third.json()['code'], gates.length], [409, 'idempotency_in_progress', 2])
    gates[1]?.resolve({ runs: 2 })
    assert.equal((await second).status, 200)
    assert.deepEqual((await weigh()).json(), { runs: 2 })
  }
})

test('a request that takes long is not run a second time: its lease is renewed until it has ended', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let renewals = 0
  const memory = memoryIdempotency()
  const renew: IdempotencyStore['renew'] = async (...lease) => {
    renewals++
    if (renewals === 2) throw new Error('away for once')
    return memory.renew(...lease)
  }
  const { weigh, began, gates, later, faults } = gated({ ...memory, renew })
  const slow = weigh()
  await began(1)
  for (let second = 0; second < 120; second += 5) {
    later(5000)
    t.mock.timers.tick(5000)
    const retry = await weigh()
    assert.deepEqual([retry.status, retry.json()['code'], gates.length], [409, 'idempotency_in_progress', 1])
  }
  assert.deepEqual([renewals, faults.length], [12, 1])
  gates[0]?.resolve({ runs: 1 })
  assert.equal((await slow).status, 200)
  t.mock.timers.tick(60_000)
  assert.equal(renewals, 12, 'nothing is renewed after the end')
  assert.deepEqual((await weigh()).json(), { runs: 1 })
})

const now = 1_000_000
const attempt = (more: Partial<Record<keyof IdempotencyAttempt, unknown>> = {}): IdempotencyAttempt =>
  ({
    fingerprint: 'f',
    intent: 'i',
    now,
    leaseUntil: now + 30,
    expiresAt: now + 100,
    rerun: false,
    ...more,
  }) as IdempotencyAttempt
const kept = { status: 201, headers: { etag: '"x"' }, body: '{"a":"ü"}' }

/** What every store must do, whatever it is made of. */
async function contract(store: IdempotencyStore): Promise<void> {
  const is = async (more?: Parameters<typeof attempt>[0], key = 'k') => (await store.begin(key, attempt(more))).is
  assert.equal(await is(), 'new')
  assert.equal(await is({ intent: 'j' }), 'running')
  assert.equal(await is({ fingerprint: 'g' }), 'reused')
  assert.equal(await is({}, 'other'), 'new')
  assert.deepEqual(await store.begin('k', attempt({ intent: 'j', now: now + 30 })), { is: 'lost', intent: 'i' })
  assert.deepEqual(await store.begin('k', attempt({ intent: 'j', now: now + 30, leaseUntil: now + 60, rerun: true })), {
    is: 'lost',
    intent: 'i',
  })
  assert.equal(await is({ now: now + 40, rerun: true }), 'running')
  await store.complete('k', 'another intent', kept)
  await store.release('k', 'another intent', 'new')
  assert.equal(await is({ now: now + 40 }), 'running')
  await store.complete('k', 'i', { ...kept, status: 500 })
  await store.release('k', 'i', 'new')
  assert.equal(await is({ now: now + 40 }), 'running', 'whoever was taken over has no say')
  await store.complete('k', 'j', kept)
  assert.deepEqual(await store.begin('k', attempt({ now: now + 99 })), { is: 'done', answer: kept })
  await store.release('k', 'j', 'new')
  assert.equal(await is({ now: now + 99 }), 'done', 'what is done is not released')
  assert.equal(await is({ now: now + 100, intent: 'z', expiresAt: now + 200 }), 'new')
  await store.release('k', 'z', 'new')
  assert.equal(await is({ now: now + 100, intent: 'y', expiresAt: now + 200 }), 'new')
}

test('the store of keys in memory keeps the contract', async () => {
  await contract(memoryIdempotency())
})

test('the store of keys in SQLite keeps the contract, and knows what was lost when it is opened alone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keys-'))
  const file = join(folder, 'keys.db')
  const first = new DatabaseSync(file)
  await contract(sqliteIdempotency(first))
  const store = sqliteIdempotency(first)
  void store.begin('cut', attempt({ intent: 'once' }))
  void store.begin('done', attempt({ intent: 'twice' }))
  void store.complete('done', 'twice', kept)
  first.close()
  const second = new DatabaseSync(file)
  const again = sqliteIdempotency(second, { alone: true })
  assert.deepEqual(again.begin('cut', attempt({ rerun: true })), { is: 'lost', intent: 'once' })
  assert.deepEqual(again.begin('done', attempt()), { is: 'done', answer: kept })
  second.close()
  rmSync(folder, { recursive: true })
})

test('memory keeps what runs, and lets finished keys go when it is full', async () => {
  const store = memoryIdempotency({ capacity: 2 })
  void store.begin('running', attempt())
  void store.begin('done', attempt())
  void store.complete('done', 'i', kept)
  void store.begin('new', attempt())
  assert.equal((await store.begin('running', attempt())).is, 'running')
  assert.equal((await store.begin('done', attempt())).is, 'new')
})

test('memory lets keys go that failed, as it does finished ones', async () => {
  const store = memoryIdempotency({ capacity: 2 })
  for (const key of ['a', 'b', 'c', 'd']) {
    void store.begin(key, attempt())
    void store.release(key, 'i', 'lost')
  }
  assert.equal((await store.begin('d', attempt())).is, 'lost')
  assert.equal((await store.begin('a', attempt())).is, 'new')
})

test('memory bounds what it keeps of answers, and not only their number', async () => {
  const store = memoryIdempotency({ room: 1000 })
  for (let i = 0; i < 10; i++) {
    void store.begin(`k${i}`, attempt())
    void store.complete(`k${i}`, 'i', { ...kept, body: 'x'.repeat(400) })
  }
  const states: string[] = []
  for (let i = 9; i >= 0; i--) states.push((await store.begin(`k${i}`, attempt())).is)
  assert.deepEqual(states.slice(0, 2), ['done', 'done'])
  assert.ok(states.slice(4).every((is) => is === 'new'))
})
