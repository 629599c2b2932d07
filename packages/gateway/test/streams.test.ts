/** Streams through the gateway: events, WebSocket, and how they end. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { get, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { test } from 'node:test'
import { type Harness, type HarnessOptions, startHarness } from './harness.ts'

/** One event now, and one whenever the test wants. */
function eventStream(): {
  readonly answer: NonNullable<HarnessOptions['answer']>
  send(text: string): void
  closed: Promise<void>
} {
  let write = (_text: string): void => {}
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  return {
    answer(_request, response) {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: one\n\n')
      write = (text) => void response.write(text)
      response.on('close', () => resolve())
    },
    send: (text) => write(text),
    closed,
  }
}

async function listen(it: Harness, token: string, path = '/orders'): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' }
  const asked = get({ port: it.gateway.port, host: '127.0.0.1', path, headers, agent: false })
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  response.setEncoding('utf8')
  response.on('error', () => {})
  return response
}

test('a gateway that can accept no token is not ready; one with a route that serves on is, for its time', async () => {
  const ready = async (it: Harness) => (await it.ask('/health/ready')).status
  await using refusing = await startHarness()
  const told = [await ready(refusing)]
  refusing.loseFeed()
  told.push(await ready(refusing), (await refusing.ask('/orders', { token: refusing.mint() })).status)
  assert.deepEqual(told, [200, 503, 503])
  const routes = [{ path: '/orders', scopes: ['orders:read'], on_stale: 'serve' }]
  const client = { client_id: 'gateway', client_secret: 'a-secret-of-32-or-more-characters-long' }
  await using serving = await startHarness({ file: { routes, serve_stale_for: 600, client } })
  serving.loseFeed()
  assert.deepEqual([await ready(serving), (await serving.ask('/orders', { token: serving.mint() })).status], [200, 200])
})

test('events arrive one by one, as they are sent', async () => {
  const events = eventStream()
  await using it = await startHarness({ answer: events.answer })
  const response = await listen(it, it.mint())
  assert.deepEqual(await once(response, 'data'), ['data: one\n\n'])
  events.send('data: two\n\n')
  assert.deepEqual(await once(response, 'data'), ['data: two\n\n'])
  response.destroy()
  await events.closed
})

test('a stream of events ends when its token is revoked, at the API behind too', async () => {
  const events = eventStream()
  await using it = await startHarness({ answer: events.answer })
  const token = it.mint()
  const other = await listen(it, it.mint())
  const response = await listen(it, token)
  response.resume()
  it.revoke(token)
  await once(response, 'end')
  await events.closed
  assert.equal((await it.ask('/orders', { token })).status, 401)
  assert.equal(other.readableEnded, false)
  other.destroy()
})

test('a stream of events ends when its token expires', async () => {
  const events = eventStream()
  await using it = await startHarness({ answer: events.answer })
  const response = await listen(it, it.mint({ expiresIn: 2 }))
  response.resume()
  await once(response, 'end')
  await events.closed
})

test('whatever has no end of its own ends when its token expires: JSON lines, pictures, and what says no length', async () => {
  const types = { '/orders/a': 'application/x-ndjson', '/orders/b': 'multipart/x-mixed-replace; boundary=x' }
  await using it = await startHarness({
    answer(request, response) {
      const type = types[request.url as keyof typeof types] ?? 'application/octet-stream'
      const length = request.url === '/orders/file' ? { 'content-length': '9' } : {}
      response.writeHead(200, { 'content-type': type, ...length }).write('one')
    },
  })
  const token = it.mint({ expiresIn: 2 })
  const [lines, pictures, bytes, file] = await Promise.all(
    ['/orders/a', '/orders/b', '/orders/c', '/orders/file'].map((path) => listen(it, token, path)),
  )
  const over = [lines, pictures, bytes].map((response) => new Promise((done) => response?.resume().on('close', done)))
  await Promise.all(over)
  // Lines and parts are read as they come; of bytes nobody may think that they are whole.
  assert.deepEqual([lines?.complete, pictures?.complete, bytes?.complete], [true, true, false])
  assert.equal(file?.closed, false)
  file?.destroy()
})

test('a stream of events and a WebSocket end when the feed is lost, and an answer with a length goes on', async () => {
  await using it = await startHarness({
    upgrade: echoing,
    answer(request, response) {
      const isFile = request.url === '/orders/file'
      const headers = isFile ? { 'content-length': '9' } : { 'content-type': 'text/event-stream' }
      response.writeHead(200, headers).write('one')
    },
  })
  const socket = handshake(it, '/orders', it.mint())
  await firstData(socket)
  const [events, file] = [await listen(it, it.mint()), await listen(it, it.mint(), '/orders/file')]
  const ends = [once(events.resume(), 'end'), once(socket.resume(), 'close')]
  it.loseFeed()
  await Promise.all(ends)
  assert.equal(file.closed, false)
  file.destroy()
})

