/** Conditional requests through the whole API: the vectors C1–C19. */
import assert from 'node:assert/strict'
import { Type } from 'typebox'
import type { ActionPlan } from '../src/collection/handlers.ts'
import type { TestedAdapter } from './adapters.ts'
import { onEveryAdapter } from './on-every-adapter.ts'
import type { Parcel } from './sample.ts'

async function etagOf(adapter: TestedAdapter, id = 'a'): Promise<string> {
  const got = await adapter.send(`/v1/parcels/${id}`)
  assert.equal(got.status, 200)
  return got.headers['etag'] ?? ''
}

const seal: ActionPlan<Parcel> = {
  on: 'item',
  scope: 'parcels:write',
  summary: 'Seal it',
  body: Type.Object({ wax: Type.Integer({ minimum: 1 }) }),
  example: { wax: 1 },
  deferred: 'preferred',
  run: (_body, _context, entry) => ({ sealed: entry?.value.label ?? null }),
}

onEveryAdapter(
  'C1–C4: a known tag, weak, in a list, or a star answers 304 with its validators and no body',
  async (adapter) => {
    adapter.sample.put('a')
    const tag = await etagOf(adapter)
    for (const value of [tag, `W/${tag}`, `"x", ${tag}`, `"a,b", ${tag}`, '*']) {
      const got = await adapter.send('/v1/parcels/a', { headers: { 'if-none-match': value } })
      assert.equal(got.status, 304, value)
      assert.equal(got.text, '')
      assert.equal(got.headers['etag'], tag)
      assert.equal(got.headers['cache-control'], 'private, no-cache')
      assert.equal(got.headers['vary'], 'Authorization, Accept')
      assert.equal(got.headers['content-type'], undefined)
    }
  },
)

onEveryAdapter('C5: an unquoted tag is passed over', async (adapter) => {
  adapter.sample.put('a')
  const tag = (await etagOf(adapter)).replaceAll('"', '')
  assert.equal((await adapter.send('/v1/parcels/a', { headers: { 'if-none-match': tag } })).status, 200)
})

onEveryAdapter('C6: If-Modified-Since is not looked at beside If-None-Match', async (adapter) => {
  adapter.sample.put('a')
  const headers = { 'if-none-match': '"x"', 'if-modified-since': 'Fri, 31 Dec 2027 23:59:59 GMT' }
  assert.equal((await adapter.send('/v1/parcels/a', { headers })).status, 200)
  const since = { 'if-modified-since': 'Fri, 31 Dec 2027 23:59:59 GMT' }
  assert.equal((await adapter.send('/v1/parcels/a', { headers: since })).status, 304)
})

onEveryAdapter('C7: what is absent is 404, whatever the condition', async (adapter) => {
  assert.equal((await adapter.send('/v1/parcels/none', { headers: { 'if-none-match': '*' } })).status, 404)
})

onEveryAdapter(
  'C8: an error has no tag and is never answered with 304',
  async (adapter) => {
    adapter.sample.put('a')
    const got = await adapter.send('/v1/parcels/a', { headers: { 'if-none-match': '*' } })
    assert.equal(got.status, 500)
    assert.equal(got.headers['etag'], undefined)
    assert.equal(adapter.sample.faults.length, 1)
  },
  {
    plan: {
      handlers: {
        get: () => {
          throw new Error('broken')
        },
      },
    },
  },
)

onEveryAdapter('C9: a create is not conditional on anything', async (adapter) => {
  const got = await adapter.send('/v1/parcels', {
    method: 'POST',
    body: { label: 'x', weight: 1 },
    headers: { 'if-none-match': '*', 'if-match': '"v7"' },
  })
  assert.equal(got.status, 201)
})

onEveryAdapter('C10, C11: If-None-Match star creates only what is absent', async (adapter) => {
  adapter.sample.put('a')
  const sent = { method: 'PUT', body: { label: 'x', weight: 1 }, headers: { 'if-none-match': '*' } }
  assert.equal((await adapter.send('/v1/parcels/a', sent)).status, 412)
  const made = await adapter.send('/v1/parcels/new', sent)
  assert.equal(made.status, 201)
  assert.equal(made.headers['location'], '/v1/parcels/new')
  assert.deepEqual(adapter.sample.calls, ['insert new'])
})

onEveryAdapter('C12: another version is 412 with the present tag, and the handler is not called', async (adapter) => {
  adapter.sample.put('a')
  const tag = await etagOf(adapter)
  for (const method of ['PUT', 'PATCH', 'DELETE']) {
    const body = method === 'DELETE' ? {} : { body: { label: 'x', weight: 1 } }
    const got = await adapter.send('/v1/parcels/a', { method, headers: { 'if-match': '"v6"' }, ...body })
    assert.equal(got.status, 412, method)
    assert.equal(got.headers['etag'], tag)
    assert.equal(got.json['code'], 'precondition_failed')
  }
  assert.deepEqual(adapter.sample.calls, [])
})

onEveryAdapter('C13: a weak tag does not write', async (adapter) => {
  adapter.sample.put('a')
  const headers = { 'if-match': `W/${await etagOf(adapter)}` }
  assert.equal(
    (await adapter.send('/v1/parcels/a', { method: 'PUT', body: { label: 'x', weight: 1 }, headers })).status,
    412,
  )
})

onEveryAdapter('C14: If-Match star does not create', async (adapter) => {
  const sent = { method: 'PUT', body: { label: 'x', weight: 1 }, headers: { 'if-match': '*' } }
  assert.equal((await adapter.send('/v1/parcels/a', sent)).status, 412)
  assert.deepEqual(adapter.sample.calls, [])
})

