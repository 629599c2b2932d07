/** Keys to verify with, pinned to what their type can do: RFC 7517 §4, RFC 7518 §3, RFC 8725 §3.1. */
import assert from 'node:assert/strict'
import { constants, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { describe, test } from 'node:test'
import {
  importKey,
  keyProblem,
  knownAlgorithms,
  signedByOne,
  type VerificationKey,
} from '../../src/jose/verification-key.ts'
import type { JsonObject } from '../../src/types.ts'

const data = Buffer.from('header.claims')
const p1363 = (key: KeyObject) => ({ key, dsaEncoding: 'ieee-p1363' }) as const
const pss = (key: KeyObject) => ({ key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 })

const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' })
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ed = generateKeyPairSync('ed25519')
const jwkOf = ({ publicKey }: { readonly publicKey: KeyObject }, more: JsonObject = {}): JsonObject => ({
  ...(publicKey.export({ format: 'jwk' }) as JsonObject),
  kid: 'k',
  ...more,
})

const mlDsa = (['ml-dsa-44', 'ml-dsa-65', 'ml-dsa-87'] as const).map((type) => {
  const pair = generateKeyPairSync(type)
  return [type.toUpperCase(), [jwkOf(pair), sign(null, data, pair.privateKey)]] as const
})

/** By algorithm: a key that has it, and a signature as the algorithm has it. */
const signed: Readonly<Record<string, readonly [jwk: JsonObject, signature: Buffer]>> = {
  ES256: [jwkOf(p256), sign('sha256', data, p1363(p256.privateKey))],
  ES384: [jwkOf(p384), sign('sha384', data, p1363(p384.privateKey))],
  RS256: [jwkOf(rsa), sign('sha256', data, rsa.privateKey)],
  PS256: [jwkOf(rsa), sign('sha256', data, pss(rsa.privateKey))],
  EdDSA: [jwkOf(ed), sign(null, data, ed.privateKey)],
  Ed25519: [jwkOf(ed), sign(null, data, ed.privateKey)],
  ...Object.fromEntries(mlDsa),
}

describe('RFC 8725 §3.1: a key', () => {
  for (const [alg, [jwk, signature]] of Object.entries(signed)) {
    test(`${alg}: verifies its own signature, and neither another text nor by another algorithm`, () => {
      const key = importKey(jwk)
      assert.ok(key !== null && key.algs.includes(alg) && knownAlgorithms.includes(alg))
      assert.equal(key.verify(alg, data, signature), true)
      assert.equal(key.verify(alg, Buffer.from('header.other'), signature), false)
      for (const other of ['none', 'HS256', '', 'toString']) assert.equal(key.verify(other, data, signature), false)
    })
  }

  test('is good for the algorithms of its type, and for the one it names', () => {
    const algsOf = (jwk: JsonObject) => importKey(jwk)?.algs
    assert.deepEqual(algsOf(jwkOf(rsa)), ['RS256', 'PS256'])
    assert.deepEqual(algsOf(jwkOf(rsa, { alg: 'PS256' })), ['PS256'])
    assert.deepEqual(algsOf(jwkOf(p256)), ['ES256'])
    assert.deepEqual(algsOf(jwkOf(p384)), ['ES384'])
    assert.deepEqual(algsOf(jwkOf(ed)), ['EdDSA', 'Ed25519'])
    for (const alg of ['EdDSA', 'Ed25519']) assert.deepEqual(algsOf(jwkOf(ed, { alg })), ['EdDSA', 'Ed25519'])
    for (const [key, alg] of [
      [p256, 'ES384'],
      [p384, 'ES256'],
      [rsa, 'ES256'],
      [ed, 'RS256'],
      [rsa, 'HS256'],
    ] as const)
      assert.equal(importKey(jwkOf(key, { alg })), null, alg)
  })

  test('RFC 9964: of the AKP type must name its algorithm, and has no other', () => {
    for (const [alg, [jwk]] of mlDsa) {
      assert.deepEqual(importKey(jwk)?.algs, [alg])
      const { alg: _, ...nameless } = jwk
      assert.equal(importKey(nameless), null)
    }
    for (const alg of [undefined, 'ES256', 'ML-DSA-99', 'ml-dsa-44'])
      assert.equal(importKey({ kty: 'AKP', pub: 'AAAA', kid: 'k', ...(alg === undefined ? {} : { alg }) }), null)
  })

  test('that is private, for something else, or has a name that is no text is of no use', () => {
    for (const name of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv', 'seed'])
      assert.equal(importKey(jwkOf(p256, { [name]: 'AAAA' })), null, name)
    for (const more of [
      { use: 'enc' },
      { use: 7 },
      { key_ops: [] },
      { key_ops: ['sign'] },
      { kid: 7 },
      { kid: null },
      { kid: '' },
      { kid: 'k'.repeat(257) },
      { key_ops: 'verify' },
    ])
      assert.equal(importKey(jwkOf(p256, more)), null, JSON.stringify(more))
    for (const more of [
      { use: 'sig' },
      { key_ops: ['verify'] },
      { key_ops: ['sign', 'verify'] },
      { kid: '*' },
      { kid: 'k'.repeat(256) },
    ])
      assert.notEqual(importKey(jwkOf(p256, more)), null, JSON.stringify(more))
  })

  test('RFC 7517 §5: of a kind or an algorithm that is not known here is of no use, and no fault of its set', () => {
    for (const jwk of [
      { kty: 'EC', crv: 'P-521', x: 'AA', y: 'AA', alg: 'ES512' },
      { kty: 'new', alg: 'NEW' },
      { kty: 'AKP', pub: 'AAAA' },
      { kty: 'AKP', pub: 'AAAA', alg: 'ML-DSA-99' },
      { kty: 'AKP', pub: 'AAAA', alg: 'ES256' },
    ])
      assert.deepEqual([keyProblem(jwk), importKey(jwk)], [null, null], JSON.stringify(jwk))
    assert.notEqual(keyProblem({ kty: 'AKP', pub: 'AAAA', alg: 'ML-DSA-44' }), null)
  })

  test('is one of at most eight that are tried, of which one suffices', () => {
    const key = (good: boolean): VerificationKey => ({
      identity: '',
      kid: undefined,
      algs: ['ES256'],
      present: true,
      verify: () => good,
      thumbprint: () => null,
    })
    const others = (count: number) => Array.from({ length: count }, () => key(false))
    const [bytes, claims] = [Buffer.alloc(1), {}]
    const jwt = { alg: 'ES256', kid: undefined, typ: undefined, claims, signed: bytes, signature: bytes }
    assert.equal(signedByOne(jwt, [key(true), ...others(1)]), true)
    assert.equal(signedByOne(jwt, [...others(7), key(true)]), true)
    assert.equal(signedByOne(jwt, [...others(8), key(true)]), false)
    assert.equal(signedByOne(jwt, []), false)
  })

  test('of another curve or type, or that is not on its curve, is of no use', () => {
    const [x25519, p521] = [generateKeyPairSync('x25519'), generateKeyPairSync('ec', { namedCurve: 'P-521' })]
    for (const jwk of [jwkOf(x25519), jwkOf(p521), { kty: 'EC' }, { kty: 'oct' }, {}, { kty: 'OKP', crv: 'Ed448' }])
      assert.equal(importKey(jwk), null, JSON.stringify(jwk))
    assert.equal(importKey({ ...jwkOf(p256), y: jwkOf(p256)['x'] ?? '' }), null)
    assert.equal(importKey({ ...jwkOf(rsa), n: '' }), null)
  })

  test('RFC 8725 §3.5: of RSA has 2048 bits or more', () => {
    assert.equal(importKey(jwkOf(generateKeyPairSync('rsa', { modulusLength: 2040 }))), null)
    assert.notEqual(importKey(jwkOf(rsa)), null)
  })

  test('is the same key again where kid, algorithms and material are the same, and only there', () => {
    const identity = (jwk: JsonObject) => importKey(jwk)?.identity
    assert.equal(identity(jwkOf(p256)), identity(jwkOf(p256, { use: 'sig' })))
    const others = [jwkOf(p256, { kid: 'other' }), jwkOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }))]
    for (const other of others) assert.notEqual(identity(other), identity(jwkOf(p256)))
    assert.notEqual(identity(jwkOf(rsa, { alg: 'RS256' })), identity(jwkOf(rsa, { alg: 'PS256' })))
    assert.equal(importKey(jwkOf(p256))?.present, true)
  })
})
