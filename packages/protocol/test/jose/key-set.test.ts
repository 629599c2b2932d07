/** Keys that a client gives: weak, for something else, private, not on their curve, twice, or too many. */
import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { test } from 'node:test'
import { served } from '../../src/documents/served.ts'
import { keySetProblem, usableKeys } from '../../src/jose/key-set.ts'
import { importKey, keyProblem } from '../../src/jose/verification-key.ts'
import { keyWeakness } from '../../src/jose/weak-key.ts'
import { clientMetadata } from '../../src/registration/client-metadata.ts'
import type { JsonObject } from '../../src/types.ts'

const jwkOf = (key: KeyObject): JsonObject => key.export({ format: 'jwk' }) as JsonObject
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const good = jwkOf(ec.publicKey)
const rsa = (modulusLength: number): JsonObject => jwkOf(generateKeyPairSync('rsa', { modulusLength }).publicKey)
const strong = rsa(2048)
const ed = jwkOf(generateKeyPairSync('ed25519').publicKey)
const number = (value: bigint): string => {
  const hex = value.toString(16)
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex').toString('base64url')
}
const modulus = BigInt(`0x${Buffer.from(strong['n'] as string, 'base64url').toString('hex')}`)
/** 32 bytes, of which the first is given. */
const point = (first: number): string => Buffer.from([first, ...Buffer.alloc(31)]).toString('base64url')
const bytes = (hex: string): string => Buffer.from(hex, 'hex').toString('base64url')

/** CVE-2017-15361: a number of the shape that the faulty generator gave to its moduli. */
function ofFaultyGenerator(): bigint {
  const primes = Array.from({ length: 166 }, (_, at) => at + 2).filter((it) =>
    Array.from({ length: it - 2 }, (_, at) => at + 2).every((divisor) => it % divisor !== 0),
  )
  const product = primes.reduce((all, prime) => all * BigInt(prime), 1n)
  return (1n << 2047n) - ((1n << 2047n) % product) + product + (65_537n ** 5n % product)
}

const refused: readonly (readonly [string, JsonObject])[] = [
  ['an RSA key of 1024 bits', rsa(1024)],
  ['an RSA key of 2040 bits', rsa(2040)],
  ['an RSA exponent of 3', { ...strong, e: 'Aw' }],
  ['an RSA exponent of 17', { ...strong, e: 'EQ' }],
  ['an RSA exponent of 1', { ...strong, e: 'AQ' }],
  ['an even RSA exponent', { ...strong, e: number(65_538n) }],
  ['an RSA exponent of 33 bits', { ...strong, e: number((1n << 32n) + 1n) }],
  ['an even RSA modulus', { ...strong, n: number(modulus + 1n) }],
  ['an RSA modulus that 3 divides', { ...strong, n: number(modulus + 3n - (modulus % 3n)) }],
  ['an RSA modulus of a faulty generator', { ...strong, n: number(ofFaultyGenerator()) }],
  ['an RSA modulus beyond measure', { ...strong, n: number((1n << 8193n) + 1n) }],
  ['an RSA key without a modulus', { kty: 'RSA', e: 'AQAB' }],
  ['a private key', jwkOf(ec.privateKey)],
  ['a private RSA member alone', { ...strong, dp: 'AQAB' }],
  ['a seed', { ...ed, seed: 'AA' }],
  ['a symmetric key', { kty: 'oct', k: 'AAAA' }],
  ['a symmetric key without its value', { kty: 'oct' }],
  ['a key for encryption', { ...good, use: 'enc' }],
  ['a key for another use', { ...good, use: 'SIG' }],
  ['a key that only encrypts', { ...strong, key_ops: ['encrypt'] }],
  ['a key that also derives', { ...good, key_ops: ['verify', 'deriveKey'] }],
  ['operations named twice', { ...good, key_ops: ['verify', 'verify'] }],
  ['operations that are no list', { ...good, key_ops: 'verify' }],
  ['the algorithm of another kind', { ...good, alg: 'RS256' }],
  ['a symmetric algorithm', { ...strong, alg: 'HS256' }],
  ['no algorithm', { ...good, alg: 'none' }],
  ['a point that is not on its curve', { ...good, y: good['x'] as string }],
  ['the origin', { ...good, x: point(0), y: point(0) }],
  ['half a point', { kty: 'EC', crv: 'P-256', x: good['x'] as string }],
  ['a kid that is a text', { ...good, kid: 'x'.repeat(257) }],
  ['a kid that is a number', { ...good, kid: 7 }],
  ['an Ed25519 key of zeros', { ...ed, x: point(0) }],
  ['the neutral element of Ed25519', { ...ed, x: point(1) }],
  ['an Ed25519 key of order two', { ...ed, x: bytes(`ec${'ff'.repeat(30)}7f`) }],
  [
    'an Ed25519 key of order eight',
    { ...ed, x: bytes('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a') },
  ],
  [
    'the other Ed25519 key of order eight',
    { ...ed, x: bytes('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05') },
  ],
  ['an Ed25519 key that is not on its curve', { ...ed, x: point(2) }],
  ['an Ed25519 key of 31 bytes', { ...ed, x: Buffer.alloc(31, 9).toString('base64url') }],
  ['no kind', { crv: 'P-256' }],
]