onEveryAdapter(
  'C15: where a condition is required, a change without one is 428 and names the header',
  async (adapter) => {
    adapter.sample.put('a')
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const body = method === 'DELETE' ? {} : { body: { label: 'x', weight: 1 } }
      const got = await adapter.send('/v1/parcels/a', { method, ...body })
      assert.equal(got.status, 428, method)
      assert.equal(got.headers['cache-control'], 'no-store')
      assert.deepEqual((got.json['errors'] as { header: string }[])[0]?.header, 'if-match')
    }
    const create = await adapter.send('/v1/parcels/new', { method: 'PUT', body: { label: 'x', weight: 1 } })
    assert.equal(create.status, 428)
    assert.deepEqual(adapter.sample.calls, [])
    const ok = await adapter.send('/v1/parcels/a', {
      method: 'PUT',
      body: { label: 'x', weight: 1 },
      headers: { 'if-match': await etagOf(adapter) },
    })
    assert.equal(ok.status, 200)
  },
  { plan: { concurrency: 'required' } },
)

onEveryAdapter('C16: DELETE with the tag is 204, then 404', async (adapter) => {
  adapter.sample.put('a')
  const got = await adapter.send('/v1/parcels/a', { method: 'DELETE', headers: { 'if-match': await etagOf(adapter) } })
  assert.equal(got.status, 204)
  assert.equal(got.text, '')
  assert.equal((await adapter.send('/v1/parcels/a')).status, 404)
  assert.equal((await adapter.send('/v1/parcels/a', { method: 'DELETE' })).status, 404)
})

onEveryAdapter('C17: of twenty changes based on one version exactly one is applied', async (adapter) => {
  adapter.sample.put('a')
  const headers = { 'if-match': await etagOf(adapter) }
  const sends = Array.from({ length: 20 }, (_, i) =>
    adapter.send('/v1/parcels/a', { method: 'PUT', body: { label: `x${i}`, weight: 1 }, headers }),
  )
  const statuses = (await Promise.all(sends)).map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 200).length, 1)
  assert.equal(statuses.filter((status) => status === 412).length, 19)
})

onEveryAdapter('RFC 9110 §13.1.1: If-Match star holds for all that race for what is there', async (adapter) => {
  adapter.sample.put('a')
  const headers = { 'if-match': '*' }
  const patches = [{ label: 'new' }, { weight: 99 }, { fragile: true }]
  const got = await Promise.all(
    patches.map((body) => adapter.send('/v1/parcels/a', { method: 'PATCH', body, headers })),
  )
  assert.deepEqual(
    got.map(({ status }) => status),
    [200, 200, 200],
  )
})

onEveryAdapter('without a condition racing patches of different members are all kept', async (adapter) => {
  adapter.sample.put('a')
  const patches = [{ label: 'new' }, { weight: 99 }, { fragile: true }]
  const got = await Promise.all(patches.map((body) => adapter.send('/v1/parcels/a', { method: 'PATCH', body })))
  assert.deepEqual(
    got.map(({ status }) => status),
    [200, 200, 200],
  )
  const { json } = await adapter.send('/v1/parcels/a')
  assert.deepEqual([json['label'], json['weight'], json['fragile']], ['new', 99, true])
})

onEveryAdapter('C18: a bad token is 401, whatever the condition', async (adapter) => {
  adapter.sample.put('a')
  const headers = { 'if-none-match': '*', authorization: 'Bearer a.b.c' }
  assert.equal((await adapter.send('/v1/parcels/a', { as: null, headers })).status, 401)
})

onEveryAdapter('C19: a bad body is 400 before the condition is looked at', async (adapter) => {
  adapter.sample.put('a')
  for (const method of ['PUT', 'PATCH']) {
    const got = await adapter.send('/v1/parcels/a', { method, body: { weight: 0 }, headers: { 'if-match': '"v6"' } })
    assert.equal(got.status, 400, method)
  }
})

onEveryAdapter(
  'with concurrency off the conditions of a write are not looked at',
  async (adapter) => {
    adapter.sample.put('a')
    const sent = { method: 'PUT', body: { label: 'x', weight: 1 }, headers: { 'if-match': '"v6"' } }
    assert.equal((await adapter.send('/v1/parcels/a', sent)).status, 200)
    const act = { method: 'POST', body: { wax: 1 }, headers: { 'if-match': '"v6"' } }
    assert.equal((await adapter.send('/v1/parcels/a/seal', act)).status, 200)
  },
  { plan: { concurrency: 'off', actions: { seal } } },
)

for (const concurrency of ['optional', 'required'] as const)
  onEveryAdapter(
    `RFC 9110 §13.1.1: an action is done to the version that was named, or to none; nobody must name one (${concurrency})`,
    async (adapter) => {
      adapter.sample.put('a')
      const tag = await etagOf(adapter)
      const sent = (headers: Record<string, string>, wax = 1) =>
        adapter.send('/v1/parcels/a/seal', { method: 'POST', body: { wax }, headers })
      const later = { prefer: 'respond-async', 'idempotency-key': 'k' }
      for (const headers of [
        { 'if-match': '"v6"' },
        { 'if-unmodified-since': 'Fri, 01 Jan 2021 00:00:00 GMT' },
        { 'if-match': '"v6"', ...later },
      ] as Record<string, string>[]) {
        const got = await sent(headers)
        assert.deepEqual([got.status, got.headers['etag']], [412, tag], JSON.stringify(headers))
      }
      assert.equal((await sent({ 'if-match': '"v6"' }, 0)).status, 400)
      for (const headers of [{ 'if-match': tag }, { 'if-match': '*' }, {}] as Record<string, string>[])
        assert.equal((await sent(headers)).status, 200, JSON.stringify(headers))
      assert.equal((await sent({ 'if-match': tag, ...later })).status, 202)
    },
    { plan: { concurrency, actions: { seal } } },
  )
