/** Deferred work over HTTP: accepted, followed, ended, canceled; shown to who asked and to nobody else. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Instant, JsonObject } from '@grantor/protocol/types'
import { Type } from 'typebox'
import { problem, type Problem } from '@grantor/protocol/http'
import type { RequestContext } from '../../src/collection/handlers.ts'
import { operationsCollection } from '../../src/deferred/operations-collection.ts'
import { DeferredWorker, usualTiming, type WorkerTiming } from '../../src/deferred/worker.ts'
import { memoryOperations } from '../../src/stores/memory-operations.ts'
import type { SentRequest, TestedAdapter } from '../adapters.ts'
import { onEveryAdapter } from '../on-every-adapter.ts'
import { apiOf, nobody, sample, type SampleOptions } from '../sample.ts'

const timing: Partial<WorkerTiming> = { renew: 10, poll: 10, grace: 100, timeout: 60_000 }
const body = { label: 'x', weight: 1 }

/** What the work of a test does, and what became of its signal. */
type Work = (context: RequestContext) => Promise<JsonObject | Problem>
const work: { run: Work; aborted: number } = { run: async () => ({ sent: 1 }), aborted: 0 }

const plan: SampleOptions = {
  plan: {
    deferred: 'preferred',
    idempotency: { rerun: true },
    actions: {
      export: {
        on: 'collection',
        scope: 'parcels:read',
        summary: 'Export all',
        body: Type.Object({ format: Type.Enum(['csv', 'json']) }),
        example: { format: 'csv' },
        deferred: 'always',
        async run(_body: never, context: RequestContext) {
          context.signal.addEventListener('abort', () => void work.aborted++)
          return work.run(context)
        },
      },
    },
  },
  server: { workTiming: timing },
}

const withWork = (run: Work): void => {
  work.run = run
  work.aborted = 0
}

const exporting = (adapter: TestedAdapter, more: SentRequest = {}) =>
  adapter.send('/v1/parcels/export', { method: 'POST', body: { format: 'csv' }, ...more })

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const giveUp = performance.now() + 30_000
  while (!(await holds())) {
    if (performance.now() > giveUp) throw new Error(`never came about: ${what}`)
    await new Promise((resolve) => {
      setTimeout(resolve, 5)
    })
  }
}

const statusBecomes = (adapter: TestedAdapter, location: string, status: string) =>
  until(`${location} is ${status}`, async () => (await adapter.send(location)).json['status'] === status)

onEveryAdapter(
  'RFC 7240 §4.1: a create is done later where the client prefers it, and its result has its real status',
  async (adapter) => {
    const headers = { prefer: 'respond-async', 'idempotency-key': 'k1' }
    const accepted = await adapter.send('/v1/parcels', { method: 'POST', body, headers })
    assert.equal(accepted.status, 202)
    assert.equal(accepted.headers['preference-applied'], 'respond-async')
    assert.match(String(accepted.headers['retry-after']), /^\d+$/)
    assert.match(String(accepted.headers['vary']), /Prefer/)
    const location = String(accepted.headers['location'])
    assert.match(location, /^\/v1\/operations\/op_[0-9a-f]{32}$/)
    assert.deepEqual([accepted.json['status'], accepted.json['kind']], ['pending', 'parcels.create'])
    await statusBecomes(adapter, location, 'succeeded')
    const result = await adapter.send(`${location}/result`)
    assert.deepEqual([result.status, result.json['label']], [201, 'x'])
    assert.equal((await adapter.send(String(result.headers['location']))).status, 200)
    // I12: a retry gets the same operation, and nothing is made twice.
    const again = await adapter.send('/v1/parcels', { method: 'POST', body, headers })
    assert.deepEqual([again.status, again.headers['location']], [202, location])
    assert.deepEqual(adapter.sample.calls, ['create x'])
  },
  plan,
)

onEveryAdapter(
  'work that nobody waits for needs an Idempotency-Key; without the preference it is done at once',
  async (adapter) => {
    const refused = await adapter.send('/v1/parcels', { method: 'POST', body, headers: { prefer: 'respond-async' } })
    assert.deepEqual([refused.status, refused.json['code']], [400, 'idempotency_key_missing'])
    assert.equal((await adapter.send('/v1/parcels', { method: 'POST', body })).status, 201)
  },
  plan,
)

