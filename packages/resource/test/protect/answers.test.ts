/** What is answered where a token is not accepted: each refusal's status, type, headers and words, and what is published. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Instant } from '@grantor/protocol/types'
import { insufficientScope, rejectionProblem, scopeProblem } from '../../src/protect/challenge.ts'
import { corsHeaders, isPreflight, mcpCors, preflight } from '../../src/protect/cors.ts'
import { metadataPath, metadataPaths, metadataUrl, resourceMetadata } from '../../src/protect/resource-metadata.ts'
import type { Caller } from '../../src/validate/caller.ts'
import { pathLabels } from '../../src/validate/finding.ts'
import {
  expired,
  nonceWanted,
  outage,
  proofInvalid,
  type Rejection,
  rejection,
  rejectionKinds,
  type RejectionCode,
  tooManyWrongTokens,
} from '../../src/validate/rejections.ts'

const challenge = {
  realm: 'orders',
  resourceMetadata: 'https://api.example/.well-known/oauth-protected-resource',
  insufficientScopeStatus: 401,
} as const

/** Code, status and the error of the challenge: what clients are written against. */
const promised: Readonly<Record<RejectionCode, readonly [status: number, error: string | null]>> = {
  token_missing: [401, null],
  token_malformed: [401, 'invalid_token'],
  token_expired: [401, 'invalid_token'],
  token_not_yet_valid: [401, 'invalid_token'],
  signature_invalid: [401, 'invalid_token'],
  unknown_signing_key: [401, 'invalid_token'],
  issuer_untrusted: [401, 'invalid_token'],
  audience_mismatch: [401, 'invalid_token'],
  tenant_mismatch: [401, 'invalid_token'],
  token_type_invalid: [401, 'invalid_token'],
  invalid_token: [401, 'invalid_token'],
  token_revoked: [401, 'invalid_token'],
  proof_required: [401, 'invalid_token'],
  proof_invalid: [401, 'invalid_dpop_proof'],
  proof_nonce_required: [401, 'use_dpop_nonce'],
  certificate_required: [401, 'invalid_token'],
  certificate_mismatch: [401, 'invalid_token'],
  certificate_expired: [401, 'invalid_token'],
  api_key_not_accepted: [401, 'invalid_token'],
  address_not_allowed: [401, 'invalid_token'],
  too_many_wrong_keys: [429, null],
  insufficient_scope: [401, 'insufficient_scope'],
  invalid_request: [400, 'invalid_request'],
  header_repeated: [400, 'invalid_request'],
  client_certificate_unreadable: [400, 'invalid_request'],
  keys_unavailable: [503, null],
  revocation_state_stale: [503, null],
  proof_state_unavailable: [503, null],
  introspection_unavailable: [503, null],
}

function refusalOf(code: RejectionCode): Rejection {
  const { status } = rejectionKinds[code]
  if (status === 503) return outage(code as 'keys_unavailable', 7)
  if (status === 429) return tooManyWrongTokens(7)
  if (code === 'token_expired') return expired(null)
  if (code === 'proof_invalid') return proofInvalid('method')
  return code === 'proof_nonce_required' ? nonceWanted('a-nonce') : rejection(code as 'token_missing')
}

