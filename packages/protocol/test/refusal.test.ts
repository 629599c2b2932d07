import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Refusal, wire } from '../src/refusal.ts'

const one: { [R in Refusal['reason']]: Extract<Refusal, { reason: R }> } = {
  parameter_missing: { reason: 'parameter_missing', name: 'token' },
  parameter_repeated: { reason: 'parameter_repeated', name: 'scope' },
  parameter_malformed: { reason: 'parameter_malformed', name: 'scope' },
  form_malformed: { reason: 'form_malformed' },
  content_type_unsupported: { reason: 'content_type_unsupported' },
  body_too_large: { reason: 'body_too_large' },
  uri_too_long: { reason: 'uri_too_long' },
  tls_required: { reason: 'tls_required' },
  method_not_allowed: { reason: 'method_not_allowed', allow: 'POST' },
  not_found: { reason: 'not_found' },
  tenant_unknown: { reason: 'tenant_unknown' },
  client_unauthenticated: { reason: 'client_unauthenticated', challenge: true },
  client_auth_ambiguous: { reason: 'client_auth_ambiguous' },
  client_auth_malformed: { reason: 'client_auth_malformed' },
  grant_type_unknown: { reason: 'grant_type_unknown' },
  grant_type_not_allowed: { reason: 'grant_type_not_allowed' },
  public_client_has_no_credentials: { reason: 'public_client_has_no_credentials' },
  scope_malformed: { reason: 'scope_malformed' },
  scope_unknown: { reason: 'scope_unknown' },
  scope_exceeds_client: { reason: 'scope_exceeds_client' },
  scope_of_another_resource: { reason: 'scope_of_another_resource' },
  resource_malformed: { reason: 'resource_malformed' },
  resource_unknown: { reason: 'resource_unknown' },
  resource_ambiguous: { reason: 'resource_ambiguous' },
  resource_not_allowed: { reason: 'resource_not_allowed' },
  token_type_unsupported: { reason: 'token_type_unsupported' },
  token_of_another_client: { reason: 'token_of_another_client' },
  unavailable: { reason: 'unavailable', retryAfter: 2 },
}

test('RFC 6749 §5.2: every description is printable ASCII without quotes or backslashes', () => {
  for (const refusal of Object.values(one)) {
    assert.match(wire(refusal).error_description, /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/, refusal.reason)
    assert.match(wire(refusal).error, /^[a-z_]+$/, refusal.reason)
  }
})

test('a refusal never answers 200: every status is an error', () => {
  for (const refusal of Object.values(one)) assert.ok(wire(refusal).status >= 400, refusal.reason)
})

const statuses: readonly (readonly [Refusal, number, string])[] = [
  [one.parameter_missing, 400, 'invalid_request'],
  [one.content_type_unsupported, 415, 'invalid_request'],
  [one.body_too_large, 413, 'invalid_request'],
  [one.method_not_allowed, 405, 'invalid_request'],
  [one.tenant_unknown, 404, 'invalid_request'],
  [one.client_unauthenticated, 401, 'invalid_client'],
  [one.client_auth_ambiguous, 400, 'invalid_request'],
  [one.client_auth_malformed, 400, 'invalid_request'],
  [one.grant_type_unknown, 400, 'unsupported_grant_type'],
  [one.grant_type_not_allowed, 400, 'unauthorized_client'],
  [one.scope_unknown, 400, 'invalid_scope'],
  [one.resource_ambiguous, 400, 'invalid_target'],
  [one.token_type_unsupported, 400, 'unsupported_token_type'],
  [one.unavailable, 503, 'temporarily_unavailable'],
]
for (const [refusal, status, error] of statuses)
  test(`${refusal.reason} is answered ${status} ${error}`, () => {
    assert.equal(wire(refusal).status, status)
    assert.equal(wire(refusal).error, error)
  })

test('RFC 6749 §5.2: WWW-Authenticate names Basic only when the client used the Authorization header', () => {
  assert.equal(
    wire({ reason: 'client_unauthenticated', challenge: true }).headers?.['WWW-Authenticate'],
    'Basic realm="token endpoint", charset="UTF-8"',
  )
  assert.equal(wire({ reason: 'client_unauthenticated', challenge: false }).headers, undefined)
})

test('RFC 9110 §15.5.6: 405 carries Allow; RFC 9110 §10.2.3: 503 carries whole seconds in Retry-After', () => {
  assert.deepEqual(wire({ reason: 'method_not_allowed', allow: 'GET, POST' }).headers, { Allow: 'GET, POST' })
  assert.deepEqual(wire({ reason: 'unavailable', retryAfter: 1.2 }).headers, { 'Retry-After': '2' })
  assert.deepEqual(wire({ reason: 'unavailable', retryAfter: 0 }).headers, { 'Retry-After': '1' })
})

test('a parameter name out of the request is reflected only if it looks like a registered one', () => {
  assert.match(wire(one.parameter_repeated).error_description, /^The parameter scope /)
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      const text = wire({ reason: 'parameter_repeated', name }).error_description
      assert.match(text, /^(A parameter|The parameter [a-z][a-z_]{0,39}) must not be sent more than once\.$/)
    }),
  )
})
