/** Routes from the OpenAPI document of an API, end to end: what the document says is what passes. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startHarness } from './harness.ts'

const oauth = (...scopes: readonly string[]) => ({ security: [{ oauth: scopes }] })

const document = {
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1' },
  servers: [{ url: 'https://api.example/v1' }],
  security: [{ oauth: ['orders:read'] }],
  components: { securitySchemes: { oauth: { type: 'oauth2', flows: {} } } },
  paths: {
    '/orders': { get: {}, post: { ...oauth('orders:write') } },
    '/orders/{id}': { get: {}, delete: { security: [{ oauth: ['orders:write'] }, { oauth: ['admin'] }] } },
    '/orders/latest': { get: oauth('orders:latest') },
    '/status': { get: { security: [] } },
    '/files/{name}.pdf': { get: { security: [] } },
    '/drafts/{name}': { get: {} },
    '/drafts/{name}.pdf': { get: { security: [] } },
  },
}

function documentFile(stack: DisposableStack, value: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'grantor-gateway-'))
  stack.defer(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'openapi.json')
  writeFileSync(file, JSON.stringify(value))
  return file
}

test('what an OpenAPI document describes passes with its scopes, through the proxy and by forward-auth; all else is 403', async () => {
  using stack = new DisposableStack()
  await using it = await startHarness({ file: { routes: [], openapi: documentFile(stack, document) } })
  const tokens = {
    none: null,
    read: it.mint({ scope: 'orders:read' }),
    write: it.mint({ scope: 'orders:write' }),
    admin: it.mint({ scope: 'admin' }),
  }
  for (const [method, path, who, status] of [
    ['GET', '/v1/orders', 'read', 200],
    ['HEAD', '/v1/orders', 'read', 200],
    ['GET', '/v1/orders?limit=1', 'read', 200],
    ['GET', '/v1/orders', 'write', 401],
    ['GET', '/v1/orders', 'none', 401],
    ['POST', '/v1/orders', 'write', 200],
    ['POST', '/v1/orders', 'read', 401],
    ['GET', '/v1/orders/7', 'read', 200],
    ['GET', '/v1/orders/latest', 'read', 401],
    ['GET', '/v1/orders/7/lines', 'read', 403],
    ['DELETE', '/v1/orders/7', 'write', 200],
    ['DELETE', '/v1/orders/7', 'admin', 200],
    ['DELETE', '/v1/orders/7', 'read', 401],
    ['PUT', '/v1/orders/7', 'write', 403],
    ['GET', '/v1/status', 'none', 200],
    ['POST', '/v1/status', 'write', 403],
    ['GET', '/v1/files/a.pdf', 'none', 200],
    ['GET', '/v1/files/secret', 'none', 403],
    ['GET', '/v1/files/.pdf', 'none', 403],
    ['GET', '/v1/files/a.pdf.key', 'none', 403],
    ['GET', '/v1/drafts/a.pdf', 'none', 200],
    ['GET', '/v1/drafts/a', 'none', 401],
    ['GET', '/orders', 'read', 403],
    ['GET', '/', 'admin', 403],
  ] as const) {
    const token = tokens[who] === null ? {} : { token: tokens[who] }
    const asked = { 'x-original-method': method, 'x-original-uri': path }
    const what = `${method} ${path} with ${who}`
    assert.equal((await it.ask(path, { method, ...token })).status, status, what)
    assert.equal((await it.ask('/forward-auth', { ...token, headers: asked })).status, status, `${what}, asked about`)
  }
  const { body } = await it.ask('/.well-known/oauth-protected-resource')
  const { scopes_supported: scopes } = JSON.parse(body) as { readonly scopes_supported: readonly string[] }
  assert.deepEqual([...scopes].sort(), ['admin', 'orders:latest', 'orders:read', 'orders:write'])
})

const twice = { ...document, servers: [], paths: { '/v1/{y}': { get: {} } } }

test('a changed document takes over with a new reading; one that contradicts the listed routes is refused by its field', async () => {
  using stack = new DisposableStack()
  await using it = await startHarness({ file: { routes: [], openapi: documentFile(stack, document) } })
  const token = it.mint()
  assert.equal((await it.ask('/v1/orders', { token })).status, 200)
  const changed = { ...document, paths: { '/orders': { get: oauth('orders:all') } } }
  const openapi = documentFile(stack, changed)
  assert.equal((await it.gateway.reload(await it.config({ routes: [], openapi }))).kind, 'ok')
  assert.equal((await it.ask('/v1/orders', { token })).status, 401)
  assert.equal((await it.ask('/v1/status')).status, 403)
  // What the document says of a whole path is more specific than a prefix of the file.
  const routes = [{ path: '/v1/orders', scopes: [] }]
  assert.equal((await it.gateway.reload(await it.config({ routes, openapi }))).kind, 'ok')
  assert.deepEqual(
    [(await it.ask('/v1/orders', { token })).status, (await it.ask('/v1/orders/7', { token })).status],
    [401, 200],
  )
  await assert.rejects(
    it.config({ routes: [{ path: '/v1/{x}', scopes: [] }], openapi: documentFile(stack, twice) }),
    /"field":"openapi"/,
  )
})
