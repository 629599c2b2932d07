/** Credentials of a request: RFC 6750 §2 and §3.1. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok } from '@grantor/protocol/result'
import {
  authorizationLine,
  presentedCredentials,
  presentedScheme,
  readBearerToken,
  type PresentedCredentials,
} from '../../src/validate/presented-credentials.ts'

const table: readonly (readonly [string, PresentedCredentials, string])[] = [
  ['no header', { authorization: undefined }, 'token_missing'],
  ['an empty list of headers', { authorization: [] }, 'token_missing'],
  ['an empty header', { authorization: '' }, 'token_missing'],
  ['another scheme', { authorization: 'Basic YWxpY2U6eA==' }, 'token_missing'],
  ['a scheme that only begins like ours', { authorization: 'BearerX abc' }, 'token_missing'],
  ['the scheme alone', { authorization: 'Bearer' }, 'invalid_request'],
  ['the scheme and a space', { authorization: 'Bearer ' }, 'invalid_request'],
  ['two tokens', { authorization: 'Bearer abc def' }, 'invalid_request'],
  ['two headers that something joined', { authorization: 'Bearer abc, Bearer def' }, 'invalid_request'],
  ['characters that no token has', { authorization: 'Bearer a"b' }, 'invalid_request'],
  ['a control character', { authorization: 'Bearer abc\u0000' }, 'invalid_request'],
  ['two headers', { authorization: ['Bearer abc', 'Bearer def'] }, 'header_repeated'],
  ['the same header twice', { authorization: ['Bearer abc', 'Bearer abc'] }, 'header_repeated'],
  ['header and query', { authorization: 'Bearer abc', tokenElsewhere: true }, 'header_repeated'],
  ['query alone', { authorization: undefined, tokenElsewhere: true }, 'invalid_request'],
  ['more than 8 KiB', { authorization: `Bearer ${'a'.repeat(8193)}` }, 'token_malformed'],
]
for (const [what, presented, code] of table) {
  test(`RFC 6750 §3.1: ${what} → ${code}`, () => {
    const found = readBearerToken(presented)
    assert.equal(found.kind === 'error' ? found.error.code : 'accepted', code)
  })
}

test('RFC 9110 §11.1: the scheme is case-insensitive; the token is not touched', () => {
  for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
    const expected = ok({ scheme: 'bearer', token: 'aB-._~+/=' })
    assert.deepEqual(readBearerToken({ authorization: `${scheme} aB-._~+/=` }), expected)
  }
  assert.deepEqual(readBearerToken({ authorization: ['DPoP abc'] }), ok({ scheme: 'dpop', token: 'abc' }))
})

test('RFC 6750 §2: a token has one line to come in; with another one elsewhere there is none', () => {
  assert.equal(authorizationLine({ authorization: 'Bearer abc' }), 'Bearer abc')
  assert.equal(authorizationLine({ authorization: ['Bearer abc'], tokenElsewhere: false }), 'Bearer abc')
  for (const authorization of ['Bearer abc', ['Bearer abc']])
    assert.equal(authorizationLine({ authorization, tokenElsewhere: true }), null)
  for (const authorization of [undefined, [], ['Bearer abc', 'Bearer abc']])
    assert.equal(authorizationLine({ authorization }), null)
})

test('RFC 9449 §7.1: who came with a scheme is answered in it, whichever way the header was handed over', () => {
  for (const line of ['DPoP abc', 'dpop abc', 'DPOP'])
    for (const authorization of [line, [line], [line, 'Bearer def']])
      assert.equal(presentedScheme({ authorization }), 'dpop', String(authorization))
  for (const line of ['Bearer abc', 'Basic abc', 'DPoPX abc', ''])
    for (const authorization of [line, [line], [line, 'DPoP def']])
      assert.equal(presentedScheme({ authorization }), 'bearer', String(authorization))
  for (const authorization of [null, undefined, []]) assert.equal(presentedScheme({ authorization }), 'bearer')
})

test('a token takes 8 KiB, to the byte, whichever its scheme', () => {
  for (const [scheme, most] of [
    ['Bearer', 8192],
    ['DPoP', 8194],
  ] as const) {
    assert.equal(readBearerToken({ authorization: `${scheme} ${'a'.repeat(most)}` }).kind, 'ok')
    assert.equal(readBearerToken({ authorization: `${scheme} ${'a'.repeat(most + 1)}` }).kind, 'error')
  }
})

test('RFC 9112 §3.2: a request is at the address of the API, whichever form its target has', () => {
  const urlOf = (target: string) =>
    presentedCredentials({ method: 'GET', target, lines: () => [] }, 'https://api.example').request?.url
  for (const [target, url] of [
    ['/notes?a=b', 'https://api.example/notes?a=b'],
    ['http://inside.example:8080/notes?a=b', 'https://api.example/notes?a=b'],
    ['HTTPS://inside.example', 'https://api.example'],
    ['https://inside.example?a=/x', 'https://api.example?a=/x'],
    ['/http://inside.example/notes', 'https://api.example/http://inside.example/notes'],
  ] as const)
    assert.equal(urlOf(target), url, target)
})

test('RFC 6750 §2.3: a token in the query is seen, and nowhere but in the query', () => {
  const seen = (target: string) =>
    presentedCredentials({ method: 'GET', target, lines: () => [] }, 'https://api.example').tokenElsewhere
  assert.equal(seen('?access_token=a'), true)
  assert.equal(seen('/a?access_token=a'), true)
  for (const target of ['/access_token=a', '/a', '/?b=access_token']) assert.equal(seen(target), false, target)
})

test('RFC 9449 §4.3: one proof is the proof, none is none, and two are none that can be read', () => {
  const proofOf = (...proofs: string[]) =>
    presentedCredentials({ method: 'GET', target: '/', lines: (name) => (name === 'dpop' ? proofs : []) }, 'https://a')
      .request?.proof
  assert.deepEqual([proofOf(), proofOf('a'), proofOf('a', 'b')], [undefined, 'a', 'a, b'])
})
