/** The API for administrators: every operation of its description against every token that is not for it, and against chance. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { freshTokens } from './browser.ts'
import { forgeriesOf, type PublishedKey } from './forged-tokens.ts'
import type { HttpResponse, HttpRequest } from './http-client.ts'
import { assertServes, assertSafe } from './assert-safe.ts'
import { deploy, type Deployment } from './deployment.ts'
import { objects, service, unlimited, web } from './objects.ts'

const admin = ['admin-tool', 'zz9canary-admin-secret-of-32-characters'] as const
const scope = 'admin:clients:read admin:clients:write admin:events:read events:report'
const client = { client_secret: admin[1], grant_types: ['client_credentials'], response_types: [] }
/** Sends what chance makes, of a quota of its own. */
const chance = ['chance-tool', admin[1]] as const
const administered = {
  ...objects,
  clients: [...objects.clients, ...[admin, chance].map(([client_id]) => ({ ...client, client_id, scope }))],
}

interface Operation {
  readonly method: string
  readonly path: string
}

let deployment: Deployment
let operations: readonly Operation[]
before(async () => {
  deployment = await deploy(unlimited, { ...administered, tenants: [{ id: 'acme', name: 'Acme', ...administered }] })
  const { paths } = JSON.parse((await deployment.http.send('/openapi.json')).body) as { paths: Record<string, object> }
  operations = Object.entries(paths).flatMap(([path, operation]) =>
    Object.keys(operation)
      .filter((key) => key !== 'parameters')
      .map((method) => ({ method: method.toUpperCase(), path: path.replaceAll('{id}', web[0]) })),
  )
  assert.ok(operations.length > 8)
})
after(async () => {
  const output = deployment.server.output()
  await deployment[Symbol.asyncDispose]()
  assert.doesNotMatch(output, /"level":50/)
})

async function tokenOf(basic: readonly [string, string], of: string, base = ''): Promise<string> {
  const form = { grant_type: 'client_credentials', scope: of }
  const { status, body } = await deployment.http.send(`${base}/token`, { basic, form })
  assert.equal(status, 200, body)
  return (JSON.parse(body) as { access_token: string }).access_token
}

const writing = ({ method }: Operation): HttpRequest =>
  method === 'GET' || method === 'DELETE'
    ? { method }
    : { method, body: '{}', headers: [['content-type', 'application/json']] }

const ask = (operation: Operation, how: HttpRequest, base = ''): Promise<HttpResponse> =>
  deployment.http.send(base + operation.path, { ...writing(operation), ...how })

