/** What is refused at the addresses of the admin API before it is asked, or on the bare socket: in the form of an API. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PassThrough } from 'node:stream'
import type { Authority } from '@grantor/authority'
import { answerBrokenHttp } from '../../src/http/errors.ts'
import { err, ok } from '@grantor/protocol/result'
import { testbed } from './testbed.ts'

interface Told {
  readonly status: number
  readonly type: string
  readonly body: Readonly<Record<string, unknown>>
}

const knownTenant: Authority['grantor'] = async (tenant) =>
  tenant === 'nobody' ? err({ reason: 'tenant_unknown' }) : ok({ issuer: `of ${tenant}` })

const longCursor = 'ç'.repeat(2049)

test('RFC 9457 §3: sizes, unknown tenants and addresses of the admin API are told as problems, to browsers too', async () => {
  const { app } = testbed({ grantor: knownTenant, admin: {} as Authority['admin'] })
  const get = async (url: string, headers: Readonly<Record<string, string>> = {}): Promise<Told> => {
    const { statusCode, headers: got, body } = await app.inject({ method: 'GET', url, headers })
    return { status: statusCode, type: String(got['content-type']), body: JSON.parse(body) as Told['body'] }
  }
  for (const [url, status, code, headers] of [
    [`/v1/clients/${'x'.repeat(9000)}`, 414, 'uri_too_long', {}],
    [`/t/acme/v1/clients/${'x'.repeat(9000)}`, 414, 'uri_too_long', {}],
    ['/v1/clients', 431, 'headers_too_large', { 'x-much': 'x'.repeat(20_000) }],
    ['/v1', 404, 'not_found', {}],
    ['/v1?x', 404, 'not_found', { accept: 'text/html' }],
    ['/t/nobody/v1/clients', 404, 'not_found', { accept: 'text/html' }],
    ['/t/NO%20NAME/v1/clients', 404, 'not_found', {}],
  ] as const) {
    const told = await get(url, headers)
    assert.deepEqual([told.status, told.type, told.body['code']], [status, 'application/problem+json', code], url)
    assert.equal(told.body['status'], status)
    assert.match(String(told.body['type']), /\/problems\//)
  }
})

test('RFC 9110 §15.5.6: methods that only others know are 405 at the API, with those that it knows', async () => {
  const { app } = testbed({ grantor: knownTenant, admin: {} as Authority['admin'] })
  for (const method of ['PROPFIND', 'TRACE', 'REPORT'] as const) {
    const got = await app.inject({ method: method as 'TRACE', url: '/v1/clients' })
    assert.deepEqual([got.statusCode, got.headers['content-type']], [405, 'application/problem+json'], method)
    assert.match(String(got.headers['allow']), /^GET, HEAD, /)
  }
})

test('a cursor that is too long is 400 and named, however long its encoding', async () => {
  const { app } = testbed({ grantor: knownTenant, admin: {} as Authority['admin'] })
  for (const text of [longCursor, 'x'.repeat(40_000)]) {
    const url = `/v1/clients?limit=1&cursor=${encodeURIComponent(text)}`
    const { statusCode, body } = await app.inject({ method: 'GET', url })
    const told = JSON.parse(body) as { readonly errors: readonly { readonly parameter: string }[] }
    assert.deepEqual([statusCode, told.errors[0]?.parameter], [400, 'cursor'])
  }
})

test('OAuth endpoints keep their own form', async () => {
  const { app } = testbed({ grantor: knownTenant, admin: {} as Authority['admin'] })
  for (const [url, status, headers] of [
    [`/jwks?${'x'.repeat(9000)}`, 414, {}],
    ['/v10', 404, {}],
  ] as const) {
    const { statusCode, headers: got, body } = await app.inject({ method: 'GET', url, headers })
    assert.deepEqual([statusCode, got['content-type']], [status, 'application/json; charset=utf-8'])
    assert.equal((JSON.parse(body) as Told['body'])['error'], 'invalid_request')
  }
})

function heard(rawPacket: Buffer | undefined): { readonly head: string; readonly body: Told['body'] } {
  const socket = new PassThrough()
  answerBrokenHttp({ code: 'HPE_HEADER_OVERFLOW', rawPacket }, socket)
  const [head = '', body = ''] = String(socket.read()).split('\r\n\r\n')
  return { head, body: JSON.parse(body) as Told['body'] }
}

test('RFC 9457 §4.2.1: what never became a request is told by its address; where that is not known, in both forms', () => {
  const api = heard(Buffer.from('GET /t/acme/v1/clients?cursor=xxx'))
  assert.match(api.head, /^HTTP\/1\.1 431 [^]*Content-Type: application\/problem\+json/)
  assert.deepEqual([api.body['type'], api.body['status'], api.body['error']], ['about:blank', 431, undefined])
  const oauth = heard(Buffer.from('POST /token HTTP/1.1\r\nx: y'))
  assert.match(oauth.head, /^HTTP\/1\.1 431 [^]*Content-Type: application\/json/)
  assert.deepEqual(Object.keys(oauth.body), ['error', 'error_description'])
  for (const unknown of [heard(Buffer.from('xxxxxxxx')), heard(undefined)]) {
    assert.match(unknown.head, /Content-Type: application\/problem\+json/)
    assert.deepEqual([unknown.body['status'], unknown.body['error']], [431, 'invalid_request'])
  }
})
