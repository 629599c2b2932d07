/** Quotas at an API: R3–R7, on both adapters and both stores. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { QuotaDecision } from '@grantor/protocol/http'
import type { Instant } from '@grantor/protocol/types'
import type { Caller } from '@grantor/resource'
import { createApiMetrics } from '../src/metrics.ts'
import type { QuotaStore } from '../src/quotas/quota-store.ts'
import { createQuotas, defaultQuotaLimits } from '../src/quotas/quotas.ts'
import { memoryQuotas } from '../src/stores/memory-quotas.ts'
import { postgresQuotas } from '../src/stores/postgres-quotas.ts'
import { sqliteQuotas } from '../src/stores/sqlite-quotas.ts'
import { onEveryAdapter } from './on-every-adapter.ts'
import { all, sample } from './sample.ts'

const frozen = { quotas: memoryQuotas({ monotonic: () => 0 }) }
const three = { name: 'client', quota: 3, window: 60 }

onEveryAdapter(
  'R3: after the quota comes 429 with the registered type and a wait that suffices',
  async (adapter, kind) => {
    const as = { scope: all, clientId: kind }
    for (const left of [2, 1, 0]) {
      const got = await adapter.send('/v1/parcels', { as })
      assert.equal(got.status, 200)
      assert.equal(got.headers['ratelimit-policy'], '"client";q=3;w=60')
      assert.equal(got.headers['ratelimit'], `"client";r=${left};t=${left === 0 ? 20 : left * 20}`)
    }
    const over = await adapter.send('/v1/parcels', { as })
    assert.equal(over.status, 429)
    assert.equal(over.json['type'], 'https://iana.org/assignments/http-problem-types#quota-exceeded')
    assert.deepEqual(over.json['violated-policies'], ['client'])
    assert.equal(over.headers['retry-after'], '20')
    assert.equal(over.headers['ratelimit'], '"client";r=0;t=20')
    assert.equal(over.headers['cache-control'], 'no-store')
    assert.equal((await adapter.send('/v1/parcels', { as: { scope: all, clientId: `${kind} 2` } })).status, 200)
    assert.equal((await adapter.send('/v1/parcels', { as: { ...as, tenant: 'acme' } })).status, 200)
  },
  { server: { ...frozen, limits: { client: three } } },
)

onEveryAdapter(
  'R4: of two policies only the violated one is named, and the other is not charged',
  async (adapter, kind) => {
    const as = { scope: all, clientId: `r4 ${kind}` }
    const post = () => adapter.send('/v1/parcels', { method: 'POST', body: { label: 'x', weight: 1 }, as })
    const first = await post()
    assert.equal(first.headers['ratelimit-policy'], '"client";q=3;w=60, "writes";q=1;w=60')
    assert.equal(first.headers['ratelimit'], '"writes";r=0;t=60, "client";r=2;t=40')
    for (let i = 0; i < 5; i++) {
      const over = await post()
      assert.equal(over.status, 429)
      assert.deepEqual(over.json['violated-policies'], ['writes'])
      assert.equal(over.headers['ratelimit'], '"writes";r=0;t=60, "client";r=2;t=40')
    }
    assert.equal((await adapter.send('/v1/parcels', { as })).headers['ratelimit'], '"client";r=1;t=20')
  },
  {
    plan: { quota: { write: { name: 'writes', quota: 1, window: 60 } } },
    server: { ...frozen, limits: { client: three } },
  },
)

onEveryAdapter(
  'a 304 costs nothing',
  async (adapter, kind) => {
    adapter.sample.put('a')
    const as = { scope: all, clientId: `304 ${kind}` }
    for (let i = 0; i < 10; i++) {
      assert.equal((await adapter.send('/v1/parcels/a', { as, headers: { 'if-none-match': '*' } })).status, 304)
    }
    assert.equal((await adapter.send('/v1/parcels/a', { as })).headers['ratelimit'], '"client";r=2;t=40')
  },
  { server: { ...frozen, limits: { client: three } } },
)

test('a token that is not accepted charges no client: nobody can use up another one’s quota', async () => {
  const { client } = sample({ server: { limits: { client: three } } })
  for (let i = 0; i < 10; i++) await client({ url: '/v1/parcels', as: { scope: all, expiresIn: -120 } })
  assert.equal((await client({ url: '/v1/parcels', as: { scope: all } })).headers['ratelimit'], '"client";r=2;t=40')
})

test('by choice, an address that fails too often waits, and others do not', async () => {
  const { client } = sample({
    server: {
      quotas: memoryQuotas({ monotonic: () => 0 }),
      limits: { failures: { name: 'failures', quota: 2, window: 60 } },
    },
  })
  const bad = { url: '/v1/parcels', headers: { authorization: 'Bearer a.b.c' }, ip: '192.0.2.1' }
  assert.equal((await client(bad)).status, 401)
  assert.equal((await client({ ...bad, headers: {}, as: { scope: all } })).status, 200)
  assert.equal((await client(bad)).status, 401)
  assert.equal((await client(bad)).status, 429)
  assert.equal((await client({ ...bad, ip: '192.0.2.2' })).status, 401)
})

test('by choice, a client that asks over and over beyond its scope gets 429, and is told of all its policies together', async () => {
  const { client } = sample({
    server: {
      quotas: memoryQuotas({ monotonic: () => 0 }),
      limits: { client: { name: 'client', quota: 100, window: 60 }, scope: { name: 'scope', quota: 2, window: 60 } },
    },
  })
  const answers: unknown[] = []
  for (let i = 0; i < 3; i++) {
    const { status, headers } = await client({ url: '/v1/parcels', as: { scope: 'other' } })
    assert.equal(headers['ratelimit-policy'], '"client";q=100;w=60, "scope";q=2;w=60')
    answers.push([status, headers['ratelimit'], headers['retry-after']])
  }
  assert.deepEqual(answers, [
    [401, '"scope";r=1;t=30, "client";r=99;t=60', undefined],
    [401, '"scope";r=0;t=30, "client";r=98;t=59', undefined],
    [429, '"scope";r=0;t=30, "client";r=97;t=59', '30'],
  ])
  const page = await client({ url: '/metrics', as: { scope: 'other' } })
  assert.deepEqual(
    [page.status, page.headers['ratelimit'], page.headers['retry-after']],
    [429, '"scope";r=0;t=30', '30'],
  )
  const { headers } = await client({ url: '/v1/parcels', as: { scope: all } })
  assert.equal(headers['ratelimit-policy'], '"client";q=100;w=60')
})

test('R5: a store that is away does not take the API with it, and is counted', async () => {
  const broken: QuotaStore = {
    take: () => Promise.reject(new Error('away')),
    refund: () => {
      throw new Error('away')
    },
  }
  const metrics = createApiMetrics()
  const { client, faults } = sample({ server: { quotas: broken, metrics } })
  assert.equal((await client({ url: '/v1/parcels', as: { scope: all } })).status, 200)
  assert.deepEqual(faults, [])
  assert.match(await metrics.text(), /rs_quota_store_failures_total\{policy="client"\} 1/)
})

const policy = { name: 'p', quota: 5, window: 10 }

/** What never answers, and timers that go on when the test says so. */
const never = <T>(): Promise<T> => new Promise(() => {})
const settled = () => new Promise(setImmediate)
const caller: Caller = {
  credential: 'access_token',
  issuer: 'https://issuer.example',
  tenant: null,
  subject: 'alice',
  clientId: 'web',
  scope: new Set(),
  authorizationDetails: [],
  jti: 'j',
  grantId: null,
  claims: {},
  expiresAt: 0 as Instant,
}

