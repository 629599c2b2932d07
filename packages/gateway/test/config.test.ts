/** The file of a gateway, its routes, and those of an OpenAPI document. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Json } from '@grantor/protocol/types'
import { readOpenApiRoutes } from '../src/config/openapi-routes.ts'
import { readGatewayPlan } from '../src/index.ts'
import { readTarget } from '../src/routing/request-target.ts'
import { createRouteTable, type Route } from '../src/routing/routes.ts'
import { coversSegment, segmentPattern } from '../src/routing/segment-pattern.ts'
import { audience, issuer } from './harness.ts'

const file = (more: Readonly<Record<string, Json>>): Json => ({
  issuer,
  audience,
  routes: [{ path: '/', scopes: [] }],
  ...more,
})

test('a whole file is read, and what it leaves out has a meaning', () => {
  const read = readGatewayPlan(file({ client: { id: 'x', secret: 'y' } }))
  assert.equal(read.kind, 'ok')
  assert.ok(read.kind === 'ok')
  assert.deepEqual(
    [read.value.host, read.value.tls, read.value.upstream, read.value.tenants],
    ['127.0.0.1', null, null, false],
  )
  assert.deepEqual([read.value.limits.body, read.value.insufficientScopeStatus], [10_485_760, 401])
  assert.deepEqual(read.value.client, { id: 'x', secret: 'y', secretFile: null })
})

const client = { client_id: 'x', client_secret: 'y' }

for (const [more, field] of [
  [{ rutes: [] }, 'rutes'],
  [{ audience: 'api' }, 'audience'],
  [{ issuer: 'https://id.example.com/t/acme/' }, 'issuer'],
  [{ issuer: 'https://:secret@id.example.com' }, 'issuer'],
  [{ policy: { url: 'https://pdp.example.com:8181' } }, 'policy.url'],
  [{ policy: { url: 'https://pdp.example.com/' } }, 'policy.url'],
  [{ upstream: 'http://a/b' }, 'upstream'],
  [{ upstream: 'ftp://a' }, 'upstream'],
  [{ host: '0.0.0.0' }, 'host'],
  [{ client: { client_id: 'x' } }, 'client'],
  [{ exchange: { audience: 'https://b' } }, 'exchange'],
  [{ authorization: 'introspection' }, 'authorization'],
  [{ routes: [{ path: 'x', scopes: [] }] }, 'routes[0].path'],
  [{ routes: [{ path: '/a/../b', scopes: [] }] }, 'routes[0].path'],
  [{ routes: [{ path: '/a/*', scopes: [] }] }, 'routes[0].path'],
  [{ routes: [{ path: '/a/{id', scopes: [] }] }, 'routes[0].path'],
  [{ routes: [{ path: '/a/{}', scopes: [] }] }, 'routes[0].path'],
  [{ routes: [{ path: '/a/{id;x}', scopes: [] }] }, 'routes[0].path'],
  [{ routes: [{ path: '/a/{id}/\ud800', scopes: [] }] }, 'routes[0].path'],
  [{ routes: [{ path: '/a/{id}?x', scopes: [] }] }, 'routes[0].path'],
  [{ routes: [{ path: '/a', scopes: ['a b'] }] }, 'routes[0].scopes'],
  [{ routes: [{ path: '/a', public: true, scopes: [] }] }, 'routes[0].scopes'],
  [{ routes: [{ path: '/a', methods: ['G T'], scopes: [] }] }, 'routes[0].methods'],
  [{ routes: [{ path: '/a', scopes: [], on_stale: 'ignore' }] }, 'routes[0].on_stale'],
  [{ routes: [{ path: '/a', public: true, on_stale: 'refuse' }] }, 'routes[0].on_stale'],
  [{ client, routes: [{ path: '/a', scopes: [], on_stale: 'serve' }] }, 'serve_stale_for'],
  [{ client, serve_stale_for: 86_401 }, 'serve_stale_for'],
  [{ serve_stale_for: 600 }, 'client'],
  [{ routes: [{ path: '/a', scopes: [], on_stale: 'introspect' }] }, 'client'],
  [{ limits: { body: -1 } }, 'limits.body'],
  [{ cors: { origins: ['https://app.example/'] } }, 'cors.origins'],
  [{ quota: { requests: 'many' } }, 'quota.requests'],
  [{ mcp: {} }, 'mcp'],
  [{ upstream: 'http://a', mcp: { path: 'mcp' } }, 'mcp.path'],
  [{ upstream: 'http://a', mcp: { path: '/{tenant}/mcp' } }, 'mcp.path'],
  [{ tls: { cert: 'x' } }, 'tls.key'],
  [{ api_keys: true }, 'api_keys'],
  [{ feed: { relay: true } }, 'feed'],
  [{ client, feed: { relay: 'yes' } }, 'feed.relay'],
  [{ client, feed: { address: 'http://relay.example' } }, 'feed.address'],
  [{ client, feed: { address: 'https://relay.example/' } }, 'feed.address'],
  [{ client, feed: { from: 'https://relay.example' } }, 'feed.from'],
  [{ metrics_scope: 'two scopes' }, 'metrics_scope'],
  [{ trust_proxy: ['everyone'] }, 'trust_proxy'],
  [{ trust_proxy: ['0.0.0.0/0'] }, 'trust_proxy'],
  [{ client_cert_header: { name: 'X-C', proxies: [] } }, 'client_cert_header'],
] as const) {
  test(`a file is refused for ${field}: ${JSON.stringify(more)}`, () => {
    const read = readGatewayPlan(file(more))
    assert.deepEqual(read.kind === 'error' ? read.error.map((problem) => problem.field) : [], [field])
  })
}

test('whatever a file holds, it is read or refused, and never thrown at', () => {
  fc.assert(fc.property(fc.json(), (text) => ['ok', 'error'].includes(readGatewayPlan(JSON.parse(text) as Json).kind)))
})

const route = (path: string, more: Partial<Route> = {}): Route => ({
  path,
  kind: 'prefix',
  methods: null,
  need: [[]],
  ...more,
})

function tableOf(...routes: readonly Route[]) {
  const table = createRouteTable(routes)
  assert.ok(table.kind === 'ok')
  return table.value
}

test('the longest path decides, letters before parameters, and another method of it leads nowhere', () => {
  const table = tableOf(
    route('/'),
    route('/a', { methods: new Set(['GET']) }),
    route('/a/{id}', { kind: 'template' }),
    route('/a/b', { methods: new Set(['GET']) }),
  )
  const found = (method: string, path: string) => table.find(method, path)?.path ?? null
  assert.equal(found('GET', '/x/y'), '/')
  assert.equal(found('GET', '/a'), '/a')
  assert.equal(found('HEAD', '/A/'), '/a')
  assert.equal(found('POST', '/a'), null)
  assert.equal(found('GET', '/a/7'), '/a/{id}')
  assert.equal(found('GET', '/a/7/x'), '/a')
  assert.equal(found('GET', '/a/b/c'), '/a/b')
  assert.equal(found('POST', '/a/b'), null)
})

test('a path of the file holds for what it says, in whatever letters it is written', () => {
  for (const [written, path] of [
    ['/aufträge/{id}', '/auftr%C3%A4ge/7'],
    ['/AUFTR%c3%a4GE/{id}', '/auftr%C3%A4ge/7'],
    ['/my orders/{id}', '/my%20orders/7'],
    ['/my%20orders/{id}', '/my%20orders/7'],
    ['/%61/{id}', '/a/7'],
    ['/a/{größe} m.csv', '/a/7%20m.csv'],
    ['/100%25/{id}', '/100%25/7'],
    ['/a%7Bb/{id}', '/a%7Bb/7'],
    ['/straße', '/stra%C3%9Fe/7'],
  ] as const) {
    const read = readGatewayPlan(
      file({
        routes: [
          { path: '/', public: true },
          { path: written, scopes: [] },
        ],
      }),
    )
    assert.ok(read.kind === 'ok', written)
    const target = readTarget(path)
    assert.ok(target.kind === 'ok')
    assert.deepEqual(tableOf(...read.value.routes).find('GET', target.value.path)?.need, [[]], written)
  }
})

test('the address of an MCP server is compared as requests are, wherever it is named', () => {
  for (const more of [{ mcp: { path: '/%6dcp/ü' } }, { audience: 'https://api.example/%6dcp/ü', mcp: {} }]) {
    const read = readGatewayPlan(file({ upstream: 'http://a', ...more }))
    assert.equal(read.kind === 'ok' && read.value.mcp?.path, '/mcp/%c3%bc')
  }
})

test('parameters within a segment cover what a regular expression would, however often a letter comes', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '-', '.'), maxLength: 3 })
  const around = fc.array(text, { minLength: 2, maxLength: 5 })
  const segment = fc.string({ unit: fc.constantFrom('a', 'b', '-', '.'), maxLength: 12 })
  fc.assert(
    fc.property(around, segment, (texts, segment) => {
      const expected = new RegExp(`^${texts.map((one) => one.replaceAll(/\W/g, String.raw`\$&`)).join('.+')}$`).test(
        segment,
      )
      assert.equal(coversSegment(segmentPattern(texts.join('{x}')), segment), expected)
    }),
    { numRuns: 5000 },
  )
  const table = tableOf(route('/reports/{year}-{month}-{day}.csv', { kind: 'template' }))
  assert.equal(table.find('GET', `/reports/${'-'.repeat(8100)}`), null)
  assert.notEqual(table.find('GET', '/reports/2026-10-31.csv'), null)
})

test('two routes for one path and method, also by another case, are refused', () => {
  assert.equal(createRouteTable([route('/a'), route('/A/')]).kind, 'error')
  assert.equal(
    createRouteTable([route('/a', { methods: new Set(['GET']) }), route('/a', { methods: new Set(['PUT']) })]).kind,
    'ok',
  )
})

test('a target is refused, or is its own normal form; what is sent on never climbs', () => {
  const piece = fc.constantFrom(
    '/',
    '.',
    '..',
    '%2e',
    '%2F',
    '%5c',
    ';',
    'a',
    'A',
    '%41',
    '%',
    '%25',
    '%32',
    '%66',
    '2e',
    '\\',
    '?',
    '#',
    ' ',
    'é',
    '%C3%A9',
    '~',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const read = readTarget(`/${pieces.join('')}`)
      if (read.kind === 'error') return
      const { path, query } = read.value
      assert.deepEqual(readTarget(path + query), read)
      assert.equal(new URL(path, 'http://a').pathname, path)
      assert.ok(!/\/\/|%(?:25)*(?:2f|5c)|%25(?:25)*2e/i.test(path))
    }),
    { numRuns: 2000 },
  )
})

const document = (paths: Json, more: Readonly<Record<string, Json>> = {}): Json => ({
  openapi: '3.1.0',
  paths,
  components: {
    securitySchemes: { oauth: { type: 'oauth2' }, token: { type: 'http', scheme: 'bearer' }, key: { type: 'apiKey' } },
  },
  ...more,
})

test('OpenAPI 3.1 §4.8.30: the security of an operation stands before that of the document, one alternative suffices, an empty one lets all in', () => {
  const read = readOpenApiRoutes(
    document(
      {
        '/orders': { get: {}, post: { security: [{ oauth: ['write', 'pay'] }, { token: ['admin'] }] } },
        '/orders/{id}': { get: { security: [{ key: [] }, { oauth: ['read'] }] } },
        '/open': { get: { security: [] }, head: { security: [{}] } },
      },
      { security: [{ oauth: ['read'] }], servers: [{ url: 'https://api.example/v1' }] },
    ),
  )
  assert.ok(read.kind === 'ok')
  assert.deepEqual(
    read.value.map(({ path, methods, need }) => [[...(methods ?? [])].join(), path, need]),
    [
      ['GET', '/v1/orders', [['read']]],
      ['POST', '/v1/orders', [['write', 'pay'], ['admin']]],
      ['GET', '/v1/orders/{id}', [['read']]],
      ['GET', '/v1/open', null],
      ['HEAD', '/v1/open', null],
    ],
  )
})

test('the paths of an OpenAPI document are normalised like those of the file; a variable of the host is none of theirs', () => {
  const servers = [{ url: 'https://{region}.example:{port}/größe' }]
  const read = readOpenApiRoutes(document({ '/aufträge/{id}': { get: {} }, 'x-groups': { get: {} } }, { servers }))
  assert.deepEqual(read.kind === 'ok' && read.value.map(({ path }) => path), ['/gr%C3%B6%C3%9Fe/auftr%C3%A4ge/{id}'])
})

for (const [why, value] of [
  ['no document', []],
  ['another version', { swagger: '2.0', paths: {} }],
  ['a key that no token answers for', document({ '/a': { get: { security: [{ key: [] }] } } })],
  ['a scheme that is not there', document({ '/a': { get: { security: [{ other: [] }] } } })],
  ['security that is no list', document({ '/a': { get: { security: 'oauth' } } })],
  ['servers with different paths', document({}, { servers: [{ url: '/a' }, { url: '/b' }] })],
  ['servers with a variable in their path', document({}, { servers: [{ url: 'https://api.example/{version}' }] })],
  ['a server that is no address', document({}, { servers: [{ url: 'https://a b/v1' }] })],
  ['a path that no request has', document({ '/a//b': { get: {} } })],
  ['a path with a query', document({ '/a?x={x}': { get: {} } })],
  ['a path with half a parameter', document({ '/a/{id': { get: {} } })],
  ['a path elsewhere', document({ '/a': { $ref: 'other.json' } })],
] as const) {
  test(`an OpenAPI document is refused for ${why}`, () => {
    assert.equal(readOpenApiRoutes(value).kind, 'error')
  })
}
