/** Every signing algorithm: made, signed with, verified by somebody else's library where it knows it, and by nobody after a change. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importKey, signingAlgs } from '@grantor/protocol/jose'
import { compactVerify, importJWK } from 'jose'
import { generateKey } from '../../src/keys/generate.ts'
import { signer, verifier } from '../../src/keys/sign.ts'

/** RFC 7518 §6, RFC 8037 §2, RFC 9964: the type of the key, and its curve or size. */
const kinds: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  ES256: { kty: 'EC', crv: 'P-256' },
  RS256: { kty: 'RSA' },
  PS256: { kty: 'RSA' },
  EdDSA: { kty: 'OKP', crv: 'Ed25519' },
  'ML-DSA-44': { kty: 'AKP' },
  'ML-DSA-65': { kty: 'AKP' },
  'ML-DSA-87': { kty: 'AKP' },
}

for (const alg of signingAlgs)
  test(`RFC 7515 §3: a key for ${alg} is of its kind, and what it signs verifies with it alone`, async () => {
    const made = await generateKey(alg)
    const { kid, publicJwk, privateDer } = made
    assert.deepEqual({ ...publicJwk, ...kinds[alg], kid, alg, use: 'sig' }, publicJwk)
    if (publicJwk['kty'] === 'RSA') assert.equal(Buffer.from(publicJwk['n'] as string, 'base64url').length, 256)
    const key = signer(kid, alg, privateDer)
    const tokens = ['at+jwt', 'JWT', 'JWT', 'at+jwt'].map((typ) => [typ, key.sign(typ, { sub: 'ä', typ })] as const)
    const [verifies, other] = [verifier(alg, publicJwk), verifier(alg, (await generateKey(alg)).publicJwk)]
    for (const [typ, token] of tokens) {
      const [header = '', claims = '', signature = ''] = token.split('.')
      assert.deepEqual(JSON.parse(Buffer.from(header, 'base64url').toString()), { alg, typ, kid })
      assert.deepEqual(JSON.parse(Buffer.from(claims, 'base64url').toString()), { sub: 'ä', typ })
      const [input, made] = [Buffer.from(`${header}.${claims}`), Buffer.from(signature, 'base64url')]
      for (const time of ['checked', 'remembered']) assert.equal(verifies.verify(input, made), true, time)
      assert.equal(verifies.verify(Buffer.from(`${header}.x${claims}`), made), false)
      // The same bytes, divided elsewhere.
      assert.equal(verifies.verify(Buffer.concat([input, made.subarray(0, 1)]), made.subarray(1)), false)
      assert.equal(verifies.verify(input.subarray(0, -1), Buffer.concat([input.subarray(-1), made])), false)
      assert.equal(verifies.verify(input, Buffer.from(made).fill(0, 0, 1)) && made[0] !== 0, false)
      assert.equal(other.verify(input, made), false)
      assert.equal(importKey(publicJwk)?.verify(alg, input, made), true, 'our own validator')
    }
    const [, token = ''] = tokens[0] ?? []
    if (!alg.startsWith('ML-DSA')) await compactVerify(token, await importJWK(publicJwk, alg))
  })

test('the name of a key never begins with -, which a command would take for an option', async () => {
  const made = await Promise.all(Array.from({ length: 500 }, () => generateKey('ES256')))
  assert.deepEqual(
    made.map(({ kid }) => kid).filter((kid) => kid.startsWith('-')),
    [],
  )
})