onEveryAdapter(
  'what prevents the work from starting is refused at once, and nothing is deferred',
  async (adapter) => {
    const headers = { prefer: 'respond-async', 'idempotency-key': 'k' }
    const invalid = await adapter.send('/v1/parcels', { method: 'POST', body: { label: '' }, headers })
    assert.equal(invalid.status, 400)
    assert.equal((await exporting(adapter, { body: { format: 'pdf' } })).status, 400)
    assert.equal((await exporting(adapter, { as: { scope: 'parcels:write' } })).status, 401)
    assert.deepEqual((await adapter.send('/v1/operations')).json['items'], [])
  },
  plan,
)

onEveryAdapter(
  'RFC 7240 §4.3: whoever waits gets the outcome itself where it comes in time',
  async (adapter) => {
    withWork(async () => ({ sent: 7 }))
    const waited = await exporting(adapter, { headers: { prefer: 'respond-async, wait=20', 'idempotency-key': 'w' } })
    assert.deepEqual([waited.status, waited.json], [200, { sent: 7 }])
  },
  plan,
)

onEveryAdapter(
  'progress is shown while it runs; its result is 409 until then',
  async (adapter) => {
    const go = Promise.withResolvers<null>()
    withWork(async ({ progress }) => {
      progress(3, 10, 'packing')
      await go.promise
      progress(10, 10)
      return { sent: 10 }
    })
    const location = String((await exporting(adapter)).headers['location'])
    await until('progress', async () => (await adapter.send(location)).json['progress'] !== null)
    const running = await adapter.send(location)
    assert.deepEqual(
      [running.json['status'], running.json['progress']],
      ['running', { done: 3, total: 10, note: 'packing' }],
    )
    const tag = { 'if-none-match': String(running.headers['etag']) }
    const unchanged = await adapter.send(location, { headers: tag })
    assert.deepEqual([running.headers['retry-after'], unchanged.headers['retry-after']], ['2', '2'])
    const early = await adapter.send(`${location}/result`)
    assert.deepEqual([early.status, early.json['code']], [409, 'operation_running'])
    assert.match(String(early.headers['retry-after']), /^\d+$/)
    go.resolve(null)
    await statusBecomes(adapter, location, 'succeeded')
    const { headers, json } = await adapter.send(location)
    assert.deepEqual(json['progress'], { done: 10, total: 10, note: null })
    assert.equal(headers['retry-after'], undefined)
    assert.equal((await adapter.send(location, { headers: { 'if-none-match': String(headers['etag']) } })).status, 304)
  },
  plan,
)

onEveryAdapter(
  'a failure has its own status as its result, and its problem in the operation',
  async (adapter) => {
    withWork(async () => problem('conflict', 'Too late for that.', { code: 'conflict' }))
    const location = String((await exporting(adapter)).headers['location'])
    await statusBecomes(adapter, location, 'failed')
    const result = await adapter.send(`${location}/result`)
    assert.deepEqual([result.status, result.json['detail']], [409, 'Too late for that.'])
    assert.match(String(result.headers['content-type']), /problem\+json/)
    const { error } = (await adapter.send(location)).json as { error: JsonObject }
    assert.deepEqual([error['status'], error['detail']], [409, 'Too late for that.'])
    withWork(async () => {
      throw new Error('zz9canary')
    })
    const broken = String((await exporting(adapter)).headers['location'])
    await statusBecomes(adapter, broken, 'failed')
    const hidden = await adapter.send(`${broken}/result`)
    assert.equal(hidden.status, 500)
    assert.ok(!hidden.text.includes('zz9canary'))
  },
  plan,
)

