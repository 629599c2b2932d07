/** Orders belong to people and clients: whoever asks for somebody else's finds nothing, by whichever way they ask. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { type TestClient, testClient } from '@grantor/api/testing'
import type { Instant } from '@grantor/protocol/types'
import { firstVersionEnds, ordersApi } from '../src/orders-api.ts'
import { OrdersTable } from '../src/orders-table.ts'
import { insertSamples, samplesOfEach } from '../src/sample-orders.ts'
import { place } from './crash-request.ts'

const all = 'orders:read orders:write orders:delete'
const alice = { sub: 'alice', scope: all }
const bob = { sub: 'bob', scope: all }
/** Signed in by the same client as Bob: it is the person who counts. */
const auditor = { sub: 'auditor', scope: 'orders:all' }
const manager = { sub: 'manager', scope: `${all} orders:all` }
const body = { status: 'open', items: [{ sku: 'tea', qty: 1 }], total: 10 }
const now = Date.UTC(2026, 10, 16) as Instant

interface Tested {
  readonly client: TestClient
  readonly table: OrdersTable
  readonly clock: { now: Instant }
}

async function withOrders(run: (tested: Tested) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'orders-'))
  const table = new OrdersTable(join(folder, 'orders.db'))
  const clock = { now }
  const api = ordersApi({ ...place, table, now: () => clock.now })
  const client = testClient(api)
  try {
    await run({ client, table, clock })
  } finally {
    await client.close()
    await api.close()
    table.close()
    rmSync(folder, { recursive: true })
  }
}

type Items = readonly { readonly id: string; readonly owner?: string }[]
const itemsOf = (answer: { json(): unknown }): Items => (answer.json() as { items: Items }).items

async function put(client: TestClient, id: string, as: object, version = 'v1'): Promise<number> {
  const sent = version === 'v1' ? body : { items: body.items, total_cents: 10 }
  return (await client({ method: 'PUT', url: `/${version}/orders/${id}`, as, body: sent })).status
}

for (const version of ['v1', 'v2']) {
  test(`somebody else's order is not there: not to read, change, replace or delete [${version}]`, () =>
    withOrders(async ({ client, table }) => {
      assert.equal(await put(client, 'o1', alice), 201)
      const url = `/${version}/orders/o1`
      const read = await client({ url, as: alice })
      assert.equal(read.status, 200)
      const tag = read.headers['etag'] ?? ''
      const replacement = version === 'v1' ? body : { items: body.items, total_cents: 99 }
      for (const headers of [{}, { 'if-match': tag }, { 'if-none-match': tag }, { 'if-match': '*' }]) {
        for (const sent of [
          { method: 'GET' },
          { method: 'HEAD' },
          { method: 'PATCH', body: { status: 'paid' } },
          { method: 'DELETE' },
        ]) {
          const got = await client({ url, as: bob, headers, ...sent })
          assert.equal(got.status, 404, `${sent.method} ${JSON.stringify(headers)}`)
          assert.doesNotMatch(got.body ?? '', /alice/)
        }
        const replaced = await client({ method: 'PUT', url, as: bob, headers, body: replacement })
        // What asks for a version that it was told of is refused as for any id that is free.
        assert.equal(replaced.status, 'if-match' in headers ? 412 : 404, JSON.stringify(headers))
      }
      const still = await client({ url, as: alice })
      assert.deepEqual([still.headers['etag'], still.body], [tag, read.body])
      assert.equal(table.count({ tenant: 'default', owner: null }), 1)
    }))

  test(`lists, filters and cursors show one's own only [${version}]`, () =>
    withOrders(async ({ client, clock }) => {
      for (let n = 0; n < 6; n++) {
        clock.now = (now + n) as Instant
        assert.equal(await put(client, `a${n}`, alice), 201)
        assert.equal(await put(client, `b${n}`, bob), 201)
      }
      const total = version === 'v1' ? 'total' : 'total_cents'
      const ids = async (query: string, as: object) =>
        itemsOf(await client({ url: `/${version}/orders?sort=id&${query}`, as })).map(({ id }) => id)
      for (const query of [
        '',
        'status=open',
        'status[in]=open,paid',
        `${total}[gte]=0`,
        'created_at[gt]=2000-01-01T00:00:00Z',
      ])
        assert.deepEqual(await ids(query, bob), ['b0', 'b1', 'b2', 'b3', 'b4', 'b5'], query)
      // A cursor of Alice's in Bob's hands goes on where hers stood, among his.
      const first = await client({ url: `/${version}/orders?sort=id&limit=3`, as: alice })
      const { next } = first.json() as { next: string }
      assert.deepEqual(
        itemsOf(await client({ url: next, as: alice })).map(({ id }) => id),
        ['a3', 'a4', 'a5'],
      )
      const followed = await client({ url: next, as: bob })
      for (const { id } of followed.status === 200 ? itemsOf(followed) : []) assert.match(id, /^b/)
      assert.equal((await client({ url: `/${version}/orders?owner=alice`, as: bob })).status, 400)
    }))
}

