/** Malformed requests at every endpoint: the right 4xx, told in the right form, and the next request is served. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { basicHeader } from '../faults/http-client.ts'
import { allEndpoints, machineEndpoints, posts, readOnly } from './endpoints.ts'
import type { HttpRequest } from './http-client.ts'
import { assertServes, assertSafe } from './assert-safe.ts'
import { deploy, type Deployment } from './deployment.ts'
import { objects, service, unlimited } from './objects.ts'

const form = 'application/x-www-form-urlencoded'
const type = (value: string): readonly [string, string] => ['content-type', value]
const body = (text: string | Buffer, ...headers: (readonly [string, string])[]): HttpRequest => ({
  body: text,
  headers: headers.length === 0 ? [type(form)] : headers,
})
const good = 'grant_type=client_credentials&token=x&client_id=web'

/** What is wrong with a body, and which answers are right to it wherever it is sent. */
const bodies: readonly (readonly [string, HttpRequest, readonly number[]])[] = [
  ['JSON', body('{"grant_type":"client_credentials"}', type('application/json')), [415]],
  ['multipart', body('--x--', type('multipart/form-data; boundary=x')), [415]],
  ['text', body(good, type('text/plain')), [415]],
  ['no type', body(good, ['accept', '*/*']), [415]],
  ['an empty type', body(good, type('')), [415]],
  ['a type with a tab behind it', body(good, type(`application/json\t; ${form}`)), [415]],
  ['two types in one', body(good, type(`application/json, ${form}`)), [415]],
  ['a type twice', body(good, type('application/json'), type(form)), [415]],
  ['a type with a longer name', body(good, type(`${form}-x`)), [415]],
  ['UTF-16', body(good, type(`${form}; charset=utf-16`)), [415]],
  ['Latin-1', body(good, type(`${form}; charset=iso-8859-1`)), [415]],
  ['gzip that is none', body(good, type(form), ['content-encoding', 'gzip']), [415]],
  ['an unheard-of coding', body(good, type(form), ['content-encoding', 'br, gzip']), [415]],
  ['65 537 bytes', body(`x=${'a'.repeat(65_535)}`), [413]],
  ['1 MB of one value', body(`code=${'a'.repeat(1_000_000)}`), [413]],
  ['a value beyond its limit', body(`token=${'a'.repeat(20_000)}`), [400]],
  ['a name beyond its limit', body(`${'a'.repeat(1000)}=1`), [400]],
  ['101 parameters', body(Array.from({ length: 101 }, (_, i) => `p${i}=1`).join('&')), [400]],
  ['20 000 empty pairs', body('&'.repeat(20_000)), [400, 401, 403, 303, 200]],
  ['a nameless value', body('=1'), [400]],
  ['NUL', body('grant_type=a%00b'), [400]],
  ['raw NUL', body(Buffer.from('grant_type=a\0b')), [400]],
  ['invalid UTF-8', body('grant_type=%ff%fe'), [400]],
  ['overlong UTF-8', body('grant_type=%c0%af'), [400]],
  ['a lone surrogate', body('grant_type=%ed%a0%80'), [400]],
  ['raw bytes beyond ASCII', body(Buffer.from('grant_type=\xff', 'latin1')), [400]],
  ['a cut percent', body('grant_type=%'), [400]],
  ['a wrong percent', body('grant_type=%zz'), [400]],
  ['CRLF inside', body('grant_type=a%0d%0aSet-Cookie:x'), [400]],
  ['a parameter twice', body('grant_type=client_credentials&grant_type=client_credentials'), [400]],
  ['a parameter twice, once empty', body('client_id=&client_id=web'), [400]],
]

let deployment: Deployment
before(async () => {
  // Nothing that is sent here gets as far as a mail; with a server for them, their pages are there.
  const env = { ...unlimited, GRANTOR_MAIL_SMTP: 'smtp://127.0.0.1:9', GRANTOR_MAIL_FROM: 'grantor@example.com' }
  deployment = await deploy(env, { ...objects, tenants: [{ id: 'acme', name: 'Acme', ...objects }] })
})
after(async () => {
  // Whatever was sent: nothing failed on our side, and the process is the one that was started.
  const output = deployment.server.output()
  assert.equal(await deployment.server.stop(), 0)
  await deployment[Symbol.asyncDispose]()
  assert.doesNotMatch(output, /"level":"?(50|60|error|fatal)"?/)
})