onEveryAdapter(
  'DELETE cancels: what waits ends at once, what runs is told to stop, and its late result counts for nothing',
  async (adapter) => {
    const deaf = Promise.withResolvers<JsonObject>()
    withWork(() => deaf.promise)
    const [one, two, waiting] = await Promise.all([exporting(adapter), exporting(adapter), exporting(adapter)])
    for (const { headers } of [one, two]) await statusBecomes(adapter, String(headers['location']), 'running')
    const later = await adapter.send(String(waiting.headers['location']), { method: 'DELETE' })
    assert.deepEqual([later.status, later.json['status']], [202, 'canceled'])
    const location = String(one.headers['location'])
    const asked = await adapter.send(location, { method: 'DELETE' })
    assert.deepEqual([asked.status, asked.json['cancel_requested'], asked.headers['retry-after']], [202, true, '2'])
    await statusBecomes(adapter, location, 'canceled')
    assert.equal(work.aborted, 1)
    deaf.resolve({ sent: 1 })
    await statusBecomes(adapter, String(two.headers['location']), 'succeeded')
    assert.equal((await adapter.send(location)).json['status'], 'canceled')
    assert.deepEqual((await adapter.send(`${location}/result`)).json['code'], 'operation_canceled')
    assert.equal((await adapter.send(location, { method: 'DELETE' })).status, 202)
    const ended = await adapter.send(String(two.headers['location']), { method: 'DELETE' })
    assert.deepEqual([ended.status, ended.json['code']], [409, 'operation_ended'])
  },
  plan,
)

onEveryAdapter(
  'an operation is there for who asked: not for another person, client or tenant, and not without a scope',
  async (adapter) => {
    withWork(async () => ({ sent: 1 }))
    const scope = 'parcels:read'
    const alice = { sub: 'alice', clientId: 'web', scope }
    const location = String((await exporting(adapter, { as: alice })).headers['location'])
    await until('the end', async () => (await adapter.send(location, { as: alice })).json['status'] === 'succeeded')
    const others = [
      { ...alice, sub: 'bob' },
      { ...alice, clientId: 'other' },
      { ...alice, tenant: 'acme' },
    ]
    for (const as of others) {
      for (const [method, path] of [
        ['GET', ''],
        ['GET', '/result'],
        ['DELETE', ''],
      ] as const)
        assert.equal((await adapter.send(location + path, { method, as })).status, 404)
      assert.deepEqual((await adapter.send('/v1/operations', { as })).json['items'], [])
    }
    assert.equal((await adapter.send(location, { as: { ...alice, scope: 'parcels:delete' } })).status, 401)
    const own = (await adapter.send('/v1/operations?status=succeeded', { as: alice })).json['items'] as JsonObject[]
    assert.equal(own.length, 1)
    assert.equal((await adapter.send('/v1/operations/op_unknown')).status, 404)
  },
  plan,
)

