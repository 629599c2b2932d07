/** Forward-auth as proxies ask for it, and what their clients could put into the question. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startHarness } from './harness.ts'

const routes = [
  { path: '/orders', methods: ['GET'], scopes: ['orders:read'] },
  { path: '/orders', methods: ['POST'], scopes: ['orders:write'] },
  { path: '/open', public: true },
]

const caddy = (method: string, uri: string) => ({
  'x-forwarded-method': method,
  'x-forwarded-uri': uri,
  'x-forwarded-host': 'api.example',
})
const nginx = (method: string, uri: string) => ({ 'x-original-method': method, 'x-original-uri': uri })

for (const [proxy, asked] of Object.entries({ caddy, nginx })) {
  test(`a request that ${proxy} asks about passes by its own method and path, and the answer says who calls`, async () => {
    await using it = await startHarness({ file: { routes, upstream: null } })
    const token = it.mint({ sub: 'alice', clientId: 'web', tenant: 'acme' })
    const passed = await it.ask('/forward-auth', { token, headers: asked('GET', '/orders/1?x=y') })
    assert.equal(passed.status, 200)
    assert.equal(passed.headers['grantor-subject'], 'alice')
    assert.equal(passed.headers['grantor-client'], 'web')
    assert.equal(passed.headers['grantor-tenant'], 'acme')
    assert.equal(passed.headers['grantor-scope'], 'orders:read')
    assert.equal(passed.headers['cache-control'], 'no-store')
    const poor = await it.ask('/forward-auth', { token, headers: asked('POST', '/orders') })
    assert.equal(poor.status, 401)
    assert.match(String(poor.headers['www-authenticate']), /error="insufficient_scope", scope="orders:write"/)
    assert.equal((await it.ask('/forward-auth', { headers: asked('GET', '/orders') })).status, 401)
    assert.equal((await it.ask('/forward-auth', { token, headers: asked('GET', '/other') })).status, 403)
    assert.equal((await it.ask('/forward-auth', { token, headers: asked('DELETE', '/orders') })).status, 403)
  })
}

test('the question may be a whole address, as an ingress of Kubernetes sends it, or the rest of the path, as Envoy does', async () => {
  await using it = await startHarness({ file: { routes } })
  const token = it.mint({ sub: 'alice' })
  const whole = { 'x-original-url': 'https://api.example/orders/1', 'x-original-method': 'GET' }
  assert.equal((await it.ask('/forward-auth', { token, headers: whole })).status, 200)
  assert.equal((await it.ask('/forward-auth/orders/1?x=1', { token })).status, 200)
  assert.equal((await it.ask('/forward-auth/orders/1', { method: 'POST', token })).status, 401)
  // What the client put into headers counts for nothing where the path says it.
  assert.equal((await it.ask('/forward-auth/other', { token, headers: caddy('GET', '/orders') })).status, 403)
})

test('what a client adds to the question of its proxy is not believed', async () => {
  await using it = await startHarness({ file: { routes } })
  const token = it.mint()
  const status = async (headers: Record<string, string | string[]>) =>
    (await it.ask('/forward-auth', { token, headers })).status
  assert.equal(await status({ ...nginx('GET', '/secret'), 'x-forwarded-uri': '/orders' }), 403)
  assert.equal(await status({ ...nginx('DELETE', '/orders'), 'x-forwarded-method': 'GET' }), 403)
  assert.equal(await status({ ...caddy('GET', '/secret'), 'x-original-url': '/orders' }), 403)
  assert.equal(await status({ 'x-forwarded-method': 'GET', 'x-forwarded-uri': ['/orders', '/secret'] }), 403)
  assert.equal(await status({ 'x-forwarded-uri': '/orders' }), 403)
  assert.equal(await status({}), 403)
  for (const uri of [
    '/orders/../secret',
    '/orders/%2e%2e/secret',
    '//secret',
    '/orders%2f..',
    'orders',
    '',
    'https://a@b',
  ])
    assert.equal(await status(nginx('GET', uri)), 403, uri)
  assert.ok(it.notices.some((line) => line.includes('they disagree')))
})

test('where nobody is known the names of the identity headers are there, and empty', async () => {
  await using it = await startHarness({ file: { routes } })
  const headers = { ...caddy('GET', '/open'), 'grantor-subject': 'root' }
  const open = await it.ask('/forward-auth', { headers })
  assert.deepEqual([open.status, open.headers['grantor-subject'], open.headers['grantor-tenant']], [200, '', ''])
})

test('without an API behind there is nothing but forward-auth and the pages', async () => {
  await using it = await startHarness({ file: { routes, upstream: null } })
  assert.equal((await it.ask('/orders', { token: it.mint() })).status, 404)
})

test('RFC 6750 §3.1: credentials that cannot be read are 403 to the proxy that asks, with their code and challenge', async () => {
  await using it = await startHarness({ file: { routes } })
  const token = it.mint()
  for (const authorization of [`Bearer  ${token}`, `Bearer ${token} x`, [`Bearer ${token}`, `Bearer ${token}`]]) {
    const headers = { ...nginx('GET', '/orders'), authorization }
    const answer = await it.ask('/forward-auth', { headers })
    assert.equal(answer.status, 403, String(authorization))
    assert.match(String(answer.headers['www-authenticate']), /error="invalid_request"/)
    assert.equal((JSON.parse(answer.body) as { readonly status: number }).status, 403)
    assert.equal((await it.ask('/orders', { headers: { authorization } })).status, 400)
  }
})