test('orders:all sees everybody’s, alone and beside other scopes, and changes none of them', () =>
  withOrders(async ({ client }) => {
    await put(client, 'a1', alice)
    await put(client, 'b1', bob)
    for (const as of [auditor, manager]) {
      const seen = itemsOf(await client({ url: '/v2/orders?sort=id', as }))
      assert.deepEqual(
        seen.map(({ id, owner }) => [id, owner]),
        [
          ['a1', 'alice'],
          ['b1', 'bob'],
        ],
      )
      assert.equal((await client({ url: '/v1/orders/a1', as })).status, 200)
    }
    assert.equal(await put(client, 'a1', auditor), 401)
    assert.equal(await put(client, 'a1', manager), 403)
    assert.equal((await client({ method: 'DELETE', url: '/v1/orders/a1', as: manager })).status, 403)
    assert.equal(
      (await client({ method: 'PATCH', url: '/v2/orders/a1', as: manager, body: { note: 'x' } })).status,
      403,
    )
    assert.equal((await client({ url: '/v1/orders/a1', as: { ...alice, tenant: 'acme' } })).status, 404)
    assert.deepEqual(itemsOf(await client({ url: '/v2/orders', as: { ...auditor, tenant: 'acme' } })), [])
  }))

test('an idempotency key of somebody else’s replays nothing of theirs', () =>
  withOrders(async ({ client }) => {
    const headers = { 'idempotency-key': 'the-same-for-both' }
    const create = (as: object) => client({ method: 'POST', url: '/v1/orders', as, body, headers })
    const [hers, his] = [await create(alice), await create(bob)]
    assert.deepEqual([hers.status, his.status], [201, 201])
    assert.notEqual(hers.json()['id'], his.json()['id'])
    assert.equal((await create(alice)).headers['idempotency-replayed'], 'true')
    assert.equal(itemsOf(await client({ url: '/v1/orders', as: bob })).length, 1)
  }))

test('an export holds what its owner sees, is shown to nobody else, and tells how far it is', () =>
  withOrders(async ({ client, table }) => {
    await table.atFirstStart(async (insert) =>
      insertSamples(
        insert,
        ['alice', 'bob'].map((owner) => ({ tenant: 'default', owner })),
        now,
      ),
    )
    const exporting = async (as: object) => {
      const accepted = await client({ method: 'POST', url: '/v2/orders/export', as, body: {} })
      assert.equal(accepted.status, 202)
      const location = accepted.headers['location'] ?? ''
      assert.match(location, /^\/v2\/operations\/op_/)
      const deadline = Date.now() + 30_000
      for (;;) {
        const { status, progress } = (await client({ url: location, as })).json() as {
          status: string
          progress: unknown
        }
        if (status === 'succeeded') return { location, progress }
        assert.ok(status !== 'failed' && Date.now() < deadline, status)
        await new Promise((resolve) => {
          setTimeout(resolve, 20)
        })
      }
    }
    const { location } = await exporting(bob)
    const result = itemsOf(await client({ url: `${location}/result`, as: bob }))
    assert.equal(result.length, samplesOfEach)
    assert.ok(result.every(({ owner }) => owner === 'bob'))
    for (const url of [location, `${location}/result`, location.replace('v2', 'v1')])
      for (const as of [alice, auditor]) assert.equal((await client({ url, as })).status, 404, url)
    assert.equal((await client({ method: 'DELETE', url: location, as: alice })).status, 404)
    assert.equal(itemsOf(await client({ url: '/v2/operations', as: alice })).length, 0)
    const whole = await exporting(auditor)
    assert.equal(itemsOf(await client({ url: `${whole.location}/result`, as: auditor })).length, 2 * samplesOfEach)
  }))

