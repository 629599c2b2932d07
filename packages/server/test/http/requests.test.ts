/** Every malformed, oversized, wrongly typed or wrongly encoded request gets the right 4xx, an error and no-store. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { testbed } from './testbed.ts'

const form = 'application/x-www-form-urlencoded'
const good = 'grant_type=client_credentials'

interface Row {
  readonly what: string
  readonly ask: InjectOptions
  readonly status: number
  readonly error?: string
}
const post = (payload: string | Buffer, headers: Record<string, string> = {}): InjectOptions => ({
  method: 'POST',
  url: '/token',
  payload,
  headers: { 'content-type': form, ...headers },
})

const refused: readonly Row[] = [
  { what: 'JSON', ask: post('{"grant_type":"x"}', { 'content-type': 'application/json' }), status: 415 },
  { what: 'JSON behind a tab', ask: post('{}', { 'content-type': 'application/json\t;x' }), status: 415 },
  { what: 'a form type behind a comma', ask: post(good, { 'content-type': `application/json, ${form}` }), status: 415 },
  { what: 'a form type that goes on', ask: post(good, { 'content-type': `${form}x` }), status: 415 },
  { what: 'a form type that is not one', ask: post(good, { 'content-type': 'form' }), status: 415 },
  { what: 'plain text', ask: post(good, { 'content-type': 'text/plain' }), status: 415 },
  { what: 'multipart', ask: post('--x', { 'content-type': 'multipart/form-data; boundary=x' }), status: 415 },
  { what: 'another charset', ask: post(good, { 'content-type': `${form}; charset=utf-16` }), status: 415 },
  { what: 'a compressed body', ask: post(good, { 'content-encoding': 'gzip' }), status: 415 },
  { what: 'a body without a type', ask: { method: 'POST', url: '/token', payload: Buffer.from(good) }, status: 415 },
  { what: 'a body one byte too large', ask: post(`a=${'x'.repeat(65_535)}`), status: 413 },
  {
    what: 'a large body of another type',
    ask: post('x'.repeat(70_000), { 'content-type': 'text/plain' }),
    status: 415,
  },
  { what: 'no parameters', ask: post(''), status: 400 },
  { what: 'nothing at all', ask: { method: 'POST', url: '/token' }, status: 400 },
  { what: 'a repeated parameter', ask: post(`${good}&${good}`), status: 400 },
  { what: 'broken percent-encoding', ask: post('grant_type=%zz'), status: 400 },
  { what: 'a cut percent-encoding', ask: post('grant_type=%e'), status: 400 },
  { what: 'bytes that are not UTF-8', ask: post('grant_type=%ff'), status: 400 },
  { what: 'an overlong encoding', ask: post('grant_type=%c0%af'), status: 400 },
  { what: 'raw bytes', ask: post(Buffer.from([0x67, 0x3d, 0xc3, 0xa9])), status: 400 },
  { what: 'a null', ask: post('grant_type=a%00b'), status: 400 },
  { what: 'too many parameters', ask: post(Array.from({ length: 101 }, (_, i) => `p${i}=1`).join('&')), status: 400 },
  { what: 'a nameless parameter', ask: post('=x'), status: 400 },
  { what: 'an unknown path', ask: { method: 'GET', url: '/nope' }, status: 404 },
  { what: 'a body for an unknown path', ask: { ...post('{}', { 'content-type': 'x/y' }), url: '/nope' }, status: 404 },
  { what: 'QUERY', ask: { ...post(good), method: 'QUERY' }, status: 405 },
  { what: 'a trailing slash', ask: { ...post(good), url: '/token/' }, status: 404 },
  { what: 'a doubled slash', ask: { ...post(good), url: '//token' }, status: 404 },
  { what: 'another case', ask: { ...post(good), url: '/TOKEN' }, status: 404 },
  { what: 'a broken path', ask: { method: 'GET', url: '/%zz' }, status: 404 },
  { what: 'a path upwards', ask: { method: 'GET', url: '/assets/..%2f..%2fpackage.json' }, status: 404 },
  { what: 'a long address', ask: { method: 'GET', url: `/jwks?${'x'.repeat(8192)}` }, status: 414 },
  { what: 'the default tenant by name', ask: { ...post(good), url: '/t/default/token' }, status: 404 },
  { what: 'a tenant in capitals', ask: { ...post(good), url: '/t/Acme/token' }, status: 404 },
  { what: 'a tenant with a slash', ask: { ...post(good), url: '/t/a%2fb/token' }, status: 404 },
  { what: 'a tenant with a dot', ask: { ...post(good), url: '/t/a.b/token' }, status: 404 },
  { what: 'an empty tenant', ask: { ...post(good), url: '/t//token' }, status: 404 },
  { what: 'a tenant name of 41', ask: { ...post(good), url: `/t/${'a'.repeat(41)}/token` }, status: 404 },
  { what: 'a tenant name of 10 000', ask: { ...post(good), url: `/t/${'a'.repeat(7000)}/token` }, status: 404 },
  { what: 'a tenant that is not there', ask: { url: '/t/gone/.well-known/openid-configuration' }, status: 404 },
  { what: 'GET where POST is asked for', ask: { method: 'GET', url: '/token' }, status: 405 },
  {
    what: 'PUT with a body',
    ask: { ...post('{}', { 'content-type': 'application/json' }), method: 'PUT' },
    status: 405,
  },
  { what: 'POST where GET is asked for', ask: { ...post(good), url: '/jwks' }, status: 405 },
  { what: 'DELETE', ask: { method: 'DELETE', url: '/t/acme/revoke' }, status: 405 },
]

describe('requests that are refused', () => {
  for (const { what, ask, status } of refused) {
    test(`${what} is answered ${status}`, async () => {
      const { app } = testbed()
      const answer = await app.inject(ask)
      assert.equal(answer.statusCode, status, answer.body)
      const { error, error_description, error_uri } = answer.json<Record<string, string>>()
      assert.equal(error, 'invalid_request')
      assert.match(error_description ?? '', /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
      assert.equal(error_uri, 'https://as.example/problems/invalid_request')
      assert.equal(answer.headers['cache-control'], 'no-store')
      assert.equal(answer.headers['x-content-type-options'], 'nosniff')
      const control = await app.inject(post(good))
      assert.equal(control.statusCode, 200)
    })
  }

  test('a 405 names what is allowed', async () => {
    const { app } = testbed()
    assert.equal((await app.inject({ method: 'GET', url: '/token' })).headers['allow'], 'POST')
    assert.equal((await app.inject({ method: 'DELETE', url: '/jwks' })).headers['allow'], 'GET, HEAD')
  })

  test('two Authorization headers are one too many', async () => {
    const { app } = testbed()
    const answer = await app.inject({
      ...post(good),
      headers: { 'content-type': form, authorization: ['Basic YTpi', 'Basic Yzpk'] as never },
    })
    assert.equal(answer.statusCode, 400)
  })
})

describe('requests that are accepted', () => {
  const accepted: readonly (readonly [string, InjectOptions])[] = [
    ['a plain form', post(good)],
    ['a form that names its charset', post(good, { 'content-type': `${form}; charset=UTF-8` })],
    ['a form type in capitals', post(good, { 'content-type': 'Application/X-WWW-Form-Urlencoded' })],
    [
      'a body of exactly 64 KiB',
      post(
        `${good}&${Array.from({ length: 4 }, (_, i) => `p${i}=${'x'.repeat(16_000)}`).join('&')}&q=`.padEnd(
          65_536,
          'x',
        ),
      ),
    ],
    ['a query, which is not looked at', { ...post(good), url: '/token?grant_type=other' }],
    ['a tenant', { ...post(good), url: '/t/acme-1/token' }],
  ]
  for (const [what, ask] of accepted) {
    test(`${what} is answered 200`, async () => {
      const answer = await testbed().app.inject(ask)
      assert.equal(answer.statusCode, 200, answer.body)
      assert.equal(answer.headers['cache-control'], 'no-store')
    })
  }
})