onEveryAdapter(
  'work stops when what allowed it is revoked',
  async (adapter) => {
    const { issuer } = adapter
    withWork(
      ({ signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
    )
    const token = issuer.mint({ scope: 'parcels:read', sub: 'alice' })
    const headers = { authorization: `Bearer ${token}` }
    const location = String((await exporting(adapter, { as: null, headers })).headers['location'])
    const as = { scope: 'parcels:read', sub: 'alice' }
    await until('running', async () => (await adapter.send(location, { as })).json['status'] === 'running')
    issuer.revoke(token)
    await until('failed', async () => (await adapter.send(location, { as })).json['status'] === 'failed')
    const result = await adapter.send(`${location}/result`, { as })
    assert.deepEqual([result.status, result.json['code']], [403, 'authorization_revoked'])
  },
  plan,
)

test('a process that does not know yet what was revoked begins nothing; then what was is not begun at all', async () => {
  const operations = memoryOperations()
  const { client, collections } = sample({ ...plan, server: { operations, workers: 0 } })
  let begun = 0
  withWork(async () => ({ sent: ++begun }))
  const as = { scope: 'parcels:read' }
  const { headers } = await client({ method: 'POST', url: '/v1/parcels/export', body: { format: 'csv' }, as })
  const url = String(headers['location'])
  let [asked, isReady] = [0, false]
  const validator = { ...nobody, ready: () => (asked++, isReady), isRevoked: () => isReady }
  const api = apiOf(collections, { operations, validator, workTiming: timing, now: () => Date.now() as Instant })
  await until('it was asked a few times', async () => asked > 3)
  assert.equal((await client({ url, as })).json()['status'], 'pending')
  isReady = true
  await until('the end', async () => (await client({ url, as })).json()['status'] === 'failed')
  assert.equal((await client({ url: `${url}/result`, as })).json()['code'], 'authorization_revoked')
  assert.equal(begun, 0)
  await api.close()
})

test('work that takes too long is given up with 504', async () => {
  const { client } = sample({ ...plan, server: { workTiming: { ...timing, timeout: 20 } } })
  withWork(
    ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
  )
  const as = { scope: 'parcels:read' }
  const { headers } = await client({ method: 'POST', url: '/v1/parcels/export', body: { format: 'csv' }, as })
  const url = `${String(headers['location'])}/result`
  await until('the end', async () => (await client({ url, as })).status !== 409)
  const result = await client({ url, as })
  assert.deepEqual([result.status, result.json()['code']], [504, 'operation_timeout'])
})

test('what is done in spite of being canceled, or while the server closes, is told as done and not begun again', async () => {
  const operations = memoryOperations()
  const server = { operations, workTiming: { ...timing, grace: 5_000 } }
  const { client } = sample({ ...plan, server: { ...server, workers: 0 } })
  const working = sample({ ...plan, server })
  let begun = 0
  withWork(async ({ signal }) => {
    begun += 1
    await new Promise((resolve) => {
      signal.addEventListener('abort', resolve)
    })
    return { sent: begun }
  })
  const as = { scope: 'parcels:read' }
  const start = async () => {
    const { headers } = await client({ method: 'POST', url: '/v1/parcels/export', body: { format: 'csv' }, as })
    const url = String(headers['location'])
    await until('running', async () => (await client({ url, as })).json()['status'] === 'running')
    return url
  }
  const canceled = await start()
  assert.equal((await client({ method: 'DELETE', url: canceled, as })).status, 202)
  await until('the end', async () => (await client({ url: canceled, as })).json()['status'] === 'succeeded')
  assert.deepEqual((await client({ url: `${canceled}/result`, as })).json(), { sent: 1 })
  const closed = await start()
  await Promise.all([working.api.close(), working.client.close()])
  assert.equal((await client({ url: closed, as })).json()['status'], 'succeeded')
  assert.equal(begun, 2)
})

test('work whose worker died before it heard of its cancellation is not begun again', async () => {
  const operations = memoryOperations()
  const { client } = sample({ ...plan, server: { operations, workers: 0 } })
  let begun = 0
  withWork(async () => ({ sent: ++begun }))
  const as = { scope: 'parcels:read' }
  const { headers } = await client({ method: 'POST', url: '/v1/parcels/export', body: { format: 'csv' }, as })
  const url = String(headers['location'])
  const now = Date.now() as Instant
  const taken = await operations.take({ worker: 'died', now, until: (now + 1) as Instant }, ['parcels.export'])
  assert.ok(taken !== null)
  await operations.cancel(taken.owner, taken.id, { at: now, expiresAt: taken.expiresAt })
  const { api } = sample({ ...plan, server: { operations, workTiming: timing, now: () => Date.now() as Instant } })
  await until('the end', async () => (await client({ url, as })).json()['ended_at'] !== null)
  assert.deepEqual([(await client({ url, as })).json()['status'], begun], ['canceled', 0])
  await api.close()
})

test('a worker that cannot keep its lease lets go of the work', async () => {
  const away = { ...memoryOperations(), renew: () => Promise.reject(new Error('the store is away')) }
  const now = () => Date.now() as Instant
  const { client, api } = sample({ ...plan, server: { operations: away, workTiming: { ...timing, lease: 100 }, now } })
  withWork(
    ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
  )
  const as = { scope: 'parcels:read' }
  await client({ method: 'POST', url: '/v1/parcels/export', body: { format: 'csv' }, as })
  await until('it stops', async () => work.aborted > 0)
  await Promise.all([api.close(), client.close()])
})

test('work that a worker fails at is not kept from others: it is begun again, and given up in the end', async () => {
  const operations = memoryOperations()
  const { client } = sample({ ...plan, server: { operations, workers: 0 } })
  const as = { scope: 'parcels:read' }
  const { headers } = await client({ method: 'POST', url: '/v1/parcels/export', body: { format: 'csv' }, as })
  const faults: unknown[] = []
  const worker = new DeferredWorker({
    store: operations,
    concurrency: 1,
    kinds: ['parcels.export'],
    timing: { ...usualTiming, ...timing, lease: 30 },
    now: () => Date.now() as Instant,
    mayWork: () => true,
    isRevoked: () => false,
    run: () => Promise.reject(new Error('a fault of ours')),
    abandoned: (_operation, why) => ({ status: 500, headers: {}, body: JSON.stringify({ why }) }),
    onError: (error) => faults.push(error),
  })
  const url = String(headers['location'])
  await until('the end', async () => (await client({ url, as })).json()['status'] === 'failed')
  assert.deepEqual((await client({ url: `${url}/result`, as })).json(), { why: 'attempts' })
  assert.equal(faults.length, 5)
  await worker.close()
})

test('a server that closes lets its work go, and another does it with the same intent', async () => {
  const operations = memoryOperations()
  const intents: string[] = []
  const first = sample({ ...plan, server: { workTiming: timing, operations, workers: 0 } })
  const worker = () => sample({ ...plan, server: { workTiming: timing, operations, workers: 1 } }).api
  withWork(({ signal, intent }) => {
    intents.push(intent)
    return intents.length > 1
      ? Promise.resolve({ sent: 1 })
      : new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
  })
  const as = { scope: 'parcels:read' }
  const accepted = await first.client({ method: 'POST', url: '/v1/parcels/export', body: { format: 'csv' }, as })
  const url = String(accepted.headers['location'])
  const one = worker()
  await until('running', async () => (await first.client({ url, as })).json()['status'] === 'running')
  await one.close()
  assert.equal((await first.client({ url, as })).json()['status'], 'pending')
  const two = worker()
  await until('done', async () => (await first.client({ url, as })).json()['status'] === 'succeeded')
  await two.close()
  assert.equal(intents.length, 2)
  assert.equal(new Set(intents).size, 1)
})

test('a store that is away gives 503 and begins nothing', async () => {
  const operations = { ...memoryOperations(), add: () => Promise.reject(new Error('away')) }
  const { client, faults } = sample({ ...plan, server: { workTiming: timing, operations } })
  const got = await client({
    method: 'POST',
    url: '/v1/parcels/export',
    body: { format: 'csv' },
    as: { scope: 'parcels:read' },
  })
  assert.deepEqual([got.status, got.headers['retry-after']], [503, '1'])
  assert.equal(faults.length, 1)
})

test('a memory that is full of work that waits takes no more, with 503', async () => {
  const { client } = sample({ ...plan, server: { operations: memoryOperations({ capacity: 1 }), workers: 0 } })
  const sent = { method: 'POST', url: '/v1/parcels/export', body: { format: 'csv' }, as: { scope: 'parcels:read' } }
  const [first, second] = [await client(sent), await client(sent)]
  assert.deepEqual([first.status, second.status, second.headers['retry-after']], [202, 503, '1'])
  const canceled = await client({ method: 'DELETE', url: String(first.headers['location']), as: sent.as })
  assert.deepEqual([canceled.status, (await client(sent)).status], [202, 202])
})

test('an API without deferred work has no operations, and a collection of that name does not start beside them', async () => {
  const { client, api } = sample()
  assert.equal((await client({ url: '/v1/operations', as: { scope: 'parcels:read' } })).status, 404)
  assert.ok(!api.openapi.includes('/operations'))
  const described = JSON.parse(sample(plan).api.openapi) as { paths: Record<string, unknown> }
  assert.ok('/v1/operations/{id}/result' in described.paths)
  const named = {
    ...operationsCollection({ store: memoryOperations(), also: null, scopes: ['a'], base: '', keep: 1, canceled() {} }),
  }
  assert.throws(() => sample({ ...plan, version: { collections: [named, ...sample(plan).collections] } }), /one name/)
})
