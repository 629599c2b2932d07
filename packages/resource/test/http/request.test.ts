/** A request before anybody looked at what it asks: sizes, repeated headers, bodies and their lengths. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import { ok, err } from '@grantor/protocol/result'
import { headerLinesOf, readNodeRequest } from '../../src/adapters/node-request.ts'
import { readFetchRequest } from '../../src/adapters/fetch.ts'
import {
  type ApiRequest,
  defaultSizes,
  type HeaderLine,
  readRequestBody,
  readRequestHead,
  type RequestBody,
} from '../../src/http/request.ts'
import {
  renderResponse,
  replyWithHeaders,
  apiResponse,
  jsonResponse,
  statusOfReply,
  withHeaders,
} from '../../src/http/response.ts'

const request = (headers: readonly HeaderLine[], more: Partial<ApiRequest> = {}): ApiRequest => ({
  method: 'GET',
  target: '/',
  headers,
  ip: null,
  body: () => Promise.resolve(ok(new Uint8Array())),
  ...more,
})

const headOf = (headers: readonly HeaderLine[], more: Partial<ApiRequest> = {}) => {
  const head = readRequestHead(request(headers, more), { body: 10, headers: 100, url: 20 })
  return head.kind === 'ok' ? 'ok' : `${head.error.status} ${head.error.code}`
}

test('a URL and headers have their size, to the byte', () => {
  assert.equal(headOf([], { target: '/'.repeat(20) }), 'ok')
  assert.match(headOf([], { target: '/'.repeat(21) }), /^414 /)
  // RFC 9112 §5: a line takes a colon, a space and its end besides.
  assert.equal(
    headOf([
      ['a', 'x'.repeat(45)],
      ['b', 'x'.repeat(45)],
    ]),
    'ok',
  )
  assert.match(
    headOf([
      ['a', 'x'.repeat(45)],
      ['b', 'x'.repeat(46)],
    ]),
    /^431 /,
  )
  assert.deepEqual(defaultSizes, { body: 1_048_576, headers: 16_384, url: 8192 })
})

test('a header that means one thing is given once, in whatever case; lists may be given in lines', () => {
  const once = [
    'Authorization',
    'Content-Type',
    'Content-Length',
    'Host',
    'Origin',
    'Idempotency-Key',
    'If-Modified-Since',
    'If-Unmodified-Since',
  ]
  for (const name of once) {
    assert.equal(headOf([[name, 'a']]), 'ok')
    assert.equal(
      headOf([
        [name, 'a'],
        [name.toLowerCase(), 'a'],
      ]),
      '400 header_repeated',
      name,
    )
  }
  const head = readRequestHead(
    request([
      ['Accept', 'a'],
      ['accept', 'b'],
    ]),
    defaultSizes,
  )
  assert.ok(head.kind === 'ok')
  assert.deepEqual([head.value.get('accept'), head.value.lines('accept')], ['a, b', ['a', 'b']])
  assert.deepEqual([head.value.get('none'), head.value.lines('none')], [null, []])
})

async function bodyOf(declared: string | null, body: RequestBody, limit = 10) {
  const it = request(declared === null ? [] : [['Content-Length', declared]], { body: () => Promise.resolve(body) })
  const head = readRequestHead(it, defaultSizes)
  assert.ok(head.kind === 'ok')
  const read = await readRequestBody(it, head.value, limit)
  return read.kind === 'ok' ? Buffer.from(read.value).toString() : `${read.error.status} ${read.error.code}`
}

test('RFC 9110 §8.6: a body is what its length says, and no longer than it may be', async () => {
  const body = (text: string) => ok(Buffer.from(text))
  assert.equal(await bodyOf(null, body('hello')), 'hello')
  assert.equal(await bodyOf('5', body('hello')), 'hello')
  assert.equal(await bodyOf('10', body('0123456789')), '0123456789')
  for (const lie of ['4', '6', '0']) assert.equal(await bodyOf(lie, body('hello')), '400 length_mismatch', lie)
  for (const none of ['-5', '5.0', '0x5', 'five', '', '5 ', '1'.repeat(16)])
    assert.equal(await bodyOf(none, body('hello')), '400 length_mismatch', none)
  assert.match(await bodyOf('11', body('hello')), /^413 /)
  assert.match(await bodyOf(null, err('too_large')), /^413 /)
  assert.equal(await bodyOf(null, err('cut_short')), '400 length_mismatch')
})

/** What a listener of node:http sees of raw bytes; `cut` ends the connection in the middle. */
async function received(raw: string, limit: number, cut = false) {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const asked = once(server, 'request') as Promise<[IncomingMessage, never]>
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(raw)
  const [message] = await asked
  message.on('error', () => {})
  const read = readNodeRequest(message, '192.0.2.1')
  const body = read.body(limit)
  if (cut) socket.destroy()
  const outcome = await body
  socket.destroy()
  server.close()
  return { read, message, outcome: outcome.kind === 'ok' ? Buffer.from(outcome.value).toString() : outcome.error }
}