test('a malformed body gets its own 4xx at every endpoint that takes one', async () => {
  for (const path of posts) {
    for (const [what, how, right] of bodies) {
      const answer = await deployment.http.send(path, { method: 'POST', ...how })
      assertSafe(`${what} at ${path}`, answer)
      assert.ok(right.includes(answer.status), `${what} at ${path}: ${answer.status} ${answer.body.slice(0, 150)}`)
    }
    await assertServes(deployment.http)
  }
})

test('10 000 scopes are refused at once', async () => {
  const scope = Array.from({ length: 10_000 }, (_, i) => `s${i}`)
    .join(' ')
    .slice(0, 16_000)
  const asked = { grant_type: 'client_credentials', scope }
  const answer = await deployment.http.send('/token', { basic: service, form: asked })
  assertSafe('scopes', answer)
  assert.equal(answer.status, 400)
  assert.equal((JSON.parse(answer.body) as { error: string }).error, 'invalid_scope')
})

test('names of the prototype are names like any other', async () => {
  for (const name of [
    '__proto__',
    'constructor',
    'prototype',
    'hasOwnProperty',
    'toString',
    '__proto__[x]',
    'reason',
  ]) {
    for (const path of machineEndpoints) {
      const answer = await deployment.http.send(path, {
        basic: service,
        form: { [name]: 'x', grant_type: 'client_credentials', token: 'x', scope: name },
      })
      assertSafe(`${name} at ${path}`, answer)
    }
    for (const form of [{ grant_type: name }, { grant_type: 'client_credentials', resource: name }]) {
      const answer = await deployment.http.send('/token', { basic: service, form })
      assertSafe(name, answer)
      assert.equal(answer.status, 400)
    }
    assertSafe(
      name,
      await deployment.http.send(`/authorize?client_id=${name}&redirect_uri=${name}&response_type=${name}`),
    )
    assertSafe(name, await deployment.http.send(`/problems/${name}`))
    assertSafe(name, await deployment.http.send(`/assets/${name}`))
    assertSafe(name, await deployment.http.send(`/t/${name}/jwks`))
  }
  await assertServes(deployment.http)
})

const head = (line: string, ...headers: string[]): string => [line, 'Host: localhost', ...headers, '', ''].join('\r\n')
const post = (path: string, ...rest: string[]): string =>
  head(`POST ${path} HTTP/1.1`, `Content-Type: ${form}`, ...rest)

