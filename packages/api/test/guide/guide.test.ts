/** docs/resource-toolkit.md: what it shows is what is here, and what is here runs. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { createValidator } from '@grantor/resource'
import { guardFetch } from '@grantor/resource/fetch'
import { createTestIssuer } from '@grantor/resource/testing'
import { Type } from 'typebox'
import { collection } from '../../src/collection/collection.ts'
import type { StoredResource } from '../../src/collection/handlers.ts'
import { testClient } from '../../src/testing/test-client.ts'
import { invoicesApi } from './invoices.ts'
import { guardedOnExpress, guardedOnHono, type Note, ownedNotes, served, versioned } from './frameworks.ts'
import { guarded, onFastify, onFetch, validatorOf, wholeResource } from './serving.ts'

const here = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')

/** The parts between `#region` and `#endregion`, by name, without the indentation of the place they stand in. */
function regions(source: string): Map<string, string> {
  const found = source.matchAll(/^( *)\/\/ #region (\w+)\n([\s\S]*?)^ *\/\/ #endregion/gm)
  const part = ([, indent = '', name = '', text = '']: RegExpExecArray): [string, string] => [
    name,
    text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  ]
  return new Map([...found].map(part))
}

test('every example of the page is code of this folder, and every part of it is shown', () => {
  const page = here('../../../../docs/resource-toolkit.md')
  const shown = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code)
  const parts = new Map([
    ...regions(here('invoices.ts')),
    ...regions(here('serving.ts')),
    ...regions(here('frameworks.ts')),
    ...regions(here('first.ts')),
    ...regions(here('guide.test.ts')),
  ])
  for (const code of shown) assert.ok([...parts.values()].includes(code), code)
  for (const [name, code] of parts) assert.ok(shown.includes(code), name)
})

test('what the page says of where names are from is so', async () => {
  const [, table = ''] =
    /## Where everything is from\n([\s\S]*?)\n## /.exec(here('../../../../docs/resource-toolkit.md')) ?? []
  const rows = table.split('\n').map((line) => [...line.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name))
  let found = 0
  for (const [from = '', ...names] of rows.filter(([from = '']) => from.startsWith('@grantor/'))) {
    const published = (await import(from)) as object
    // Types are not there when it runs.
    const source = readFileSync(new URL(import.meta.resolve(from)), 'utf8')
    for (const name of names)
      assert.ok(name in published || new RegExp(`\\b${name}\\b`).test(source), `${from}: ${name}`)
    found += names.length
  }
  assert.ok(found > 40, `only ${found} names are listed`)
})

const dev = createTestIssuer({ audience: 'https://api.example', issuer: 'https://issuer.example' })
const validator = createValidator({ audience: 'https://api.example', issuers: [dev.trust] })

test('an invoice is sent once', async () => {
  const api = invoicesApi(validator)
  // #region test
  const client = testClient(api)
  const as = { scope: 'invoices:read invoices:write', sub: 'alice', tenant: 'acme' }
  const url = '/v1/invoices/inv-7'
  const body = { customer: 'Acme', cents: 500 }

  const made = await client({ method: 'PUT', url, as, body, headers: { 'if-none-match': '*' } })
  assert.equal(made.status, 201)
  const tag = { 'if-match': made.headers['etag'] ?? '' }
  assert.equal((await client({ method: 'PATCH', url, as, body: { state: 'sent' }, headers: tag })).status, 200)
  assert.equal((await client({ method: 'PATCH', url, as, body: { cents: 1 }, headers: tag })).status, 403)
  assert.equal((await client({ url, as: { ...as, tenant: 'umbra' } })).status, 404)
  // #endregion
  assert.equal((await client({ method: 'DELETE', url, as: { ...as, scope: 'invoices:delete' } })).status, 428)
  const list = await client({ url: '/v1/invoices?state=sent&cents[gte]=500', as })
  assert.equal((list.json()['items'] as unknown[]).length, 1)
})

test('the API is served by Fastify beside other routes, and by a function of Fetch', async () => {
  const api = invoicesApi(validator)
  const app = await onFastify(api)
  app.get('/mine', async () => 'mine')
  const authorization = `Bearer ${dev.mint({ scope: 'invoices:read' })}`
  assert.equal((await app.inject({ url: '/v1/invoices', headers: { authorization } })).statusCode, 200)
  assert.equal(
    (await app.inject({ url: '/v1/nothing', headers: { authorization } })).headers['content-type'],
    'application/problem+json',
  )
  assert.equal((await app.inject({ url: '/mine' })).body, 'mine')
  await app.close()
  const response = await onFetch(api)(new Request('https://api.example/v1/invoices', { headers: { authorization } }))
  assert.equal(response.status, 200)
})

