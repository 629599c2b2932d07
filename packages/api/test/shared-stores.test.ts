/** The contract of the stores behind Idempotency-Key and quotas, on all of them; races, and processes that die. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import type { Repetition } from '@grantor/protocol/http'
import type { Instant } from '@grantor/protocol/types'
import type { IdempotencyAttempt, IdempotencyStore } from '../src/idempotency/idempotency-store.ts'
import type { QuotaStore } from '../src/quotas/quota-store.ts'
import { memoryIdempotency } from '../src/stores/memory-idempotency.ts'
import { memoryQuotas } from '../src/stores/memory-quotas.ts'
import { postgresIdempotency } from '../src/stores/postgres-idempotency.ts'
import { postgresQuotas } from '../src/stores/postgres-quotas.ts'
import { sqliteIdempotency } from '../src/stores/sqlite-idempotency.ts'
import { sqliteQuotas } from '../src/stores/sqlite-quotas.ts'
import { postgresPool, type StoreName, storeNames } from './deferred/stores.ts'

const start = 1_800_000_000_000
let made = 0

/** As many stores over the same keys as there are nodes; memory has one process, so all of them are the same. */
async function openIdempotency(name: StoreName, nodes: number): Promise<readonly IdempotencyStore[]> {
  if (name === 'memory') {
    const one = memoryIdempotency()
    return Array.from({ length: nodes }, () => one)
  }
  if (name === 'SQLite') {
    const file = temporaryFile()
    return Array.from({ length: nodes }, () => sqliteIdempotency(open(file)))
  }
  const schema = `keys_${process.pid}_${++made}`
  const pools = await poolsOf(schema, nodes)
  return Promise.all(pools.map((pool) => postgresIdempotency(pool)))
}

async function openQuotas(name: StoreName, nodes: number, now: () => Instant): Promise<readonly QuotaStore[]> {
  if (name === 'memory') {
    const one = memoryQuotas({ monotonic: now })
    return Array.from({ length: nodes }, () => one)
  }
  if (name === 'SQLite') {
    const file = temporaryFile()
    return Array.from({ length: nodes }, () => sqliteQuotas(open(file), now))
  }
  const schema = `quotas_${process.pid}_${++made}`
  const pools = await poolsOf(schema, nodes)
  return Promise.all(pools.map((pool) => postgresQuotas(pool, now)))
}

/** One after the other: the first makes the schema. */
async function poolsOf(schema: string, nodes: number) {
  const pools: Awaited<ReturnType<typeof postgresPool>>[] = []
  for (let i = 0; i < nodes; i++) pools.push(await postgresPool(schema))
  return pools
}

function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'shared-stores-'))
  after(() => rmSync(folder, { recursive: true }))
  return join(folder, 'stores.db')
}
function open(file: string): DatabaseSync {
  const database = new DatabaseSync(file)
  after(() => database.close())
  return database
}

const attempt = (intent: string, more: Partial<IdempotencyAttempt> = {}): IdempotencyAttempt => {
  const now = more.now ?? (start as Instant)
  return {
    fingerprint: 'f',
    intent,
    now,
    leaseUntil: (now + 30_000) as Instant,
    expiresAt: (now + 86_400_000) as Instant,
    rerun: false,
    ...more,
  }
}
const answer = { status: 201, headers: { etag: '"1"' }, body: '{"id":"1"}' }
const at = (later: number): Instant => (start + later) as Instant