/** Bytes that no honest client sends; null stands for a connection that is closed without an answer. */
const brokenHttp: readonly (readonly [string, (path: string) => string | Buffer, readonly (number | null)[]])[] = [
  ['no body and no type', (path) => head(`POST ${path} HTTP/1.1`, 'Content-Length: 0'), [303, 400, 401, 403, 415]],
  ['no body, no length', (path) => head(`POST ${path} HTTP/1.1`), [303, 400, 401, 403, 415]],
  ['a type without a body', (path) => post(path, 'Content-Length: 0'), [303, 400, 401, 403]],
  ['no Host', (path) => `POST ${path} HTTP/1.1\r\nContent-Length: 0\r\n\r\n`, [400]],
  ['two lengths', (path) => `${post(path, 'Content-Length: 3', 'Content-Length: 4')}a=1b`, [400]],
  ['length and chunks', (path) => `${post(path, 'Content-Length: 3', 'Transfer-Encoding: chunked')}0\r\n\r\n`, [400]],
  ['a negative length', (path) => post(path, 'Content-Length: -1'), [400]],
  ['a length that is no number', (path) => post(path, 'Content-Length: 1e3'), [400]],
  ['an endless length', (path) => post(path, 'Content-Length: 99999999999999999999'), [400]],
  ['a large length', (path) => post(path, 'Content-Length: 10000000'), [413]],
  ['a large length that asks first', (path) => post(path, 'Content-Length: 10000000', 'Expect: 100-continue'), [413]],
  ['another expectation', (path) => post(path, 'Content-Length: 0', 'Expect: tea'), [417, 303, 400, 401, 403]],
  ['chunks without end', (path) => `${post(path, 'Transfer-Encoding: chunked')}${chunk.repeat(17)}`, [413]],
  ['a chunk without a size', (path) => `${post(path, 'Transfer-Encoding: chunked')}zz\r\n`, [400]],
  ['another transfer coding', (path) => post(path, 'Transfer-Encoding: gzip'), [400, 501]],
  ['long chunk extensions', (path) => `${post(path, 'Transfer-Encoding: chunked')}1;${'x'.repeat(20_000)}`, [413, 431]],
  ['a NUL in a header', (path) => head(`GET ${path} HTTP/1.1`, 'X: a\0b'), [400]],
  ['a bare line feed', (path) => head(`GET ${path} HTTP/1.1`, 'X: a\nb: c'), [400]],
  ['a folded header', (path) => head(`GET ${path} HTTP/1.1`, 'X: a', ' b'), [400]],
  ['a space before the colon', (path) => head(`GET ${path} HTTP/1.1`, 'X : a'), [400]],
  ['20 KiB of headers', (path) => head(`GET ${path} HTTP/1.1`, `X: ${'a'.repeat(20_000)}`), [431]],
  ['20 KiB of cookies', (path) => head(`GET ${path} HTTP/1.1`, `Cookie: a=${'b; a='.repeat(4_000)}`), [431]],
  ['5 000 headers', (path) => head(`GET ${path} HTTP/1.1`, ...Array.from({ length: 5_000 }, () => 'a:b')), [431]],
  ['HTTP/0.9', (path) => `GET ${path}\r\n\r\n`, [400]],
  ['HTTP/3', (path) => head(`GET ${path} HTTP/3.0`), [400, 505]],
  ['a method that is none', (path) => head(`GRANT ${path} HTTP/1.1`), [400]],
  ['a TLS hello inside TLS', () => Buffer.from([22, 3, 1, 0, 5, 1, 0, 0, 1, 0]), [400]],
  ['noise', () => Buffer.from(Array.from({ length: 512 }, (_, i) => (i * 7919) % 256)), [400]],
]
const chunk = `1000\r\n${'a'.repeat(0x1000)}\r\n`

test('broken HTTP is answered 4xx or closed, never left hanging', async () => {
  for (const path of ['/token', '/authorize', '/account/enter', '/nowhere']) {
    for (const [what, bytes, right] of brokenHttp) {
      const answer = await deployment.http.raw(bytes(path))
      if (answer !== null) assertSafe(`${what} at ${path}`, answer)
      const status = answer?.status ?? null
      const fits = right.includes(status) || (path === '/nowhere' && status === 404)
      assert.ok(fits, `${what} at ${path}: ${status} ${answer?.body.slice(0, 150)}`)
    }
    await assertServes(deployment.http)
  }
})

test('a body shorter than it says, and a connection that ends inside it, leave nothing behind', async () => {
  for (const path of posts) {
    const socket = await deployment.http.open()
    socket.on('error', () => {})
    socket.end(`${post(path, 'Content-Length: 100')}grant_type=client`)
    await new Promise((closed) => socket.resume().once('close', closed))
  }
  await assertServes(deployment.http)
})

test('two requests in one packet are two requests, and a refused one takes no other with it', async () => {
  const bytes = `${post('/token', 'Content-Length: 3')}a=1${head('GET /jwks HTTP/1.1')}`
  const answer = await deployment.http.raw(bytes)
  assert.equal(answer?.status, 401)
})