test('a route that serves by stale state lets in what is not known to be dead, and what is open on it goes on; others do not', async () => {
  await using it = await startHarness({
    file: {
      client: { client_id: 'gateway', client_secret: 'of the gateway' },
      serve_stale_for: 600,
      routes: [
        { path: '/orders', scopes: ['orders:read'] },
        { path: '/orders/read', scopes: ['orders:read'], on_stale: 'serve' },
      ],
    },
    upgrade: echoing,
    answer(request, response) {
      const headers = { 'content-type': 'text/event-stream' }
      if (request.url?.endsWith('/events') === true) response.writeHead(200, headers).write('one')
      else response.end('done')
    },
  })
  const [token, dead] = [it.mint(), it.mint()]
  const [served, refused] = [await listen(it, token, '/orders/read/events'), await listen(it, token, '/orders/events')]
  const socket = handshake(it, '/orders/read', token)
  await firstData(socket)
  const ended = once(refused.resume(), 'end')
  it.loseFeed()
  await ended
  // Both were looked at together.
  assert.deepEqual([served.readableEnded, socket.closed], [false, false])
  assert.equal((await it.ask('/orders/read', { token })).status, 200)
  assert.equal((await it.ask('/orders', { token })).status, 503)
  it.revoke(dead)
  assert.equal((await it.ask('/orders/read', { token: dead })).status, 401)
  served.destroy()
  socket.destroy()
})

test('a long poll is refused when its token is revoked; what changes something is let finish', async () => {
  const waiting = Promise.withResolvers<void>()
  const waits: ServerResponse[] = []
  await using it = await startHarness({
    answer(_request, response) {
      waits.push(response)
      if (waits.length === 2) waiting.resolve()
    },
  })
  const token = it.mint()
  const poll = it.ask('/orders', { token })
  const write = it.ask('/orders', { token, method: 'POST', body: '{}' })
  await waiting.promise
  it.revoke(token)
  const { status, headers } = await poll
  assert.equal(status, 401)
  assert.match(String(headers['www-authenticate']), /error="invalid_token"/)
  for (const one of waits) one.end('done')
  assert.equal((await write).status, 200)
})

test('an answer that never ends is broken off when its token is revoked', async () => {
  await using it = await startHarness({
    answer(_request, response) {
      response.writeHead(200)
      const timer = setInterval(() => response.write('x'), 50)
      response.on('close', () => clearInterval(timer))
    },
  })
  const token = it.mint()
  const response = await listen(it, token)
  await once(response, 'data')
  const ended = new Promise((resolve) => response.on('close', resolve))
  it.revoke(token)
  await ended
  assert.equal(response.complete, false)
})

test('an answer without a byte for longer than the limit is broken off', async () => {
  await using it = await startHarness({
    file: { limits: { idle: 1 } },
    answer: (_request, response) => void response.writeHead(200).write('x'),
  })
  await assert.rejects(it.ask('/orders', { token: it.mint() }), /aborted/)
})

/** Just enough of RFC 6455: the handshake, then every byte comes back. */
function echoing(request: IncomingMessage, socket: Duplex, head: Buffer): void {
  if (request.url?.includes('refused') === true)
    return void socket.end('HTTP/1.1 409 Conflict\r\nX-Why: full\r\nContent-Length: 2\r\n\r\nno')
  const accept = createHash('sha1')
    .update(`${String(request.headers['sec-websocket-key'])}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest('base64')
  const subject = String(request.headers['grantor-subject'])
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\nX-Subject: ${subject}\r\n\r\n`,
  )
  if (head.length > 0) socket.write(head)
  socket.pipe(socket)
  socket.on('error', () => {})
}

