/** The catalogue of problem types is a promise: clients are written against its statuses and codes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ProblemType, problemTypeOf, problemTypes } from '../../src/http/problem-types.ts'

const promised = `
  400 invalid-request invalid_request malformed_json header_repeated client_certificate_unreadable length_mismatch token_malformed
  400 validation-error validation_error unknown_parameter invalid_parameter
  400 invalid-cursor invalid_cursor cursor_expired cursor_mismatch
  400 idempotency-key-missing idempotency_key_missing
  400 idempotency-key-malformed idempotency_key_malformed
  401 unauthenticated token_missing
  401 invalid-token invalid_token token_malformed token_expired token_not_yet_valid signature_invalid unknown_signing_key issuer_untrusted audience_mismatch tenant_mismatch token_type_invalid token_revoked proof_required proof_invalid proof_nonce_required certificate_required certificate_mismatch certificate_expired api_key_not_accepted address_not_allowed
  401 insufficient-scope insufficient_scope
  403 forbidden forbidden authorization_revoked policy_denied
  404 not-found not_found route_not_found
  405 method-not-allowed method_not_allowed
  406 not-acceptable not_acceptable
  409 conflict conflict unreadable last_owner operation_ended operation_running operation_canceled
  409 idempotency-in-progress idempotency_in_progress outcome_unknown
  410 version-sunset version_sunset
  412 precondition-failed precondition_failed
  413 payload-too-large payload_too_large
  414 uri-too-long uri_too_long
  415 unsupported-media-type unsupported_media_type
  422 idempotency-key-reused idempotency_key_reused
  428 precondition-required precondition_required
  429 quota-exceeded quota_exceeded too_many_wrong_keys
  431 headers-too-large headers_too_large
  500 internal internal
  502 bad-gateway bad_gateway
  503 temporary-reduced-capacity temporary_reduced_capacity
  503 authorization-state-unavailable authorization_state_unavailable keys_unavailable revocation_state_stale introspection_unavailable proof_state_unavailable policy_unavailable
  504 upstream-timeout upstream_timeout operation_timeout
`
const lines = promised
  .trim()
  .split('\n')
  .map((line) => line.trim())

test('RFC 9457 §3.1: no type loses its status or a code, and its codes come in their order', () => {
  const types: Readonly<Record<string, ProblemType>> = problemTypes
  for (const line of lines) {
    const [status, slug = '', ...codes] = line.split(' ')
    const found = types[slug]
    assert.equal(String(found?.status), status, slug)
    assert.deepEqual(
      found?.codes.filter((code) => codes.includes(code)),
      codes,
      slug,
    )
    assert.equal(found?.codes[0], codes[0], `${slug}: the default`)
  }
})

test('a type is found by its name, then by its first code, then by any; nothing else is one', () => {
  assert.equal(problemTypeOf('conflict')?.slug, 'conflict')
  assert.equal(problemTypeOf('invalid_request')?.slug, 'invalid-request')
  assert.equal(problemTypeOf('token_malformed')?.slug, 'invalid-request')
  assert.equal(problemTypeOf('token_revoked')?.type.status, 401)
  for (const name of ['', 'toString', 'nothing']) assert.equal(problemTypeOf(name), null, name)
})

test('RFC 9457 §4.2: the types that IANA registers have its addresses, and no others', () => {
  const registered = Object.entries(problemTypes).flatMap(([slug, type]) =>
    'uri' in type ? [`${slug} ${type.uri}`] : [],
  )
  assert.deepEqual(registered, [
    'quota-exceeded https://iana.org/assignments/http-problem-types#quota-exceeded',
    'temporary-reduced-capacity https://iana.org/assignments/http-problem-types#temporary-reduced-capacity',
  ])
})