const post = (length: number, body: string) =>
  `POST /a?b=c HTTP/1.1\r\nHost: x\r\nX-Two: 1\r\nx-two: 2\r\nContent-Length: ${length}\r\n\r\n${body}`

test('a request of node:http: every line of every header, and the body up to its limit', async () => {
  const { read, message, outcome } = await received(post(5, 'hello'), 5)
  assert.deepEqual([read.method, read.target, read.ip, outcome], ['POST', '/a?b=c', '192.0.2.1', 'hello'])
  assert.deepEqual(
    read.headers.filter(([name]) => name.toLowerCase() === 'x-two'),
    [
      ['X-Two', '1'],
      ['x-two', '2'],
    ],
  )
  assert.deepEqual(headerLinesOf(message, 'x-two'), ['1', '2'])
  assert.deepEqual(headerLinesOf(message, 'host'), ['x'])
  assert.deepEqual(headerLinesOf(message, 'none'), [])
  assert.deepEqual(headerLinesOf(message, 'content-length'), ['5'], 'the last of them')
  assert.deepEqual(read.headers.at(-1), ['Content-Length', '5'])
  assert.equal((await received(post(6, 'hello!'), 5)).outcome, 'too_large')
  assert.equal((await received(post(50, 'hello'), 100, true)).outcome, 'cut_short')
})

/** A message of node:http that says so much of itself and no more. */
async function begun(text: string) {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const asked = once(server, 'request') as Promise<[IncomingMessage, never]>
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
  socket.write(text)
  const [message] = await asked
  message.on('error', () => {})
  return { message, socket, close: () => (socket.destroy(), server.close()) }
}

test('a body that is too large is told at once, none of the rest is kept, and it flows by to its end', async () => {
  const { message, socket, close } = await begun(post(12, '0123'))
  const listeners = () => ['data', 'end', 'close'].map((name) => message.listenerCount(name))
  const before = listeners()
  const outcome = readNodeRequest(message, null).body(5)
  socket.write('4567')
  assert.deepEqual(await outcome, err('too_large'))
  assert.deepEqual(listeners(), before)
  const ended = new Promise((resolve) => {
    message.on('end', resolve)
  })
  socket.write('89ab')
  await ended
  close()
})

test('the body of a client that is gone is cut short, whether it goes before or while it is asked for', async () => {
  const { message, socket, close } = await begun(post(12, '0123'))
  const closed = new Promise((resolve) => {
    message.on('close', resolve)
  })
  const whileAsked = readNodeRequest(message, null).body(20)
  socket.destroy()
  assert.deepEqual(await whileAsked, err('cut_short'))
  close()
  await closed
  const before = await begun(post(12, ''))
  const gone = new Promise((resolve) => {
    before.message.on('close', resolve)
  })
  before.socket.destroy()
  await gone
  assert.deepEqual(await readNodeRequest(before.message, null).body(20), err('cut_short'))
  before.close()
})

