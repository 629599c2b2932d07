/** What answers look like: tenants, headers, caching, CORS, outages, bugs. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { EndpointRequest } from '@grantor/authority'
import type { Refusal } from '@grantor/protocol/oauth'
import { err, ok } from '@grantor/protocol/result'
import { StoreUnavailable } from '@grantor/store'
import { trustedList } from '@grantor/resource/addresses'
import { testbed } from './testbed.ts'

const ask = {
  method: 'POST',
  url: '/token',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  payload: 'grant_type=x',
} as const

describe('what the authority is asked', () => {
  const heard = async (change: object, context = {}): Promise<EndpointRequest> => {
    let request: EndpointRequest | null = null
    const { app } = testbed({ token: async (it) => ((request = it), ok({})) }, context)
    const answer = await app.inject({ ...ask, remoteAddress: '203.0.113.5', ...change })
    assert.ok(request, answer.body)
    return request
  }

  test('the tenant is the one of the path, or the default one', async () => {
    assert.equal((await heard({})).tenant, 'default')
    assert.equal((await heard({ url: '/t/acme/token' })).tenant, 'acme')
  })

  test('the address is the socket’s, or the one a trusted proxy names', async () => {
    const headers = { ...ask.headers, 'x-forwarded-for': '198.51.100.7' }
    const proxies = { trusted: trustedList(['203.0.113.5']), header: 'x-forwarded' as const }
    assert.equal((await heard({ headers })).ip, '203.0.113.5')
    assert.equal((await heard({ headers }, { proxies })).ip, '198.51.100.7')
  })

  test('a trace id is taken from a well-formed traceparent only', async () => {
    const trace = async (traceparent: string) => (await heard({ headers: { ...ask.headers, traceparent } })).traceId
    assert.equal(await trace(`00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`), 'ab'.repeat(16))
    assert.equal(await trace(`00-${'00'.repeat(16)}-${'cd'.repeat(8)}-01`), null)
    assert.equal(await trace('<script>'), null)
  })

  test('the Authorization header arrives as it was sent', async () => {
    assert.equal(
      (await heard({ headers: { ...ask.headers, authorization: 'Basic eDp5' } })).authorization,
      'Basic eDp5',
    )
    assert.equal((await heard({})).authorization, null)
  })
})

describe('signed introspection', () => {
  const signed = 'application/token-introspection+jwt'
  const introspection = { ...ask, url: '/introspect', payload: 'token=x' } as const

  test('RFC 9701 §4: who accepts it by name gets a JWT of that type, and is refused in JSON', async () => {
    const { app } = testbed({ introspectSigned: async () => ok('a.b.c') })
    const headers = { ...ask.headers, accept: `${signed}, application/json;q=0.5` }
    const answer = await app.inject({ ...introspection, headers })
    assert.deepEqual([answer.statusCode, answer.headers['content-type'], answer.body], [200, signed, 'a.b.c'])
    assert.equal(answer.headers['cache-control'], 'no-store')
    const refusing = testbed({
      introspectSigned: async () => err({ reason: 'client_unauthenticated', challenge: true }),
    })
    const refused = await refusing.app.inject({ ...introspection, headers })
    assert.deepEqual([refused.statusCode, refused.json()['error']], [401, 'invalid_client'])
  })

  test('RFC 9701 §4: everybody else gets JSON', async () => {
    const { app } = testbed()
    for (const accept of [
      undefined,
      '*/*',
      'application/json',
      `${signed};q=0.1, application/json`,
      'application/jwt',
    ]) {
      const headers = { ...ask.headers, ...(accept === undefined ? {} : { accept }) }
      const answer = await app.inject({ ...introspection, headers })
      assert.deepEqual([answer.statusCode, answer.json()], [200, { active: false }], accept ?? 'no Accept')
    }
  })
})

