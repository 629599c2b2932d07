/** RFC 7638: the thumbprint of each type of key is that of its required members, in their order. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { jwkThumbprint } from '../../src/jose/thumbprint.ts'

const n =
  '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw'

test('RFC 7638 §3.1: the example', () => {
  const key = { kty: 'RSA', n, e: 'AQAB', alg: 'RS256', kid: '2011-04-29' }
  assert.equal(jwkThumbprint(key), 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs')
})

for (const [members, key] of [
  ['{"crv":"P-256","kty":"EC","x":"1","y":"2"}', { y: '2', x: '1', kty: 'EC', crv: 'P-256', kid: 'k' }],
  ['{"crv":"Ed25519","kty":"OKP","x":"1"}', { x: '1', kty: 'OKP', crv: 'Ed25519', use: 'sig' }],
  ['{"alg":"ML-DSA-44","kty":"AKP","pub":"1"}', { pub: '1', kty: 'AKP', alg: 'ML-DSA-44' }],
] as const)
  test(`RFC 7638 §3.2: of ${key.kty} it is that of ${members}`, () =>
    assert.equal(jwkThumbprint(key), createHash('sha256').update(members).digest('base64url')))
