/** Fetch §3.3: which pages may read answers, what they may send and read, and what caches are told. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RequestHeaders } from '../../src/http/request.ts'
import {
  checkedCors,
  corsHeaders,
  type CorsPlan,
  isPreflight,
  mcpCors,
  originProblem,
  preflight,
} from '../../src/protect/cors.ts'

const headersOf = (given: Record<string, string>): RequestHeaders => ({
  get: (name) => given[name] ?? null,
  lines: (name) => (given[name] === undefined ? [] : [given[name]]),
})
const [ours, others] = ['https://app.example', 'https://evil.example']
const from = (origin: string) => headersOf({ origin })
const some: CorsPlan = { origins: [ours], requestHeaders: ['X-Mine'], responseHeaders: ['X-Told'] }
const lines = (text: string | undefined) => text?.split(', ') ?? []

test('named origins are answered by name, others not, and caches hear that it depends', () => {
  const { vary, 'access-control-allow-origin': allowed, ...rest } = corsHeaders(some, from(ours))
  assert.deepEqual([vary, allowed, Object.keys(rest)], ['Origin', ours, ['access-control-expose-headers']])
  for (const headers of [from(others), from(`${ours}.evil.example`), from('null'), headersOf({})])
    assert.deepEqual(corsHeaders(some, headers), { vary: 'Origin' })
  assert.deepEqual(corsHeaders({ origins: [] }, from(ours)), {})
  const any = corsHeaders({ origins: '*' }, from(others))
  assert.deepEqual([any['access-control-allow-origin'], any['vary']], ['*', undefined])
  assert.equal('access-control-allow-credentials' in any, false)
})

test('pages may read what the conventions answer with, and what a plan adds', () => {
  const conventional = [
    'ETag',
    'Link',
    'Location',
    'RateLimit',
    'RateLimit-Policy',
    'Retry-After',
    'DPoP-Nonce',
    'Deprecation',
    'Sunset',
    'WWW-Authenticate',
    'Idempotency-Replayed',
    'Preference-Applied',
    'X-Request-Id',
  ]
  const readable = (plan: CorsPlan) => lines(corsHeaders(plan, from(ours))['access-control-expose-headers'])
  assert.deepEqual(readable({ origins: '*' }), conventional)
  assert.deepEqual(readable(some), [...conventional, 'X-Told'])
})

test('a preflight names the methods and what pages may send, to whom it is allowed', () => {
  assert.equal(isPreflight('OPTIONS', headersOf({ origin: ours, 'access-control-request-method': 'PUT' })), true)
  assert.equal(isPreflight('GET', headersOf({ origin: ours, 'access-control-request-method': 'PUT' })), false)
  assert.equal(isPreflight('OPTIONS', headersOf({ 'access-control-request-method': 'PUT' })), false)
  assert.equal(isPreflight('OPTIONS', from(ours)), false)
  const answered = (plan: CorsPlan, headers: RequestHeaders) => {
    const { status, headers: told } = preflight(plan, headers, 'GET, PUT')
    assert.equal(status, 204)
    return told
  }
  assert.deepEqual(answered(some, from(others)), { allow: 'GET, PUT' })
  const told = answered(some, from(ours))
  assert.deepEqual(
    [told['allow'], told['access-control-allow-methods'], told['access-control-max-age']],
    ['GET, PUT', 'GET, PUT', '600'],
  )
  const sendable = [
    'Authorization',
    'Content-Type',
    'DPoP',
    'Idempotency-Key',
    'If-Match',
    'If-Modified-Since',
    'If-None-Match',
    'If-Unmodified-Since',
    'Prefer',
  ]
  assert.deepEqual(lines(String(told['access-control-allow-headers'])), [...sendable, 'X-Mine'])
  const mcp = lines(String(answered(mcpCors, from(others))['access-control-allow-headers']))
  for (const name of ['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name', 'Mcp-Session-Id', 'Last-Event-ID'])
    assert.ok(mcp.includes(name), name)
  const readable = lines(corsHeaders(mcpCors, from(others))['access-control-expose-headers'])
  for (const name of ['MCP-Protocol-Version', 'Mcp-Session-Id']) assert.ok(readable.includes(name), name)
})

test('RFC 6454 §6.2: an origin that no browser sends does not start, and says how it is sent', () => {
  for (const [text, sent] of [
    ['https://app.example/', 'https://app.example'],
    ['https://app.example/path?x', 'https://app.example'],
    ['https://APP.example', 'https://app.example'],
    ['https://app.example:443', 'https://app.example'],
    ['http://app.example:80', 'http://app.example'],
    ['https://user@app.example', 'https://app.example'],
  ])
    assert.equal(originProblem(text ?? ''), `${text} is no origin as browsers send it: ${sent}`)
  for (const text of ['', '*', 'app.example', 'app.example:8080', 'https://', 'ionic://localhost/'])
    assert.equal(originProblem(text), `${text} is no origin as browsers send it`)
  const good = ['https://app.example', 'http://localhost:5173', 'http://[::1]:8080', 'null', 'ionic://localhost']
  assert.deepEqual(good.map(originProblem), [null, null, null, null, null])
  assert.throws(() => checkedCors({ origins: ['https://app.example/'] }), /cors: .* https:\/\/app\.example$/)
  for (const plan of [{ origins: good }, { origins: '*' } as const]) assert.equal(checkedCors(plan), plan)
})
