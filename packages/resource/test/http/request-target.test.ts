/** Targets that are too long, and requests as the adapters hand them over: every line, and nothing that is not there. */
import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { fetchLines, readFetchRequest } from '../../src/adapters/fetch.ts'
import { bodyText } from '../../src/adapters/node.ts'
import { expressErrors, readExpressRequest } from '../../src/adapters/express.ts'
import { headerLinesOf, readNodeRequest, requestLines } from '../../src/adapters/node-request.ts'
import { readRequestHead } from '../../src/http/request.ts'

const sizes = { body: 10, headers: 1000, url: 20 }
const told = (target: string) => {
  const read = readRequestHead({ method: 'GET', target, headers: [], ip: null, body: () => assert.fail() }, sizes)
  if (read.kind === 'ok') return 'ok'
  const [error] = read.error.errors ?? []
  return `${read.error.status} ${read.error.code} ${error === undefined ? '' : JSON.stringify(error)}`
}

test('a parameter that is too long is named, decoded and cut; else the URL is too long', () => {
  const detail = 'It is too long: a URL has at most 20 characters.'
  const named = (parameter: string) =>
    `400 invalid_parameter ${JSON.stringify({ parameter, code: 'too_long', detail })}`
  assert.equal(told(`/p?a=${'x'.repeat(30)}&b=1`), named('a'))
  assert.equal(told(`/p?b=1&a%20b=${'x'.repeat(30)}`), named('a b'))
  assert.equal(told(`/p?%zz=${'x'.repeat(30)}`), named('%zz'))
  assert.equal(told(`/p?${'n'.repeat(150)}=1`), named('n'.repeat(100)))
  assert.equal(told(`/p?a=b?c=${'x'.repeat(30)}`), named('a'))
  assert.equal(told(`/${'p'.repeat(30)}?a=1`), '414 uri_too_long ')
  assert.equal(told(`/${'p'.repeat(19)}`), 'ok')
})

const message = (more: object = {}): IncomingMessage =>
  ({ rawHeaders: ['A', '1', 'b', '2', 'a', '3', 'ab', '4'], socket: {}, ...more }) as unknown as IncomingMessage

test('of node:http every line comes, and what is not said has its default', () => {
  const read = readNodeRequest(message(), 'ip')
  assert.deepEqual([read.method, read.target, read.ip, read.peer, read.certificate?.()], ['GET', '/', 'ip', null, null])
  assert.deepEqual(read.headers, [
    ['A', '1'],
    ['b', '2'],
    ['a', '3'],
    ['ab', '4'],
  ])
  assert.deepEqual(headerLinesOf(message(), 'a'), ['1', '3'])
  assert.deepEqual(headerLinesOf(message(), 'c'), [])
  const lines = requestLines(message({ method: 'PUT', url: '/x', socket: { remoteAddress: '::1' } }), () => 'there')
  assert.deepEqual([lines.method, lines.target, lines.peer, lines.address?.()], ['PUT', '/x', '::1', 'there'])
  assert.deepEqual(lines.lines('b'), ['2'])
  const least = requestLines(message(), () => null)
  assert.deepEqual([least.method, least.target, least.peer], ['GET', '/', null])
})

test('of Express the target as it was asked for, and the address as Express knows it', () => {
  const request = message({ url: '/inner', originalUrl: '/outer/inner', ip: '192.0.2.1' })
  const read = readExpressRequest(request as Parameters<typeof readExpressRequest>[0])
  assert.deepEqual([read.target, read.ip], ['/outer/inner', '192.0.2.1'])
  const unknown = readExpressRequest(message({ originalUrl: '/' }) as Parameters<typeof readExpressRequest>[0])
  assert.equal(unknown.ip, null)
})

test('of a Request path and query, one line of a header, and what only the platform knows', () => {
  const request = new Request('https://api.example/a/b?c=d', { headers: { one: '1' } })
  const lines = fetchLines(request, { ip: 'ip', peer: 'peer', certificateThumbprint: 't' })
  assert.deepEqual(
    [lines.method, lines.target, lines.lines('one'), lines.lines('two'), lines.address?.(), lines.peer],
    ['GET', '/a/b?c=d', ['1'], [], 'ip', 'peer'],
  )
  assert.deepEqual(lines.certificate?.(), { thumbprint: 't' })
  const least = fetchLines(request, {})
  assert.deepEqual([least.address?.(), least.peer, least.certificate?.()], [null, undefined, null])
  const read = readFetchRequest(request, {})
  assert.deepEqual([read.target, read.ip, read.method], ['/a/b?c=d', null, 'GET'])
})

test('a body is read as text up to the limit, and not at all beyond it', async () => {
  const body = (text: string) => Object.assign(Readable.from([Buffer.from(text)]), { rawHeaders: [], socket: {} })
  assert.equal(await bodyText(body('höre') as unknown as IncomingMessage, 5), 'höre')
  assert.equal(await bodyText(body('höre!') as unknown as IncomingMessage, 5), null)
})

test('what a handler threw is a 500, a refusal of Express is handed on, as is anything after the answer began', () => {
  for (const [status, sent, expected] of [
    [400, false, 'next'],
    [499, false, 'next'],
    [399, false, 'answered'],
    [500, false, 'answered'],
    ['400', false, 'answered'],
    [undefined, false, 'answered'],
    [500, true, 'next'],
  ] as const) {
    const did: string[] = []
    const response = {
      headersSent: sent,
      req: { resume() {} },
      writeHead: () => ({ end: () => did.push('answered') }),
    }
    const resource = { internalError: () => ({ status: 500, headers: {}, body: null }) }
    const error = Object.assign(new Error('x'), { status })
    const handle = expressErrors(resource as never)
    handle(error, {} as never, response as never, () => did.push('next'))
    assert.deepEqual(did, [expected], String(status))
  }
})