test('R5: a store that never answers does not take the API with it either', async ({ mock }) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  const metrics = createApiMetrics()
  const quotas = createQuotas({ take: never, refund: never }, defaultQuotaLimits, metrics)
  const charge = quotas.charge(caller, undefined)
  mock.timers.tick(3_000)
  assert.deepEqual(await charge, { decisions: [], refused: null })
  const decision = memoryQuotas().take('a', policy) as QuotaDecision
  const refund = quotas.refund(caller, { decisions: [decision], refused: null })
  mock.timers.tick(3_000)
  await refund
  assert.match(await metrics.text(), /failures_total\{policy="client"\} 1\n(?:.*\n)*.*failures_total\{policy="p"\} 1/)
})

test('a database of quotas that does not answer is asked once for all who wait in turn, and again when it is back', async ({
  mock,
}) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  const asked: string[] = []
  const away = { is: false }
  const client = {
    query: async (text: string) => {
      asked.push(text)
      return away.is ? never<never>() : { rows: text.startsWith('INSERT') ? [{ key: 'k' }] : [] }
    },
  }
  const store = await postgresQuotas(client)
  away.is = true
  asked.length = 0
  const waiting = Array.from({ length: 5 }, () => Promise.resolve(store.take('a', policy)))
  const ended = Promise.allSettled(waiting)
  await settled()
  mock.timers.tick(1_000)
  assert.deepEqual(new Set((await ended).map(({ status }) => status)), new Set(['rejected']))
  assert.equal(asked.length, 1)
  away.is = false
  assert.equal((await store.take('a', policy)).remaining, 4)
})