test('every operation refuses every token that is not an administrator of that issuer, and does nothing', async () => {
  const { access_token: person, id_token: identity, refresh_token: refresh } = await freshTokens(deployment.http)
  const mine = await tokenOf(admin, scope)
  const theirs = await tokenOf(admin, scope, '/t/acme')
  const { keys } = JSON.parse((await deployment.http.send('/jwks')).body) as { keys: PublishedKey[] }
  const { kid } = JSON.parse(Buffer.from(mine.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }
  const key = keys.find((one) => one.kid === kid)
  assert.ok(key !== undefined)
  const feed = await tokenOf(service, 'revocations:read')
  const wrong = [
    ...[person, identity, refresh, feed, web[1], await assertServes(deployment.http)].map(
      (token) => ['a token', token] as const,
    ),
    ...forgeriesOf(mine, key, 'http://127.0.0.1:9'),
  ]
  for (const operation of operations) {
    const named = `${operation.method} ${operation.path}`
    const anonymous = await ask(operation, {})
    assertSafe(named, anonymous)
    assert.equal(anonymous.status, 401, named)
    for (const [what, bearer] of wrong) {
      const answer = await ask(operation, { bearer })
      assertSafe(`${what} at ${named}`, answer)
      assert.ok([400, 401, 431].includes(answer.status), `${what} at ${named}: ${answer.status} ${answer.body}`)
    }
    assert.equal((await ask(operation, { bearer: theirs })).status, 401, named)
    assert.equal((await ask(operation, { bearer: mine }, '/t/acme')).status, 401, named)
    const twice = [...(writing(operation).headers ?? []), ['authorization', `Bearer ${feed}`] as const]
    assert.equal((await ask(operation, { bearer: mine, headers: twice })).status, 400, named)
  }
  // Nothing was done to what all of them named.
  assert.equal((await deployment.http.send(`/v1/clients/${web[0]}`, { bearer: mine })).status, 200)
  assert.equal((await deployment.http.send(`/t/acme/v1/clients/${web[0]}`, { bearer: theirs })).status, 200)
})

test('a scope opens its own operations and no others', async () => {
  const tokens = { read: await tokenOf(admin, 'admin:clients:read'), report: await tokenOf(admin, 'events:report') }
  for (const operation of operations) {
    const named = `${operation.method} ${operation.path}`
    // Whether an address would match is a question, though it is posted.
    const asks = operation.method === 'GET' || operation.path.endsWith('/match-redirect-uri')
    const reads = asks && operation.path.startsWith('/v1/clients')
    const answer = await ask(operation, { bearer: tokens.read })
    assertSafe(named, answer)
    assert.equal(answer.status === 401, !reads, `${named}: ${answer.status}`)
    if (operation.path !== '/v1/events/reports') {
      assert.equal((await ask(operation, { bearer: tokens.report })).status, 401, named)
    }
  }
})

test('no secret, nor what is kept of one, is in any document', async () => {
  const bearer = await tokenOf(admin, scope)
  const documents = ['/v1/clients', `/v1/clients/${web[0]}`, '/v1/events', '/openapi.json']
  for (const path of documents) {
    const { status, body } = await deployment.http.send(path, { bearer })
    assert.equal(status, 200, path)
    assert.doesNotMatch(body, /zz9canary|"handle"|"client_secret":\s*"(?!<)/, path)
  }
})

test('what one tenant deletes, changes or makes is its own', async () => {
  const mine = await tokenOf(admin, scope)
  const theirs = await tokenOf(admin, scope, '/t/acme')
  const at = (base: string, bearer: string, how: HttpRequest = {}) =>
    deployment.http.send(`${base}/v1/clients/other`, { bearer, ...how })
  assert.equal((await at('/t/acme', theirs, { method: 'DELETE' })).status, 204)
  assert.equal((await at('/t/acme', theirs)).status, 404)
  assert.equal((await at('', mine)).status, 200)
  const rotated = await deployment.http.send('/v1/clients/other/rotate-secret', {
    method: 'POST',
    bearer: mine,
    body: '{}',
    headers: [['content-type', 'application/json']],
  })
  assertSafe('a rotation', rotated)
  assert.equal((await at('/t/acme', theirs)).status, 404)
  const page = await deployment.http.send('/v1/clients?limit=1', { bearer: mine })
  const { next_cursor: cursor } = JSON.parse(page.body) as { next_cursor: string }
  const stolen = await deployment.http.send(`/t/acme/v1/clients?limit=1&cursor=${encodeURIComponent(cursor)}`, {
    bearer: theirs,
  })
  assertSafe('a foreign cursor', stolen)
  assert.equal(stolen.status, 400)
})

test('whoever may write clients does not become more by it: no client gets, keeps or shows rights its writer has not', async () => {
  const bearer = await tokenOf(admin, 'admin:clients:read admin:clients:write')
  const type = (of: string) => ({ headers: [['content-type', of]] as const })
  const made = { client_name: 'x', grant_types: ['client_credentials'], response_types: [] }
  const write = (method: string, path: string, body: object, of = 'application/json'): Promise<HttpResponse> =>
    deployment.http.send(path, { method, bearer, body: JSON.stringify(body), ...type(of) })
  const merge = 'application/merge-patch+json'
  const wrong = [
    await write('POST', '/v1/clients', { ...made, scope: 'admin:keys:write' }),
    await write('PUT', '/v1/clients/more', { ...made, scope: 'invoices:read admin:events:read' }),
    await write('PATCH', '/v1/clients/service', { scope: 'admin:users:write' }, merge),
    // A client that has more already: its secret, its way in and its end are not theirs to write.
    await write('POST', `/v1/clients/${admin[0]}/rotate-secret`, { overlap: 0 }),
    await write('PATCH', `/v1/clients/${admin[0]}`, { token_endpoint_auth_method: 'client_secret_post' }, merge),
    await write('PATCH', `/v1/clients/${admin[0]}`, { scope: 'invoices:read' }, merge),
    await deployment.http.send(`/v1/clients/${admin[0]}`, { method: 'DELETE', bearer }),
  ]
  for (const [i, answer] of wrong.entries()) {
    assertSafe(`escalation ${i}`, answer)
    assert.equal(answer.status, 403, `${i}: ${answer.body}`)
  }
  assert.equal((await deployment.http.send('/v1/clients/more', { bearer })).status, 404)
  assert.equal((await write('PUT', '/v1/clients/same', { ...made, scope: 'admin:clients:read' })).status, 201)
  await tokenOf(admin, scope)
})

test('documents and queries of chance: never a fault of ours', async () => {
  const bearer = await tokenOf(chance, scope)
  const names =
    'client_id client_name redirect_uris grant_types scope token_endpoint_auth_method client_secret jwks_uri logo_uri __proto__ constructor id tenant'
  const leaf = fc.oneof(
    fc.constantFrom(
      'web',
      'none',
      'https://client.example/cb',
      'javascript:alert(1)',
      'openid',
      'authorization_code',
      '\u0000',
      'x'.repeat(3_000),
    ),
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.integer(),
    fc.constant(null),
    fc.boolean(),
  )
  const value = fc.oneof(
    leaf,
    fc.array(leaf, { maxLength: 3 }),
    fc.dictionary(fc.string({ maxLength: 5 }), leaf, { maxKeys: 2 }),
  )
  const document = fc.oneof(
    fc.dictionary(fc.constantFrom(...names.split(' ')), value, { maxKeys: 6 }).map((it) => JSON.stringify(it)),
    fc.json({ maxDepth: 4 }),
    fc.string({ unit: 'binary', maxLength: 40 }),
  )
  const operations = fc.constantFrom(
    ...([
      'POST /v1/clients',
      'PUT /v1/clients/made-up',
      'PATCH /v1/clients/spa',
      'PUT /v1/clients/%00',
      'POST /v1/events/reports',
      'POST /v1/clients/made-up/rotate-secret',
      'PATCH /v1/clients/native',
    ] as const),
  )
  const key = fc.constantFrom('', '"a"', 'b', '"', 'x'.repeat(300))
  await fc.assert(
    fc.asyncProperty(operations, document, key, async (operation, body, idempotency) => {
      const [method = '', path = ''] = operation.split(' ')
      const headers = [
        ['content-type', method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'],
        ...(idempotency === '' ? [] : [['idempotency-key', idempotency]]),
      ] as [string, string][]
      assertSafe(`${operation} ${body}`, await deployment.http.send(path, { method, bearer, body, headers }))
    }),
    { numRuns: 400 },
  )
  const queries = `limit=x|limit=-1|cursor=x|sort=__proto__|nothing=1|name=x|name[in]=|at[gte]=x|at[gte]=1|subject=%00|
    subject=' or 1=1 --|client_id[prefix]=%25|seq[gt]=1e400|seq[gt]=-1|grant_id=${'x'.repeat(2_000)}`
  for (const query of queries.split(/\|\s*/)) {
    for (const path of ['/v1/clients', '/v1/events']) {
      assertSafe(`${path}?${query}`, await deployment.http.send(`${path}?${encodeURI(query)}`, { bearer }))
    }
  }
  for (const id of ['..', '%2e%2e', 'a%2fb', '%00', '%ff', "'--", '__proto__', 'x'.repeat(3_000), '%F0%9F%98%80']) {
    for (const path of ['/v1/clients', '/v1/events']) {
      const answer = await deployment.http.send(`${path}/${id}`, { bearer })
      assertSafe(id, answer)
      assert.ok([400, 404, 414].includes(answer.status), `${path}/${id}: ${answer.status}`)
    }
  }
  await assertServes(deployment.http)
})