describe('documents', () => {
  test('RFC 8414 §3.1, OIDC Discovery §4.1: metadata is found at every address of an issuer', async () => {
    const { app } = testbed()
    const found: readonly (readonly [string, string])[] = [
      ['/.well-known/openid-configuration', 'default'],
      ['/.well-known/oauth-authorization-server', 'default'],
      ['/t/acme/.well-known/openid-configuration', 'acme'],
      ['/t/acme/.well-known/oauth-authorization-server', 'acme'],
      ['/.well-known/openid-configuration/t/acme', 'acme'],
      ['/.well-known/oauth-authorization-server/t/acme', 'acme'],
      ['/.well-known/grantor', 'default'],
      ['/t/acme/.well-known/grantor', 'acme'],
    ]
    for (const [url, tenant] of found)
      assert.deepEqual((await app.inject({ url })).json(), { issuer: `of ${tenant}` }, url)
  })

  test('the key set says how long it may be kept, and whether it changed', async () => {
    const { app } = testbed()
    const first = await app.inject({ url: '/jwks' })
    assert.equal(first.headers['cache-control'], 'public, max-age=900')
    const tag = String(first.headers['etag'])
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const again = await app.inject({ url: '/jwks', headers: { 'if-none-match': known } })
      assert.deepEqual([again.statusCode, again.body], [304, ''], known)
    }
    assert.equal((await app.inject({ url: '/jwks', headers: { 'if-none-match': '"other"' } })).statusCode, 200)
  })

  test('HEAD is GET without the body', async () => {
    const answer = await testbed().app.inject({ method: 'HEAD', url: '/jwks' })
    assert.deepEqual([answer.statusCode, answer.body], [200, ''])
  })

  test('error pages: every code that we answer with has its page', async () => {
    const { app } = testbed()
    for (const code of [
      'invalid_request',
      'invalid_client',
      'invalid_grant',
      'invalid_scope',
      'invalid_target',
      'unauthorized_client',
      'unsupported_grant_type',
      'unsupported_token_type',
      'temporarily_unavailable',
      'server_error',
    ]) {
      const page = await app.inject({ url: `/problems/${code}` })
      assert.equal(page.statusCode, 200, code)
      assert.match(String(page.headers['content-type']), /^text\/html/)
      assert.match(String(page.headers['content-security-policy']), /default-src 'none'/)
    }
    assert.equal((await app.inject({ url: '/problems' })).statusCode, 200)
    const unknown = await app.inject({ url: '/problems/%3Cscript%3E' })
    assert.equal(unknown.statusCode, 404)
    assert.doesNotMatch(unknown.body, /%3Cscript|<script>/)
  })

  test('the stylesheet that a page names is served, and may be kept for ever', async () => {
    const { app } = testbed()
    const href = /href="(\/assets\/style[^"]+)"/.exec((await app.inject({ url: '/problems' })).body)?.[1]
    const sheet = await app.inject({ url: href ?? '' })
    assert.equal(sheet.statusCode, 200)
    assert.match(String(sheet.headers['cache-control']), /immutable/)
  })
})

describe('CORS', () => {
  const preflight = (url: string) =>
    testbed({ token: async () => Promise.reject(new Error('a preflight must not get here')) }).app.inject({
      method: 'OPTIONS',
      url,
      headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
    })

  test('a preflight is answered before anything, for any origin and without credentials', async () => {
    for (const url of ['/token', '/revoke', '/jwks', '/t/acme/token', '/.well-known/openid-configuration']) {
      const { statusCode, headers } = await preflight(url)
      assert.equal(statusCode, 204, url)
      assert.equal(headers['access-control-allow-origin'], '*', url)
      assert.match(String(headers['access-control-allow-headers']), /Authorization/)
      assert.equal(headers['access-control-allow-credentials'], undefined)
    }
  })

  test('introspection is not for browsers', async () => {
    const { headers } = await preflight('/introspect')
    assert.equal(headers['access-control-allow-origin'], undefined)
  })

  test('errors can be read by the page that caused them', async () => {
    const answer = await testbed().app.inject({
      method: 'POST',
      url: '/token',
      headers: { 'content-type': 'text/plain', origin: 'https://a.example' },
      payload: 'x',
    })
    assert.equal(answer.headers['access-control-allow-origin'], '*')
  })
})

