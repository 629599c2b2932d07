/** The order of checks: a request that is wrong in many ways is told the first of them. */
import assert from 'node:assert/strict'
import { Type } from 'typebox'
import type { ActionPlan } from '../src/collection/handlers.ts'
import { onEveryAdapter } from './on-every-adapter.ts'
import type { Parcel } from './sample.ts'

onEveryAdapter('each mended fault uncovers exactly the next one', async (adapter) => {
  adapter.sample.put('a')
  const bad = { accept: 'text/html', 'content-type': 'text/plain', 'if-match': '"old"' }
  const steps = [
    { status: 404, url: '/v1/nothing/a?x=1', method: 'PROPPATCH', as: null, headers: bad, body: '{' },
    { status: 405, url: '/v1/parcels/a?x=1', method: 'POST', as: null, headers: bad, body: '{' },
    { status: 401, url: '/v1/parcels/a?x=1', method: 'PUT', as: null, headers: bad, body: '{' },
    { status: 401, url: '/v1/parcels/a?x=1', method: 'PUT', as: { scope: 'parcels:read' }, headers: bad, body: '{' },
    { status: 406, url: '/v1/parcels/a?x=1', method: 'PUT', headers: bad, body: '{' },
    { status: 415, url: '/v1/parcels/a?x=1', method: 'PUT', headers: { ...bad, accept: '*/*' }, body: '{' },
    { status: 400, url: '/v1/parcels/a?x=1', method: 'PUT', headers: { 'if-match': '"old"' }, body: '{' },
    {
      status: 400,
      url: '/v1/parcels/a?x=1',
      method: 'PUT',
      headers: { 'if-match': '"old"' },
      body: { label: 'x', weight: 1 },
    },
    {
      status: 400,
      url: '/v1/parcels/a',
      method: 'PUT',
      headers: { 'if-match': '"old"' },
      body: { label: 'x', weight: 0 },
    },
    {
      status: 412,
      url: '/v1/parcels/a',
      method: 'PUT',
      headers: { 'if-match': '"old"' },
      body: { label: 'x', weight: 1 },
    },
    { status: 200, url: '/v1/parcels/a', method: 'PUT', body: { label: 'x', weight: 1 } },
  ]
  for (const { status, url, ...sent } of steps) {
    const got = await adapter.send(url, sent)
    assert.equal(got.status, status, `${sent.method} ${url} ${got.text}`)
    if (status >= 400) {
      assert.equal(got.headers['content-type'], 'application/problem+json')
      assert.equal(got.json['status'], status)
      assert.equal(got.json['instance'], `urn:uuid:${got.headers['x-request-id']}`)
    }
  }
  assert.deepEqual(adapter.sample.calls, ['update a'])
})

onEveryAdapter(
  'a quota refuses before the scope is looked at, and after the token is',
  async (adapter) => {
    const as = { scope: 'other' }
    assert.equal((await adapter.send('/v1/parcels', { as })).status, 401)
    assert.equal((await adapter.send('/v1/parcels', { as })).status, 429)
    assert.equal((await adapter.send('/v1/parcels', { as: null })).status, 401)
  },
  { server: { limits: { client: { name: 'tiny', quota: 1, window: 60 } } } },
)

onEveryAdapter(
  'permission on an object comes after its body is valid, and before its conditions',
  async (adapter) => {
    adapter.sample.put('a', { state: 'sent' })
    const put = (body: object, headers = {}) => adapter.send('/v1/parcels/a', { method: 'PUT', body, headers })
    assert.equal((await put({ label: '' })).status, 400)
    const refused = await put({ label: 'x', weight: 1 }, { 'if-match': '"old"' })
    assert.equal(refused.status, 403)
    assert.equal(refused.json['code'], 'forbidden')
    assert.equal(refused.headers['www-authenticate'], undefined)
    assert.equal((await adapter.send('/v1/parcels/a', { method: 'DELETE' })).status, 403)
    assert.equal((await adapter.send('/v1/parcels/a')).status, 200)
    assert.deepEqual(adapter.sample.calls, [])
  },
  { plan: { can: { update: (_, { state }) => state === 'packed', delete: () => false } } },
)

const seal: ActionPlan<Parcel> = {
  on: 'item',
  scope: 'parcels:write',
  summary: 'Seal it',
  body: Type.Object({}),
  example: {},
  run: (_body, _context, entry) => ({ sealed: entry?.value.label ?? null }),
}

for (const status of [403, 404])
  onEveryAdapter(
    `what one may not read one may neither change, act on nor delete: ${status}`,
    async (adapter) => {
      adapter.sample.put('a', { label: 'zz9canary' })
      const written = { label: 'x', weight: 1 }
      for (const [method, path, body] of [
        ['GET', '', null],
        ['PUT', '', written],
        ['PATCH', '', {}],
        ['PATCH', '', { weight: 2 }],
        ['DELETE', '', null],
        ['POST', '/seal', {}],
      ] as const) {
        const sent = { method, ...(body === null ? {} : { body }) }
        const got = await adapter.send(`/v1/parcels/a${path}`, sent)
        assert.deepEqual([got.status, got.text.includes('zz9canary'), got.headers['etag']], [status, false, undefined])
      }
      assert.deepEqual(adapter.sample.calls, [])
    },
    { plan: { hideExistence: status === 404, can: { read: () => false }, actions: { seal } } },
  )

onEveryAdapter(
  'what one may not read one may delete where that has a rule of its own',
  async (adapter) => {
    adapter.sample.put('a')
    assert.equal((await adapter.send('/v1/parcels/a', { method: 'DELETE' })).status, 204)
  },
  { plan: { can: { read: () => false, delete: () => true } } },
)

onEveryAdapter(
  'where existence is secret, a refusal looks like absence, byte for byte but the id',
  async (adapter) => {
    adapter.sample.put('a')
    const [refused, absent] = [await adapter.send('/v1/parcels/a'), await adapter.send('/v1/parcels/b')]
    assert.equal(refused.status, 404)
    const { instance: _, ...one } = refused.json
    const { instance: __, ...other } = absent.json
    assert.deepEqual(one, other)
  },
  { plan: { hideExistence: true, can: { read: () => false } } },
)
