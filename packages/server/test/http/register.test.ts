/** The registration endpoint over HTTP: JSON and nothing else, strict about it, open to every origin, never cached. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Authority, ManagementRequest, RegistrationRequest } from '@grantor/authority'
import { err, ok } from '@grantor/protocol/result'
import type { InjectOptions } from 'fastify'
import { testbed } from './testbed.ts'

const information = { client_id: 'c1', client_secret: 'gs_x', client_secret_expires_at: 0 }

/** Remembers what reached the authority. */
function opened(said: Partial<Authority> = {}) {
  const asked: (RegistrationRequest | ManagementRequest)[] = []
  const heard =
    <T>(value: T) =>
    (request: RegistrationRequest | ManagementRequest) => {
      asked.push(request)
      return Promise.resolve(ok(value))
    }
  const registration = { read: heard(information), replace: heard(information), remove: heard(null) }
  return { ...testbed({ register: heard(information), registration, ...said }), asked }
}

const post = (payload: string | Buffer, headers: Record<string, string> = {}): InjectOptions => ({
  method: 'POST',
  url: '/register',
  payload,
  headers: { 'content-type': 'application/json', ...headers },
})
const web = '{"redirect_uris":["https://client.example/cb"]}'

test('RFC 7591 §3.2.1: a registration is answered 201, for every origin, and kept by nobody', async () => {
  const { app, asked } = opened()
  const answer = await app.inject(post(web, { authorization: 'Bearer gt_x', origin: 'https://tool.example' }))
  assert.equal(answer.statusCode, 201)
  assert.deepEqual(answer.json(), information)
  assert.equal(answer.headers['cache-control'], 'no-store')
  assert.equal(answer.headers['access-control-allow-origin'], '*')
  assert.deepEqual(asked, [
    {
      tenant: 'default',
      ip: '127.0.0.1',
      traceId: null,
      authorization: 'Bearer gt_x',
      clientCertificate: null,
      proof: null,
      form: (asked[0] as unknown as { form: unknown }).form,
      body: { redirect_uris: ['https://client.example/cb'] },
    },
  ])
})

test('RFC 7592 §2: a registration is read, replaced and removed at its own address, in every tenant', async () => {
  const { app, asked } = opened()
  for (const [method, base, status] of [
    ['GET', '', 200],
    ['PUT', '', 200],
    ['DELETE', '', 204],
    ['GET', '/t/acme', 200],
  ] as const) {
    const answer = await app.inject({
      ...(method === 'PUT' ? post(web) : {}),
      method,
      url: `${base}/register/c1`,
    })
    assert.equal(answer.statusCode, status, method)
    assert.equal(answer.headers['cache-control'], 'no-store')
    assert.equal(answer.headers['access-control-allow-origin'], '*')
  }
  assert.deepEqual(
    asked.map((it) => [it.tenant, 'clientId' in it && it.clientId]),
    [
      ['default', 'c1'],
      ['default', 'c1'],
      ['default', 'c1'],
      ['acme', 'c1'],
    ],
  )
})

test('Fetch §4.8: a page of any origin may register and manage, with an Authorization header', async () => {
  const { app } = opened()
  for (const [url, methods] of [
    ['/register', 'POST'],
    ['/register/c1', 'GET, PUT, DELETE, HEAD'],
  ] as const) {
    const preflight = await app.inject({ method: 'OPTIONS', url, headers: { origin: 'https://tool.example' } })
    assert.equal(preflight.statusCode, 204)
    assert.equal(preflight.headers['access-control-allow-origin'], '*')
    assert.equal(preflight.headers['access-control-allow-methods'], methods)
    assert.match(String(preflight.headers['access-control-allow-headers']), /Authorization, Content-Type/)
  }
})

test('RFC 6750 §3: a token that is not good is answered 401 with a challenge that pages may read', async () => {
  const { app } = opened({ register: () => Promise.resolve(err({ reason: 'registration_token_invalid' })) })
  const answer = await app.inject(post(web))
  assert.equal(answer.statusCode, 401)
  assert.equal(answer.headers['www-authenticate'], 'Bearer realm="registration", error="invalid_token"')
  assert.match(String(answer.headers['access-control-expose-headers']), /WWW-Authenticate/)
  assert.equal(answer.json<{ error: string }>().error, 'invalid_token')
})

const deep = `${'['.repeat(9)}${']'.repeat(9)}`
const rows: readonly (readonly [what: string, ask: InjectOptions, status: number])[] = [
  ['a form', post('redirect_uris=x', { 'content-type': 'application/x-www-form-urlencoded' }), 415],
  ['plain text', post(web, { 'content-type': 'text/plain' }), 415],
  ['JSON of another kind', post(web, { 'content-type': 'application/ld+json' }), 415],
  ['JSON without a type', { method: 'POST', url: '/register', payload: Buffer.from(web) }, 415],
  ['a compressed body', post(web, { 'content-encoding': 'gzip' }), 415],
  ['nothing', post(''), 415],
  ['nothing at all', { method: 'POST', url: '/register' }, 415],
  ['no JSON', post('{'), 400],
  ['a body one byte too large', post(`"${'x'.repeat(65_535)}"`), 413],
  ['a member twice', post('{"scope":"a","scope":"b"}'), 400],
  ['a member twice in a key', post('{"jwks":{"keys":[{"kty":"EC","kty":"oct"}]}}'), 400],
  ['a prototype', post('{"__proto__":{"scope":"admin:clients:write"}}'), 400],
  ['a constructor', post('{"constructor":{"prototype":{}}}'), 400],
  ['a deep value', post(`{"x":${deep}}`), 400],
  ['bytes that are not UTF-8', post(Buffer.from([0x22, 0xff, 0x22])), 400],
  ['half a character', post('"\\ud800"'), 400],
  ['another method', { ...post(web), method: 'PATCH' }, 405],
  ['GET', { method: 'GET', url: '/register' }, 405],
  ['POST to a registration', { ...post(web), url: '/register/c1' }, 405],
  ['an update without a body', { method: 'PUT', url: '/register/c1' }, 415],
  ['a tenant with an impossible name', { ...post(web), url: '/t/default/register' }, 404],
]

describe('RFC 7591 §3.1, §3.2.2: what is no registration is refused, and never reaches the authority', () => {
  for (const [what, ask, status] of rows)
    test(what, async () => {
      const { app, asked } = opened()
      const answer = await app.inject(ask)
      assert.equal(answer.statusCode, status, answer.body)
      assert.equal(answer.headers['cache-control'], 'no-store')
      const body = answer.json<{ error: string; error_description: string; error_uri: string }>()
      assert.match(body.error_description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
      assert.equal(body.error_uri, `https://as.example/problems/${body.error}`)
      assert.deepEqual(asked, [])
    })
})

test('everywhere else JSON is refused as before', async () => {
  const { app } = opened()
  const answer = await app.inject({ ...post('{}'), url: '/token' })
  assert.equal(answer.statusCode, 415)
  assert.equal(answer.json<{ error: string }>().error, 'invalid_request')
})
