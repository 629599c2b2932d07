import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bearerToken, parseAuthorizationHeader } from '../../src/http/authorization.ts'

const headers: readonly (readonly [header: string | null | undefined, scheme: string | null, token: string | null])[] =
  [
    ['Bearer a.b-c_d~e+f/g==', 'bearer', 'a.b-c_d~e+f/g=='],
    ['bEARER   abc ', 'bearer', 'abc'],
    ['DPoP abc', 'dpop', 'abc'],
    ['Basic YTpi', 'basic', 'YTpi'],
    ['Bearer', 'bearer', null],
    ['Bearer ', 'bearer', null],
    ['Bearer a b', 'bearer', null],
    ['Bearer a,Bearer b', 'bearer', null],
    ['Bearer a=b', 'bearer', null],
    ['Bearer\tabc', 'bearer', null],
    ['Digest username="x", realm="y"', 'digest', null],
    ['Bearerabc', 'bearerabc', null],
    [' Bearer abc', null, null],
    ['', null, null],
    [null, null, null],
    [undefined, null, null],
  ]
for (const [header, scheme, token] of headers)
  test(`RFC 9110 §11.4: ${JSON.stringify(header)} is ${scheme ?? 'no scheme'} with ${token ?? 'no token'}`, () => {
    assert.deepEqual(parseAuthorizationHeader(header), scheme === null ? null : { scheme, token })
    assert.equal(bearerToken(header), scheme === 'bearer' ? token : null)
  })

test('RFC 6750 §2.1: every b64token comes back as it was sent', () => {
  const token = fc.stringMatching(/^[A-Za-z0-9\-._~+/]+=*$/)
  fc.assert(fc.property(token, (it) => assert.equal(bearerToken(`Bearer ${it}`), it)))
})