test('a body that something has read already is a mistake that is told, not waited for', async () => {
  const { message, close } = await begun(post(4, '0123'))
  const first = readNodeRequest(message, null)
  assert.deepEqual(await first.body(4), ok(Buffer.from('0123')))
  assert.throws(() => first.body(4), /read already/)
  close()
})

test('a Request of the Fetch standard: the same', async () => {
  const of = (body: string | ReadableStream | null, init: RequestInit = {}) =>
    readFetchRequest(
      new Request('https://api.example/a?b=c', { method: 'POST', headers: { 'x-a': '1' }, body, ...init }),
      { ip: '192.0.2.1' },
    )
  const read = of('hello')
  assert.deepEqual([read.method, read.target, read.ip], ['POST', '/a?b=c', '192.0.2.1'])
  assert.deepEqual(
    read.headers.filter(([name]) => name === 'x-a'),
    [['x-a', '1']],
  )
  const text = async (it: ApiRequest, limit: number) => {
    const outcome = await it.body(limit)
    return outcome.kind === 'ok' ? Buffer.from(outcome.value).toString() : outcome.error
  }
  assert.equal(await text(read, 5), 'hello')
  assert.equal(await text(of('hello!'), 5), 'too_large')
  assert.equal(await text(of(null), 5), '')
  const broken = new ReadableStream({
    start(controller) {
      controller.enqueue(Buffer.from('he'))
      controller.error(new Error('gone'))
    },
  })
  assert.equal(await text(of(broken, { duplex: 'half' }), 5), 'cut_short')
})

test('an answer carries its length, its id and that its type is meant; HEAD, 204 and 304 carry no body', () => {
  const identity = { origin: 'https://api.example', requestId: 'r1' }
  const rendered = (reply: Parameters<typeof renderResponse>[0], method = 'GET') =>
    renderResponse(reply, method, identity)
  const json = jsonResponse(200, { a: 'ü' }, { 'x-b': '1' })
  assert.deepEqual(rendered(ok(json)), {
    status: 200,
    headers: {
      'content-type': 'application/json',
      'x-b': '1',
      'x-request-id': 'r1',
      'x-content-type-options': 'nosniff',
      'content-length': '10',
    },
    body: '{"a":"ü"}',
  })
  assert.deepEqual(
    [rendered(ok(json), 'HEAD').body, rendered(ok(json), 'HEAD').headers['content-length']],
    [null, '10'],
  )
  for (const status of [204, 304]) {
    const bare = rendered(ok(apiResponse(status, {}, 'x')))
    assert.deepEqual([bare.body, 'content-length' in bare.headers], [null, false])
  }
  assert.equal(rendered(ok(apiResponse(200))).headers['content-length'], '0')
})

test('lists grow by what is added, everything else is set; a refusal takes headers as an answer does', () => {
  const held = apiResponse(200, { vary: 'Accept', link: '<a>', etag: '1' })
  assert.deepEqual(withHeaders(held, { vary: 'Origin', link: '<b>', etag: '2', x: '3' }).headers, {
    vary: 'Accept, Origin',
    link: '<a>, <b>',
    etag: '2',
    x: '3',
  })
  assert.deepEqual(withHeaders<{ headers?: Record<string, string> }>({}, { vary: 'Origin' }).headers, {
    vary: 'Origin',
  })
  const head = readRequestHead(request([], { target: '/'.repeat(9000) }), defaultSizes)
  assert.ok(head.kind === 'error')
  const refused = replyWithHeaders(head, { vary: 'Origin' })
  assert.ok(refused.kind === 'error')
  assert.deepEqual([statusOfReply(refused), refused.error.headers?.['vary']], [414, 'Origin'])
  assert.equal(statusOfReply(ok(held)), 200)
})
