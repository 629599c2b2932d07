/** Answers of node:http that are open: whose they are, since when, and what is done to each kind when its token is over. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect as connectHttp2, createServer as createHttp2, constants } from 'node:http2'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { after, test } from 'node:test'
import { trackResponses, trackUpgraded } from '../../src/adapters/open-responses.ts'
import { apiResponse } from '../../src/http/response.ts'
import type { OpenExchange, OpenExchanges } from '../../src/protect/open-exchanges.ts'
import type { Caller } from '../../src/validate/caller.ts'
import { eventually } from '../fake-time.ts'

const callerOf = (subject: string | undefined) => ({ subject }) as unknown as Caller
const ended = () => apiResponse(401, { 'x-refused': 'yes' }, 'over')

function exchanges() {
  const all = new Set<OpenExchange>()
  const open: OpenExchanges = {
    add: (one) => void all.add(one),
    delete: (one) => void all.delete(one),
    endOf: () => null,
  }
  const only = () => [...all][0] as OpenExchange
  return { open, all, only, subjects: () => [...all].map(({ caller }) => caller?.subject) }
}

type Answer = (response: ServerResponse) => void

/** Every request is tracked under its path, and answered when it is let. */
async function serving(open: OpenExchanges | null) {
  const track = trackResponses({ open, ended })
  const asked: { request: IncomingMessage; response: ServerResponse }[] = []
  const server = createServer((request, response) => {
    track(request, response, callerOf(request.url))
    asked.push({ request, response })
    server.emit('tracked')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('latin1')
  let text = ''
  socket.on('data', (more: string) => (text += more)).on('error', () => {})
  return {
    server,
    socket,
    text: () => text,
    async ask(path: string, method = 'GET') {
      const tracked = once(server, 'tracked')
      socket.write(`${method} ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)
      await tracked
    },
    async answer(n: number, how: Answer = (response) => response.end('done')) {
      const response = asked[n]?.response as ServerResponse
      const closed = once(response, 'close')
      how(response)
      await closed
    },
    begin: (n: number, how: Answer) => how(asked[n]?.response as ServerResponse),
  }
}

const until = async (socket: Socket, text: () => string, part: string) => {
  while (!text().includes(part)) await once(socket, 'data')
}

test('a connection that two routes answer on is looked at by each as that one is: the second does not go by the first', async () => {
  const [first, second] = [exchanges(), exchanges()]
  const tracks = new Map([first, second].map(({ open }, n) => [`/${n}`, trackResponses({ open, ended })]))
  const it = await serving(null)
  const answers: ServerResponse[] = []
  it.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    tracks.get(request.url ?? '')?.(request, response, callerOf(request.url))
    answers.push(response)
    it.server.emit('told')
  })
  for (const path of ['/0', '/1']) {
    const told = once(it.server, 'told')
    await it.ask(path)
    await told
    if (path === '/0') await it.answer(0)
  }
  assert.deepEqual([first.subjects(), second.subjects()], [[undefined], ['/1']])
  await it.answer(1)
  assert.deepEqual(second.subjects(), [])
})

test('a connection is one place: of whom the request is that it answers now, since its own beginning, and nobody’s between two', async () => {
  const { open, all, only, subjects } = exchanges()
  const it = await serving(open)
  await it.ask('/alice')
  assert.deepEqual([subjects(), only().seenAt], [['/alice'], 0])
  only().seenAt = 5
  await it.answer(0)
  assert.deepEqual(subjects(), [undefined])
  await it.ask('/bob')
  // Since when it is open is not since when the one before was.
  assert.deepEqual([subjects(), only().seenAt], [['/bob'], 0])
  const closed = once(it.socket, 'close')
  it.socket.destroy()
  await closed
  await eventually('it is let go of', () => all.size === 0)
})

test('RFC 9112 §9.3.2: of two requests that are sent at once both are open, each for its own caller', async () => {
  const { open, all, subjects } = exchanges()
  const it = await serving(open)
  await it.ask('/alice')
  await it.ask('/bob')
  assert.deepEqual(subjects(), ['/alice', '/bob'])
  await it.answer(0)
  await it.answer(1)
  assert.deepEqual([subjects(), all.size], [[undefined], 1])
})

test('an answer is over when it is sent, and when it is broken off', async () => {
  const { open, subjects } = exchanges()
  const it = await serving(open)
  await it.ask('/alice')
  const sent: unknown[] = []
  await it.answer(0, (response) => {
    response.on('finish', () => sent.push(subjects()))
    response.end('done')
  })
  assert.deepEqual(sent, [[undefined]])
  await it.ask('/bob')
  assert.deepEqual(subjects(), ['/bob'])
  it.begin(1, (response) => response.destroy())
  assert.deepEqual(subjects(), [undefined])
})

test('where streams are left alone nothing is tracked', async () => {
  const it = await serving(null)
  await it.ask('/alice')
  await it.answer(0)
  trackUpgraded({ open: null, ended }, it.socket, callerOf('alice'))
  assert.equal(it.socket.listenerCount('close'), 0)
})

test('a read that waits is refused on the connection, which closes; its handler may still write, to nobody', async () => {
  for (const method of ['GET', 'HEAD']) {
    const { open, only, subjects } = exchanges()
    const it = await serving(open)
    await it.ask('/alice', method)
    const closed = once(it.socket, 'close')
    only().cut('revoked')
    only().cut('revoked')
    assert.deepEqual(subjects(), [undefined])
    await closed
    assert.match(it.text(), /^HTTP\/1\.1 401 Unauthorized\r\nx-refused: yes\r\nconnection: close\r\n\r\nover$/)
  }
})

/** What was begun of the answer, why it is over, and what the client gets. */
const begun: readonly (readonly [string, Answer, 'expired' | 'revoked', 'ended' | 'broken' | 'left'])[] = [
  ['a write that is not answered yet', () => {}, 'revoked', 'left'],
  [
    'a stream by writeHead',
    (it) => it.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('x'),
    'expired',
    'ended',
  ],
  [
    'a stream by setHeader',
    (it) => it.setHeader('content-type', 'application/x-ndjson').write('x'),
    'expired',
    'ended',
  ],
  [
    'another answer that says its length, expired',
    (it) => it.writeHead(200, { 'content-type': 'text/plain', 'Content-Length': '5' }).write('x'),
    'expired',
    'left',
  ],
  [
    'another answer with its length by setHeader, expired',
    (it) => it.setHeader('content-length', 5).write('x'),
    'expired',
    'left',
  ],
  [
    'another answer, which may go on for ever, expired',
    (it) => it.writeHead(200, { 'content-type': 'text/plain' }).write('x'),
    'expired',
    'broken',
  ],
  [
    'another answer, revoked',
    (it) => it.writeHead(200, { 'content-type': 'text/plain' }).write('x'),
    'revoked',
    'broken',
  ],
  ['an answer without a type, revoked', (it) => it.write('x'), 'revoked', 'broken'],
]
for (const [what, begin, ending, fate] of begun)
  test(`${what}: ${fate}`, async () => {
    const { open, only } = exchanges()
    const it = await serving(open)
    await it.ask('/alice', 'POST')
    it.begin(0, begin)
    if (what !== 'a write that is not answered yet') await until(it.socket, it.text, 'x')
    const closed = once(it.socket, 'close')
    only().cut(ending)
    if (fate === 'broken') await closed
    else if (fate === 'ended') await until(it.socket, it.text, '\r\n0\r\n\r\n')
    else {
      await it.answer(0)
      await until(it.socket, it.text, 'done')
    }
    assert.equal(it.text().includes('\r\n0\r\n\r\n'), fate === 'ended')
  })

test('an answer that is written and waits for a slow reader has an end: it is left alone when its token expires', async () => {
  const { open, only } = exchanges()
  const it = await serving(open)
  await it.ask('/alice')
  it.socket.pause()
  it.begin(0, (response) => {
    response.write('x'.repeat(20_000_000))
    response.end()
  })
  only().cut('expired')
  it.socket.resume()
  await until(it.socket, it.text, '\r\n0\r\n\r\n')
})

test('a stream that is ended, and open as long as its client does not read: what its handler still writes harms nobody', async () => {
  const { open, only } = exchanges()
  const it = await serving(open)
  await it.ask('/alice')
  const written: unknown[] = []
  it.begin(0, (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('x')
    only().cut('revoked')
    only().cut('revoked')
    response.write('more', (error) => written.push(error))
  })
  await until(it.socket, it.text, '\r\n0\r\n\r\n')
  assert.equal(it.text().includes('more'), false)
  assert.equal((written[0] as NodeJS.ErrnoException).code, 'ERR_STREAM_WRITE_AFTER_END')
})

test('whoever has left before the guard was done is not waited for: on a connection, and after a handshake', async () => {
  const { open, all } = exchanges()
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  const [request, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse]
  const closed = once(request.socket, 'close')
  client.destroy()
  await closed
  trackResponses({ open, ended })(request, response, callerOf('alice'))
  trackUpgraded({ open, ended }, request.socket, callerOf('alice'))
  assert.equal(all.size, 0)
})

test('RFC 9113 §5.4.2: whoever has left before the guard was done is not waited for on a stream of HTTP/2', async () => {
  const { open, all } = exchanges()
  const server = createHttp2().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  after(() => {
    client.destroy()
    server.close()
  })
  const stream = client.request({ [constants.HTTP2_HEADER_PATH]: '/' }).on('error', () => {})
  const [request, response] = (await once(server, 'request')) as unknown as [IncomingMessage, ServerResponse]
  const closed = once(response, 'close')
  stream.close(constants.NGHTTP2_CANCEL)
  await closed
  trackResponses({ open, ended })(request, response, callerOf('alice'))
  assert.equal(all.size, 0)
})

test('a place where nobody’s request is open is not cut', async () => {
  const { open, only } = exchanges()
  const it = await serving(open)
  await it.ask('/alice')
  await it.answer(0)
  only().cut('revoked')
  await it.ask('/bob')
  await it.answer(1, (response) => response.end('second'))
  await until(it.socket, it.text, 'second')
  assert.equal(it.text().match(/HTTP\/1\.1 200/g)?.length, 2)
})

test('RFC 9113 §5: over HTTP/2 each stream is open for itself, is cut by itself, and is let go of when it closes', async () => {
  const { open, all, subjects } = exchanges()
  const track = trackResponses({ open, ended })
  const server = createHttp2((request, response) => {
    track(request as never, response as never, callerOf(request.url))
    server.emit('tracked')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  after(() => {
    client.destroy()
    server.close()
  })
  const streams = []
  for (const path of ['/alice', '/bob']) {
    const tracked = once(server, 'tracked')
    streams.push(client.request({ [constants.HTTP2_HEADER_PATH]: path }).on('error', () => {}))
    await tracked
  }
  assert.deepEqual(subjects(), ['/alice', '/bob'])
  const [alice, bob] = streams
  const closed = new Promise((resolve) => {
    alice?.on('close', resolve)
  })
  ;[...all][0]?.cut('revoked')
  await closed
  assert.deepEqual([subjects(), bob?.closed], [['/bob'], false])
})

test('RFC 6455 §5.5.1: what changed over is told once that its token is over, however often it is cut', async () => {
  const { open, only } = exchanges()
  const written: Buffer[] = []
  const socket = new Duplex({
    read() {},
    write(chunk: Buffer) {
      // Never done: its client does not read.
      written.push(chunk)
    },
  })
  trackUpgraded({ open, ended }, socket, callerOf('alice'))
  only().cut('expired')
  only().cut('expired')
  assert.deepEqual([written.length, written[0]?.[0], socket.errored], [1, 0x88, null])
})

test('what changed over is open since its handshake, and let go of when it closes', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 7_000 })
  const { open, all, only } = exchanges()
  const { socket } = await serving(null)
  trackUpgraded({ open, ended }, socket, callerOf('alice'))
  assert.deepEqual([only().caller?.subject, only().seenAt], ['alice', 7_000])
  const closed = new Promise((resolve) => {
    socket.once('close', resolve)
  })
  socket.destroy()
  await closed
  assert.equal(all.size, 0)
})