for (const name of storeNames) {
  test(`Idempotency-Key §2.6: a key is new once, then running, then done; another request is told apart [${name}]`, async () => {
    const [store = memoryIdempotency(), other = store] = await openIdempotency(name, 2)
    assert.deepEqual(await store.begin('k', attempt('a')), { is: 'new' })
    assert.deepEqual(await other.begin('k', attempt('b')), { is: 'running' })
    assert.deepEqual(await other.begin('k', attempt('b', { fingerprint: 'g' })), { is: 'reused' })
    await store.complete('k', 'b', { ...answer, status: 500 })
    await store.complete('k', 'a', answer)
    await store.release('k', 'a', 'new')
    assert.deepEqual(await other.begin('k', attempt('c')), { is: 'done', answer })
    assert.deepEqual(await other.begin('k', attempt('c', { now: at(86_400_000) })), { is: 'new' })
    await other.release('k', 'c', 'new')
    assert.deepEqual(await store.begin('k', attempt('d', { now: at(86_400_000) })), { is: 'new' })
  })

  test(`what was cut off is told so, and run again by one with the first intent where it may be [${name}]`, async () => {
    const [store = memoryIdempotency()] = await openIdempotency(name, 1)
    await store.begin('k', attempt('a'))
    assert.deepEqual(await store.begin('k', attempt('b', { now: at(30_000) })), { is: 'lost', intent: 'a' })
    assert.deepEqual(await store.begin('k', attempt('b', { now: at(30_000), rerun: true })), {
      is: 'lost',
      intent: 'a',
    })
    assert.deepEqual(await store.begin('k', attempt('c', { now: at(30_000), rerun: true })), { is: 'running' })
    await store.complete('k', 'a', { ...answer, status: 202 })
    await store.complete('k', 'b', answer)
    assert.deepEqual(await store.begin('k', attempt('c', { now: at(30_000) })), { is: 'done', answer })
  })

  test(`a key that is let go as lost keeps its intent, request and end, and nobody holds it [${name}]`, async () => {
    const [store = memoryIdempotency(), other = store] = await openIdempotency(name, 2)
    await store.begin('k', attempt('a'))
    await other.release('k', 'b', 'lost')
    assert.deepEqual(await other.begin('k', attempt('b', { rerun: true })), { is: 'running' })
    await store.release('k', 'a', 'lost')
    // A renewal that was under way, and whatever else comes late.
    assert.equal(await store.renew('k', 'a', at(90_000)), false)
    await store.complete('k', 'a', answer)
    assert.deepEqual(await other.begin('k', attempt('b', { fingerprint: 'g', rerun: true })), { is: 'reused' })
    assert.deepEqual(await other.begin('k', attempt('b')), { is: 'lost', intent: 'a' })
    assert.deepEqual(await other.begin('k', attempt('b', { rerun: true })), { is: 'lost', intent: 'a' })
    assert.deepEqual(await store.begin('k', attempt('c', { rerun: true })), { is: 'running' })
    await other.release('k', 'b', 'lost')
    assert.deepEqual(await store.begin('k', attempt('c', { rerun: true })), { is: 'lost', intent: 'a' })
    await store.complete('k', 'c', answer)
    assert.deepEqual(await other.begin('k', attempt('d')), { is: 'done', answer })
    await store.begin('l', attempt('a'))
    await store.release('l', 'a', 'lost')
    assert.deepEqual(await store.begin('l', attempt('d', { now: at(86_400_000), rerun: true })), { is: 'new' })
  })

  test(`what runs is renewed by whoever runs it, and by nobody who lost it [${name}]`, async () => {
    const [store = memoryIdempotency(), other = store] = await openIdempotency(name, 2)
    const retry = (intent: string, later: number) => other.begin('k', attempt(intent, { now: at(later), rerun: true }))
    await store.begin('k', attempt('a'))
    assert.equal(await other.renew('k', 'b', at(90_000)), false)
    assert.equal(await store.renew('another', 'a', at(90_000)), false)
    assert.equal(await store.renew('k', 'a', at(50_000)), true)
    assert.equal(await store.renew('k', 'a', at(60_000)), true)
    assert.deepEqual(await retry('b', 59_999), { is: 'running' })
    assert.deepEqual(await retry('b', 60_000), { is: 'lost', intent: 'a' })
    assert.equal(await store.renew('k', 'a', at(200_000)), false)
    await store.release('k', 'a', 'new')
    await store.complete('k', 'a', { ...answer, status: 202 })
    assert.deepEqual(await retry('c', 60_000), { is: 'running' })
    assert.equal(await other.renew('k', 'b', at(120_000)), true)
    assert.deepEqual(await retry('c', 119_999), { is: 'running' })
    await other.complete('k', 'b', answer)
    assert.equal(await other.renew('k', 'b', at(200_000)), false)
    assert.deepEqual(await retry('c', 119_999), { is: 'done', answer })
  })

  test(`of many that begin one key at once on several nodes exactly one runs it, new or again [${name}]`, async () => {
    const stores = await openIdempotency(name, 3)
    // An intent is one request's: no two are alike, also not of two races.
    let requests = 0
    const race = (more: Partial<IdempotencyAttempt>): Promise<Repetition[]> =>
      Promise.all(
        Array.from({ length: 24 }, async (_, i) =>
          (stores[i % 3] ?? memoryIdempotency()).begin('k', attempt(`i${++requests}`, more)),
        ),
      )
    const count = (found: readonly Repetition[], is: Repetition['is']): number =>
      found.filter((it) => it.is === is).length
    const first = await race({})
    assert.deepEqual([count(first, 'new'), count(first, 'running')], [1, 23])
    const again = await race({ now: at(30_000), rerun: true })
    assert.deepEqual([count(again, 'lost'), count(again, 'running')], [1, 23])
    const later = await race({ now: at(86_400_000) })
    assert.deepEqual([count(later, 'new'), count(later, 'running')], [1, 23])
  })

  test(`RateLimit §8.5: nodes that share a quota give it out once, and what is given back once more [${name}]`, async () => {
    const clock = { now: at(0) }
    const stores = await openQuotas(name, 3, () => clock.now)
    const policy = { name: 'client', quota: 20, window: 60 }
    const takes = async (): Promise<number> => {
      const all = Array.from({ length: 60 }, async (_, i) => (stores[i % 3] ?? memoryQuotas()).take('p', policy))
      return (await Promise.all(all)).filter(({ allowed }) => allowed).length
    }
    assert.equal(await takes(), 20)
    await Promise.all(stores.map(async (store) => store.refund('p', policy)))
    assert.equal(await takes(), 3)
    assert.equal((await stores[0]?.take('p', policy, 0))?.allowed, false)
    assert.equal((await stores[0]?.take('q', policy))?.remaining, 19)
    clock.now = at(60_000)
    assert.equal(await takes(), 20)
  })
}

