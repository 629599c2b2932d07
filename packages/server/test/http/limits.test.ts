/** Limits as a client sees them: headers on every answer, 429 with Retry-After (draft-ietf-httpapi-ratelimit-headers). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFeedDeployment, secret } from '../feed/feed-deployment.ts'

const basic = (client: string, password = secret) => ({
  authorization: `Basic ${Buffer.from(`${client}:${password}`).toString('base64')}`,
})
const form = { grant_type: 'client_credentials', scope: 'invoices:read' }

test('the token endpoint tells quota and rest, and refuses with 429 what exceeds it', async () => {
  await using it = await startFeedDeployment('sqlite', { GRANTOR_LIMIT_TOKEN: '2/1m' })
  // What it tells counts down meanwhile, however slow the machine is.
  for (const rest of [/^"token";r=1;t=30$/, /^"token";r=0;t=(2\d|30)$/]) {
    const { status, headers } = await it.ask('/token', { form, headers: basic('svc') })
    assert.equal(status, 200)
    assert.equal(headers['ratelimit-policy'], '"token";q=2;w=60')
    assert.match(String(headers['ratelimit']), rest)
    assert.equal(headers['retry-after'], undefined)
  }
  const refused = await it.ask('/token', { form, headers: basic('svc') })
  assert.equal(refused.status, 429)
  assert.equal(refused.json()['error'], 'temporarily_unavailable')
  assert.match(String(refused.headers['retry-after']), /^(2\d|30)$/)
  assert.match(String(refused.headers['ratelimit']), /^"token";r=0;t=(2\d|30)$/)
  // Fetch §3.2: without these words a page in a browser sees none of it.
  assert.match(String(refused.headers['access-control-expose-headers']), /RateLimit, RateLimit-Policy/)
  const other = await it.ask('/introspect', { form: { token: 'ga_x' }, headers: basic('svc') })
  assert.deepEqual([other.status, other.headers['ratelimit']], [200, '"token";r=1;t=30'])
})

test('failed authentications of an address are counted, and then nothing from it is tried', async () => {
  await using it = await startFeedDeployment('sqlite', {
    GRANTOR_LIMIT_TOKEN_FAILURES: '2/1h',
    GRANTOR_LIMIT_TOKEN: 'off',
  })
  const wrong = { form, headers: basic('svc', 'wrong') }
  const [first, second, third] = [
    await it.ask('/token', wrong),
    await it.ask('/revoke', wrong),
    await it.ask('/token', wrong),
  ]
  assert.deepEqual([first?.status, second?.status, third?.status], [401, 401, 429])
  assert.match(String(first?.headers['ratelimit']), /^"token-failures";r=1/)
  assert.equal((await it.ask('/token', { form, headers: basic('svc') })).status, 429)
})

test('limits that are off are not told', async () => {
  await using it = await startFeedDeployment('sqlite', {
    GRANTOR_LIMIT_TOKEN: 'off',
    GRANTOR_LIMIT_TOKEN_FAILURES: 'off',
  })
  const { status, headers } = await it.ask('/token', { form, headers: basic('svc') })
  assert.deepEqual([status, headers['ratelimit'], headers['ratelimit-policy']], [200, undefined, undefined])
})