test('the guard alone lets in who has the scope, and answers everyone else', async () => {
  const app = guarded(validator)
  const ask = async (headers: Record<string, string>) => app.inject({ url: '/report', headers })
  const bearer = (scope: string): Record<string, string> => ({
    authorization: `Bearer ${dev.mint({ scope, sub: 'alice' })}`,
  })
  assert.deepEqual((await ask(bearer('reports:read'))).json(), { for: 'alice' })
  const poor = await ask(bearer('invoices:read'))
  assert.equal(poor.statusCode, 401)
  assert.match(String(poor.headers['www-authenticate']), /error="insufficient_scope", scope="reports:read"/)
  assert.equal((await ask({})).statusCode, 401)
  assert.equal((await ask({ authorization: 'Bearer a.b.c' })).statusCode, 401)
  await app.close()
  const handler = guardFetch({ validator, audience: 'https://api.example' }, 'reports:read', (_, { subject }) =>
    Response.json(subject),
  )
  const get = (headers: Record<string, string>) => handler(new Request('https://api.example/report', { headers }))
  assert.equal(await (await get(bearer('reports:read'))).json(), 'alice')
  assert.equal((await get(bearer('x'))).status, 401)
  assert.equal((await get({})).headers.get('content-type'), 'application/problem+json')
  assert.throws(
    () => guardFetch({ validator, audience: 'https://api.example' }, { all: [] }, () => new Response()),
    /no scope/,
  )
})

test("RFC 9728 §3: a listener of one's own has metadata, challenges and a scope for each operation", async () => {
  const server = wholeResource(validator).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const ask = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init)
  const metadata = (await (await ask('/.well-known/oauth-protected-resource')).json()) as { resource: string }
  assert.equal(metadata.resource, 'https://api.example')
  assert.match(String((await ask('/')).headers.get('www-authenticate')), /scope="notes:read", resource_metadata=/)
  const headers = { authorization: `Bearer ${dev.mint({ scope: 'notes:read', sub: 'alice' })}` }
  assert.equal(await (await ask('/', { headers })).text(), 'hello alice')
  assert.equal((await ask('/', { headers, method: 'POST' })).status, 401)
  server.close().closeAllConnections()
})

test('a validator with a feed is not ready before it has heard from its issuer', async () => {
  const waiting = validatorOf('a-secret-of-32-or-more-characters-long')
  assert.equal(waiting.ready(), false)
  const refused = assert.rejects(waiting.whenReady())
  await waiting.close()
  await refused
})

test('each framework of the page lets in who has the scope, and serves the API', async () => {
  const protect = { validator, audience: 'https://api.example' }
  const authorization = `Bearer ${dev.mint({ scope: 'reports:read invoices:read', sub: 'alice' })}`
  const { onExpress, onHono, onNode } = served(invoicesApi(validator))
  for (const server of [createServer(guardedOnExpress(protect)), createServer(onExpress), onNode]) {
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const found = await Promise.all(
      ['/report', '/v1/invoices'].map((path) =>
        fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization } }),
      ),
    )
    assert.equal(found.filter(({ status }) => status === 200).length, 1)
    server.close().closeAllConnections()
  }
  const hono = await guardedOnHono(protect).request('/report', { headers: { authorization } })
  assert.deepEqual(await hono.json(), { for: 'alice' })
  assert.equal((await guardedOnHono(protect).request('/report')).status, 401)
  assert.equal((await onHono.request('/v1/invoices', { headers: { authorization } })).status, 200)
})

test('the pattern for owners hides what is somebody else’s, and a version that ends says so', async () => {
  const rows = new Map<string, { owner: string; stored: StoredResource<Note> }>()
  const handlers = ownedNotes({
    page: ({ owner }) => [...rows.values()].filter((row) => row.owner === owner).map(({ stored }) => stored),
    find: ({ owner }, id) => (rows.get(id)?.owner === owner ? (rows.get(id)?.stored ?? null) : null),
    add({ tenant, owner }, id, text) {
      const stored = { tenant, version: 1, value: { id, text } }
      rows.set(id, { owner, stored })
      return stored
    },
  })
  const notes = collection({
    name: 'notes',
    description: 'What is written down',
    schema: Type.Object({ id: Type.String({ readOnly: true }), text: Type.String() }),
    example: { id: 'n-1', text: 'hello' },
    scopes: { read: 'notes:read', write: 'notes:write' },
    handlers,
  })
  const client = testClient(versioned(validator, notes, notes))
  const as = (sub: string) => ({ sub, scope: 'notes:read notes:write' })
  const made = await client({ method: 'POST', url: '/v1/notes', as: as('alice'), body: { text: 'hi' } })
  assert.equal(made.status, 201)
  assert.match(made.headers['link'] ?? '', /rel="successor-version"/)
  assert.ok(made.headers['deprecation'] !== undefined && made.headers['sunset'] !== undefined)
  const url = `/v2/notes/${(made.json() as unknown as Note).id}`
  assert.equal((await client({ url, as: as('alice') })).status, 200)
  assert.equal((await client({ url, as: as('bob') })).status, 404)
})
