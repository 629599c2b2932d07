/** JOSE names that stand in headers and documents. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jwtType, signingAlgs } from '../../src/jose/algorithms.ts'

test('algorithms and types of tokens', () => {
  assert.deepEqual(signingAlgs, ['ES256', 'RS256', 'PS256', 'EdDSA', 'ML-DSA-44', 'ML-DSA-65', 'ML-DSA-87'])
  assert.deepEqual(jwtType, {
    access: 'at+jwt',
    id: 'JWT',
    logout: 'logout+jwt',
    dpop: 'dpop+jwt',
    introspection: 'token-introspection+jwt',
    idJag: 'oauth-id-jag+jwt',
    statusList: 'statuslist+jwt',
    authorizationResponse: 'JWT',
    securityEvent: 'secevent+jwt',
  })
})