for (const [what, jwk] of refused)
  test(`RFC 7517, RFC 7518, RFC 8725 §3.5: ${what} is no key to check signatures with`, () => {
    assert.equal(typeof keyProblem(jwk), 'string')
    assert.equal(importKey(jwk), null)
    assert.equal(usableKeys({ keys: [jwk, good] }).length, 1)
    const client = { redirect_uris: ['https://a.example/cb'], jwks: { keys: [good, jwk] } }
    const made = clientMetadata(client, served)
    assert.deepEqual(made.kind === 'error' && made.error.map(({ field }) => field), ['jwks'])
  })

test('RFC 7517 §5: good keys are taken, and beside them what is only unknown here', () => {
  const keys = [
    { ...good, kid: 'a', use: 'sig' },
    { ...strong, kid: 'b', alg: 'PS256' },
    { ...ed, kid: 'c', key_ops: ['verify'] },
  ]
  assert.equal(keySetProblem({ keys }), null)
  assert.equal(usableKeys({ keys }).length, 3)
  assert.equal(keySetProblem({ keys: [...keys, { kty: 'EC', crv: 'P-521', x: 'x', y: 'y' }, { kty: 'new' }] }), null)
  for (let count = 0; count < 50; count++)
    assert.equal(keyProblem(jwkOf(generateKeyPairSync('ed25519').publicKey)), null)
})

test('a set of nothing usable, of too much, of one kid twice, or of an example is refused', () => {
  const many = Array.from({ length: 51 }, () => good)
  const example = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }
  const twice = [
    { ...good, kid: 'a' },
    { ...strong, kid: 'a' },
  ]
  for (const set of [
    { keys: [] },
    { keys: many },
    { keys: [{ kty: 'new' }] },
    { keys: twice },
    { keys: [{ ...good, x5c: ['x'.repeat(8192)] }] },
    { keys: ['text'] },
    { keys: [example] },
    { keys: {} },
    [],
    null,
  ])
    assert.equal(typeof keySetProblem(set), 'string', JSON.stringify(set).slice(0, 80))
  assert.deepEqual(usableKeys({ keys: twice }), [])
})

const problem = (jwk: JsonObject): string => keyProblem(jwk) ?? 'none'
test('RFC 7518 §6.3: the ends of what an RSA key may be', () => {
  const of = (bits: bigint) => (1n << (bits - 1n)) + 1n
  const sized = (bits: bigint) => problem({ ...strong, n: number(of(bits)) })
  assert.match(sized(2047n), /fewer than 2048 bits/)
  assert.doesNotMatch(sized(2048n), /bits/)
  assert.doesNotMatch(sized(8192n), /bits/)
  assert.match(sized(8193n), /more than 8192 bits/)
  const exponent = (e: bigint) => problem({ ...strong, e: number(e) })
  for (const good of [65_537n, 65_539n, (1n << 32n) - 1n]) assert.equal(exponent(good), 'none', String(good))
  for (const bad of [65_535n, 65_536n, 65_538n, 1n << 32n, (1n << 32n) + 1n])
    assert.match(exponent(bad), /bad exponent/)
  for (const missing of [{ n: 7 }, { n: '' }, { n: '*' }, { e: 7 }, { n: 'A'.repeat(4097) }])
    assert.match(problem({ ...strong, ...missing }), /is no RSA key/)
  // One character of base64url is no octet, and so nought.
  assert.match(problem({ ...strong, n: 'A' }), /fewer than 2048 bits/)
  assert.match(exponent(0n), /bad exponent/)
  assert.match(problem({ ...strong, e: 'A' }), /bad exponent/)
})

