/** Compact JWTs: one spelling of each, and nothing that is not understood. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseJwt } from '../../src/jose/jwt.ts'

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const [header, claims, signature] = [part({ alg: 'ES256' }), part({ sub: 'a' }), 'c2ln']
const read = (more: Readonly<Record<string, unknown>>) => parseJwt(`${part({ alg: 'ES256', ...more })}.${claims}.c2ln`)

test('RFC 7515 §3.1: three parts, of which the first two are what was signed', () => {
  assert.deepEqual(parseJwt(`${header}.${claims}.${signature}`), {
    alg: 'ES256',
    kid: undefined,
    typ: undefined,
    claims: { sub: 'a' },
    signed: Buffer.from(`${header}.${claims}`),
    signature: Buffer.from('sig'),
  })
  // One byte is a signature as far as the form goes, and an object without members is one.
  assert.deepEqual(parseJwt(`${header}.${part({})}.AA`)?.signature, Buffer.of(0))
})

for (const [what, text] of [
  ['nothing', ''],
  ['one part', header],
  ['one part, of which all but the last character is a header', `${part({ alg: 'ES25' })}A`],
  ['two parts', `${header}.${claims}`],
  ['two parts and the first again', `${header}.${header}`],
  ['four parts', `${header}.${claims}.${signature}.${signature}`],
  ['an empty fourth part', `${header}.${claims}.${signature}.`],
  ['an empty first part', `.${header}.${claims}`],
  ['four parts of which the first is empty', `.${header}.${claims}.${signature}`],
  ['an empty second part', `${header}..${signature}`],
  ['empty parts to the end', `${header}..`],
  ['an empty third part', `${header}.${claims}.`],
  ['nothing but full stops', '..'],
  ['padding', `${header}.${claims}.AA==`],
  ['the other base64', `${header}.${claims}.+/+/`],
  ['bits that no byte has', `${header}.${claims}.AB`],
  ['a length that no bytes have', `${header}.${claims}.AAAAA`],
  ['a blank in front', ` ${header}.${claims}.${signature}`],
  ['a line break at the end', `${header}.${claims}.${signature}\n`],
  ['a first part that is no object', `${part(['ES256'])}.${claims}.${signature}`],
  ['a second part that is no object', `${header}.${part('a')}.${signature}`],
  ['a second part that is no UTF-8', `${header}.${Buffer.from('{"a":"\xe9"}', 'latin1').toString('base64url')}.AA`],
] as const)
  test(`RFC 7515 §5.2: ${what} is no JWT`, () => assert.equal(parseJwt(text), null))

for (const [what, more] of [
  ['no algorithm', { alg: undefined }],
  ['an algorithm that is no text', { alg: 1 }],
  ['a key id that is no text', { kid: 1 }],
  ['a key id that is null', { kid: null }],
  ['a key id that is too long', { kid: 'k'.repeat(257) }],
  ['a type that is no text', { typ: 1 }],
  ['a type that is null', { typ: null }],
  ['extensions that must be understood (§4.1.11)', { crit: ['exp'], exp: 1 }],
  ['a list of no extensions', { crit: [] }],
  ['a payload that is not encoded (RFC 7797)', { b64: false }],
  ['a payload that is encoded and says so', { b64: true }],
] as const)
  test(`RFC 7515 §4: a header with ${what} is refused`, () => assert.equal(read(more), null))

test('RFC 7515 §4.1: a type is compared without regard to case and to application/', () => {
  for (const typ of ['at+jwt', 'AT+JWT', 'application/at+jwt', 'Application/AT+jwt'])
    assert.equal(read({ typ })?.typ, 'at+jwt', typ)
  assert.equal(read({ typ: 'x/application/at+jwt' })?.typ, 'x/application/at+jwt')
  assert.equal(read({ kid: 'k'.repeat(256) })?.kid, 'k'.repeat(256))
})

test('headers that somebody makes up, or that are long, are not remembered without bound', (t) => {
  const kept = t.mock.method(Map.prototype, 'set')
  for (let i = 0; i < 200; i += 1) assert.equal(read({ kid: `made up ${i}` })?.kid, `made up ${i}`)
  const maps = kept.mock.calls.map(({ this: map }) => map as Map<unknown, unknown>)
  assert.ok(maps.length >= 200 && maps.every(({ size }) => size <= 64))
  const before = kept.mock.callCount()
  for (let i = 0; i < 3; i += 1) assert.notEqual(read({ x: 'x'.repeat(512), i }), null)
  assert.equal(kept.mock.callCount(), before)
})

test('no change of a single character leaves the same token', () => {
  const good = `${part({ alg: 'ES256', kid: 'k', typ: 'JWT' })}.${part({ sub: 'alice', exp: 1 })}.${'c2ln'.repeat(4)}`
  const same = parseJwt(good)
  fc.assert(
    fc.property(
      fc.nat(good.length - 1),
      fc.constantFrom('A', 'Q', 'g', '9', '-', '_', '.', '=', '+', ' '),
      (at, character) => {
        fc.pre(good[at] !== character)
        assert.notDeepEqual(parseJwt(good.slice(0, at) + character + good.slice(at + 1)), same)
      },
    ),
  )
})
