/** The Orders API over a real table, asked as its clients would ask it. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type TestClient, testClient } from '@grantor/api/testing'
import { err } from '@grantor/protocol/result'
import type { Validator } from '@grantor/resource'
import fc from 'fast-check'
import { exampleOrder, type KeptOrderBody, type Order, type OrderBody } from '../src/order.ts'
import { ordersApi } from '../src/orders-api.ts'
import { OrdersTable } from '../src/orders-table.ts'

const all = 'orders:read orders:write orders:delete'
const body: OrderBody = { status: 'open', items: [{ sku: 'a', qty: 1 }], total: 10 }
/** As the table keeps it, and whom the tests' tokens speak for. */
const kept: KeptOrderBody = { ...body, currency: 'EUR' }
const mine = { tenant: 'default', owner: 'dev-user' }

const nobody: Validator = {
  validate: () => err({ code: 'keys_unavailable', status: 503, retryAfter: 1 }),
  record: () => undefined,
  ready: () => false,
  whenReady: () => Promise.resolve(),
  close: () => Promise.resolve(),
}

async function withOrders(run: (client: TestClient, table: OrdersTable) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'orders-'))
  const table = new OrdersTable(join(folder, 'orders.db'))
  try {
    const api = ordersApi({
      audience: 'https://localhost:8444',
      issuer: 'https://localhost:8443',
      validator: nobody,
      table,
    })
    const client = testClient(api)
    await run(client, table)
    await client.close()
    await api.close()
  } finally {
    table.close()
    rmSync(folder, { recursive: true })
  }
}

test('RFC 7240 §4.1: an order is made later where the client prefers it, in both versions, and once however often it asks', () =>
  withOrders(async (client) => {
    const as = { scope: 'orders:write' }
    for (const [version, content] of [
      ['v1', { items: body.items, total: 10 }],
      ['v2', { items: body.items, total_cents: 10 }],
    ] as const) {
      const post = (headers: Record<string, string>) =>
        client({ method: 'POST', url: `/${version}/orders`, as, body: content, headers })
      const keyless = await post({ prefer: 'respond-async' })
      assert.deepEqual([keyless.status, keyless.json()['code']], [400, 'idempotency_key_missing'])
      const headers = { prefer: 'respond-async', 'idempotency-key': `later-${version}` }
      const [first, again] = [await post(headers), await post(headers)]
      const location = first.headers['location'] ?? ''
      assert.deepEqual([first.status, again.status, again.headers['location']], [202, 202, location])
      assert.match(location, new RegExp(`^/${version}/operations/op_`))
      const result = await post({ ...headers, prefer: 'respond-async, wait=30', 'idempotency-key': `now-${version}` })
      assert.equal(result.status, 201)
      assert.match(result.headers['location'] ?? '', new RegExp(`^/${version}/orders/ord_`))
    }
  }))

test('an order is created, read, changed, replaced and deleted', () =>
  withOrders(async (client) => {
    const as = { scope: all }
    const made = await client({ method: 'POST', url: '/v1/orders', as, body: { items: body.items, total: 10 } })
    assert.equal(made.status, 201)
    const order = made.json() as unknown as Order
    const url = made.headers['location'] ?? ''
    assert.equal(url, `/v1/orders/${order.id}`)
    assert.equal(order.status, 'open')
    assert.equal(order.created_at, order.updated_at)
    const read = await client({ url, as })
    assert.deepEqual(read.json(), made.json())
    assert.equal(read.headers['etag'], made.headers['etag'])
    assert.equal((await client({ url, as, headers: { 'if-none-match': made.headers['etag'] ?? '' } })).status, 304)
    const paid = await client({ method: 'PATCH', url, as, body: { status: 'paid', note: 'x' } })
    assert.equal(paid.json()['status'], 'paid')
    assert.notEqual(paid.headers['etag'], made.headers['etag'])
    const stale = { 'if-match': made.headers['etag'] ?? '' }
    assert.equal((await client({ method: 'PUT', url, as, headers: stale, body: { ...body } })).status, 412)
    const replaced = await client({ method: 'PUT', url, as, body: { ...body } })
    assert.equal(replaced.status, 200)
    assert.equal(replaced.json()['note'], undefined)
    assert.equal(replaced.json()['created_at'], order.created_at)
    assert.equal((await client({ method: 'DELETE', url, as })).status, 204)
    assert.equal((await client({ url, as })).status, 404)
  }))

