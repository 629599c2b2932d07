/** A collection says what is done, for reading and for writing, when the revocation state is too old to judge by. */
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { ok } from '@grantor/protocol/result'
import { createValidator } from '@grantor/resource'
import { createTestIssuer } from '@grantor/resource/testing'
import { testClient } from '../src/testing/test-client.ts'
import { all, audience, issuer, sample } from './sample.ts'

function withStaleFeed(t: TestContext, more: { readonly serveStaleFor?: number }) {
  const dev = createTestIssuer({ audience, issuer })
  const revocation = { isRevoked: () => false, freshness: () => 'stale' as const, age: () => 46_000 }
  const validator = createValidator({ audience, issuers: [{ ...dev.trust, revocation }], ...more })
  t.after(() => validator.close())
  return { validator, authorization: `Bearer ${dev.mint({ scope: all })}` }
}

test('reading goes on where it is said so, and writing is refused with 503', async (t) => {
  const { validator, authorization } = withStaleFeed(t, { serveStaleFor: 600 })
  const { api, put, calls } = sample({ plan: { onStale: { read: 'serve' } } })
  put('p1')
  const served = api.with(validator)
  const ask = async (method: string, target: string) => {
    const headers = [['authorization', authorization]] as const
    const { status } = await served.handle({
      method,
      target,
      headers,
      ip: null,
      body: async () => ok(new Uint8Array()),
    })
    return status
  }
  assert.deepEqual([await ask('GET', '/v1/parcels'), await ask('GET', '/v1/parcels/p1')], [200, 200])
  assert.deepEqual([await ask('DELETE', '/v1/parcels/p1'), await ask('POST', '/v1/parcels')], [503, 503])
  assert.deepEqual(calls, [])
})

test('a collection that serves needs a validator that says for how long; one for tests does', async (t) => {
  const { validator } = withStaleFeed(t, {})
  const { api } = sample({ plan: { onStale: { write: 'serve' } } })
  assert.throws(() => api.with(validator), /parcels: `serve` needs `serveStaleFor`/)
  await testClient(api).close()
})

test('an API that can accept no token is not ready; one that serves reads by the old state is', async (t) => {
  const served = withStaleFeed(t, { serveStaleFor: 600 })
  const ready = async (api: ReturnType<typeof sample>['api']) => {
    const body = async () => ok(new Uint8Array())
    return api.with(served.validator).handle({ method: 'GET', target: '/health/ready', headers: [], ip: null, body })
  }
  const refused = await ready(sample().api)
  assert.deepEqual([refused.status, refused.headers['retry-after']], [503, '1'])
  assert.match(refused.body ?? '', /no token can be accepted/)
  assert.equal((await ready(sample({ plan: { onStale: { read: 'serve' } } }).api)).status, 200)
})