function handshake(it: Harness, path: string, token: string | null, more = ''): Socket {
  const socket = it.connect()
  const authorization = token === null ? '' : `Authorization: Bearer ${token}\r\n`
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, Grantor-Subject\r\nUpgrade: websocket\r\nGrantor-Subject: root\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${authorization}\r\n${more}`,
  )
  socket.setEncoding('latin1').on('error', () => {})
  return socket
}

const firstData = async (socket: Socket): Promise<string> => ((await once(socket, 'data')) as [string])[0]

test('RFC 6455 §4: a handshake with the scope of its route changes over, and bytes go both ways', async () => {
  await using it = await startHarness({ upgrade: echoing })
  const socket = handshake(it, '/orders', it.mint({ sub: 'alice' }), 'early')
  let received = await firstData(socket)
  assert.match(received, /^HTTP\/1\.1 101 /)
  assert.match(received, /sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK\+xOo=/i)
  assert.match(received, /x-subject: alice/i)
  while (!received.endsWith('early')) received += await firstData(socket)
  socket.write('later')
  assert.equal(await firstData(socket), 'later')
  socket.destroy()
})

test('a handshake without a token is 401, to no route 403, and what the API behind refuses is its own answer', async () => {
  await using it = await startHarness({ upgrade: echoing })
  assert.match(await firstData(handshake(it, '/orders', null)), /^HTTP\/1\.1 401 [^]*www-authenticate: Bearer /i)
  assert.match(await firstData(handshake(it, '/other', it.mint())), /^HTTP\/1\.1 403 /)
  assert.match(await firstData(handshake(it, '/orders/../other', it.mint())), /^HTTP\/1\.1 400 /)
  assert.match(await firstData(handshake(it, '/orders/refused', it.mint())), /^HTTP\/1\.1 409 [^]*x-why: full/i)
})

test('a handshake tells of the quota that it was charged, whatever becomes of it', async () => {
  await using it = await startHarness({
    file: { quota: { requests: 9, seconds: 60 } },
    upgrade: (request, socket, head) =>
      request.url === '/orders/away' ? socket.destroy() : echoing(request, socket, head),
  })
  const told: unknown[] = []
  for (const path of ['/orders', '/orders/refused', '/orders/away']) {
    const socket = handshake(it, path, it.mint())
    const received = await firstData(socket)
    const [, status] = /^HTTP\/1\.1 (\d+) /.exec(received) ?? []
    const [, left] = /^ratelimit: "client";r=(\d);/im.exec(received) ?? []
    told.push([status, left, /^ratelimit-policy: (.*)\r$/im.exec(received)?.[1]])
    socket.destroy()
  }
  const policy = '"client";q=9;w=60'
  assert.deepEqual(told, [
    ['101', '8', policy],
    ['409', '7', policy],
    ['502', '6', policy],
  ])
})

test('a WebSocket ends when its token is revoked, and when it expires', async () => {
  await using it = await startHarness({ upgrade: echoing })
  const token = it.mint()
  const revoked = handshake(it, '/orders', token)
  const expiring = handshake(it, '/orders', it.mint({ expiresIn: 2 }))
  await Promise.all([firstData(revoked), firstData(expiring)])
  const ends = [revoked, expiring].map((socket) => once(socket.resume(), 'close'))
  it.revoke(token)
  await Promise.all(ends)
})

test('streams outlive a new reading of the file, end with their token by the old one, and do not hold up the end of the gateway', async () => {
  await using it = await startHarness({ upgrade: echoing })
  const token = it.mint()
  const [one, other] = [handshake(it, '/orders', token), handshake(it, '/orders', it.mint())]
  await Promise.all([firstData(one), firstData(other)])
  const read = await it.gateway.reload(await it.config({ routes: [{ path: '/new', scopes: [] }] }))
  assert.equal(read.kind, 'ok')
  other.write('still here')
  assert.equal(await firstData(other), 'still here')
  assert.equal((await it.ask('/orders', { token })).status, 403)
  const ended = once(one.resume(), 'close')
  it.revoke(token)
  await ended
  const last = once(other.resume(), 'close')
  await Promise.all([it.gateway.close(), last])
})

test('streams of a route that needs no token do not hold up the end of the gateway either', async () => {
  const events = eventStream()
  const file = { routes: [{ path: '/open', public: true }] }
  await using it = await startHarness({ file, upgrade: echoing, answer: events.answer })
  const socket = handshake(it, '/open', null)
  await firstData(socket)
  const response = await listen(it, '', '/open')
  const ends = [once(socket.resume(), 'close'), once(response.resume(), 'end')]
  const late = AbortSignal.timeout(10_000)
  await Promise.race([
    Promise.all([it.gateway.close(), ...ends]),
    once(late, 'abort').then(() => Promise.reject(new Error('the gateway does not end'))),
  ])
})

test('a body that does not come in time ends its request', async () => {
  await using it = await startHarness({ file: { limits: { request: 1 } } })
  const head = `POST /orders HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\nAuthorization: Bearer ${it.mint()}\r\n\r\n`
  assert.match(await it.raw(`${head}slow`), /^HTTP\/1\.1 400 [^]*did not come in time/)
  assert.deepEqual(it.seen, [])
})