test('an export is for tokens that could have asked for it: not for a narrower one of the same person and client', () =>
  withOrders(async ({ client }) => {
    assert.equal(await put(client, 'o1', alice), 201)
    const token = (scope: string) => ({ ...manager, scope })
    const wide = token('orders:read orders:all')
    const narrow = token('orders:read')
    const headers = { prefer: 'wait=20', 'idempotency-key': 'one' }
    const exporting = (as = wide) => client({ method: 'POST', url: '/v2/orders/export', as, body: {}, headers })
    assert.deepEqual(
      itemsOf(await exporting()).map(({ id }) => id),
      ['o1'],
    )
    assert.deepEqual([(await exporting(narrow)).status, (await exporting()).status], [422, 200])
    const [operation] = itemsOf(await client({ url: '/v2/operations', as: wide }))
    for (const as of [narrow, token('orders:write')]) {
      const at = { url: `/v2/operations/${operation?.id}`, as }
      for (const url of [at.url, `${at.url}/result`, at.url.replace('v2', 'v1')])
        assert.equal((await client({ url, as })).status, 404, url)
      assert.equal((await client({ method: 'DELETE', ...at })).status, 404)
      assert.equal(itemsOf(await client({ url: '/v2/operations', as })).length, 0)
    }
  }))

test('the first start brings orders, a later one brings none, also after all were deleted', () =>
  withOrders(async ({ table }) => {
    const owners = [{ tenant: 'default', owner: 'alice' }]
    let asked = 0
    const start = () =>
      table.atFirstStart(async (insert) => {
        asked++
        insertSamples(insert, owners, now)
      })
    await start()
    await start()
    assert.deepEqual([asked, table.count({ tenant: 'default', owner: 'alice' })], [1, samplesOfEach])
    assert.equal(table.count({ tenant: 'acme', owner: null }), 0)
  }))

test('a file of before there were owners is read on: its orders are nobody’s, and in euros', () => {
  const folder = mkdtempSync(join(tmpdir(), 'orders-'))
  const file = join(folder, 'orders.db')
  const old = new DatabaseSync(file)
  old.exec(`CREATE TABLE orders (tenant TEXT NOT NULL, id TEXT NOT NULL, version TEXT NOT NULL, status TEXT NOT NULL,
    items TEXT NOT NULL, total INTEGER NOT NULL, note TEXT, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    PRIMARY KEY (tenant, id)) STRICT, WITHOUT ROWID;
    INSERT INTO orders VALUES ('default', 'o1', 'v', 'open', '[]', 5, NULL, '2026-11-01T00:00:00.000Z', '2026-11-01T00:00:00.000Z')`)
  old.close()
  const table = new OrdersTable(file)
  const everybody = table.find({ tenant: 'default', owner: null }, 'o1')?.value
  assert.deepEqual([everybody?.owner, everybody?.currency, everybody?.total], ['', 'EUR', 5])
  assert.equal(table.find({ tenant: 'default', owner: 'alice' }, 'o1'), null)
  table.close()
  rmSync(folder, { recursive: true })
})

test('RFC 9745, RFC 8594: two versions of one order live side by side, and the first says when it ends and what follows', () =>
  withOrders(async ({ client, clock }) => {
    const pounds = { items: body.items, total_cents: 500, currency: 'GBP' }
    const made = await client({ method: 'POST', url: '/v2/orders', as: alice, body: pounds })
    assert.equal(made.status, 201)
    const { id } = made.json() as { id: string }
    const first = await client({ url: `/v1/orders/${id}`, as: alice })
    assert.equal(first.json()['total'], 500)
    assert.deepEqual(
      ['owner', 'currency', 'total_cents'].map((name) => first.json()[name]),
      [undefined, undefined, undefined],
    )
    assert.equal(first.headers['deprecation'], `@${firstVersionEnds.deprecatedAt / 1000}`)
    assert.equal(first.headers['sunset'], 'Sat, 01 Nov 2036 00:00:00 GMT')
    assert.match(first.headers['link'] ?? '', new RegExp(`</v2/orders/${id}>; rel="successor-version"`))
    for (const name of ['deprecation', 'sunset']) assert.equal(made.headers[name], undefined)
    // A change by the version that knows no currency leaves it alone, and each sees the other's changes.
    const change = { method: 'PATCH', url: `/v1/orders/${id}`, as: alice, body: { total: 700 } }
    assert.equal((await client(change)).status, 200)
    const after = (await client({ url: `/v2/orders/${id}`, as: alice })).json()
    assert.deepEqual([after['total_cents'], after['currency']], [700, 'GBP'])
    clock.now = (firstVersionEnds.sunsetAt + 1) as Instant
    const token = { ...alice, expiresIn: 600 }
    const gone = await client({ url: `/v1/orders/${id}`, as: token })
    assert.deepEqual([gone.status, gone.json()['code'], gone.json()['successor']], [410, 'version_sunset', 'v2'])
    assert.match(gone.headers['link'] ?? '', /successor-version/)
    assert.equal((await client({ method: 'POST', url: '/v1/orders', as: token, body })).status, 410)
    assert.equal((await client({ url: `/v2/orders/${id}`, as: token })).status, 200)
  }))
