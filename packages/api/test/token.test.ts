/** Who may call: challenges, scopes, tenants, revocation, and state that is away. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problemTypeOf } from '@grantor/protocol/http'
import { err, ok } from '@grantor/protocol/result'
import { outage, type RejectionCode, rejectionKinds, type Validator } from '@grantor/resource'
import { collection } from '../src/collection/collection.ts'
import { onEveryAdapter } from './on-every-adapter.ts'
import { all, apiOf, Parcel, sample } from './sample.ts'

const metadata = 'resource_metadata="https://api.example/.well-known/oauth-protected-resource"'

onEveryAdapter('RFC 6750 §3: no credentials are challenged without an error', async (adapter) => {
  for (const headers of [{}, { authorization: 'Basic YTpi' }]) {
    const got = await adapter.send('/v1/parcels', { as: null, headers })
    assert.equal(got.status, 401)
    assert.equal(got.headers['www-authenticate'], `Bearer realm="Parcels", ${metadata}`)
    assert.equal(got.json['code'], 'token_missing')
    assert.equal(got.headers['cache-control'], 'no-store')
  }
})

onEveryAdapter('RFC 6750 §3.1: a bad token is told why, in words and in a code', async (adapter) => {
  const expired = await adapter.send('/v1/parcels', { as: { scope: all, expiresIn: -120 } })
  assert.equal(expired.status, 401)
  assert.equal(
    expired.headers['www-authenticate'],
    `Bearer realm="Parcels", error="invalid_token", error_description="The access token expired", ${metadata}`,
  )
  assert.equal(expired.json['code'], 'token_expired')
  assert.match(String(expired.json['expired_at']), /^\d{4}-/)
  const foreign = await adapter.send('/v1/parcels', { as: { scope: all, audience: 'https://other.example' } })
  assert.equal(foreign.json['code'], 'audience_mismatch')
})

onEveryAdapter('RFC 6750 §2: a token in the query is refused, alone or beside the header', async (adapter) => {
  for (const as of [null, { scope: all }]) {
    const got = await adapter.send('/v1/parcels?access_token=abc', { as })
    assert.equal(got.status, 400)
  }
})

onEveryAdapter('each operation needs its own scope; write does not imply read', async (adapter) => {
  adapter.sample.put('a')
  const body = { label: 'x', weight: 1 }
  const calls = [
    ['GET', '/v1/parcels', 'parcels:read', undefined],
    ['HEAD', '/v1/parcels/a', 'parcels:read', undefined],
    ['GET', '/v1/parcels/a', 'parcels:read', undefined],
    ['POST', '/v1/parcels', 'parcels:write', body],
    ['PUT', '/v1/parcels/a', 'parcels:write', body],
    ['PATCH', '/v1/parcels/a', 'parcels:write', body],
    ['DELETE', '/v1/parcels/a', 'parcels:delete', undefined],
  ] as const
  for (const [method, url, need, body] of calls) {
    for (const scope of ['', 'parcels', 'parcels:reads', ...all.split(' ').filter((one) => one !== need)]) {
      const got = await adapter.send(url, { method, as: { scope }, ...(body === undefined ? {} : { body }) })
      assert.equal(got.status, 401, `${method} ${url} with ${scope}`)
      assert.equal(
        got.headers['www-authenticate'],
        `Bearer realm="Parcels", error="insufficient_scope", scope="${need}", ${metadata}`,
      )
    }
  }
  for (const [method, url, need, body] of calls) {
    const got = await adapter.send(url, { method, as: { scope: need }, ...(body === undefined ? {} : { body }) })
    assert.ok(got.status < 300, `${method} ${url}`)
  }
})

onEveryAdapter(
  'by the switch a missing scope is 403, and nothing else changes',
  async (adapter) => {
    const got = await adapter.send('/v1/parcels', { as: { scope: 'parcels:write' } })
    assert.equal(got.status, 403)
    assert.equal(got.json['status'], 403)
    assert.deepEqual(got.json['required_scope'], ['parcels:read'])
    assert.match(got.headers['www-authenticate'] ?? '', /error="insufficient_scope"/)
    assert.equal((await adapter.send('/v1/parcels', { as: null })).status, 401)
  },
  { server: { insufficientScopeStatus: 403 } },
)

onEveryAdapter('tenants are kept apart: every cell of the matrix', async (adapter) => {
  const tenants = [null, 'acme', 'umbra'] as const
  for (const tenant of tenants) adapter.sample.put('same', { label: tenant ?? 'home' }, tenant ?? 'default')
  for (const tenant of tenants) adapter.sample.put(`only-${tenant}`, {}, tenant ?? 'default')
  for (const reader of tenants) {
    const as = { scope: all, tenant: reader }
    assert.equal((await adapter.send('/v1/parcels/same', { as })).json['label'], reader ?? 'home')
    const listed = (await adapter.send('/v1/parcels', { as })).json['items'] as { id: string }[]
    assert.deepEqual(listed.map(({ id }) => id).sort(), [`only-${reader}`, 'same'])
    for (const owner of tenants.filter((tenant) => tenant !== reader)) {
      for (const method of ['GET', 'DELETE', 'PATCH']) {
        const body = method === 'PATCH' ? { body: { weight: 9 } } : {}
        assert.equal((await adapter.send(`/v1/parcels/only-${owner}`, { method, as, ...body })).status, 404)
      }
    }
  }
  assert.equal(adapter.sample.rows.size, 6)
})

onEveryAdapter(
  'a handler that forgets the tenant leaks nothing',
  async (adapter) => {
    adapter.sample.put('theirs', {}, 'acme')
    assert.equal((await adapter.send('/v1/parcels/theirs')).status, 404)
    assert.equal((await adapter.send('/v1/parcels')).status, 500)
  },
  {
    plan: {
      handlers: {
        get: () => ({ tenant: 'acme', version: 1, value: leaked }),
        list: () => [{ tenant: 'acme', version: 1, value: leaked }],
      },
    },
  },
)
const leaked = {
  id: 'theirs',
  label: 'x',
  weight: 1,
  fragile: false,
  state: 'packed',
  made_at: '2026-11-15T10:00:00Z',
} as const

onEveryAdapter('a revoked token is refused at the next call', async (adapter) => {
  const token = adapter.issuer.mint({ scope: all })
  const headers = { authorization: `Bearer ${token}` }
  assert.equal((await adapter.send('/v1/parcels', { as: null, headers })).status, 200)
  adapter.issuer.revoke(token)
  const got = await adapter.send('/v1/parcels', { as: null, headers })
  assert.equal(got.status, 401)
  assert.equal(got.json['code'], 'token_revoked')
})

const away: Validator = {
  validate: () => err(outage('revocation_state_stale', 2)),
  record: () => undefined,
  ready: () => false,
  whenReady: () => Promise.resolve(),
  close: () => Promise.resolve(),
}

test('state that is away is 503 with Retry-After, never 401', async () => {
  const api = sample().api.with(away)
  const got = await api.handle({
    method: 'GET',
    target: '/v1/parcels',
    headers: [['authorization', 'Bearer x']],
    ip: null,
    body: async () => ok(new Uint8Array()),
  })
  assert.equal(got.status, 503)
  assert.equal(got.headers['retry-after'], '2')
  assert.equal(got.headers['www-authenticate'], undefined)
  assert.equal((JSON.parse(got.body ?? '') as { code: string }).code, 'revocation_state_stale')
})

test('every code of the validator has its page', () => {
  for (const code of Object.keys(rejectionKinds) as RejectionCode[]) assert.notEqual(problemTypeOf(code), null, code)
})

test('a route without a scope does not start', () => {
  const plan = {
    name: 'parcels',
    description: '',
    schema: Parcel,
    example: leaked,
    handlers: { get: () => null },
  }
  assert.throws(() => collection({ ...plan, scopes: {} }), /names no scope/)
  assert.throws(() => collection({ ...plan, scopes: { read: '' } }), /names no scope/)
  assert.throws(() => collection({ ...plan, scopes: { read: { any: [] } } }), /names no scope/)
  assert.throws(() => collection({ ...plan, scopes: { read: 'two words' } }), /names no scope/)
  assert.throws(
    () => collection({ ...plan, scopes: { read: 'r' }, handlers: { get: () => null, create: () => never() } }),
    /names no scope/,
  )
  apiOf([collection({ ...plan, scopes: { read: 'r' } })])
})

function never(): never {
  throw new Error('not called')
}

test('a declaration that could not work does not start', () => {
  const plan = {
    name: 'parcels',
    description: '',
    schema: Parcel,
    example: leaked,
    scopes: { read: 'r' },
    handlers: { get: () => null },
  }
  assert.throws(() => collection({ ...plan, name: 'Parcels' }), /lower case/)
  assert.throws(() => collection({ ...plan, example: { ...leaked, weight: 0 } }), /example/)
  assert.throws(() => collection({ ...plan, list: { sort: ['nothing'] } }), /does not have/)
  assert.throws(() => collection({ ...plan, list: { sort: ['to'] } }), /maxLength/)
  assert.throws(() => collection({ ...plan, list: { filter: { to: ['eq'] } } }), /filtered/)
  assert.throws(() => collection({ ...plan, list: { order: '-weight' } }), /sortable/)
  assert.throws(() => apiOf([collection(plan), collection(plan)]), /two collections/)
})