for (const [code, [status, error]] of Object.entries(promised) as [RejectionCode, readonly [number, string | null]][])
  test(`RFC 6750 §3.1: ${code} is ${status} with ${error ?? 'no error'}`, () => {
    const refused = refusalOf(code)
    assert.equal(refused.code, code)
    assert.equal(refused.status, status)
    const answer = rejectionProblem(refused, challenge)
    assert.equal(answer.status, status)
    assert.equal(answer.code, code)
    const { description } = rejectionKinds[code]
    assert.ok(answer.detail.startsWith(description) && answer.detail.endsWith('.'), answer.detail)
    if (status === 503 || status === 429) {
      assert.deepEqual(answer.headers, { 'retry-after': '7' })
      assert.equal(answer.slug, status === 429 ? 'quota-exceeded' : 'authorization-state-unavailable')
      return
    }
    const header = answer.headers?.['www-authenticate'] ?? ''
    const [stated = null] = /error="([^"]+)"/.exec(header)?.slice(1) ?? []
    assert.equal(stated, error)
    assert.ok(header.includes('realm="orders"'), header)
    assert.ok(header.includes(`resource_metadata="${challenge.resourceMetadata}"`), header)
    assert.equal(header.includes('error_description='), error !== null && error !== 'insufficient_scope')
    const isDpop = ['proof_invalid', 'proof_nonce_required', 'proof_required'].includes(code)
    assert.equal(header.startsWith(isDpop ? 'DPoP ' : 'Bearer '), true, header)
    assert.equal(answer.headers?.['dpop-nonce'], code === 'proof_nonce_required' ? 'a-nonce' : undefined)
    const type = code === 'token_missing' ? 'unauthenticated' : status === 400 ? 'invalid-request' : 'invalid-token'
    assert.equal(answer.slug, type)
    const errors = [{ header: 'authorization', code: 'invalid', detail: `${description}.` }]
    assert.deepEqual(answer.errors ?? null, status === 400 ? errors : null)
  })

