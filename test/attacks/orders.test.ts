/** The Orders API under attack: tokens that are not for it, documents that are none, and another tenant's eyes. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { runCommand, startServer, temporaryFolder } from '../../interop/server.ts'
import { Browser, redeem, type Tokens } from './browser.ts'
import { forgeriesOf, type PublishedKey } from './forged-tokens.ts'
import { type HttpResponse, type HttpClient, httpClientOf, type HttpRequest } from './http-client.ts'
import { unlimited } from './objects.ts'

const stack = new AsyncDisposableStack()
const began = Date.now()
const secret = 'zz9canary-orders-secret-of-32-characters'
let authority: HttpClient
let orders: HttpClient
let url: string
/** Tokens of the default tenant and of acme. */
let mine: string
let theirs: string
let webSecret: string
let managementPort: number
let authorityUrl: string

async function tokenOf(basic: readonly [string, string], form: Readonly<Record<string, string>>, base = '') {
  const asked = { basic, form: { grant_type: 'client_credentials', ...form } }
  const { status, body } = await authority.send(`${base}/token`, asked)
  assert.equal(status, 200, body)
  return (JSON.parse(body) as { access_token: string }).access_token
}

before(async () => {
  const folder = stack.use(temporaryFolder())
  const env = { ...unlimited, GRANTOR_DEMO: 'true', GRANTOR_DEMO_PORT: '0' }
  const server = stack.use(await startServer({ data: folder.path, env }))
  authority = stack.use(httpClientOf(server))
  managementPort = server.managementPort
  authorityUrl = server.issuer
  const ready = server
    .output()
    .split('\n')
    .find((line) => line.includes('"ready"'))
  const { demo_port: port } = JSON.parse(ready ?? '') as { demo_port: number }
  orders = stack.use(httpClientOf({ port, ca: server.ca }))
  url = `https://localhost:${port}`
  const client = { client_secret: secret, grant_types: ['client_credentials'], response_types: [] }
  const places = {
    resources: [{ identifier: url, name: 'Orders' }],
    scopes: ['read', 'write', 'delete'].map((verb) => ({ name: `orders:${verb}`, description: verb, resource: url })),
  }
  const file = folder.write('more.json', {
    resources: [{ identifier: 'https://api.example', name: 'Elsewhere' }],
    scopes: [{ name: 'invoices:read', description: 'See invoices', resource: 'https://api.example' }],
    clients: [{ ...client, client_id: 'elsewhere', scope: 'invoices:read revocations:read orders:read' }],
    tenants: [
      {
        id: 'acme',
        name: 'Acme',
        ...places,
        clients: [{ ...client, client_id: 'service', scope: 'orders:read orders:write orders:delete' }],
      },
    ],
  })
  const applied = await runCommand(['apply', file], { data: folder.path })
  assert.equal(applied.code, 0, applied.stderr)
  const secrets = JSON.parse(readFileSync(join(folder.path, 'demo.json'), 'utf8')) as Record<string, string>
  webSecret = secrets['demo-web'] ?? ''
  mine = await tokenOf(['demo-service', secrets['demo-service'] ?? ''], { resource: url })
  theirs = await tokenOf(['service', secret], { resource: url }, '/t/acme')
  assert.equal((await orders.send('/v1/orders', { bearer: mine })).status, 200)
  assert.equal((await orders.send('/v1/orders', { bearer: theirs })).status, 200)
})
after(() => stack.disposeAsync())