test('credentials that are no credentials are refused as such', async () => {
  const basic = (text: string): string => `Basic ${Buffer.from(text, 'latin1').toString('base64')}`
  const shown: readonly (readonly [string, readonly number[]])[] = [
    ['Basic', [400]],
    ['Basic ', [400]],
    ['Basic !!!', [400]],
    ['Basic =', [400]],
    [basic('no-colon'), [400]],
    [basic(':'), [400]],
    [basic('a\0b:c'), [400]],
    [basic('%zz:%'), [400]],
    [basic('\xff:\xfe'), [400]],
    [basic(`${'a'.repeat(5_000)}:x`), [400]],
    [basic('service:'), [401]],
    [basic('__proto__:x'), [401]],
    ['Bearer x', [401]],
    ['Digest username="service"', [401]],
    ['Negotiate abc', [401]],
    [',', [401]],
    ['ümlaut', [401]],
  ]
  for (const path of ['/token', '/revoke', '/introspect']) {
    for (const [authorization, right] of shown) {
      const answer = await deployment.http.send(path, {
        headers: [['authorization', authorization]],
        form: { grant_type: 'client_credentials', token: 'x' },
      })
      assertSafe(`${authorization} at ${path}`, answer)
      assert.ok(right.includes(answer.status), `${authorization} at ${path}: ${answer.status} ${answer.body}`)
    }
  }
})

test('RFC 9110 §5.3: two Authorization headers are refused wherever one is read', async () => {
  const token = await assertServes(deployment.http)
  const right = basicHeader(service)
  for (const pair of [
    [right, 'Basic eDp5'],
    ['Basic eDp5', right],
    [right, right],
  ] as const) {
    for (const path of ['/token', '/revoke', '/introspect']) {
      const answer = await deployment.http.send(path, {
        headers: pair.map((one) => ['authorization', one] as const),
        form: { grant_type: 'client_credentials', token: 'x' },
      })
      assertSafe(path, answer)
      assert.equal(answer.status, 400, path)
    }
  }
  const feed = await deployment.http.send('/token', {
    basic: service,
    form: { grant_type: 'client_credentials', scope: 'revocations:read' },
  })
  const reading = (JSON.parse(feed.body) as { access_token: string }).access_token
  assert.equal((await deployment.http.send('/revocations/snapshot', { bearer: reading })).status, 200)
  for (const [path, bearer] of [
    ['/userinfo', token],
    ['/revocations/snapshot', reading],
    ['/revocations/changes', reading],
    ['/metrics', reading],
  ] as const) {
    const headers = [
      ['authorization', `Bearer ${bearer}`],
      ['authorization', 'Bearer x'],
    ] as const
    const answer = await deployment.http.send(path, { headers })
    assertSafe(path, answer)
    assert.ok([400, 401].includes(answer.status), `${path}: ${answer.status}`)
  }
})

test('addresses in every spelling lead to what they name, or nowhere', async () => {
  const paths: readonly (readonly [string, readonly number[]])[] = [
    ['/%74oken', [404, 405]],
    ['/token/', [404]],
    ['//token', [404]],
    ['/./token', [404]],
    ['/x/../token', [404]],
    ['/%2e%2e/token', [404]],
    ['/..%2f..%2fetc%2fpasswd', [404]],
    ['/assets/..%2f..%2fapp.ts', [404]],
    ['/assets/%2e%2e%2fcsp.ts', [404]],
    ['/problems/..%2f..%2fx', [404]],
    ['/t/acme%2ftoken', [404]],
    ['/t/acme/../token', [404]],
    ['/t/%61cme/jwks', [200, 404]],
    ['/t/default/jwks', [404]],
    ['/t//jwks', [404]],
    ['/t/acme%00/jwks', [404]],
    [`/t/${'a'.repeat(5_000)}/jwks`, [404]],
    ['/TOKEN', [404]],
    ['/token;x=1', [404]],
    ['/token%00', [404]],
    ['/token%0d%0aSet-Cookie:a=b', [404]],
    ['/%', [400, 404]],
    ['/%ff', [400, 404]],
    ['/%c0%ae', [400, 404]],
    [`/${'a'.repeat(9_000)}`, [414]],
    [`/jwks?${'a'.repeat(9_000)}`, [414]],
    [`/authorize?${'a'.repeat(9_000)}`, [414]],
    ['/jwks?a=1&a=2&%zz', [200]],
    ['/authorize?a=1&a=2', [400]],
    ['/authorize?%zz', [400]],
    ['/authorize?client_id=%00', [400]],
    ['/authorize?client_id[]=web', [400]],
    ['/account?lang=%ff', [400]],
    ['/account?lang=__proto__', [200]],
    ['/interact/x', [400]],
    ['/interact/gi_x%0d%0a', [400]],
    [`/interact/gi_${'a'.repeat(150)}`, [400]],
  ]
  for (const [path, right] of paths) {
    const answer = await deployment.http.send(path)
    assertSafe(path, answer)
    assert.ok(right.includes(answer.status), `${path.slice(0, 60)}: ${answer.status} ${answer.body.slice(0, 150)}`)
  }
  for (const target of ['https://evil.example/jwks', 'http://evil.example/token', '*', 'jwks', '//evil.example/jwks']) {
    const answer = await deployment.http.raw(head(`GET ${target} HTTP/1.1`))
    if (answer === null) continue
    assertSafe(target, answer)
    assert.doesNotMatch(answer.body, /evil/)
  }
  await assertServes(deployment.http)
})