test('what was read can be sent back whole, and read-only members cannot be changed', () =>
  withOrders(async (client, table) => {
    table.insert(mine, 'o1', kept, Date.now() as never)
    const as = { scope: all }
    const whole = (await client({ url: '/v1/orders/o1', as })).json()
    assert.equal((await client({ method: 'PUT', url: '/v1/orders/o1', as, body: whole })).status, 200)
    for (const change of [{ id: 'o2' }, { created_at: '2020-01-01T00:00:00Z' }]) {
      for (const method of ['PUT', 'PATCH']) {
        const got = await client({ method, url: '/v1/orders/o1', as, body: { ...body, ...change } })
        assert.equal(got.status, 400)
        assert.equal((got.json()['errors'] as { code: string }[])[0]?.code, 'readOnly')
      }
    }
    assert.equal((await client({ method: 'POST', url: '/v1/orders', as, body: exampleOrder })).status, 400)
  }))

test('PUT on an absent id creates it, and on one of another form does not', () =>
  withOrders(async (client) => {
    const as = { scope: all }
    const put = (id: string) => client({ method: 'PUT', url: `/v1/orders/${id}`, as, body: { ...body } })
    const made = await put('my-order_1')
    assert.equal(made.status, 201)
    assert.equal(made.headers['location'], '/v1/orders/my-order_1')
    assert.equal((await put('my-order_1')).status, 200)
    assert.equal((await put('a%20b')).status, 400)
    assert.equal((await put('x'.repeat(65))).status, 400)
  }))

test('a deleted id that is used again is another resource: its old tag changes nothing', () =>
  withOrders(async (client) => {
    const as = { scope: all }
    const url = '/v1/orders/again'
    const first = await client({ method: 'PUT', url, as, body: { ...body } })
    await client({ method: 'DELETE', url, as })
    await client({ method: 'PUT', url, as, body: { ...body } })
    const headers = { 'if-match': first.headers['etag'] ?? '' }
    assert.equal((await client({ method: 'DELETE', url, as, headers })).status, 412)
  }))

test('tenants share ids and see nothing of each other', () =>
  withOrders(async (client) => {
    for (const tenant of [null, 'acme']) {
      const as = { scope: all, tenant }
      const put = { method: 'PUT', url: '/v1/orders/o1', as, body: { ...body, note: tenant ?? 'home' } }
      assert.equal((await client(put)).status, 201)
    }
    for (const tenant of [null, 'acme']) {
      const list = await client({ url: '/v1/orders', as: { scope: all, tenant } })
      assert.deepEqual(
        (list.json()['items'] as unknown as Order[]).map(({ note }) => note),
        [tenant ?? 'home'],
      )
    }
    assert.equal(
      (await client({ method: 'DELETE', url: '/v1/orders/o1', as: { scope: all, tenant: 'acme' } })).status,
      204,
    )
    assert.equal((await client({ url: '/v1/orders/o1', as: { scope: all } })).status, 200)
  }))

test('filters are applied, and combine', () =>
  withOrders(async (client, table) => {
    const now = Date.UTC(2026, 10, 15)
    for (let i = 0; i < 10; i++) {
      const status = (['open', 'paid', 'shipped'] as const)[i % 3] ?? 'open'
      table.insert(mine, `o${i}`, { ...kept, status, total: i * 10 }, (now + i) as never)
    }
    const ids = async (query: string): Promise<string> => {
      const got = await client({ url: `/v1/orders?sort=id&${query}`, as: { scope: all } })
      assert.equal(got.status, 200, got.body ?? '')
      return (got.json()['items'] as unknown as Order[]).map(({ id }) => id).join(' ')
    }
    assert.equal(await ids('status=open'), 'o0 o3 o6 o9')
    assert.equal(await ids('status[ne]=open&total[lte]=40'), 'o1 o2 o4')
    assert.equal(await ids('status[in]=paid,shipped&total[gt]=40&total[lt]=80'), 'o5 o7')
    assert.equal(await ids(`created_at[gte]=${new Date(now + 8).toISOString()}`), 'o8 o9')
    // One moment in another spelling, and what is none.
    assert.equal(await ids('created_at[lt]=2026-11-15T01:00:00.001%2B01:00'), 'o0')
    for (const wrong of ["' OR 1=1 --", 'yesterday', '2026-11-15', '2026-13-01T00:00:00Z']) {
      const got = await client({ url: `/v1/orders?created_at[lt]=${encodeURIComponent(wrong)}`, as: { scope: all } })
      assert.equal(got.status, 400, wrong)
    }
  }))