test('RFC 9449 §7.1: whoever came with DPoP is answered with DPoP and the algorithms of proofs', () => {
  const header = rejectionProblem(rejection('token_revoked'), challenge, 'dpop').headers?.['www-authenticate'] ?? ''
  assert.ok(header.startsWith('DPoP '), header)
  assert.match(header, /algs="[A-Z0-9a-z ]*ES256/)
  const missing = rejectionProblem(rejection('token_missing'), { ...challenge, scope: ['a', 'b'] })
  assert.match(missing.headers?.['www-authenticate'] ?? '', /scope="a b"/)
})

test('when a token expired is told where it is known, and what is wrong with a proof', () => {
  const at = Date.parse('2030-01-01T00:00:00Z') as Instant
  assert.deepEqual(rejectionProblem(expired(at), challenge).members, { expired_at: '2030-01-01T00:00:00.000Z' })
  assert.deepEqual(rejectionProblem(expired(null), challenge).members, {})
  assert.match(rejectionProblem(proofInvalid('age'), challenge).detail, /: iat is too far from the time here\.$/)
  assert.equal(insufficientScope.code, 'insufficient_scope')
})

test('a lack of scope is told with what is needed and what there is, in order, at the status that was chosen', () => {
  const caller = { scope: new Set(['b', 'a']), claims: {} } as unknown as Caller
  const lacking = scopeProblem({ all: ['x', 'y'] }, caller, challenge)
  assert.deepEqual([lacking.status, lacking.slug], [401, 'insufficient-scope'])
  assert.deepEqual(lacking.members, { required_scope: ['x', 'y'], granted_scope: ['a', 'b'] })
  assert.match(lacking.headers?.['www-authenticate'] ?? '', /error="insufficient_scope".*scope="x y"/)
  assert.equal(scopeProblem('x', caller, { ...challenge, insufficientScopeStatus: 403 }).status, 403)
  const bound = { ...caller, claims: { cnf: { jkt: 'k' } } }
  assert.match(
    String(scopeProblem('x', bound, challenge).headers?.['www-authenticate']),
    /^DPoP realm="orders", error="insufficient_scope", scope="x", .*algs="/,
    'RFC 9449 §7.1',
  )
  const detail = scopeProblem({ details: 'payment' }, caller, challenge)
  assert.deepEqual(detail.members, { required_authorization_details_type: 'payment', granted_scope: ['a', 'b'] })
})

test('RFC 9728 §2, §3.1: the metadata of a resource and its places', () => {
  const facts = { resource: 'https://api.example/v1/', name: 'Orders', issuers: ['https://as.example'], scopes: ['a'] }
  const { dpop_signing_alg_values_supported: algs, ...least } = resourceMetadata(facts)
  assert.deepEqual(least, {
    resource: 'https://api.example/v1/',
    authorization_servers: ['https://as.example'],
    scopes_supported: ['a'],
    bearer_methods_supported: ['header'],
    resource_name: 'Orders',
  })
  assert.ok((algs as readonly string[]).includes('ES256'))
  const more = resourceMetadata({ ...facts, detailTypes: ['t'], documentation: 'https://docs.example' })
  assert.deepEqual(more['authorization_details_types_supported'], ['t'])
  assert.equal(more['resource_documentation'], 'https://docs.example')
  const known = '/.well-known/oauth-protected-resource'
  assert.equal(metadataPath('https://api.example'), known)
  assert.equal(metadataPath('https://api.example/v1/'), `${known}/v1`)
  assert.deepEqual([...metadataPaths('https://api.example/v1')], [`${known}/v1`, known])
  assert.equal(metadataUrl('https://api.example/v1'), `https://api.example${known}/v1`)
})

const headersOf = (lines: Readonly<Record<string, string>>) => ({
  get: (name: string) => lines[name] ?? null,
  lines: (name: string) => (lines[name] === undefined ? [] : [lines[name]]),
})
const readable =
  'ETag, Link, Location, RateLimit, RateLimit-Policy, Retry-After, DPoP-Nonce, Deprecation, Sunset, WWW-Authenticate, Idempotency-Replayed, Preference-Applied, X-Request-Id'
const sendable =
  'Authorization, Content-Type, DPoP, Idempotency-Key, If-Match, If-Modified-Since, If-None-Match, If-Unmodified-Since, Prefer'

test('Fetch §3.3: which pages may read an answer, and which headers of it', () => {
  const asking = headersOf({ origin: 'https://app.example' })
  const all = { 'access-control-allow-origin': '*', 'access-control-expose-headers': readable }
  assert.deepEqual(corsHeaders({ origins: '*' }, headersOf({})), all)
  assert.deepEqual(corsHeaders({ origins: [] }, asking), {})
  assert.deepEqual(corsHeaders({ origins: ['https://app.example'] }, asking), {
    ...all,
    vary: 'Origin',
    'access-control-allow-origin': 'https://app.example',
  })
  for (const headers of [headersOf({}), headersOf({ origin: 'https://evil.example' })])
    assert.deepEqual(corsHeaders({ origins: ['https://app.example'] }, headers), { vary: 'Origin' })
  assert.equal(
    corsHeaders(mcpCors, asking)['access-control-expose-headers'],
    `${readable}, MCP-Protocol-Version, Mcp-Session-Id`,
  )
})

test('Fetch §4.8: a preflight is one by all three signs, and tells methods and headers to those who may ask', () => {
  const asking = { origin: 'https://app.example', 'access-control-request-method': 'PUT' }
  assert.equal(isPreflight('OPTIONS', headersOf(asking)), true)
  assert.equal(isPreflight('GET', headersOf(asking)), false)
  for (const name of Object.keys(asking))
    assert.equal(isPreflight('OPTIONS', headersOf({ ...asking, [name]: undefined })), false, name)
  const told = preflight({ origins: '*', requestHeaders: ['X-One'] }, headersOf(asking), 'GET, PUT')
  assert.equal(told.status, 204)
  assert.deepEqual(told.headers, {
    allow: 'GET, PUT',
    'access-control-allow-methods': 'GET, PUT',
    'access-control-allow-headers': `${sendable}, X-One`,
    'access-control-max-age': '600',
  })
  assert.deepEqual(preflight({ origins: [] }, headersOf(asking), 'GET').headers, { allow: 'GET' })
  assert.deepEqual(mcpCors.requestHeaders, [
    'MCP-Protocol-Version',
    'Mcp-Method',
    'Mcp-Name',
    'Mcp-Session-Id',
    'Last-Event-ID',
  ])
})

test('how a token that was not known was judged is measured by these names', () => {
  assert.deepEqual(
    Object.values(pathLabels).map(({ path }) => path),
    ['local', 'introspect', 'status_list'],
  )
})
