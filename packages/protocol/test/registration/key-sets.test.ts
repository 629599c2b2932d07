/** Key sets that clients register: public keys, at least one, and nothing else among them (RFC 7517 §5). */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { served } from '../../src/documents/served.ts'
import { publicKeySet } from '../../src/registration/field-types.ts'
import type { JsonObject } from '../../src/types.ts'

const key = {
  ...(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' }) as JsonObject),
  kid: 'k',
}
const isTaken = (value: unknown) => publicKeySet.check(value, served) === null

test('RFC 7517 §5: a set of public keys is taken', () => {
  assert.equal(isTaken({ keys: [key] }), true)
  assert.equal(isTaken({ keys: [key, { ...key, kid: 'l' }] }), true)
})

test('RFC 7517 §5: what is no set, or holds one thing that is no public key, is refused as a whole', () => {
  for (const wrong of [null, [], 'x', {}, { keys: {} }, { keys: [] }]) assert.equal(isTaken(wrong), false)
  const others: readonly unknown[] = [
    'x',
    null,
    [key],
    7,
    {},
    { kty: 7 },
    { kty: 'oct', k: 'AAAA' },
    { ...key, d: 'AAAA' },
  ]
  for (const other of others) {
    assert.equal(isTaken({ keys: [other, key] }), false, JSON.stringify(other))
    assert.equal(isTaken({ keys: [key, other] }), false, JSON.stringify(other))
  }
  assert.equal(isTaken({ keys: Array.from({ length: 51 }, (_, n) => ({ ...key, kid: `k${n}` })) }), false)
})