interface Page {
  readonly items: readonly Order[]
  readonly next?: string
}

/** Reads a list to its end, and lets something happen after every page. */
async function readAll(client: TestClient, url: string, between: (page: number) => void): Promise<Order[]> {
  const seen: Order[] = []
  let next: string | undefined = url
  for (let page = 0; next !== undefined; page++) {
    assert.ok(page < 200, 'a list ends')
    const got = await client({ url: next, as: { scope: all } })
    assert.equal(got.status, 200)
    const { items, next: onward } = got.json() as unknown as Page
    seen.push(...items)
    between(page)
    next = onward
  }
  return seen
}

test('the pages of a list, put together, are the list: for any limit, any order, and equal sort keys', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ total: fc.integer({ min: 0, max: 3 }), at: fc.integer({ min: 0, max: 3 }) }), {
        maxLength: 25,
      }),
      fc.integer({ min: 1, max: 7 }),
      fc.constantFrom('created_at', '-created_at', 'total,-created_at', '-total,created_at', 'total', '-id'),
      (rows, limit, sort) =>
        withOrders(async (client, table) => {
          rows.forEach(({ total, at }, i) => table.insert(mine, `o${i}`, { ...kept, total }, (1e12 + at) as never))
          const paged = await readAll(client, `/v1/orders?limit=${limit}&sort=${sort}`, () => undefined)
          const whole = await readAll(client, `/v1/orders?limit=200&sort=${sort}`, () => undefined)
          assert.deepEqual(paged, whole)
          assert.equal(new Set(paged.map(({ id }) => id)).size, rows.length)
        }),
    ),
    { numRuns: 60 },
  )
})

test('inserts and deletes between pages never repeat or skip an order they do not touch', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 5 }),
      fc.constantFrom('created_at', '-created_at', '-total'),
      fc.array(fc.record({ at: fc.integer({ min: 0, max: 40 }), drop: fc.integer({ min: 0, max: 19 }) }), {
        maxLength: 8,
      }),
      (limit, sort, changes) =>
        withOrders(async (client, table) => {
          const put = (id: string, at: number) => table.insert(mine, id, { ...kept, total: at }, (1e12 + at) as never)
          for (let i = 0; i < 20; i++) put(`o${i}`, i * 2)
          const touched = new Set(changes.map(({ drop }) => `o${drop}`))
          const seen = await readAll(client, `/v1/orders?limit=${limit}&sort=${sort}`, (page) => {
            const change = changes[page]
            if (change === undefined) return
            put(`new${page}`, change.at)
            const held = table.find(mine, `o${change.drop}`)
            if (held !== null) table.remove(mine, held.value.id, String(held.version))
          })
          const ids = seen.map(({ id }) => id)
          assert.equal(new Set(ids).size, ids.length, 'none twice')
          const steady = ids.filter((id) => id.startsWith('o') && !touched.has(id))
          const expected = Array.from({ length: 20 }, (_, i) => `o${i}`).filter((id) => !touched.has(id))
          assert.deepEqual(steady, sort === 'created_at' ? expected : expected.toReversed())
        }),
    ),
    { numRuns: 60 },
  )
})

test('fifty racing changes without conditions are all applied, one after the other', () =>
  withOrders(async (client, table) => {
    table.insert(mine, 'o1', kept, 1e12 as never)
    const patches = Array.from({ length: 50 }, (_, i) =>
      client({ method: 'PATCH', url: '/v1/orders/o1', as: { scope: all }, body: { total: i } }),
    )
    for (const { status } of await Promise.all(patches)) assert.equal(status, 200)
  }))

test('what was written is there after the table is opened again', () => {
  const folder = mkdtempSync(join(tmpdir(), 'orders-'))
  const file = join(folder, 'orders.db')
  const first = new OrdersTable(file)
  const made = first.insert(mine, 'o1', kept, 1e12 as never)
  first.close()
  const second = new OrdersTable(file)
  assert.deepEqual(second.find(mine, 'o1'), made)
  second.close()
  rmSync(folder, { recursive: true })
})
