/** RFC 7515 §4, RFC 7519 §4, RFC 8725: a name that comes twice in signed JSON has no meaning that all readers share. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseJsonObject } from '../../src/http/json-text.ts'
import { parseJwt } from '../../src/jose/jwt.ts'
import { parseClaims } from '../../src/oidc/claims.ts'

const part = (text: string): string => Buffer.from(text).toString('base64url')
const jwt = (header: string, claims: string): string => `${part(header)}.${part(claims)}.${part('signature')}`
const header = '{"alg":"ES256"}'

for (const [what, text] of [
  ['side by side', '{"sub":"a","sub":"b"}'],
  ['with the same value', '{"sub":"a","sub":"a"}'],
  ['apart', '{"sub":"a","x":1,"sub":"b"}'],
  ['once escaped', String.raw`{"sub":"a","s\u0075b":"b"}`],
  ['deep inside', '{"cnf":{"jkt":"a","jkt":"b"}}'],
  ['in a list', '{"a":[{"b":1,"b":2}]}'],
  ['with blanks', '{ "sub" : "a", "sub" : "b" }'],
  ['after a text that looks like one', '{"x":"\\"sub\\":","sub":1,"sub":2}'],
] as const)
  test(`RFC 7519 §4: a claim twice, ${what}, is no JWT`, () => {
    assert.equal(parseJsonObject(text), null)
    assert.equal(parseJwt(jwt(header, text)), null)
    assert.equal(parseJwt(jwt(text.replace('{', '{"alg":"ES256",'), '{}')), null)
  })

test('RFC 7515 §4: alg, kid or typ twice in a header is no JWT', () => {
  for (const name of ['alg', 'kid', 'typ'])
    assert.equal(parseJwt(jwt(`{"alg":"ES256","${name}":"ES256","${name}":"ES256"}`, '{}')), null)
  assert.notEqual(parseJwt(jwt('{ "alg" : "ES256", "kid" : "k" }', '{"x":{"sub":1},"y":{"sub":2}}')), null)
})

test('OIDC Core §5.5: a claims request that names a claim twice is none', () => {
  assert.equal(parseClaims('{"userinfo":{"email":null,"email":{"essential":true}}}'), null)
  assert.equal(parseClaims('{"userinfo":{},"userinfo":{"email":null}}'), null)
})

test('RFC 8259: what has each name once is read as everybody reads it, however it is spelled', () => {
  const name = fc.string({ maxLength: 6 }).filter((text) => text !== '__proto__')
  const object = fc.dictionary(name, fc.jsonValue({ maxDepth: 4 }))
  fc.assert(
    fc.property(object, fc.constantFrom(0, 1, '\t'), (value, space) => {
      const text = JSON.stringify(value, null, space)
      assert.deepEqual(parseJsonObject(text), JSON.parse(text))
    }),
    { numRuns: 1000 },
  )
})

test('RFC 8259: a repeated name is found at every depth and in every spelling', () => {
  const name = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 5 })
  const escaped = (text: string): string => {
    const letters = text.split('').map((letter) => letter.charCodeAt(0).toString(16).padStart(4, '0'))
    return `"${letters.map((code) => String.raw`\u${code}`).join('')}"`
  }
  const wrap = fc.constantFrom(
    (inner: string) => inner,
    (inner: string) => `{"a":${inner}}`,
    (inner: string) => `{"a":[1,${inner}]}`,
  )
  fc.assert(
    fc.property(name, fc.jsonValue(), fc.boolean(), wrap, (twice, value, spell, around) => {
      const again = spell ? escaped(twice) : JSON.stringify(twice)
      const inner = `{${JSON.stringify(twice)}:${JSON.stringify(value)},"another":1,${again}:2}`
      assert.equal(parseJsonObject(around(inner)), null, inner)
    }),
    { numRuns: 1000 },
  )
})

test('RFC 7519 §4.1.7, RFC 7515 §4.1.4: a key id is a name, not a text; half a character is none', () => {
  assert.equal(parseJwt(jwt(`{"alg":"ES256","kid":"${'k'.repeat(257)}"}`, '{}')), null)
  assert.notEqual(parseJwt(jwt(`{"alg":"ES256","kid":"${'k'.repeat(256)}"}`, '{}')), null)
  assert.equal(parseJwt(jwt(header, String.raw`{"sub":"\ud800"}`)), null)
})
