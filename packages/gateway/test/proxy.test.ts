/** The gateway as a reverse proxy, over real HTTP. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createApiMetrics } from '@grantor/api'
import { createPages } from '../src/serve/pages.ts'
import { audience, type HarnessOptions, issuer, type Seen, startHarness } from './harness.ts'

const seenIn = (body: string): Seen => JSON.parse(body) as Seen

test('a request with the scope of its route is sent on, and says who calls', async () => {
  await using it = await startHarness()
  const answer = await it.ask('/orders/7?x=1', { token: it.mint({ sub: 'alice', clientId: 'web' }) })
  assert.equal(answer.status, 200)
  const { url, headers } = seenIn(answer.body)
  assert.equal(url, '/orders/7?x=1')
  assert.equal(headers['grantor-subject'], 'alice')
  assert.equal(headers['grantor-client'], 'web')
  assert.equal(headers['grantor-scope'], 'orders:read')
  assert.equal(headers['grantor-tenant'], 'default')
  assert.match(String(headers['grantor-token-id']), /^[0-9a-f-]{36}$/)
  assert.equal(headers['x-forwarded-host'], 'api.example')
  assert.match(String(headers.authorization), /^Bearer /)
})

test('RFC 6750 §3: without a token, with a bad one and without the scope the challenge says which', async () => {
  await using it = await startHarness()
  const none = await it.ask('/orders')
  assert.equal(none.status, 401)
  const metadata = 'resource_metadata="https://api.example/.well-known/oauth-protected-resource"'
  assert.equal(none.headers['www-authenticate'], `Bearer realm="api.example", scope="orders:read", ${metadata}`)
  assert.equal(none.headers['content-type'], 'application/problem+json')
  const bad = await it.ask('/orders', { token: 'a.b.c' })
  assert.match(String(bad.headers['www-authenticate']), /error="invalid_token"/)
  const poor = await it.ask('/orders', { token: it.mint({ scope: 'other' }) })
  assert.equal(poor.status, 401)
  assert.match(String(poor.headers['www-authenticate']), /error="insufficient_scope", scope="orders:read"/)
  assert.deepEqual(it.seen, [])
})

test('what no route lists is 403, whoever asks and by whatever method', async () => {
  await using it = await startHarness({ file: { routes: [{ path: '/orders', methods: ['GET'], scopes: [] }] } })
  const token = it.mint()
  for (const [method, path] of [
    ['GET', '/'],
    ['GET', '/ordersx'],
    ['POST', '/orders'],
    ['DELETE', '/orders/1'],
  ] as const)
    assert.equal((await it.ask(path, { method, token })).status, 403, `${method} ${path}`)
  assert.equal((await it.ask('/orders', { method: 'HEAD', token })).status, 200)
  assert.equal((await it.ask('/orders/1', { token })).status, 200)
  assert.equal(it.seen.length, 2)
})

test('identity headers of a client never arrive, however they are spelled', async () => {
  await using it = await startHarness({
    file: {
      routes: [
        { path: '/orders', scopes: [] },
        { path: '/open', public: true },
      ],
    },
  })
  const spoofed = {
    'Grantor-Subject': 'root',
    'GRANTOR-CLIENT': 'root',
    Grantor_Subject: 'root',
    'grantor_token-id': 'root',
    'Grantor-Anything': 'root',
    'X-Forwarded-For': '10.0.0.1',
    X_Forwarded_For: '10.0.0.1',
    'Grantor.Subject': 'root',
    "Grantor~Client!'": 'root',
    'X.Forwarded+For': '10.0.0.1',
    'X-Original-URL': '/admin',
    'X-HTTP-Method-Override': 'DELETE',
    Forwarded: 'for=10.0.0.1',
    'X-Real-IP': '10.0.0.1',
  }
  const known = seenIn((await it.ask('/orders', { token: it.mint({ sub: 'alice' }), headers: spoofed })).body)
  assert.equal(known.headers['grantor-subject'], 'alice')
  assert.ok(!JSON.stringify(known.rawHeaders).includes('root'))
  assert.ok(!JSON.stringify(known.rawHeaders).includes('10.0.0.1'))
  assert.ok(!JSON.stringify(known.rawHeaders).includes('DELETE'))
  assert.ok(!JSON.stringify(known.rawHeaders).includes('/admin'))
  const open = seenIn((await it.ask('/open', { headers: spoofed })).body)
  assert.ok(!Object.keys(open.headers).some((name) => name.includes('grantor') && name !== 'via'))
})

test('RFC 9110 §7.6.1: what Connection names goes no further, and never what the gateway itself says', async () => {
  await using it = await startHarness()
  const headers = { connection: 'close, Grantor-Subject, X-Secret, Content-Length', 'x-secret': 'kept to one hop' }
  const token = it.mint({ sub: 'alice' })
  const answer = await it.ask('/orders', { method: 'POST', token, headers, body: 'abc' })
  const { headers: arrived, body } = seenIn(answer.body)
  assert.equal(arrived['grantor-subject'], 'alice')
  assert.equal(arrived['x-secret'], undefined)
  assert.equal(arrived['content-length'], '3')
  assert.equal(body, 'abc')
})

test('RFC 9112 §6: a body whose length is said twice, or in two ways, is refused and nothing is sent on', async () => {
  await using it = await startHarness()
  const head = `POST /orders HTTP/1.1\r\nHost: api.example\r\nAuthorization: Bearer ${it.mint()}\r\n`
  const smuggled = 'GET /admin HTTP/1.1\r\nHost: api.example\r\n\r\n'
  for (const lengths of [
    'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n',
    'Transfer-Encoding: chunked\r\nContent-Length: 4\r\n',
    'Content-Length: 4\r\nContent-Length: 50\r\n',
    'Content-Length: 4, 4\r\n',
    'Content-Length: +4\r\n',
    'Transfer-Encoding: chunked, identity\r\n',
    'Transfer-Encoding: xchunked\r\n',
    'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n',
    'Transfer-Encoding : chunked\r\n',
    'X: y\r\n Transfer-Encoding: chunked\r\n',
  ]) {
    const answer = await it.raw(`${head}${lengths}\r\n0\r\n\r\n${smuggled}`)
    assert.match(answer, /^HTTP\/1\.1 400 /, JSON.stringify(lengths))
    assert.equal(answer.match(/HTTP\/1\.1 /g)?.length, 1, JSON.stringify(lengths))
  }
  assert.deepEqual(it.seen, [])
})

test('RFC 9112 §3.2.2: an absolute target of this host is read, one of another host is refused', async () => {
  await using it = await startHarness()
  const get = (target: string) =>
    it.raw(
      `GET ${target} HTTP/1.1\r\nHost: api.example\r\nConnection: close\r\nAuthorization: Bearer ${it.mint()}\r\n\r\n`,
    )
  assert.match(await get('http://api.example/orders/1'), /^HTTP\/1\.1 200 /)
  assert.match(await get('http://evil.example/orders/1'), /^HTTP\/1\.1 400 /)
  assert.match(await get('ftp://api.example/orders/1'), /^HTTP\/1\.1 400 /)
  assert.match(await get('*'), /^HTTP\/1\.1 400 /)
  assert.deepEqual(
    it.seen.map(({ url }) => url),
    ['/orders/1'],
  )
})

test('paths that a server could take for another are refused before any rule is asked', async () => {
  const routes = [
    { path: '/', scopes: [] },
    { path: '/admin', scopes: ['admin'] },
  ]
  await using it = await startHarness({ file: { routes } })
  const token = it.mint()
  for (const path of [
    '/x/../admin',
    '/x/..%2fadmin',
    '/%2e%2e/admin',
    '/x/%2E%2e/admin',
    '/./admin',
    '//admin',
    '/x//admin',
    '/x%2Fadmin',
    '/x%5cadmin',
    '/x\\admin',
    '/..;/admin',
    '/x/..;a=b/admin',
    '/x/%252e%252e/admin',
    '/x%252Fadmin',
    '/x%25%32%66admin',
    '/x/%25%32%65%252%65/admin',
    '/x%25%35cadmin',
    '/admin%25%30%30',
    '/admin%00',
    '/ad%zzmin',
    '/a%',
    '/admin%0d%0aX:y',
    '/x/.',
    '/x/..',
    '/ä',
  ]) {
    const answer = await it.raw(
      `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    )
    assert.match(answer, /^HTTP\/1\.1 400 /, path)
  }
  for (const path of ['/admin', '/admin/', '/ADMIN', '/%61dmin', '/admin;x=1', '/Admin/users', '/admin/a%20b'])
    assert.equal((await it.ask(path, { token })).status, 401, path)
  assert.equal(it.seen.length, 0)
  assert.equal((await it.ask('/%7Eme/a%c3%a9', { token })).status, 200)
  assert.equal(it.seen.at(-1)?.url, '/~me/a%C3%A9')
})

test('a body beyond the limit is 413, whether its length was said or not', async () => {
  await using it = await startHarness({ file: { limits: { body: 1000 } } })
  const token = it.mint()
  const body = 'x'.repeat(2000)
  assert.equal((await it.ask('/orders', { method: 'POST', token, body })).status, 413)
  const chunked = { 'transfer-encoding': 'chunked' }
  assert.equal((await it.ask('/orders', { method: 'POST', token, body, headers: chunked })).status, 413)
  assert.deepEqual(it.seen, [])
  assert.equal(
    (await it.ask('/orders', { method: 'POST', token, body: 'x'.repeat(1000), headers: chunked })).status,
    200,
  )
})

test('header fields beyond the limit are 431, and an address beyond it 414', async () => {
  await using it = await startHarness()
  assert.match(await it.raw(`GET /orders HTTP/1.1\r\nHost: a\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`), /^HTTP\/1\.1 431 /)
  assert.equal((await it.ask(`/orders?${'x'.repeat(9000)}`)).status, 414)
})

test('an API that is away is 502, one that does not begin to answer 504, one that dies in the middle is cut off', async () => {
  let mode = 'silent'
  await using it = await startHarness({
    file: { limits: { first_byte: 1 } },
    answer(request, response) {
      if (mode === 'dies') {
        response.writeHead(200, { 'content-length': '1000' }).write('half')
        setImmediate(() => request.socket.destroy())
      } else if (mode === 'closes') request.socket.destroy()
    },
  })
  const token = it.mint()
  assert.equal((await it.ask('/orders', { token })).status, 504)
  mode = 'closes'
  const closed = await it.ask('/orders', { token, method: 'POST', body: 'x' })
  assert.deepEqual([closed.status, (JSON.parse(closed.body) as { code: string }).code], [502, 'bad_gateway'])
  mode = 'dies'
  await assert.rejects(it.ask('/orders', { token }), /aborted|ECONNRESET|socket hang up/)
  await using away = await startHarness({ file: { upstream: 'http://127.0.0.1:1' } })
  assert.equal((await away.ask('/orders', { token: away.mint() })).status, 502)
  assert.ok(away.notices.some((line) => line.includes('ECONNREFUSED')))
})

test('RFC 9110 §7.6.2: an OPTIONS is sent on as often as it says, and answered here where that is not at all', async () => {
  await using it = await startHarness({ file: { routes: [{ path: '/orders', scopes: [] }] } })
  const options = (left: string) =>
    it.ask('/orders', { method: 'OPTIONS', token: it.mint(), headers: { 'max-forwards': left } })
  const ended = await options('0')
  assert.deepEqual([ended.status, ended.headers.allow], [204, 'GET, HEAD, POST, PUT, PATCH, DELETE'])
  assert.deepEqual(it.seen, [])
  assert.equal(seenIn((await options('3')).body).headers['max-forwards'], '2')
  const read = await it.ask('/orders', { token: it.mint(), headers: { 'max-forwards': '0' } })
  assert.equal(read.status, 200, 'of other methods it says nothing')
})

test('answers that are no HTTP are 502, and hop-by-hop fields of an answer stay behind', async () => {
  let text = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 5\r\n\r\nokHTTP/'
  await using it = await startHarness({ answer: (request) => void request.socket.end(text) })
  const token = it.mint()
  assert.equal((await it.ask('/orders', { token })).status, 502)
  text = 'HTTP/1.1 200 OK\r\nConnection: X-Hop\r\nX-Hop: 1\r\nX-Stays: 2\r\nContent-Length: 2\r\n\r\nok'
  const answer = await it.ask('/orders', { token })
  assert.deepEqual([answer.body, answer.headers['x-hop'], answer.headers['x-stays']], ['ok', undefined, '2'])
})

test('large bodies go through both ways without being held', async () => {
  const size = 64 * 1024 * 1024
  await using it = await startHarness({
    file: { limits: { body: size } },
    answer(_request, response, { body }) {
      response.writeHead(200).write(String(body.length))
      response.end('y'.repeat(1_000_000))
    },
  })
  const answer = await it.ask('/orders', { method: 'POST', token: it.mint(), body: 'x'.repeat(5_000_000) })
  assert.equal(answer.body.length, 7 + 1_000_000)
})

test('a client that does not read holds the API behind back', async () => {
  let written = 0
  let paused = false
  await using it = await startHarness({
    answer(_request, response) {
      response.writeHead(200)
      const more = (): void => {
        while (written < 256 * 1024 * 1024) {
          written += 65_536
          if (!response.write(Buffer.alloc(65_536))) {
            paused = true
            return void response.once('drain', more)
          }
        }
        response.end()
      }
      more()
    },
  })
  const socket = it.connect()
  socket.write(`GET /orders HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${it.mint()}\r\n\r\n`)
  socket.pause()
  let before = -1
  const isStill = (): boolean => paused && before === written
  while (!isStill()) {
    before = written
    await pause(300)
  }
  assert.ok(written < 64 * 1024 * 1024, `${written} bytes were taken from the API`)
  socket.destroy()
  await once(socket, 'close')
})

test('Expect: 100-continue is answered when the body is wanted, and not before', async () => {
  await using it = await startHarness()
  const head = (token: string) =>
    `POST /orders HTTP/1.1\r\nHost: a\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: 2\r\nAuthorization: Bearer ${token}\r\n\r\n`
  assert.match(await it.raw(`${head(it.mint())}ok`), /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /)
  assert.match(await it.raw(head('none')), /^HTTP\/1\.1 401 /)
})

test('the quota of a client is told with every answer, and 429 with Retry-After beyond it', async () => {
  await using it = await startHarness({ file: { quota: { requests: 2, seconds: 60 } } })
  const token = it.mint()
  const first = await it.ask('/orders', { token })
  assert.equal(first.headers['ratelimit-policy'], '"client";q=2;w=60')
  await it.ask('/orders', { token })
  const third = await it.ask('/orders', { token })
  assert.equal(third.status, 429)
  assert.ok(Number(third.headers['retry-after']) > 0)
  assert.deepEqual(JSON.parse(third.body)['violated-policies'], ['client'])
  assert.equal((await it.ask('/orders', { token: it.mint({ clientId: 'other' }) })).status, 200)
})

test('a refusal after the quota was charged tells of it too', async () => {
  await using it = await startHarness({
    file: { quota: { requests: 3, seconds: 60 }, limits: { body: 10 } },
    answer: (_request, response) => response.destroy(),
  })
  const told: unknown[] = []
  for (const asked of [
    { token: it.mint({ scope: 'other' }) },
    { token: it.mint(), method: 'POST', body: 'x'.repeat(11) },
    { token: it.mint() },
  ]) {
    const { status, headers } = await it.ask('/orders', asked)
    told.push([status, headers['ratelimit']?.toString().split(';t=')[0], headers['ratelimit-policy']])
  }
  const policy = '"client";q=3;w=60'
  assert.deepEqual(told, [
    [401, '"client";r=2', policy],
    [413, '"client";r=1', policy],
    [502, '"client";r=0', policy],
  ])
})

test('RFC 9728 §3: the metadata stand at the gateway, with every scope of its routes; so do health, metrics and problems', async () => {
  await using it = await startHarness({ file: { name: 'Orders' } })
  const metadata = JSON.parse((await it.ask('/.well-known/oauth-protected-resource')).body) as Record<string, unknown>
  assert.equal(metadata['resource'], 'https://api.example')
  assert.deepEqual(metadata['authorization_servers'], ['https://issuer.test'])
  assert.deepEqual(metadata['scopes_supported'], ['orders:read'])
  assert.equal((await it.ask('/health/live')).status, 200)
  assert.equal((await it.ask('/health/ready')).status, 200)
  assert.equal((await it.ask('/problems/bad-gateway')).status, 200)
  await it.ask('/orders')
  assert.match((await it.ask('/metrics')).body, /rs_requests_total\{[^}]*status="401"/)
  assert.equal((await it.ask('/metrics', { method: 'POST' })).status, 405)
})

test('metrics are shown to a token with the scope that the file names, and elsewhere than on loopback to nobody else', async () => {
  await using it = await startHarness({ file: { metrics_scope: 'orders:metrics' } })
  const statuses = async (): Promise<readonly number[]> => [
    (await it.ask('/metrics')).status,
    (await it.ask('/metrics', { token: it.mint({ scope: 'orders:read' }) })).status,
    (await it.ask('/metrics', { token: it.mint({ scope: 'orders:metrics' }) })).status,
  ]
  assert.deepEqual(await statuses(), [401, 401, 200])
  const metadata = JSON.parse((await it.ask('/.well-known/oauth-protected-resource')).body) as Record<string, unknown>
  assert.deepEqual(metadata['scopes_supported'], ['orders:read', 'orders:metrics'])

  const about = { audience, issuer, name: 'Orders', scopes: [], stalePolicies: [], validator: { ready: () => true } }
  const hidden = createPages({ ...about, metrics: createApiMetrics(), metricsFor: 'nobody' })('/metrics')
  const shown = await hidden?.show()
  assert.equal(shown?.kind === 'error' ? shown.error.status : null, 404)
})

test('pages of other origins are told what they may do, and can read a refusal', async () => {
  await using it = await startHarness({ file: { cors: { origins: ['https://app.example'] } } })
  const headers = { origin: 'https://app.example', 'access-control-request-method': 'GET' }
  const asked = await it.ask('/orders', { method: 'OPTIONS', headers })
  assert.deepEqual([asked.status, asked.headers['access-control-allow-origin']], [204, 'https://app.example'])
  const refused = await it.ask('/orders', { headers: { origin: 'https://app.example' } })
  assert.deepEqual([refused.status, refused.headers['access-control-allow-origin']], [401, 'https://app.example'])
  const served = await it.ask('/orders', { token: it.mint(), headers: { origin: 'https://app.example' } })
  assert.deepEqual([served.status, served.headers['access-control-allow-origin']], [200, 'https://app.example'])
  assert.equal(
    (await it.ask('/orders', { headers: { origin: 'https://evil.example' } })).headers['access-control-allow-origin'],
    undefined,
  )
})

test('RFC 9110 §12.5.5: what an answer of the API behind varies by is still told beside the origin', async () => {
  const varying: HarnessOptions['answer'] = (_request, response) =>
    void response.writeHead(200, ['Vary', 'Accept-Encoding', 'Vary', 'Accept-Language']).end('{}')
  await using it = await startHarness({ file: { cors: { origins: ['https://app.example'] } }, answer: varying })
  const told = async (headers: Record<string, string>) =>
    (await it.ask('/orders', { token: it.mint(), headers })).headers.vary
  const all = 'Accept-Encoding, Accept-Language, Origin'
  assert.deepEqual([await told({}), await told({ origin: 'https://app.example' })], [all, all])
})

test('the token of a client may be kept from the API behind', async () => {
  await using it = await startHarness({ file: { authorization: 'remove' } })
  const { headers } = seenIn(
    (await it.ask('/orders', { token: it.mint({ sub: 'alice' }), headers: { dpop: 'x' } })).body,
  )
  assert.deepEqual(
    [headers.authorization, headers['dpop'], headers['grantor-subject']],
    [undefined, undefined, 'alice'],
  )
})

test('subjects that are no ASCII are told percent-encoded', async () => {
  await using it = await startHarness()
  const { headers } = seenIn((await it.ask('/orders', { token: it.mint({ sub: 'zoë 100%\r\nX: y' }) })).body)
  assert.equal(headers['grantor-subject'], 'zo%C3%AB%20100%25%0D%0AX:%20y')
})

test('TRACE is not sent on, and h2c is no way past', async () => {
  await using it = await startHarness({ file: { routes: [{ path: '/', scopes: [] }] } })
  const token = it.mint()
  assert.equal((await it.ask('/orders', { method: 'TRACE', token })).status, 405)
  const headers = {
    connection: 'Upgrade, HTTP2-Settings',
    upgrade: 'h2c',
    'http2-settings': 'AAMAAABkAARAAAAAAAIAAAAA',
  }
  const { headers: arrived } = seenIn((await it.ask('/orders', { token, headers })).body)
  assert.deepEqual([arrived.upgrade, arrived['http2-settings']], [undefined, undefined])
})
