/** Bad input: every refusal has its status, its code and the place of the fault. */
import assert from 'node:assert/strict'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import { createValidator } from '@grantor/resource'
import { createTestIssuer } from '@grantor/resource/testing'
import { fastifyServer } from '../src/adapters/fastify.ts'
import type { GotResponse } from './adapters.ts'
import { onEveryAdapter } from './on-every-adapter.ts'
import { audience, issuer, sample } from './sample.ts'

const places = ({ json }: GotResponse): (string | undefined)[] =>
  ((json['errors'] ?? []) as Record<string, string>[]).map(
    ({ pointer, parameter, header }) => pointer ?? parameter ?? header,
  )

onEveryAdapter('a body that does not fit points at each of its faults', async (adapter) => {
  const got = await adapter.send('/v1/parcels', {
    method: 'POST',
    body: { label: '', weight: 0.5, state: 'lost', to: { street: 1 }, extra: 1 },
  })
  assert.equal(got.status, 400)
  assert.equal(got.json['type'], 'https://api.example/problems/validation-error')
  assert.deepEqual(
    new Set(places(got)),
    new Set(['#/extra', '#/label', '#/state', '#/to/name', '#/to/street', '#/weight']),
  )
  const missing = await adapter.send('/v1/parcels', { method: 'POST', body: {} })
  assert.deepEqual(places(missing), ['#/label', '#/weight'])
})

onEveryAdapter('an address with U+0000 in it names nothing, and no handler is asked for it', async (adapter) => {
  for (const [method, path] of [
    ['GET', 'a%00b'],
    ['PUT', '%00'],
    ['PATCH', 'a%00'],
    ['DELETE', 'a%00'],
    ['GET', 'a%2500'],
  ] as const) {
    const body = method === 'GET' || method === 'DELETE' ? {} : { body: { label: 'x', weight: 1 } }
    const got = await adapter.send(`/v1/parcels/${path}`, { method, ...body })
    const code = path.includes('%2500') ? 'not_found' : 'route_not_found'
    assert.deepEqual([got.status, got.json['code']], [404, code], `${method} ${path}`)
  }
  assert.deepEqual(adapter.sample.calls, [])
})

onEveryAdapter('RFC 8259 §6: a whole number that would become another one is refused', async (adapter) => {
  const send = (weight: string, method = 'POST', url = '/v1/parcels') =>
    adapter.send(url, { method, body: `{"label":"x","weight":${weight}}` })
  for (const weight of ['9007199254740993', '1e20']) {
    const got = await send(weight)
    assert.deepEqual([got.status, places(got)], [400, ['#/weight']], weight)
    assert.equal((await send(weight, 'PUT', '/v1/parcels/large')).status, 400)
  }
  assert.equal((await send('9007199254740991')).status, 201)
})

onEveryAdapter('a body that is no object, and one that is no JSON, are refused', async (adapter) => {
  for (const [body, code] of [
    ['[]', 'validation_error'],
    ['null', 'validation_error'],
    ['"x"', 'validation_error'],
    ['', 'malformed_json'],
    ['{', 'malformed_json'],
    ['{"label":"x","weight":1}x', 'malformed_json'],
    ['{"label":"x","weight":1,"weight":2}', 'invalid_request'],
    ['{"__proto__":{"label":"x"},"weight":1}', 'invalid_request'],
    ['{"constructor":{"prototype":{}}}', 'invalid_request'],
    [`${'['.repeat(5000)}${']'.repeat(5000)}`, 'invalid_request'],
  ] as const) {
    for (const [method, url] of [
      ['POST', '/v1/parcels'],
      ['PUT', '/v1/parcels/a'],
      ['PATCH', '/v1/parcels/a'],
    ] as const) {
      const got = await adapter.send(url, { method, body })
      assert.equal(got.status, 400, `${method} ${body.slice(0, 40)}`)
      assert.equal(got.json['code'], code, `${method} ${body.slice(0, 40)}`)
    }
  }
  assert.deepEqual(adapter.sample.calls, [])
})