describe('refusals and failures', () => {
  test('RFC 6749 §5.2: failed client authentication is 401 with the scheme that was tried', async () => {
    const { app } = testbed({ token: async () => err({ reason: 'client_unauthenticated', challenge: true }) })
    const answer = await app.inject(ask)
    assert.equal(answer.statusCode, 401)
    assert.match(String(answer.headers['www-authenticate']), /^Basic /)
    assert.equal(answer.json<{ error: string }>().error, 'invalid_client')
  })

  test('RFC 7009 §2.2: a revocation is answered 200 with nothing', async () => {
    const answer = await testbed().app.inject({ ...ask, url: '/revoke', payload: 'token=x' })
    assert.deepEqual([answer.statusCode, answer.body, answer.headers['cache-control']], [200, '', 'no-store'])
  })

  test('a store that is away is 503 with Retry-After, whether refused or thrown', async () => {
    for (const token of [
      async () => err<Refusal>({ reason: 'unavailable', retryAfter: 2 }),
      async () => Promise.reject(new StoreUnavailable('connection to 10.0.0.9 lost')),
    ]) {
      const { app } = testbed({ token })
      const answer = await app.inject(ask)
      assert.equal(answer.statusCode, 503)
      assert.ok(Number(answer.headers['retry-after']) >= 1)
      assert.doesNotMatch(answer.body, /10\.0\.0\.9/)
      assert.equal((await app.inject({ url: '/jwks' })).statusCode, 200)
    }
  })

  test('a bug is 500 with an id that the log knows, and nothing of its message', async () => {
    const { app, logged } = testbed({ token: async () => Promise.reject(new Error('insert into secrets failed')) })
    const answer = await app.inject(ask)
    assert.equal(answer.statusCode, 500)
    const { error, error_description } = answer.json<{ error: string; error_description: string }>()
    assert.equal(error, 'server_error')
    assert.doesNotMatch(answer.body, /insert|secrets|stack|\.ts/)
    const id = /name ([0-9a-f-]{36})\./.exec(error_description)?.[1]
    assert.ok(id !== undefined && logged.some((line) => line.includes(id) && line.includes('insert into secrets')))
    assert.equal(answer.headers['cache-control'], 'no-store')
  })

  test('no header, parameter or address of a request reaches the log', async () => {
    const { app, logged } = testbed()
    await app.inject({
      ...ask,
      url: '/token?zz9canary=1',
      headers: { ...ask.headers, authorization: 'Bearer zz9canary', cookie: 'zz9canary' },
      payload: 'grant_type=zz9canary&client_secret=zz9canary',
    })
    await app.inject({ url: '/zz9canary' })
    await app.inject({ ...ask, url: '/t/zz9canary/token' })
    assert.ok(logged.length >= 3)
    assert.equal(logged.filter((line) => line.includes('zz9canary')).length, 0)
  })

  test('hostile values add no series to the metrics', async () => {
    const { app, metrics } = testbed()
    const series = async () => (await metrics()).split('\n').filter((line) => line.startsWith('grantor_')).length
    await app.inject(ask)
    await app.inject({ url: '/x' })
    await app.inject({ url: '/problems/x' })
    await app.inject({ ...ask, payload: '%zz' })
    const before = await series()
    for (let i = 0; i < 50; i++) {
      await app.inject({ url: `/x${i}` })
      await app.inject({ url: `/problems/x${i}` })
      await app.inject({ ...ask, url: `/t/tenant-${i}/token` })
      await app.inject({ ...ask, payload: `%zz${i}` })
    }
    assert.equal(await series(), before)
  })
})

describe('plain HTTP behind a proxy', () => {
  const behind = { encrypted: false, proxies: { trusted: trustedList(['10.0.0.0/8']), header: 'x-forwarded' as const } }
  const from = (remoteAddress: string, headers: Record<string, string>) =>
    testbed({}, behind).app.inject({ ...ask, remoteAddress, headers: { ...ask.headers, ...headers } })

  test('a request that came over TLS to the trusted proxy is served', async () => {
    assert.equal((await from('10.1.1.1', { 'x-forwarded-proto': 'https' })).statusCode, 200)
  })

  test('a request that came in the clear, or not through the proxy, is refused', async () => {
    for (const [peer, headers] of [
      ['10.1.1.1', {}],
      ['10.1.1.1', { 'x-forwarded-proto': 'http' }],
      ['203.0.113.5', { 'x-forwarded-proto': 'https' }],
    ] as const) {
      const answer = await from(peer, headers)
      assert.equal(answer.statusCode, 400)
      assert.match(answer.body, /TLS/)
    }
  })

  test('HSTS is for real host names, not for localhost', async () => {
    assert.match(String((await testbed().app.inject({ url: '/jwks' })).headers['strict-transport-security']), /max-age/)
    const local = await testbed({}, { strictTransport: false }).app.inject({ url: '/jwks' })
    assert.equal(local.headers['strict-transport-security'], undefined)
  })
})