function assertProblem(what: string, answer: HttpResponse, right: readonly number[]): void {
  const told = `${what.slice(0, 120)}: ${answer.status} ${answer.body.slice(0, 250)}`
  assert.ok(right.includes(answer.status), told)
  assert.equal(answer.headers['content-type'], 'application/problem+json', told)
  const { status, code, title } = JSON.parse(answer.body) as { status: number; code: string; title: string }
  assert.equal(status, answer.status, told)
  assert.match(code, /^[a-z_]+$/)
  assert.ok(title.length > 0)
  assert.doesNotMatch(answer.body, /\bat [\w.]+ \(|node_modules|\/packages\/|SQLITE|zz9canary/, told)
  if (answer.status !== 401) return
  assert.match(String(answer.headers['www-authenticate']), /^(?:Bearer|DPoP) .*resource_metadata=/, told)
  assert.equal(answer.headers['cache-control'], 'no-store', told)
}

const good = { items: [{ sku: 'tea', qty: 1 }], total: 100 }
const json = (value: unknown, more: HttpRequest = {}): HttpRequest => ({
  method: 'POST',
  bearer: mine,
  body: typeof value === 'string' || Buffer.isBuffer(value) ? value : JSON.stringify(value),
  ...more,
  headers: more.headers ?? [['content-type', 'application/json']],
})

test('tokens of another audience, issuer, tenant or kind are 401 with a challenge', async () => {
  const browser = new Browser(authority)
  const asked = {
    client_id: 'demo-web',
    redirect_uri: `${url}/client/callback`,
    scope: 'openid offline_access orders:read',
  }
  const alice = { username: 'alice', password: 'alice' }
  const code = (await browser.authorize(asked, { as: alice })).get('code') ?? ''
  const tokens = await redeem(authority, code, { redirect_uri: asked.redirect_uri }, { as: ['demo-web', webSecret] })
  const held = JSON.parse(tokens.body) as Tokens
  assert.equal((await orders.send('/v1/orders', { bearer: held.access_token })).status, 200)
  const wrong: readonly (readonly [string, string])[] = [
    ['another resource', await tokenOf(['elsewhere', secret], { resource: 'https://api.example' })],
    ['the issuer itself', await tokenOf(['elsewhere', secret], { scope: 'revocations:read' })],
    ['an ID token', held.id_token],
    ['a refresh token', held.refresh_token],
    ['a code', code],
    ['a client secret', secret],
  ]
  for (const [what, bearer] of wrong) {
    for (const method of ['GET', 'POST', 'DELETE']) {
      assertProblem(
        what,
        await orders.send(method === 'DELETE' ? '/v1/orders/x' : '/v1/orders', {
          bearer,
          method,
          headers: [['content-length', '0']],
        }),
        [401],
      )
    }
  }
  // A token that reads does not write (401), and one that was given back does nothing.
  assertProblem('a lesser scope', await orders.send('/v1/orders', json(good, { bearer: held.access_token })), [401])
})

test('RFC 8725: no forged token is accepted, and no key is fetched on its word', async () => {
  let fetched = 0
  const trap = createServer((_request, response) => void (fetched++, response.end('{"keys":[]}')))
  await new Promise<void>((listening) => trap.listen(0, '127.0.0.1', listening))
  const { keys } = JSON.parse((await authority.send('/jwks')).body) as { keys: PublishedKey[] }
  const { kid } = JSON.parse(Buffer.from(mine.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }
  const key = keys.find((one) => one.kid === kid)
  assert.ok(key !== undefined)
  try {
    for (const [what, bearer] of forgeriesOf(mine, key, `http://127.0.0.1:${(trap.address() as AddressInfo).port}`)) {
      assertProblem(what, await orders.send('/v1/orders', { bearer }), [400, 401, 431])
    }
    assert.equal(fetched, 0)
  } finally {
    trap.close()
  }
  assert.equal((await orders.send('/v1/orders', { bearer: mine })).status, 200)
})

test('made-up keys and issuers cost the authority a few questions, and honest callers nothing', async () => {
  const asked = async (): Promise<number> => {
    const text = await (await fetch(`http://127.0.0.1:${managementPort}/metrics`)).text()
    const lines = text
      .split('\n')
      .filter((line) => /^grantor_http_requests_total\{route="\/(jwks|.well-known)/.test(line))
    return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
  }
  const before = await asked()
  const [head = '', body = '', signature = ''] = mine.split('.')
  const part = (text: string, more: object): string => {
    const known = JSON.parse(Buffer.from(text, 'base64url').toString()) as object
    return Buffer.from(JSON.stringify({ ...known, ...more })).toString('base64url')
  }
  let unknown = 0
  const made = async (i: number): Promise<void> => {
    const kid = await orders.send('/v1/orders', {
      bearer: `${part(head, { kid: `made-up-${i}` })}.${body}.${signature}`,
    })
    // On a machine that is busy with so many at once, the keys may not be read within the second that is waited for them.
    assertProblem('a made-up key', kid, [401, 503])
    if (kid.status === 401) unknown += 1
    const iss = `${authorityUrl}/t/made-up-${i}`
    const issuer = await orders.send('/v1/orders', {
      bearer: `${head}.${part(body, { iss, tenant: `made-up-${i}` })}.${signature}`,
    })
    // Beyond what may be asked in a while nobody can say whether there is such a tenant.
    assertProblem('a made-up issuer', issuer, [401, 503])
  }
  // Many at once: those who wait for the same keys share one question, and each costs its sender the wait.
  for (let i = 0; i < 300; i += 50) {
    await Promise.all([
      ...Array.from({ length: 50 }, (_, n) => made(i + n)),
      ...[mine, theirs].map(async (bearer) => assert.equal((await orders.send('/v1/orders', { bearer })).status, 200)),
    ])
  }
  assert.ok(unknown > 0, 'no made-up key was told from one that could not be read')
  const cost = (await asked()) - before
  assert.ok(cost < 300, `${cost} questions for 600 tokens`)
})

test('RFC 6750 §2, §3.1: one token, in the header, once', async () => {
  const shown = async (...values: string[]): Promise<HttpResponse> =>
    orders.send('/v1/orders', { headers: values.map((value) => ['authorization', value] as const) })
  const missing = await shown()
  assertProblem('nothing', missing, [401])
  assert.doesNotMatch(String(missing.headers['www-authenticate']), /error=/)
  for (const values of [
    [`Bearer ${mine}`, `Bearer ${mine}`],
    [`Bearer ${mine}`, 'Basic eDp5'],
    ['Basic eDp5', `Bearer ${mine}`],
    [`Bearer ${mine} ${mine}`],
    [`Bearer ${mine}, Bearer ${theirs}`],
    ['Bearer'],
    ['Bearer '],
    ['Bearer \t'],
    [`Bearer\t${mine}`],
    [`Bearer=${mine}`],
    [mine],
    [`Token ${mine}`],
    [`DPoP ${mine}`],
    [`Basic ${Buffer.from(`x:${mine}`).toString('base64')}`],
  ]) {
    assertProblem(values.join(' | ').slice(0, 60), await shown(...values), [400, 401])
  }
  assertProblem('in the address', await orders.send(`/v1/orders?access_token=${mine}`), [400, 401])
  assertProblem('in both', await orders.send(`/v1/orders?access_token=${mine}`, { bearer: mine }), [400])
  assertProblem(
    'in a cookie',
    await orders.send('/v1/orders', { headers: [['cookie', `access_token=${mine}`]] }),
    [401],
  )
  assert.equal((await shown(`bEARER ${mine}`)).status, 200)
})

test('documents that are no orders are refused, and leave nothing behind', async () => {
  const type = (value: string): HttpRequest => ({ headers: [['content-type', value]] })
  const documents: readonly (readonly [string, HttpRequest, readonly number[]])[] = [
    ['2 MB', json(`"${'a'.repeat(2_000_000)}"`), [413]],
    ['deep arrays', json(`${'['.repeat(100_000)}${']'.repeat(100_000)}`), [400]],
    ['deep objects', json(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`), [400]],
    ['__proto__', json('{"__proto__":{"total":1},"items":[{"sku":"a","qty":1}],"total":1}'), [400]],
    ['constructor', json('{"constructor":{"prototype":{"x":1}},"items":[{"sku":"a","qty":1}],"total":1}'), [400]],
    ['__proto__ inside', json('{"items":[{"sku":"a","qty":1,"__proto__":{}}],"total":1}'), [400]],
    ['a key twice', json('{"total":1,"total":2,"items":[{"sku":"a","qty":1}]}'), [400]],
    ['nothing', json(''), [400]],
    ['half a document', json('{"items":['), [400]],
    ['two documents', json('{}{}'), [400]],
    ['null', json('null'), [400]],
    ['a list', json('[]'), [400]],
    ['a number beyond all', json('{"total":1e400,"items":[{"sku":"a","qty":1}]}'), [400]],
    ['a number that is a text', json({ ...good, total: '1' }), [400]],
    ['a negative total', json({ ...good, total: -1 }), [400]],
    ['no items', json({ ...good, items: [] }), [400]],
    ['201 items', json({ ...good, items: Array.from({ length: 201 }, () => good.items[0]) }), [400]],
    ['a field that is ours', json({ ...good, id: 'mine', created_at: 'x' }), [400]],
    ['a field nobody knows', json({ ...good, tenant: 'acme' }), [400]],
    ['invalid UTF-8', json(Buffer.from('{"note":"\xff"}', 'latin1')), [400]],
    ['half a character', json('{"note":"\\ud800","items":[{"sku":"a","qty":1}],"total":1}'), [400]],
    ['a byte order mark and more', json('\ufeff{'), [400]],
    ['NaN', json('{"total":NaN}'), [400]],
    ['a form', json('a=1', type('application/x-www-form-urlencoded')), [415]],
    ['text', json(JSON.stringify(good), type('text/plain')), [415]],
    ['JSON behind a tab', json(JSON.stringify(good), type('text/plain\t;application/json')), [415]],
    ['UTF-16', json(JSON.stringify(good), type('application/json; charset=utf-16')), [415]],
    [
      'gzip that is none',
      json(good, {
        headers: [
          ['content-type', 'application/json'],
          ['content-encoding', 'gzip'],
        ],
      }),
      [415],
    ],
    [
      'another Accept',
      json(good, {
        headers: [
          ['content-type', 'application/json'],
          ['accept', 'text/html'],
        ],
      }),
      [406],
    ],
  ]
  for (const [what, how, right] of documents) assertProblem(what, await orders.send('/v1/orders', how), right)
  assert.equal(({} as Record<string, unknown>)['total'], undefined)
  // Those of the first start are of before.
  const since = new Date(began).toISOString()
  const { body } = await orders.send(`/v1/orders?created_at[gte]=${since}`, { bearer: mine })
  assert.deepEqual((JSON.parse(body) as { items: unknown[] }).items, [])
})

test('queries and ids of chance are 400 or 404, whatever language they speak', async () => {
  const queries = [
    ...`limit=-1|limit=x|limit=1e2|limit=1&limit=2|cursor=|cursor=x|sort=nothing|sort=-|sort=total;drop|sort=__proto__|
      sort=total,total|nothing=1|__proto__=1|__proto__[gte]=1|total[__proto__]=1|total[gte]=x|total[gte]=1e400|%|a=%ff|
      total[like]=1|total[gte][x]=1|status=' or 1=1 --|status[in]=|created_at[gt]=yesterday|%zz=1|total=%00`.split(
      /\|\s*/,
    ),
    `cursor=${'a'.repeat(600)}`,
    `status[in]=${'open,'.repeat(1_000)}`,
  ]
  for (const query of queries)
    assertProblem(
      query,
      await orders.send(`/v1/orders?${encodeURI(query).replaceAll('%25', '%')}`, { bearer: mine }),
      [400],
    )
  for (const id of [
    '..',
    '%2e%2e',
    '..%2f..%2fetc',
    'a%2fb',
    '%00',
    '%ff',
    '%',
    "'--",
    '__proto__',
    'constructor',
    'a'.repeat(65),
    'a'.repeat(5_000),
  ]) {
    assertProblem(id, await orders.send(`/v1/orders/${id}`, { bearer: mine }), [400, 404])
    assertProblem(id, await orders.send(`/v1/orders/${id}`, json(good, { method: 'PATCH' })), [400, 404])
  }
  for (const path of [
    '/v1',
    '/v3/orders',
    '/v1/__proto__',
    '//v1/orders',
    '/v1/orders/',
    '/v1/orders/a/b',
    '/V1/orders',
  ]) {
    assertProblem(path, await orders.send(path, { bearer: mine }), [400, 404])
  }
  assertProblem('a long name', await orders.send(`/v1/orders?${'a'.repeat(9_000)}`, { bearer: mine }), [400])
  assertProblem('a long address', await orders.send(`/v1/orders?${'limit=1&'.repeat(1_200)}`, { bearer: mine }), [414])
  for (const method of ['TRACE', 'PUT', 'QUERY', 'PROPFIND']) {
    assertProblem(
      method,
      await orders.send('/v1/orders', { method, bearer: mine, headers: [['content-length', '0']] }),
      [404, 405],
    )
  }
})

test('an order, its place in a list and its promises belong to one tenant', async () => {
  const key = ['idempotency-key', '"one-intent"'] as const
  const keyed = { headers: [['content-type', 'application/json'], key] as const }
  const made = await orders.send('/v1/orders', json(good, keyed))
  assert.equal(made.status, 201, made.body)
  const path = new URL(made.headers.location ?? '', url).pathname
  for (let i = 0; i < 3; i++) assert.equal((await orders.send('/v1/orders', json(good))).status, 201)
  for (const how of [{ method: 'GET' }, { method: 'DELETE' }]) {
    assertProblem(`${how.method} by another tenant`, await orders.send(path, { bearer: theirs, ...how }), [404])
  }
  const patch = json({ status: 'paid' }, { method: 'PATCH', bearer: theirs })
  assertProblem('PATCH by another tenant', await orders.send(path, patch), [404])
  const etag = made.headers.etag ?? ''
  const conditional = {
    headers: [
      ['content-type', 'application/json'],
      ['if-match', etag],
    ] as const,
  }
  assertProblem(
    'PUT by its tag',
    await orders.send(path, json(good, { ...conditional, method: 'PUT', bearer: theirs })),
    [412],
  )
  // The same key of another tenant is another intent, and tells nothing of the first.
  const again = await orders.send('/v1/orders', json({ ...good, total: 7 }, { ...keyed, bearer: theirs }))
  assert.equal(again.status, 201, again.body)
  assert.equal(again.headers['idempotency-replayed'], undefined)
  const first = await orders.send('/v1/orders?limit=1', { bearer: mine })
  const { next_cursor: cursor } = JSON.parse(first.body) as { next_cursor: string }
  assert.ok(cursor.length > 10)
  const page = (text: string, bearer: string): Promise<HttpResponse> =>
    orders.send(`/v1/orders?limit=1&cursor=${encodeURIComponent(text)}`, { bearer })
  assertProblem('a foreign cursor', await page(cursor, theirs), [400])
  for (let i = 0; i < cursor.length; i += 7) {
    const bent = cursor.slice(0, i) + (cursor[i] === 'A' ? 'B' : 'A') + cursor.slice(i + 1)
    assertProblem('a bent cursor', await page(bent, mine), [400])
  }
  assertProblem(
    'under another filter',
    await orders.send(`/v1/orders?cursor=${encodeURIComponent(cursor)}&status=paid`, { bearer: mine }),
    [400],
  )
  assert.equal((await page(cursor, mine)).status, 200)
  assert.equal((await orders.send(path, { bearer: mine })).status, 200)
})

test('headers of chance at Orders: never a fault', async () => {
  const names = [
    'if-match',
    'if-none-match',
    'if-modified-since',
    'prefer',
    'accept',
    'range',
    'idempotency-key',
    'origin',
    'traceparent',
    'content-encoding',
    'expect',
    'dpop',
    'access-control-request-method',
  ]
  const values = [
    '*',
    '""',
    'W/"x"',
    '"',
    '"a","b"',
    ',',
    ';q=1',
    '*/*;q=x',
    'bytes=0-1',
    'respond-async',
    'null',
    '1;2',
    '"\\"',
    'x'.repeat(300),
    '-',
    '\u00ff',
  ]
  const headers = fc.array(fc.tuple(fc.constantFrom(...names), fc.constantFrom(...values)), { maxLength: 6 })
  const place = fc.constantFrom(
    '/v1/orders',
    '/v1/orders/x',
    '/v1/orders?limit=1',
    '/openapi.json',
    '/.well-known/oauth-protected-resource',
    '/metrics',
    '/problems/x',
    '/client/',
    '/client/callback?code=x&state=y',
  )
  await fc.assert(
    fc.asyncProperty(
      place,
      fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'),
      headers,
      async (path, method, some) => {
        const fixed =
          method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
            ? []
            : ([
                ['content-type', 'application/json'],
                ['content-length', '2'],
              ] as const)
        const body = fixed.length === 0 ? {} : { body: '{}' }
        const answer = await orders.send(path, {
          method,
          bearer: theirs,
          headers: [...fixed.slice(0, 1), ...some],
          ...body,
        })
        assert.ok(
          answer.status >= 200 && answer.status < 500,
          `${method} ${path} ${JSON.stringify(some)}: ${answer.status} ${answer.body}`,
        )
      },
    ),
    { numRuns: 400 },
  )
  assert.equal((await orders.send('/v1/orders', { bearer: mine })).status, 200)
})
