/** The outbound against servers that redirect, drip, lie, never end and hang up: each costs little and gives nothing. */
import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import type { FetchRequest } from '@grantor/authority'
import { err, ok } from '@grantor/protocol/result'
import type { OutboundAttempt } from '../../src/outbound/index.ts'
import { type Behaviour, outboundTo, openHttpsServer } from './test-servers.ts'

const json = { 'content-type': 'application/json' }
const document = '{"hello":"server"}'

/** Sends a chunk again and again until the other side has enough. */
const forEver =
  (chunk: string, pause: number): Behaviour =>
  (_request, { socket }) => {
    const timer = setInterval(() => socket?.write(chunk), pause)
    socket?.on('close', () => clearInterval(timer))
    socket?.on('error', () => clearInterval(timer))
  }

const endlessHeaders: Behaviour = (request, response) => {
  response.socket?.write('HTTP/1.1 200 OK\r\n')
  forEver(`x: ${'y'.repeat(4000)}\r\n`, 1)(request, response)
}

let counted = 0
let notified: object | null = null
const behaviours: Readonly<Record<string, Behaviour>> = {
  '/ok': (_request, response) =>
    response.writeHead(200, { 'content-type': 'Application/JSON; charset=utf-8' }).end(document),
  '/mirror': ({ headers }, response) => response.writeHead(200, json).end(JSON.stringify(headers)),
  '/post': async (request, response) => {
    const body = await text(request)
    notified = { type: request.headers['content-type'], authorization: request.headers.authorization, body }
    response.writeHead(204).end()
  },
  '/unauthorized': (_request, response) => response.writeHead(401, json).end(document),
  '/forbidden': (_request, response) => response.writeHead(403, json).end(document),
  '/count': (_request, response) => response.writeHead(200, json).end(String((counted += 1))),
  '/redirect': (_request, response) => response.writeHead(302, { ...json, location: '/ok' }).end(document),
  '/moved': (_request, response) => response.writeHead(308, { ...json, location: '/ok' }).end(document),
  '/created': (_request, response) => response.writeHead(201, json).end(document),
  '/empty': (_request, response) => response.writeHead(204).end(),
  '/broken': (_request, response) => response.writeHead(500, json).end(document),
  '/html': (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(document),
  '/untyped': (_request, response) => response.writeHead(200).end(document),
  '/suffixed': (_request, response) => response.writeHead(200, { 'content-type': 'application/a+json' }).end(document),
  '/gzip': (_request, response) => response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(document),
  '/announced': (_request, response) => response.writeHead(200, { ...json, 'content-length': '2000' }).flushHeaders(),
  '/short': (_request, response) => {
    response.writeHead(200, { ...json, 'content-length': '900' }).write(document)
    response.socket?.end()
  },
  '/cut': (_request, response) => {
    response.writeHead(200, json).write(document)
    setImmediate(() => response.socket?.destroy())
  },
  '/hang-up': (_request, { socket }) => socket?.destroy(),
  '/silence': () => {},
  '/drip': (_request, response) => {
    response.writeHead(200, json)
    const timer = setInterval(() => response.write(' '), 20)
    response.on('close', () => clearInterval(timer))
  },
  '/endless': (_request, response) => {
    response.writeHead(200, json)
    const more = () => {
      while (!response.destroyed && response.write(' '.repeat(4096)));
    }
    response.on('drain', more)
    more()
  },
  '/endless-headers': endlessHeaders,
  '/interim': forEver('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n', 1),
  '/garbage': forEver('\u0000\u0001 no http at all\r\n\r\n', 5),
}

const server = await openHttpsServer(behaviours)
after(() => server[Symbol.asyncDispose]())
const ask = (path: string, more: Partial<FetchRequest> = {}): FetchRequest => ({
  url: `https://localhost:${server.port}${path}`,
  types: ['application/json'],
  maxBytes: 1_000,
  ...more,
})

test('a plain document is fetched, with its type in lower case and without parameters', async () => {
  const got = await outboundTo(server).fetch(ask('/ok'))
  assert.ok(got.kind === 'ok')
  assert.equal(Buffer.from(got.value.body).toString(), document)
  assert.deepEqual([got.value.type, got.value.maxAge], ['application/json', 3600])
})

test('what is asked for anew never comes from memory, neither a copy nor a failure', async () => {
  const outbound = outboundTo(server)
  const seen: string[] = []
  for (const anew of [false, false, true, true, false]) {
    const got = await outbound.fetch(ask('/count', { anew }))
    assert.ok(got.kind === 'ok')
    seen.push(Buffer.from(got.value.body).toString())
  }
  assert.deepEqual(seen, ['1', '1', '2', '3', '1'])
  const attempts: OutboundAttempt[] = []
  outbound.watch((attempt) => attempts.push(attempt))
  for (const anew of [false, false, true]) await outbound.fetch(ask('/broken', { anew }))
  assert.equal(attempts.length, 2)
})

test('the request says Grantor, asks for nothing compressed, keeps no connection and carries no cookie', async () => {
  const got = await outboundTo(server).fetch(ask('/mirror'))
  assert.ok(got.kind === 'ok')
  assert.deepEqual(JSON.parse(Buffer.from(got.value.body).toString()), {
    host: `localhost:${server.port}`,
    'user-agent': 'Grantor',
    accept: 'application/json',
    'accept-encoding': 'identity',
    connection: 'close',
  })
})

const refusals: readonly (readonly [path: string, why: string, what: string])[] = [
  ['/redirect', 'status', 'a redirect'],
  ['/moved', 'status', 'a permanent redirect'],
  ['/created', 'status', 'a status that is not 200'],
  ['/empty', 'status', 'an answer without content'],
  ['/broken', 'status', 'an error'],
  ['/absent', 'status', 'an absence'],
  ['/html', 'type', 'another type'],
  ['/untyped', 'type', 'no type'],
  ['/suffixed', 'type', 'a +json type that was not asked for'],
  ['/gzip', 'type', 'a compressed body'],
  ['/announced', 'size', 'a length that is too much'],
  ['/endless', 'size', 'a body without end'],
  ['/endless-headers', 'size', 'headers without end'],
  ['/interim', 'status', 'interim answers without end'],
  ['/short', 'unreachable', 'a body shorter than its length'],
  ['/cut', 'unreachable', 'a body that is cut off'],
  ['/hang-up', 'unreachable', 'a connection that is closed'],
  ['/garbage', 'unreachable', 'what is not HTTP'],
]

for (const [path, why, what] of refusals) {
  test(`${what} is no document`, async () => {
    assert.deepEqual(await outboundTo(server).fetch(ask(path)), err(why))
  })
}

test('no byte beyond the limit is a document, and the last one within it is', async () => {
  const outbound = outboundTo(server)
  const got = await outbound.fetch(ask('/ok', { maxBytes: document.length }))
  assert.ok(got.kind === 'ok')
  assert.deepEqual(await outbound.fetch(ask('/ok', { maxBytes: document.length - 1 })), err('size'))
})

test('who drips or says nothing runs out of time, however long it would go on', async () => {
  const outbound = outboundTo(server, { deadline: 300 })
  assert.deepEqual(await outbound.fetch(ask('/drip')), err('time'))
  assert.deepEqual(await outbound.fetch(ask('/silence')), err('time'))
  assert.deepEqual(await outbound.deliver(ask('/silence').url, { a: 'b' }), err('time'))
})

test('a certificate of an authority we do not know is no way to anybody', async () => {
  const strangers = await openHttpsServer({})
  after(() => strangers[Symbol.asyncDispose]())
  const outbound = outboundTo(server, { roots: () => strangers.roots })
  assert.deepEqual(await outbound.fetch(ask('/ok')), err('unreachable'))
})

test('a form is delivered once; any 2xx is well, and a redirect is not', async () => {
  const outbound = outboundTo(server)
  const before = server.asked.length
  assert.deepEqual(await outbound.deliver(ask('/post').url, { logout_token: 'a b&c' }), ok(null))
  assert.deepEqual(await outbound.deliver(ask('/redirect').url, { a: 'b' }), err('status'))
  assert.deepEqual(await outbound.deliver('https://127.0.0.1/', { a: 'b' }), err('address'))
  assert.deepEqual(server.asked.slice(before), ['POST /post', 'POST /redirect'])
})

test('CIBA §10.2: a notification is JSON with the token of the other side; 200 and 204 are well, whatever follows them', async () => {
  const outbound = outboundTo(server)
  const before = server.asked.length
  const message = { bearer: 'their-token.~+/=', body: { auth_req_id: 'a"b' } }
  for (const path of ['/post', '/ok', '/endless', '/drip', '/announced'])
    assert.deepEqual(await outbound.notify(ask(path).url, message), ok(null), path)
  assert.deepEqual(notified, {
    type: 'application/json',
    authorization: 'Bearer their-token.~+/=',
    body: '{"auth_req_id":"a\\"b"}',
  })
  assert.ok(server.asked.slice(before).every((it) => it.startsWith('POST ')))
})

test('CIBA §10.2: who redirects or refuses a notification would do so again, who is broken might not', async () => {
  const outbound = outboundTo(server, { deadline: 2_000 })
  const message = { bearer: 'token', body: {} }
  const before = server.asked.length
  for (const path of ['/redirect', '/moved', '/unauthorized', '/forbidden', '/absent'])
    assert.deepEqual(await outbound.notify(ask(path).url, message), err('refused'), path)
  assert.equal(server.asked.length, before + 5, 'no redirect is followed')
  for (const [path, why] of [
    ['/broken', 'status'],
    ['/hang-up', 'unreachable'],
    ['/garbage', 'unreachable'],
    ['/interim', 'status'],
    ['/endless-headers', 'size'],
    ['/silence', 'time'],
  ] as const)
    assert.deepEqual(await outbound.notify(ask(path).url, message), err(why), path)
  for (const url of ['https://127.0.0.1/', 'http://client.example/', `https://localhost:${server.port + 1}/`])
    assert.deepEqual(await outbound.notify(url, message), err('address'), url)
})

test('whoever watches learns of each attempt the host, the outcome and the cause, and no more of the address', async () => {
  const outbound = outboundTo(server)
  const seen: OutboundAttempt[] = []
  outbound.watch((attempt) => void seen.push(attempt))
  await outbound.fetch(ask('/ok?secret=1'))
  await outbound.fetch(ask('/ok?secret=1'))
  await outbound.fetch(ask('/html?secret=2'))
  const cause = { purpose: 'backchannel_logout_uri', clientId: 'web' } as const
  await outbound.deliver(ask('/post?secret=3').url, {}, cause)
  await outbound.fetch(ask('', { url: 'https://user:secret@10.0.0.1/?secret=4' }))
  await outbound.fetch(ask('', { url: 'secret' }))
  assert.deepEqual(seen, [
    { host: 'localhost', outcome: 'ok', cause: null },
    { host: 'localhost', outcome: 'type', cause: null },
    { host: 'localhost', outcome: 'ok', cause },
    { host: '10.0.0.1', outcome: 'address', cause: null },
    { host: '', outcome: 'address', cause: null },
  ])
})

test('closing ends what is under way, and nothing goes out any more', async () => {
  const outbound = outboundTo(server)
  const waiting = outbound.fetch(ask('/silence?closing'))
  outbound.close()
  assert.deepEqual(await waiting, err('time'))
  assert.deepEqual(await outbound.fetch(ask('/ok?later')), err('time'))
})
