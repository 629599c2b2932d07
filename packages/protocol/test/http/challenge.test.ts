import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bearerChallenge, challenge, dpopChallenge } from '../../src/http/challenge.ts'

test('RFC 6750 §3.1: a request without credentials is challenged without an error code', () => {
  assert.equal(bearerChallenge({}), 'Bearer')
  assert.equal(bearerChallenge({ realm: 'orders' }), 'Bearer realm="orders"')
})

test('RFC 6750 §3, RFC 9728 §5.1: error, scope and resource_metadata are written as quoted strings', () => {
  assert.equal(
    bearerChallenge({
      error: 'insufficient_scope',
      scope: 'orders:read orders:write',
      resource_metadata: 'https://api.example/.well-known/oauth-protected-resource',
    }),
    'Bearer error="insufficient_scope", scope="orders:read orders:write", ' +
      'resource_metadata="https://api.example/.well-known/oauth-protected-resource"',
  )
})

test('RFC 9449 §7.1: a DPoP challenge names the algorithms', () => {
  assert.equal(
    dpopChallenge({ error: 'invalid_token', algs: 'ES256 PS256' }),
    'DPoP error="invalid_token", algs="ES256 PS256"',
  )
})

test('RFC 9110 §5.6.4: no value can leave its quotes or its header line', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (value) => {
      assert.match(challenge('Bearer', { realm: value }), /^Bearer realm="(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*"$/)
    }),
  )
})