if (storeNames.includes('PostgreSQL'))
  test('a key whose beginning failed is held by nobody, at whatever statement it failed [PostgreSQL]', async () => {
    const pool = await postgresPool(`keys_${process.pid}_${++made}`)
    const failing = { left: Number.POSITIVE_INFINITY }
    const store = await postgresIdempotency({
      async query(text: string, values?: unknown[]) {
        if (failing.left-- <= 0) throw new Error('away')
        return pool.query(text, values)
      },
    })
    let failures = 0
    for (const intent of ['a', 'b', 'c', 'd']) {
      failing.left = failures
      const begun = await Promise.resolve(store.begin('k', attempt(intent))).catch(() => null)
      if (begun !== null) {
        assert.deepEqual(begun, { is: 'new' })
        break
      }
      failures += 1
    }
    assert.ok(failures > 0 && failures < 4)
  })

test('a run whose end could not be written is forgotten: nobody holds its key any longer [SQLite]', () => {
  const file = temporaryFile()
  const database = open(file)
  const store = sqliteIdempotency(database)
  database.exec('PRAGMA busy_timeout = 0')
  const other = open(file)
  const ends = {
    complete: () => store.complete('complete', 'a', answer),
    release: () => store.release('release', 'a', 'new'),
    lose: () => store.release('lose', 'a', 'lost'),
  }
  for (const [key, end] of Object.entries(ends)) {
    void store.begin(key, attempt('a'))
    other.exec('BEGIN IMMEDIATE')
    assert.throws(end, /locked/)
    other.exec('ROLLBACK')
    assert.equal(store.renew(key, 'a', at(60_000)), false)
  }
})

/** Begins a key, says so, and never answers. */
const beginner = `
  const [, file, url, schema] = process.argv
  const attempt = ${JSON.stringify(attempt('first'))}
  const { sqliteIdempotency } = await import('@grantor/api/sqlite')
  const { postgresIdempotency } = await import('@grantor/api/postgres')
  const { DatabaseSync } = await import('node:sqlite')
  const { default: pg } = await import('pg')
  const store = file !== ''
    ? sqliteIdempotency(new DatabaseSync(file))
    : await postgresIdempotency(new pg.Pool({ connectionString: url, options: '-c search_path=' + schema }))
  await store.begin('k', attempt)
  console.log('begun')
  setInterval(() => {}, 1000)
`

for (const name of storeNames.filter((it) => it !== 'memory')) {
  test(`kill -9 between the write and the answer: the retry is told, and runs with the same intent [${name}]`, async () => {
    const file = name === 'SQLite' ? temporaryFile() : ''
    const schema = `killed_${process.pid}_${++made}`
    const pool = name === 'PostgreSQL' ? await postgresPool(schema) : null
    const url = process.env['GRANTOR_TEST_DATABASE_URL'] ?? ''
    const args = ['--input-type=module', '-e', beginner, '--', file, url, schema]
    const child = spawn(process.execPath, args, { cwd: import.meta.dirname, stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    assert.match(line.toString(), /begun/)
    child.kill('SIGKILL')
    await once(child, 'exit')
    const store = pool === null ? sqliteIdempotency(open(file)) : await postgresIdempotency(pool)
    assert.deepEqual(await store.begin('k', attempt('second')), { is: 'running' })
    const late = attempt('second', { now: at(30_000), rerun: true })
    assert.deepEqual(await store.begin('k', late), { is: 'lost', intent: 'first' })
    await store.complete('k', 'second', answer)
    assert.deepEqual(await store.begin('k', attempt('third')), { is: 'done', answer })
  })
}
