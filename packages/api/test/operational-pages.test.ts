/** What stands around the collections: versions, CORS, metadata, problem pages, metrics, health, actions. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proofAlgorithms } from '@grantor/protocol/dpop'
import { problem, type ProblemSlug, problemTypes } from '@grantor/protocol/http'
import { ok } from '@grantor/protocol/result'
import type { Instant } from '@grantor/protocol/types'
import { metadataUrl } from '@grantor/resource/http'
import { Type } from 'typebox'
import { createApiMetrics } from '../src/metrics.ts'
import { onEveryAdapter } from './on-every-adapter.ts'
import { all, nobody, sample, start } from './sample.ts'

const day = 86_400_000
onEveryAdapter(
  'RFC 8288, RFC 9728: CORS exposes what a client must read, without credentials',
  async (adapter) => {
    const got = await adapter.send('/v1/parcels', { as: null, headers: { origin: 'https://app.example' } })
    assert.equal(got.status, 401)
    assert.equal(got.headers['access-control-allow-origin'], 'https://app.example')
    assert.equal(got.headers['access-control-allow-credentials'], undefined)
    assert.match(
      got.headers['access-control-expose-headers'] ?? '',
      /ETag, Link, Location, RateLimit, RateLimit-Policy/,
    )
    assert.match(got.headers['vary'] ?? '', /Origin/)
    const preflight = await adapter.send('/v1/parcels/a', {
      as: null,
      method: 'OPTIONS',
      headers: { origin: 'https://app.example', 'access-control-request-method': 'PATCH' },
    })
    assert.equal(preflight.status, 204)
    assert.equal(preflight.headers['access-control-allow-methods'], 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS')
    assert.match(preflight.headers['access-control-allow-headers'] ?? '', /Authorization, Content-Type/)
    for (const origin of ['https://evil.example', 'null', 'https://app.example.evil.example']) {
      const foreign = await adapter.send('/v1/parcels', { headers: { origin } })
      assert.equal(foreign.headers['access-control-allow-origin'], undefined, origin)
    }
  },
  { server: { cors: { origins: ['https://app.example'] } } },
)

onEveryAdapter('RFC 9728 §3: the metadata is where the challenge points', async (adapter) => {
  const challenge = (await adapter.send('/v1/parcels', { as: null })).headers['www-authenticate'] ?? ''
  const [, url = ''] = /resource_metadata="([^"]+)"/.exec(challenge) ?? []
  const got = await adapter.send(new URL(url).pathname, { as: null })
  assert.deepEqual(got.json, {
    resource: 'https://api.example',
    authorization_servers: ['https://issuer.example'],
    scopes_supported: ['parcels:delete', 'parcels:read', 'parcels:write'],
    bearer_methods_supported: ['header'],
    dpop_signing_alg_values_supported: [...proofAlgorithms],
    resource_name: 'Parcels',
    resource_documentation: 'https://api.example/docs',
  })
})

test('RFC 9728 §3.1: the well-known part goes between host and path', () => {
  assert.equal(metadataUrl('https://a.example'), 'https://a.example/.well-known/oauth-protected-resource')
  assert.equal(metadataUrl('https://a.example/'), 'https://a.example/.well-known/oauth-protected-resource')
  assert.equal(metadataUrl('https://a.example/x/y'), 'https://a.example/.well-known/oauth-protected-resource/x/y')
})

onEveryAdapter('RFC 9457 §3.1.1: every type of ours leads to a page, by slug and by code', async (adapter) => {
  for (const slug of Object.keys(problemTypes) as ProblemSlug[]) {
    for (const name of [slug, ...problemTypes[slug].codes]) {
      const got = await adapter.send(`/problems/${name}`, { as: null })
      assert.equal(got.status, 200, name)
      assert.equal(got.headers['content-type'], 'text/html; charset=utf-8')
    }
    assert.ok(
      (await adapter.send(`/problems/${slug}`, { as: null })).text.includes(`<h1>${problemTypes[slug].title}</h1>`),
    )
  }
})

onEveryAdapter('/metrics needs its scope, and tells by route template, not by path', async (adapter) => {
  adapter.sample.put('secret-id')
  await adapter.send('/v1/parcels/secret-id')
  await adapter.send('/v1/parcels/secret-id', { as: null })
  await adapter.send('/anything/else', { as: null })
  assert.equal((await adapter.send('/metrics', { as: null })).status, 401)
  assert.equal((await adapter.send('/metrics')).status, 401)
  const got = await adapter.send('/metrics', { as: { scope: 'metrics:read' } })
  assert.equal(got.status, 200)
  assert.match(got.text, /rs_requests_total\{method="GET",route="\/v1\/parcels\/\{id\}",status="200"\} 1\n/)
  assert.match(got.text, /rs_requests_total\{method="GET",route="none",status="404"\} 1\n/)
  assert.match(got.text, /rs_request_seconds_bucket\{le="\+Inf",route="\/v1\/parcels\/\{id\}"\} 2\n/)
  assert.doesNotMatch(got.text, /secret-id|anything/)
})

test('the metrics are the text that scrapers read', async () => {
  const metrics = createApiMetrics()
  metrics.count('rs_auth_rejections_total', { code: 'a"b\\c\nd' }, 2)
  metrics.observe('rs_request_seconds', 0.2, {})
  metrics.observe('rs_request_seconds', 99, {})
  metrics.gauge('rs_revocation_entries', {}, () => 7)
  const text = await metrics.text()
  const lines = text.split('\n')
  assert.ok(lines.includes(String.raw`rs_auth_rejections_total{code="a\"b\\c\nd"} 2`))
  assert.ok(lines.includes('# TYPE rs_request_seconds histogram'))
  assert.ok(lines.includes('rs_request_seconds_bucket{le="0.1"} 0'))
  assert.ok(lines.includes('rs_request_seconds_bucket{le="0.3"} 1'))
  assert.ok(lines.includes('rs_request_seconds_bucket{le="+Inf"} 2'))
  assert.ok(lines.includes('rs_request_seconds_count 2'))
  assert.ok(lines.includes('rs_revocation_entries 7'))
  assert.equal(text.endsWith('\n'), true)
})

onEveryAdapter('health: alive at once, ready when the validator is', async (adapter) => {
  assert.equal((await adapter.send('/health/live', { as: null })).status, 200)
  assert.equal((await adapter.send('/health/ready', { as: null })).status, 200)
})

test('an API does not start with an origin that no browser sends', () => {
  assert.throws(
    () => sample({ server: { cors: { origins: ['https://app.example/'] } } }),
    /no origin as browsers send it/,
  )
})

test('not ready is 503', async () => {
  const { api } = sample({ server: { validator: { ...nobody, ready: () => false } } })
  const body = async () => ok(new Uint8Array())
  const got = await api.handle({ method: 'GET', target: '/health/ready', headers: [], ip: null, body })
  assert.equal(got.status, 503)
})

test('RFC 9745, RFC 8594: a version that ends says so on every answer, and is 410 after its sunset', async () => {
  const deprecatedAt = (start - day) as Instant
  const { client, clock, put } = sample({
    version: { deprecatedAt, successor: 'v2', guide: 'https://docs.example/v2' },
  })
  put('a')
  const as = { scope: all }
  for (const got of [
    await client({ url: '/v1/parcels', as }),
    await client({ url: '/v1/parcels', as, headers: { accept: 'text/html' } }),
    await client({ url: '/v1/parcels' }),
    await client({ url: '/v1/parcels', method: 'OPTIONS' }),
  ]) {
    assert.equal(got.headers['deprecation'], `@${deprecatedAt / 1000}`)
    assert.equal(got.headers['sunset'], 'Sun, 14 Nov 2027 10:00:00 GMT')
    assert.match(
      got.headers['link'] ?? '',
      /<https:\/\/docs\.example\/v2>; rel="deprecation"; type="text\/html", <\/v2\/parcels>; rel="successor-version"$/,
    )
  }
  clock.now = (deprecatedAt + 366 * day) as Instant
  const gone = await client({ url: '/v1/parcels/a', as })
  assert.equal(gone.status, 410)
  assert.equal(gone.json()['code'], 'version_sunset')
  assert.equal(gone.json()['successor'], 'v2')
  assert.match(gone.headers['link'] ?? '', /<\/v2\/parcels\/a>; rel="successor-version"/)
})

onEveryAdapter(
  'an action is a POST beside the collection or its item, with its own scope and body',
  async (adapter) => {
    adapter.sample.put('a')
    const as = { scope: 'parcels:send' }
    const sent = await adapter.send('/v1/parcels/a/send', { method: 'POST', body: { by: 'bike' }, as })
    assert.equal(sent.status, 200)
    assert.deepEqual(sent.json, { id: 'a', by: 'bike' })
    assert.equal(
      (await adapter.send('/v1/parcels/none/send', { method: 'POST', body: { by: 'bike' }, as })).status,
      404,
    )
    assert.equal((await adapter.send('/v1/parcels/a/send', { method: 'POST', body: { by: 1 }, as })).status, 400)
    assert.equal((await adapter.send('/v1/parcels/a/send', { method: 'POST', body: { by: 'bike' } })).status, 401)
    assert.equal((await adapter.send('/v1/parcels/a/send', { as })).status, 405)
    assert.equal(
      (await adapter.send('/v1/parcels/count', { method: 'POST', body: {}, as: { scope: all } })).status,
      204,
    )
    assert.equal((await adapter.send('/v1/parcels/a/send', { method: 'POST', body: { by: 'ship' }, as })).status, 409)
  },
  {
    plan: {
      actions: {
        send: {
          on: 'item',
          scope: 'parcels:send',
          summary: 'Send it',
          body: Type.Object({ by: Type.String() }),
          example: { by: 'bike' },
          run: ({ by }: { by: string }, _context, entry) =>
            by === 'ship' ? problem('conflict', 'No ships.') : { id: entry?.value.id ?? '', by },
        },
        count: {
          on: 'collection',
          scope: 'parcels:read',
          summary: 'Count them',
          body: Type.Object({}),
          example: {},
          run: () => null,
        },
      },
    },
  },
)

onEveryAdapter(
  'an API below a path has everything below it, but its metadata and its problems',
  async (adapter) => {
    adapter.sample.put('a')
    const got = await adapter.send('/t/acme/v1/parcels', { method: 'POST', body: { label: 'x', weight: 1 } })
    assert.equal(got.status, 201)
    assert.match(got.headers['location'] ?? '', /^\/t\/acme\/v1\/parcels\/p\d$/)
    assert.equal((await adapter.send('/t/acme/v1/parcels')).json['self'], '/t/acme/v1/parcels')
    assert.equal((await adapter.send('/t/acme/openapi.json', { as: null })).status, 200)
    for (const url of [
      '/v1/parcels',
      '/t/acmev1/parcels',
      '/t/acme2/v1/parcels',
      '/t/other/v1/parcels',
      '/openapi.json',
    ]) {
      assert.equal((await adapter.send(url)).status, 404, url)
    }
  },
  { server: { basePath: '/t/acme' } },
)

test('a base path of another form does not start', () => {
  for (const basePath of ['t', '/t/', '//t', '/t?x']) assert.throws(() => sample({ server: { basePath } }), /basePath/)
})