test('of a thousand takes at once of one number each is decided, by a few looks at the database', async () => {
  let [fullAt, asked] = [null as number | null, 0]
  const client = {
    async query(text: string, values: readonly unknown[] = []) {
      asked += 1
      await new Promise((resolve) => {
        setTimeout(resolve, 1)
      })
      if (text.startsWith('SELECT full_at')) return { rows: fullAt === null ? [] : [{ full_at: fullAt }] }
      if (text.startsWith('INSERT') || text.startsWith('UPDATE')) fullAt = values.at(-1) as number
      return { rows: [{ key: 'k' }] }
    },
  }
  const store = await postgresQuotas(client, () => 1_000_000 as Instant)
  asked = 0
  const takes = await Promise.all(Array.from({ length: 1_000 }, async () => store.take('a', { ...policy, quota: 700 })))
  assert.equal(takes.filter(({ allowed }) => allowed).length, 700)
  assert.ok(asked <= 4, String(asked))
})

function inFolder(run: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'quota-'))
  try {
    run(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** What every store must do, whatever it is made of. */
function contract(make: (clock: { now: number }) => QuotaStore): void {
  const clock = { now: 1_000_000 }
  const store = make(clock)
  const take = (partition: string, cost?: number): boolean => {
    const decision = store.take(partition, policy, cost)
    assert.ok(!(decision instanceof Promise))
    return decision.allowed
  }
  for (let i = 0; i < 5; i++) assert.equal(take('a'), true)
  assert.equal(take('a', 0), false)
  assert.equal(take('a'), false)
  assert.equal(take('b'), true)
  assert.equal((store.take('a', { ...policy, name: 'q' }) as { allowed: boolean }).allowed, true)
  void store.refund('a', policy)
  assert.equal(take('a', 0), true)
  assert.equal(take('a'), true)
  assert.equal(take('a'), false)
  clock.now += 1999
  assert.equal(take('a'), false)
  clock.now += 1
  assert.equal(take('a'), true)
  clock.now -= 3_600_000
  assert.equal(take('a'), false)
  clock.now += 2000
  assert.equal(take('a'), true, 'R7: a clock that steps back locks nobody out')
  void store.refund('never seen', policy)
}

test('the quota store in memory keeps the contract', () => {
  contract((clock) => memoryQuotas({ monotonic: () => clock.now }))
})

test('the quota store in SQLite keeps the contract, and shares its numbers with whoever opens the file', () => {
  inFolder((folder) => {
    const open = (): DatabaseSync => new DatabaseSync(join(folder, 'q.db'))
    const one = open()
    contract((clock) => sqliteQuotas(one, () => clock.now as Instant))
    const other = open()
    const [a, b] = [sqliteQuotas(one, () => 0 as Instant), sqliteQuotas(other, () => 0 as Instant)]
    const taken = [a, b, a, b, a, b, a].map((store) => (store.take('shared', policy) as { allowed: boolean }).allowed)
    assert.deepEqual(taken, [true, true, true, true, true, false, false])
    one.close()
    other.close()
  })
})

test('memory forgets the partitions that were idle longest, and stays bounded', () => {
  const store = memoryQuotas({ monotonic: () => 0, capacity: 2 })
  for (const partition of ['a', 'b', 'a', 'c']) void store.take(partition, policy)
  assert.equal((store.take('a', policy, 0) as { remaining: number }).remaining, 3)
  assert.equal((store.take('b', policy, 0) as { remaining: number }).remaining, 5)
})
