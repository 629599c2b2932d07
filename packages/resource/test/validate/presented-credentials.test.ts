/** Credentials of a request: RFC 6750 §2 and §3.1. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok } from '@grantor/protocol/result'
import {
  authorizationLine,
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