test('RFC 8032 §5.1: what is wrong with an Ed25519 key', () => {
  const said = (x: unknown) => problem({ ...ed, x } as JsonObject)
  for (const small of [point(0), point(1), bytes(`ec${'ff'.repeat(30)}7f`), bytes(`ed${'ff'.repeat(30)}7f`)])
    assert.equal(said(small), 'is an Ed25519 key of small order', small)
  assert.equal(said(point(2)), 'is not on its curve')
  for (const none of [7, '', Buffer.alloc(31, 9).toString('base64url'), Buffer.alloc(33, 9).toString('base64url')])
    assert.equal(said(none), 'is no Ed25519 key', String(none))
})

test('an RSA modulus has none of the small primes as a factor, up to the last', () => {
  const primes = [2n, 3n, 5n, 7n, 53n, 97n, 101n, 151n, 157n, 163n, 167n]
  for (const prime of primes) {
    // Of that prime and of no other that is looked for.
    let multiple = modulus - (modulus % prime)
    while (Array.from({ length: 166 }, (_, at) => BigInt(at + 2)).some((it) => it !== prime && multiple % it === 0n))
      multiple -= prime
    assert.match(problem({ ...strong, n: number(multiple) }), /multiple of a small number/, String(prime))
  }
  assert.match(problem({ ...strong, n: number(ofFaultyGenerator()) }), /generator whose keys can be factored/)
})

test('what is wrong with a set is said, with the place of the key', () => {
  const said = (set: unknown) => keySetProblem(set)
  assert.equal(said({ keys: [] }), 'must be a JWK set with at least one key')
  assert.equal(said({ keys: Array.from({ length: 51 }, () => good) }), 'must not hold more than 50 keys')
  assert.equal(said({ keys: Array.from({ length: 50 }, () => good) }), null)
  assert.equal(said({ keys: [good, 'x'] }), 'holds a key that must not be there: keys[1] is no object')
  assert.match(said({ keys: [{ ...good, x5c: ['x'.repeat(8192)] }] }) ?? '', /keys\[0\] is longer than 8192 characters/)
  assert.equal(
    said({
      keys: [
        { ...good, kid: 'a' },
        { ...strong, kid: 'a' },
      ],
    }),
    'must not hold two keys of one kid',
  )
  assert.equal(said({ keys: [{ kty: 'new' }] }), 'must hold a key that signatures can be checked with here')
  assert.equal(usableKeys({ keys: Array.from({ length: 60 }, () => good) }).length, 50)
  const padded = (length: number) => {
    const bare = { ...good, note: '' }
    return { ...good, note: 'x'.repeat(length - JSON.stringify(bare).length) }
  }
  assert.equal(said({ keys: [padded(8192)] }), null)
  assert.notEqual(said({ keys: [padded(8193)] }), null)
})

test('RFC 8037 §2: of the keys of that kind only Ed25519 is asked for its small numbers', () => {
  const small = { x: Buffer.alloc(32).toString('base64url') }
  assert.notEqual(keyWeakness({ kty: 'OKP', crv: 'Ed25519', ...small }), null)
  assert.equal(keyWeakness({ kty: 'OKP', crv: 'X25519', ...small }), null)
  assert.equal(keyWeakness({ kty: 'EC', crv: 'Ed25519', ...small }), null)
})

const examples: readonly (readonly [where: string, key: JsonObject])[] = [
  [
    'RFC 7515 A.2',
    {
      kty: 'RSA',
      e: 'AQAB',
      n: 'ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ',
    },
  ],
  [
    'RFC 7515 A.3',
    {
      kty: 'EC',
      crv: 'P-256',
      x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
      y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
    },
  ],
  [
    'RFC 7517 A.1',
    {
      kty: 'EC',
      crv: 'P-256',
      x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
      y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
    },
  ],
  [
    'RFC 7517 A.2',
    {
      kty: 'RSA',
      e: 'AQAB',
      n: '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw',
    },
  ],
  ['RFC 8037 A.2', { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }],
]
for (const [where, key] of examples)
  test(`${where}: a key whose private half is printed there is nobody's own`, () =>
    assert.equal(
      keySetProblem({ keys: [good, key] }),
      'holds a key that must not be there: keys[1] is an example whose private half everybody knows',
    ))
