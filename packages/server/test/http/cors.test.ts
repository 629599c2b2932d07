/** What a page of another origin can read of the answers of the endpoints that it calls. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { err, ok } from '@grantor/protocol/result'
import { testbed } from './testbed.ts'

const readable = ['WWW-Authenticate', 'Retry-After', 'RateLimit', 'RateLimit-Policy', 'DPoP-Nonce']
const form = { 'content-type': 'application/x-www-form-urlencoded' }

const calls = [
  ['POST', '/token', 'grant_type=client_credentials', 200],
  ['POST', '/token', '', 400],
  ['POST', '/revoke', 'token=x', 200],
  ['GET', '/jwks', undefined, 200],
  ['GET', '/.well-known/openid-configuration', undefined, 200],
] as const

for (const [method, url, payload, status] of calls) {
  test(`Fetch §3.3.3: ${method} ${url} with ${status} lets pages of every origin read its headers`, async () => {
    const { app } = testbed()
    const answer = await app.inject({
      method,
      url,
      headers: { origin: 'https://app.example', ...(payload === undefined ? {} : form) },
      ...(payload === undefined ? {} : { payload }),
    })
    assert.equal(answer.statusCode, status, answer.body)
    assert.equal(answer.headers['access-control-allow-origin'], '*')
    assert.deepEqual(String(answer.headers['access-control-expose-headers']).split(', '), readable)
  })
}

for (const [error, status] of [
  ['invalid_token', 401],
  ['insufficient_scope', 403],
  ['unavailable', 503],
] as const) {
  test(`RFC 6750 §3: the challenge of /userinfo to ${error} is readable across origins`, async () => {
    const { app } = testbed({ userinfo: async () => err(error) })
    const headers = { origin: 'https://app.example', authorization: 'Bearer x' }
    const answer = await app.inject({ url: '/userinfo', headers })
    assert.equal(answer.statusCode, status)
    assert.ok((answer.headers['www-authenticate'] ?? answer.headers['retry-after']) !== undefined)
    assert.deepEqual(String(answer.headers['access-control-expose-headers']).split(', '), readable)
  })
}

test('RFC 6750 §3: so it is without a token, with two, and beside a good answer', async () => {
  const claims = { sub: 'alice' }
  const { app } = testbed({ userinfo: async () => ok({ claims, signed: null }) })
  const authorization = 'Bearer x'
  for (const [request, status] of [
    [{ url: '/userinfo' }, 401],
    [{ url: '/userinfo', headers: { authorization } }, 200],
    [{ method: 'POST', url: '/userinfo', headers: { authorization, ...form }, payload: 'access_token=y' }, 400],
  ] as const) {
    const answer = await app.inject(request)
    assert.equal(answer.statusCode, status)
    assert.match(String(answer.headers['access-control-expose-headers']), /^WWW-Authenticate, /)
  }
})

test('what no page of another origin calls tells it nothing', async () => {
  const { app } = testbed()
  const answer = await app.inject({ method: 'POST', url: '/introspect', headers: form, payload: 'token=x' })
  assert.equal(answer.headers['access-control-allow-origin'], undefined)
  assert.equal(answer.headers['access-control-expose-headers'], undefined)
})