onEveryAdapter('a body that has the form of an answer of ours is a body like any other', async (adapter) => {
  const body = { kind: 'problem', slug: 'not-found', detail: 'x', status: 200, code: 'x', headers: { 'x-y': 'z' } }
  for (const [method, url] of [
    ['POST', '/v1/parcels'],
    ['PUT', '/v1/parcels/a'],
  ] as const) {
    const got = await adapter.send(url, { method, body })
    assert.deepEqual([got.status, got.json['code'], got.headers['x-y']], [400, 'validation_error', undefined], method)
  }
  assert.deepEqual(adapter.sample.calls, [])
})

onEveryAdapter('a body that is not UTF-8, or in another charset or coding, is refused', async (adapter) => {
  const post = (headers: Record<string, string>) =>
    adapter.send('/v1/parcels', { method: 'POST', body: '{"label":"x","weight":1}', headers })
  for (const type of [
    'text/plain',
    'application/json; charset=latin1',
    'application/merge-patch+json',
    'json',
    'application/json, text/html',
  ]) {
    const got = await post({ 'content-type': type })
    assert.equal(got.status, 415, type)
    assert.equal(got.headers['accept-post'], 'application/json')
  }
  assert.equal((await post({ 'content-encoding': 'gzip' })).status, 415)
  assert.equal((await post({ 'content-type': 'Application/JSON; charset="UTF-8"' })).status, 201)
  const patched = await adapter.send('/v1/parcels/a', {
    method: 'PATCH',
    body: '[]',
    headers: { 'content-type': 'application/json-patch+json' },
  })
  assert.equal(patched.status, 415)
  assert.equal(patched.headers['accept-patch'], 'application/merge-patch+json, application/json')
})

onEveryAdapter('an unknown, repeated or broken parameter is 400 and named, on lists and elsewhere', async (adapter) => {
  adapter.sample.put('a')
  for (const [url, place] of [
    ['/v1/parcels?stat=packed', 'stat'],
    ['/v1/parcels?limit=-1', 'limit'],
    ['/v1/parcels?limit=1&limit=2', 'limit'],
    ['/v1/parcels?state[gte]=packed', 'state[gte]'],
    ['/v1/parcels?state=lost', 'state'],
    ['/v1/parcels?sort=label', 'sort'],
    ['/v1/parcels?cursor=abc', 'cursor'],
    ['/v1/parcels?weight[gte]=x', 'weight[gte]'],
    ['/v1/parcels/a?fields=id', 'fields'],
  ] as const) {
    const got = await adapter.send(url)
    assert.equal(got.status, 400, url)
    assert.deepEqual(places(got), [place], url)
  }
  assert.equal((await adapter.send('/v1/parcels?state=%zz')).status, 400)
  assert.equal((await adapter.send('/v1/parcels/%zz')).status, 400)
})

onEveryAdapter('paths that only look like ours are 404', async (adapter) => {
  adapter.sample.put('a')
  for (const url of [
    '/',
    '/v1',
    '/v1/',
    '/v2/parcels',
    '/v1/parcels/',
    '/v1/parcels/a/',
    '/v1/parcels/a/b',
    '/v1/parcels/a/b/c',
    '/V1/parcels',
    '/v1/constructor',
    '/v1/__proto__/a',
    '//v1/parcels',
    '/problems/nothing',
  ]) {
    const got = await adapter.send(url)
    assert.equal(got.status, 404, url)
    assert.equal(got.headers['content-type'], 'application/problem+json', url)
  }
})

