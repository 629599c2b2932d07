import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { authorizationResponse } from '../../src/authorize/response.ts'

const issuer = 'https://as.example'
const to = (redirectUri: string, state: string | null = 's t&=#', responseMode: 'query' | 'form_post' = 'query') =>
  ({ redirectUri, state, responseMode }) as const
const location = (redirectUri: string, state?: string | null) => {
  const response = authorizationResponse(to(redirectUri, state), issuer, { code: 'gc_1' })
  assert.ok(response.mode === 'redirect')
  return response.location
}
const tail = 'code=gc_1&state=s%20t%26%3D%23&iss=https%3A%2F%2Fas.example'

test('RFC 6749 §4.1.2, RFC 9207 §2: code, state as sent, and the issuer', () => {
  assert.equal(location('https://client.example/cb'), `https://client.example/cb?${tail}`)
  assert.equal(location('https://client.example'), `https://client.example?${tail}`)
  assert.equal(location('com.example.app:/cb'), `com.example.app:/cb?${tail}`)
  assert.equal(
    location('https://client.example/cb', null),
    'https://client.example/cb?code=gc_1&iss=https%3A%2F%2Fas.example',
  )
})

test('RFC 6749 §3.1.2: the query of a redirect URI is kept', () => {
  assert.equal(location('https://client.example/cb?a=%20b'), `https://client.example/cb?a=%20b&${tail}`)
  assert.equal(location('https://client.example/cb?'), `https://client.example/cb?${tail}`)
})

test('RFC 6749 §4.1.2.1: an error carries state and issuer too', () => {
  const response = authorizationResponse(to('https://client.example/cb', 'x'), issuer, {
    refusal: { reason: 'access_denied' },
    errorUri: 'https://as.example/problems/access_denied',
  })
  assert.ok(response.mode === 'redirect')
  assert.deepEqual(Object.fromEntries(new URL(response.location).searchParams), {
    error: 'access_denied',
    error_description: 'The person did not allow it.',
    error_uri: 'https://as.example/problems/access_denied',
    state: 'x',
    iss: issuer,
  })
})

test('OAuth 2.0 Form Post Response Mode §2: the same fields, to be posted', () => {
  assert.deepEqual(
    authorizationResponse(to('https://client.example/cb?x=1', 'x', 'form_post'), issuer, { code: 'c' }),
    {
      mode: 'form_post',
      action: 'https://client.example/cb?x=1',
      fields: [
        ['code', 'c'],
        ['state', 'x'],
        ['iss', issuer],
      ],
    },
  )
})

test('RFC 6749 §4.1.2: whatever the state is, it comes back as it was and moves nothing else', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (state) => {
      const url = new URL(location('https://client.example/cb?a=1', state))
      assert.equal(url.origin + url.pathname, 'https://client.example/cb')
      assert.equal(url.searchParams.get('state'), state)
      assert.deepEqual([...url.searchParams.keys()], ['a', 'code', 'state', 'iss'])
    }),
  )
})