test('a Host that is not ours changes nothing in what is said', async () => {
  const ours = await deployment.http.send('/.well-known/openid-configuration')
  for (const headers of ['Host: evil.example', 'X-Forwarded-Host: evil.example', 'Forwarded: host=evil.example']) {
    const host = headers.startsWith('Host') ? [headers] : ['Host: localhost', headers]
    const bytes = ['GET /.well-known/openid-configuration HTTP/1.1', ...host, '', ''].join('\r\n')
    const answer = await deployment.http.raw(bytes)
    assert.equal(answer?.body, ours.body)
  }
})

test('methods that an address does not have are 405 with Allow, and none has TRACE', async () => {
  for (const path of allEndpoints) {
    for (const method of ['PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY']) {
      const answer = await deployment.http.send(path, { method, headers: [['content-length', '0']] })
      assertSafe(`${method} ${path}`, answer)
      assert.ok([400, 404, 405].includes(answer.status), `${method} ${path}: ${answer.status}`)
      if (answer.status === 405) assert.match(String(answer.headers['allow']), /GET|POST/)
    }
  }
  for (const path of readOnly) {
    const answer = await deployment.http.send(path, { form: {} })
    assertSafe(path, answer)
    assert.equal(answer.status, 405, path)
  }
})

test('HEAD is GET without a body, and ends', async () => {
  const asked = { basic: service, form: { grant_type: 'client_credentials', scope: 'revocations:read' } }
  const { body } = await deployment.http.send('/token', asked)
  const bearer = (JSON.parse(body) as { access_token: string }).access_token
  for (const path of allEndpoints) {
    const answer = await deployment.http.send(path, { method: 'HEAD', bearer })
    assert.ok(answer.status < 500, path)
    assert.equal(answer.body, '')
  }
})

test('forms of chance: never a fault of ours, at any endpoint', async () => {
  const names =
    `grant_type code redirect_uri code_verifier client_id client_secret refresh_token scope resource audience
    token token_type_hint state nonce prompt max_age claims request id_token_hint login_hint acr_values ui_locales
    response_mode response_type code_challenge code_challenge_method username password csrf account allow revoke end
    lang done`.split(/\s+/)
  const values = `authorization_code|refresh_token|client_credentials|web|spa|native|https://client.example/cb|openid|
    openid invoices:read|https://api.example|S256|code|none|login consent|{"id_token":{}}|null|-1|1e9|gc_x|gr_x|en de|
    {"id_token":{"__proto__":{}}}|e30.e30.|gr_${'a'.repeat(43)}`.split(/\|\s*/)
  const value = fc.oneof(fc.constantFrom(...values), fc.string({ unit: 'binary', maxLength: 60 }))
  const pairs = fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 12 })
  const fields = pairs.filter((it) => it.every(([, text]) => text.isWellFormed()))
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...posts), fields, fc.boolean(), async (path, form, known) => {
      const answer = await deployment.http.send(path, { form, ...(known ? { basic: service } : {}) })
      assertSafe(`${path} ${JSON.stringify(form)}`, answer)
    }),
    { numRuns: 600 },
  )
  const query = fields.map((form) => new URLSearchParams(form).toString())
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...allEndpoints), query, async (path, text) => {
      assertSafe(path, await deployment.http.send(`${path}?${text}`))
    }),
    { numRuns: 400 },
  )
  await assertServes(deployment.http)
})