onEveryAdapter('405 lists what is allowed, and OPTIONS too', async (adapter) => {
  const put = await adapter.send('/v1/parcels', { method: 'PUT', body: {} })
  assert.equal(put.status, 405)
  assert.equal(put.headers['allow'], 'GET, HEAD, POST, OPTIONS')
  const options = await adapter.send('/v1/parcels/a', { method: 'OPTIONS', as: null })
  assert.equal(options.status, 204)
  assert.equal(options.headers['allow'], 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS')
  assert.equal(options.headers['accept-patch'], 'application/merge-patch+json, application/json')
  assert.equal(
    (await adapter.send('/openapi.json', { method: 'DELETE', as: null })).headers['allow'],
    'GET, HEAD, OPTIONS',
  )
})

onEveryAdapter('RFC 9110 §9.3.2: HEAD has the headers of GET and no body', async (adapter) => {
  adapter.sample.put('a')
  const [head, get] = [await adapter.send('/v1/parcels/a', { method: 'HEAD' }), await adapter.send('/v1/parcels/a')]
  assert.equal(head.status, 200)
  assert.equal(head.text, '')
  for (const name of ['etag', 'content-type', 'cache-control', 'vary', 'last-modified'])
    assert.equal(head.headers[name], get.headers[name])
  assert.equal((await adapter.send('/v1/parcels/none', { method: 'HEAD' })).status, 404)
})

const tooLongState = {
  parameter: 'state[in]',
  code: 'too_long',
  detail: 'It is too long: a URL has at most 2048 characters.',
}

onEveryAdapter(
  'sizes: body 413, one parameter 400 by its name, URL 414, headers 431',
  async (adapter) => {
    const big = { label: 'x', weight: 1, to: { name: 'y'.repeat(5000) } }
    assert.equal((await adapter.send('/v1/parcels', { method: 'POST', body: big })).status, 413)
    assert.equal((await adapter.send(`/v1/parcels/${'x'.repeat(3000)}`)).status, 414)
    assert.equal((await adapter.send(`/v1/parcels?${'limit=1&'.repeat(400)}`)).status, 414)
    const long = await adapter.send(`/v1/parcels?limit=1&state%5Bin%5D=${'x'.repeat(3000)}`)
    assert.deepEqual([long.status, (long.json['errors'] as object[])[0]], [400, tooLongState])
    assert.equal((await adapter.send('/v1/parcels', { headers: { 'x-much': 'x'.repeat(9000) } })).status, 431)
    assert.deepEqual(adapter.sample.calls, [])
  },
  { server: { sizes: { body: 4096, url: 2048, headers: 8192 } } },
)

onEveryAdapter('a handler that throws is 500 with an id and nothing of the error', async (adapter) => {
  const got = await adapter.send('/v1/parcels', { method: 'POST', body: { label: 'boom', weight: 1 } })
  assert.equal(got.status, 500)
  assert.equal(got.json['code'], 'internal')
  assert.doesNotMatch(got.text + JSON.stringify(got.headers), /hunter2|database|Error|sample\.ts/)
  assert.match(String(got.json['instance']), /^urn:uuid:[0-9a-f-]{36}$/)
  assert.match(String(adapter.sample.faults[0]), /hunter2/)
})

onEveryAdapter('a problem that a handler returns is the answer', async (adapter) => {
  const got = await adapter.send('/v1/parcels', { method: 'POST', body: { label: 'taken', weight: 1 } })
  assert.equal(got.status, 409)
  assert.equal(got.json['code'], 'conflict')
})

onEveryAdapter(
  'Prefer: handling=lenient passes over unknown members, return=minimal leaves the body away',
  async (adapter) => {
    const lenient = await adapter.send('/v1/parcels', {
      method: 'POST',
      body: { label: 'x', weight: 1, extra: 1, to: { name: 'n', zip: 1 } },
      headers: { prefer: 'handling=lenient' },
    })
    assert.equal(lenient.status, 201)
    assert.deepEqual(lenient.json['to'], { name: 'n' })
    adapter.sample.put('a')
    const minimal = await adapter.send('/v1/parcels/a', {
      method: 'PATCH',
      body: { weight: 2 },
      headers: { prefer: 'return=minimal' },
    })
    assert.equal(minimal.status, 204)
    assert.equal(minimal.headers['preference-applied'], 'return=minimal')
    assert.notEqual(minimal.headers['etag'], undefined)
  },
)

onEveryAdapter('a header that means one thing is refused when it comes twice', async (adapter, kind) => {
  const token = adapter.issuer.mint({ scope: 'parcels:read' })
  const twice = [`Bearer ${token}`, `Bearer ${token}`]
  const got = await adapter.send('/v1/parcels', { as: null, headers: { authorization: twice } })
  assert.equal(got.status, 400)
  // Fetch has joined the two lines before anyone sees them; Node still shows both.
  assert.equal(got.json['code'], kind === 'fetch' ? 'invalid_request' : 'header_repeated')
  assert.deepEqual(places(got), ['authorization'])
  const types = await adapter.send('/v1/parcels', {
    method: 'POST',
    body: '{}',
    headers: { 'content-type': ['application/json', 'text/plain'] },
  })
  assert.equal(types.status, kind === 'fetch' ? 415 : 400)
})

/** Speaks bytes, because no client library sends these. */
async function raw(bytes: string): Promise<string> {
  const { api } = sample()
  const server = fastifyServer(api)
  await server.listen({ port: 0, host: '127.0.0.1' })
  try {
    return await new Promise<string>((resolve, reject) => {
      let text = ''
      const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1', () => socket.end(bytes))
      socket
        .setEncoding('utf8')
        .on('data', (chunk) => (text += chunk))
        .on('close', () => resolve(text))
        .on('error', reject)
    })
  } finally {
    await server.close()
  }
}

for (const [title, bytes, status] of [
  ['what is not HTTP', 'HELLO\r\n\r\n', 400],
  ['two lengths', 'POST /v1/parcels HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}', 400],
  [
    'length and chunks at once',
    'POST /v1/parcels HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
  ],
  ['two Hosts', 'GET /v1/parcels HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n', 400],
  ['two Hosts at a path of nothing', 'GET /nothing HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n', 400],
  ['a Host that is a list', 'GET /openapi.json HTTP/1.1\r\nHost: a, b\r\n\r\n', 400],
  ['a target of another host', 'GET https://evil.example/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n', 400],
  [
    'a coding before chunks',
    'POST /v1/parcels HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
    400,
  ],
  ['a header section without end', `GET /v1/parcels HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  [
    'headers that go on after they are refused',
    `GET /v1/parcels HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(2e6)}\r\n\r\n`,
    431,
  ],
  [
    'an address that goes on after it is refused',
    `GET /v1/parcels?cursor=${'x'.repeat(2e6)} HTTP/1.1\r\nHost: a\r\n\r\n`,
    431,
  ],
  ['a tunnel', 'CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n', 400],
  ['a tunnel to a path', 'CONNECT /v1/parcels HTTP/1.1\r\nHost: a\r\n\r\n', 400],
] as const) {
  test(`the parser of HTTP refuses ${title}, and says so with a problem`, async () => {
    const text = await raw(bytes)
    assert.match(text, new RegExp(`^HTTP/1.1 ${status} `))
    const problem = JSON.parse(text.split('\r\n\r\n')[1] ?? '') as { status: number; instance: string }
    assert.equal(problem.status, status)
    assert.match(problem.instance, /^urn:uuid:/)
  })
}

test('a length that lies is refused where the adapter can see it', async () => {
  const { client, calls } = sample()
  const as = { scope: 'parcels:write' }
  for (const length of ['1', '9999', 'x', '-1', '1, 1']) {
    const got = await client({
      method: 'POST',
      url: '/v1/parcels',
      as,
      body: { label: 'x', weight: 1 },
      headers: { 'content-length': length },
    })
    assert.equal(got.status, 400, length)
    assert.equal(got.json()['code'], 'length_mismatch')
  }
  assert.deepEqual(calls, [])
})

test('a client that goes away in the middle of its body changes nothing and harms nobody', async () => {
  const { api, calls, faults } = sample()
  const dev = createTestIssuer({ audience, issuer })
  const validator = createValidator({ audience, issuers: [dev.trust] })
  const server = fastifyServer(api.with(validator))
  await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as AddressInfo
  const head = [
    'POST /v1/parcels HTTP/1.1',
    'Host: a',
    `Authorization: Bearer ${dev.mint({ scope: 'parcels:write' })}`,
    'Content-Type: application/json',
    'Content-Length: 24',
  ].join('\r\n')
  for (const leave of ['end', 'destroy'] as const) {
    await new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(`${head}\r\n\r\n{"label":`, () => socket[leave]()))
      socket
        .resume()
        .on('close', () => resolve())
        .on('error', () => resolve())
    })
  }
  const whole = await new Promise<string>((resolve, reject) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(`${head}\r\nConnection: close\r\n\r\n{"label":"x","weight":1}`),
    )
    socket
      .setEncoding('utf8')
      .on('data', (chunk) => (text += chunk))
      .on('close', () => resolve(text))
      .on('error', reject)
  })
  assert.match(whole, /^HTTP\/1\.1 201 /)
  assert.deepEqual(calls, ['create x'])
  assert.deepEqual(faults, [])
  await server.close()
  await validator.close()
})
