/** The order of checks: a request that is wrong in many ways is told the first of them. */
import assert from 'node:assert/strict'
import { onEveryAdapter } from './on-every-adapter.ts'

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
