/** DPoP proofs: the example of RFC 9449, and every reason not to believe one. */
import assert from 'node:assert/strict'
import { createHash, createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { makeProof } from '../../src/dpop/make-proof.ts'
import { accessTokenHash, checkProof, type ProofExpectation, proofLeeway } from '../../src/dpop/proof.ts'
import { jwkThumbprint } from '../../src/jose/thumbprint.ts'
import { err } from '../../src/result.ts'
import type { Instant, JsonObject } from '../../src/types.ts'

const now = 1_800_000_000_000 as Instant
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const other = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const jwk = publicKey.export({ format: 'jwk' }) as JsonObject
const expected: ProofExpectation = {
  method: 'POST',
  urls: ['https://as.example/token'],
  accessToken: null,
  now,
  isNonce: null,
}
const claims: JsonObject = { jti: 'one', htm: 'POST', htu: 'https://as.example/token', iat: now / 1000 }
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

interface Making {
  readonly header?: Readonly<Record<string, unknown>>
  readonly key?: KeyObject
}

function proof(more: Readonly<Record<string, unknown>> = {}, { header = {}, key = privateKey }: Making = {}): string {
  const signed = `${encoded({ typ: 'dpop+jwt', alg: 'ES256', jwk, ...header })}.${encoded({ ...claims, ...more })}`
  return `${signed}.${sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}

test('RFC 9449 §4.1: the example proves the key of §6.1, at its time and address', () => {
  const example =
    'eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0RscEJoRjQyVVFVZldWQVdCRnMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2In19.eyJqdGkiOiItQndDM0VTYzZhY2MybFRjIiwiaHRtIjoiUE9TVCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3Rva2VuIiwiaWF0IjoxNTYyMjYyNjE2fQ.2-GxA6T8lP4vfrg8v-FdWP0A0zdrj8igiMLvqRMUvwnQg4PtFLbdLXiOSsX0x7NVY-FNyJK70nfbV37xRZT3Lg'
  const at = { ...expected, urls: ['https://server.example.com/token'], now: 1_562_262_616_000 as Instant }
  const checked = checkProof(example, at)
  assert.equal(checked.kind, 'ok')
  assert.equal(checked.kind === 'ok' && checked.value.jkt, '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I')
  assert.equal(checked.kind === 'ok' && checked.value.jti, '-BwC3ESc6acc2lTc')
  assert.deepEqual(checkProof(example, { ...at, now: (at.now + 61_000) as Instant }), err('age'))
})

test('a good proof gives the thumbprint of its key, and how long it must be remembered', () => {
  const made = makeProof(privateKey, { method: 'POST', url: 'https://as.example/token?a=b#c', now })
  const checked = checkProof(made, expected)
  assert.equal(checked.kind === 'ok' && checked.value.jkt, jwkThumbprint(jwk))
  assert.equal(checked.kind === 'ok' && checked.value.usedUntil, now + 2 * proofLeeway * 1000)
  // RFC 7519 §2: what is remembered until then is remembered by whole milliseconds, and not too short.
  const fraction = checkProof(proof({ iat: now / 1000 + 0.000_4 }), expected)
  assert.equal(fraction.kind === 'ok' && fraction.value.usedUntil, now + 2 * proofLeeway * 1000 + 1)
})

test('RFC 9449 §4.2: a proof is of the second that it was made in, and names a token and a nonce only where there is one', () => {
  const said = (more: Partial<Parameters<typeof makeProof>[1]>) => {
    const request = { method: 'GET', url: 'https://api.example/a', now: (now + 999) as Instant, ...more }
    const [, body = ''] = makeProof(privateKey, request).split('.')
    const { jti: _, ...rest } = JSON.parse(Buffer.from(body, 'base64url').toString()) as JsonObject
    return rest
  }
  const least = { htm: 'GET', htu: 'https://api.example/a', iat: now / 1000 }
  assert.deepEqual(said({}), least)
  assert.deepEqual(said({ nonce: 'n' }), { ...least, nonce: 'n' })
  assert.deepEqual(said({ accessToken: 'a' }), { ...least, ath: accessTokenHash('a') })
})

test('RFC 9449 §11.1: clocks may be apart to the second, and a proof as long as any may be', () => {
  for (const iat of [now / 1000 - proofLeeway, now / 1000 + proofLeeway])
    assert.equal(checkProof(proof({ iat }), expected).kind, 'ok', String(iat))
  assert.equal(checkProof(proof({ jti: 'x'.repeat(256) }), expected).kind, 'ok')
  const sized = (length: number) => {
    // A byte is at least one character, so that one of these few has the length.
    for (let kid = 0; kid < 4; kid += 1)
      for (let bytes = 5700; bytes < 5900; bytes += 1) {
        const header = { kid: 'k'.repeat(kid) }
        const text = `${encoded({ typ: 'dpop+jwt', alg: 'ES256', jwk, ...header })}.${encoded({ ...claims, more: 'x'.repeat(bytes) })}`
        if (text.length + 87 === length) return proof({ more: 'x'.repeat(bytes) }, { header })
      }
    return ''
  }
  assert.equal(sized(8192).length, 8192)
  assert.equal(checkProof(sized(8192), expected).kind, 'ok')
  assert.equal(sized(8193).length, 8193)
  assert.deepEqual(checkProof(sized(8193), expected), err('malformed'))
})

test('RFC 9449 §4.3: what is wrong with a proof is found, whatever it is', () => {
  const rows: readonly [string, string, string][] = [
    ['no JWT', 'proof', 'malformed'],
    ['two JWTs', `${proof()},${proof()}`, 'malformed'],
    ['the type of another JWT', proof({}, { header: { typ: 'JWT' } }), 'malformed'],
    ['no type', proof({}, { header: { typ: undefined } }), 'malformed'],
    ['alg none', proof({}, { header: { alg: 'none' } }), 'malformed'],
    ['an extension that must be understood', proof({}, { header: { crit: ['exp'] } }), 'malformed'],
    ['no jti', proof({ jti: undefined }), 'malformed'],
    ['an empty jti', proof({ jti: '' }), 'malformed'],
    ['a jti that is no text', proof({ jti: 7 }), 'malformed'],
    ['a jti without end', proof({ jti: 'x'.repeat(257) }), 'malformed'],
    ['no iat', proof({ iat: undefined }), 'malformed'],
    ['an iat that is no number', proof({ iat: String(now / 1000) }), 'malformed'],
    ['too long', proof({ more: 'x'.repeat(9000) }), 'malformed'],
    ['no key', proof({}, { header: { jwk: undefined } }), 'key'],
    ['a key that is no object', proof({}, { header: { jwk: 'key' } }), 'key'],
    ['the private key', proof({}, { header: { jwk: privateKey.export({ format: 'jwk' }) } }), 'key'],
    ['a symmetric key', proof({}, { header: { jwk: { kty: 'oct', k: 'c2VjcmV0' } } }), 'key'],
    ['a key for encryption', proof({}, { header: { jwk: { ...jwk, use: 'enc' } } }), 'key'],
    ['a key of another algorithm', proof({}, { header: { alg: 'EdDSA' } }), 'key'],
    ['the method of another request', proof({ htm: 'GET' }), 'method'],
    ['the method in another case', proof({ htm: 'post' }), 'method'],
    ['no method', proof({ htm: undefined }), 'method'],
    ['no address', proof({ htu: undefined }), 'address'],
    ['the address of another host', proof({ htu: 'https://evil.example/token' }), 'address'],
    ['the address of another path', proof({ htu: 'https://as.example/token/' }), 'address'],
    ['the address of another scheme', proof({ htu: 'http://as.example/token' }), 'address'],
    ['an address with a user', proof({ htu: 'https://a@as.example/token' }), 'address'],
    ['an address that is none', proof({ htu: '/token' }), 'address'],
    ['of the past', proof({ iat: now / 1000 - proofLeeway - 1 }), 'age'],
    ['of the future', proof({ iat: now / 1000 + proofLeeway + 1 }), 'age'],
    ['signed by another key', proof({}, { key: other.privateKey }), 'signature'],
  ]
  for (const [what, text, fault] of rows) assert.deepEqual(checkProof(text, expected), err(fault), what)
})

test('RFC 8725 §3.1: a symmetric signature by the public key is no proof', () => {
  const signed = `${encoded({ typ: 'dpop+jwt', alg: 'HS256', jwk })}.${encoded(claims)}`
  const mac = createHmac('sha256', JSON.stringify(jwk)).update(signed).digest('base64url')
  assert.deepEqual(checkProof(`${signed}.${mac}`, expected), err('malformed'))
})

test('RFC 9449 §7.1: beside an access token a proof names that very token', () => {
  const accessToken = 'a.b.c'
  const withToken = { ...expected, accessToken }
  assert.equal(checkProof(proof({ ath: accessTokenHash(accessToken) }), withToken).kind, 'ok')
  assert.deepEqual(checkProof(proof({ ath: accessTokenHash('a.b.d') }), withToken), err('token'))
  assert.deepEqual(checkProof(proof(), withToken), err('token'))
  assert.equal(
    accessTokenHash('Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU'),
    'fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo',
  )
  // Octet by octet, as the header came.
  assert.equal(accessTokenHash('\xe9'), createHash('sha256').update(Buffer.of(0xe9)).digest('base64url'))
})

test('RFC 9449 §8: a nonce is asked for after everything else was good, so that nothing else is asked again', () => {
  const withNonce = { ...expected, isNonce: (nonce: string) => nonce === 'ours' }
  assert.equal(checkProof(proof({ nonce: 'ours' }), withNonce).kind, 'ok')
  for (const nonce of ['theirs', undefined, 7, ['ours']])
    assert.deepEqual(checkProof(proof({ nonce }), withNonce), err('nonce'))
  assert.deepEqual(checkProof(proof({ htm: 'GET' }), withNonce), err('method'))
  assert.deepEqual(checkProof(proof({}, { key: other.privateKey }), withNonce), err('signature'))
})

test('RFC 9449 §4.3: an endpoint with an alias accepts either address', () => {
  const alias = { ...expected, urls: ['https://as.example/token', 'https://as.example:8445/token'] }
  assert.equal(checkProof(proof({ htu: 'https://as.example:8445/token' }), alias).kind, 'ok')
  assert.deepEqual(checkProof(proof({ htu: 'https://as.example:8446/token' }), alias), err('address'))
  // However either is spelled (RFC 3986 §6.2.2).
  for (const htu of ['HTTPS://AS.example:443/%74oken', 'https://AS.example:8445/token?x'])
    assert.equal(checkProof(proof({ htu }), alias).kind, 'ok', htu)
})

test('no change of a single character of a proof leaves it good', () => {
  const good = proof()
  fc.assert(
    fc.property(fc.nat(good.length - 1), fc.constantFrom('A', 'B', 'z', '0', '9', '-', '_', '.'), (at, character) => {
      fc.pre(good[at] !== character)
      assert.equal(checkProof(good.slice(0, at) + character + good.slice(at + 1), expected).kind, 'error')
    }),
    { numRuns: 300 },
  )
})

test('a key that was seen before is held to the same checks', () => {
  assert.equal(checkProof(proof(), expected).kind, 'ok')
  assert.deepEqual(checkProof(proof({}, { key: other.privateKey }), expected), err('signature'))
  assert.deepEqual(checkProof(proof({ jti: '' }), expected), err('malformed'))
  for (let i = 0; i < 1100; i++) checkProof(proof({}, { header: { kid: String(i) } }), { ...expected, method: 'PUT' })
  assert.equal(checkProof(proof(), expected).kind, 'ok')
})

test('headers that somebody makes up are not remembered without bound', (t) => {
  const kept = t.mock.method(Map.prototype, 'set')
  for (let i = 0; i < 1100; i++) {
    const header = encoded({ typ: 'dpop+jwt', alg: 'ES256', jwk, kid: `made up ${i}` })
    assert.deepEqual(checkProof(`${header}.${encoded(claims)}.AAAA`, expected), err('signature'))
  }
  const maps = kept.mock.calls.map(({ this: map }) => map as Map<unknown, unknown>)
  assert.ok(maps.length >= 1100)
  assert.ok(maps.every(({ size }) => size <= 1024))
})
