/** Requests that are meant to be read in two ways, or never to end. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import fc from 'fast-check'
import { identityHeaders } from '../src/index.ts'
import { type Harness, startHarness } from './harness.ts'

/** The same name as CGI, its heirs and careless readers know it. */
const spellings: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toLowerCase(),
  (name) => name.toUpperCase(),
  (name) => name.replaceAll('-', '_'),
  (name) => name.replace('-', '_'),
  (name) => name.toUpperCase().replaceAll('-', '_'),
  (name) => `${name}-X`,
]
/** Where it may stand: once, twice, named by Connection as something to take away, or behind the body. */
const forms = ['once', 'twice', 'named by Connection', 'in the trailer'] as const

function spoofed(it: Harness, name: string, { form, path }: { readonly form: (typeof forms)[number]; path: string }) {
  const connection = form === 'named by Connection' ? `close, ${name}, Authorization, Content-Length` : 'close'
  const lines = form === 'in the trailer' ? '' : `${name}: root\r\n`.repeat(form === 'twice' ? 2 : 1)
  const trailer = form === 'in the trailer' ? `Trailer: ${name}\r\n` : ''
  const end = form === 'in the trailer' ? `0\r\n${name}: root\r\n\r\n` : '0\r\n\r\n'
  const token = it.mint({ sub: 'alice' })
  return it.raw(
    `POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: ${connection}\r\n${lines}${trailer}Authorization: Bearer ${token}\r\nTransfer-Encoding: chunked\r\n\r\n${end}`,
  )
}

test('an identity header that a client sends never arrives: each name, each spelling, once, twice, named by Connection, in the trailer', async () => {
  const routes = [
    { path: '/orders', scopes: [] },
    { path: '/open', public: true },
  ]
  await using it = await startHarness({ file: { routes } })
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...identityHeaders),
      fc.constantFrom(...spellings),
      fc.constantFrom(...forms),
      fc.constantFrom('/orders', '/open'),
      async (header, spell, form, path) => {
        it.seen.length = 0
        const answer = await spoofed(it, spell(header), { form, path })
        assert.match(answer, /^HTTP\/1\.1 200 /)
        const [seen] = it.seen
        assert.ok(seen !== undefined)
        const { rawHeaders, headers } = seen
        assert.ok(!rawHeaders.includes('root'), rawHeaders.join('\n'))
        assert.equal(headers['grantor-subject'], path === '/orders' ? 'alice' : undefined)
        assert.equal(
          rawHeaders.filter((name) => name.toLowerCase() === 'grantor-subject').length,
          path === '/open' ? 0 : 1,
        )
      },
    ),
    { numRuns: 200 },
  )
})

test('RFC 9112 §7.1: chunks that cannot be read end the request; what follows them is not taken for another', async () => {
  await using it = await startHarness()
  const head = `POST /orders HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nAuthorization: Bearer ${it.mint()}\r\n\r\n`
  const smuggled = 'GET /orders/smuggled HTTP/1.1\r\nHost: a\r\n\r\n'
  for (const body of [
    'x\r\nabc\r\n0\r\n\r\n',
    '-1\r\nabc\r\n0\r\n\r\n',
    '0x3\r\nabc\r\n0\r\n\r\n',
    '3 \r\nabc\r\n0\r\n\r\n',
    '3\nabc\n0\n\n',
    '3\r\nabcdef\r\n0\r\n\r\n',
    'ffffffffffffffffff\r\nabc\r\n0\r\n\r\n',
  ]) {
    const answers = (await it.raw(`${head}${body}${smuggled}`)).match(/HTTP\/1\.1 \d+/g) ?? []
    assert.ok(answers.length <= 1, `${JSON.stringify(body)} got ${answers.join()}`)
    assert.notEqual(answers[0], 'HTTP/1.1 200', JSON.stringify(body))
  }
  assert.ok(!it.seen.some(({ url }) => url.includes('smuggled')))
})

test('RFC 9112 §3.2: targets in other forms: whole addresses of this host by any spelling of it, and nothing else', async () => {
  await using it = await startHarness({ file: { routes: [{ path: '/', scopes: [] }] } })
  const status = async (target: string, host: string) =>
    (
      await it.raw(
        `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nAuthorization: Bearer ${it.mint()}\r\n\r\n`,
      )
    ).slice(9, 12)
  assert.equal(await status('http://API.example/x', 'api.example'), '200')
  assert.equal(await status('http://api.example', 'api.example'), '200')
  assert.equal(await status('http://api.example?x=1', 'api.example'), '200')
  assert.deepEqual(
    it.seen.map(({ url, headers }) => [url, headers.host]),
    ['/x', '/', '/?x=1'].map((url) => [url, new URL(it.upstream).host]),
  )
  it.seen.length = 0
  for (const [target, host] of [
    ['http://other.example/x', 'api.example'],
    ['http://user@api.example/x', 'api.example'],
    ['http://api.example:80/x', 'api.example'],
    ['http://api.example/../x', 'api.example'],
    ['http://api.example//x', 'api.example'],
    ['http:///x', 'api.example'],
    ['http:/x', 'api.example'],
    ['file:///etc/passwd', 'api.example'],
    ['javascript:alert(1)', 'api.example'],
    ['api.example:443', 'api.example'],
    ['/x', 'api.example, other.example'],
    ['/x', 'api.example\r\nHost: other.example'],
    ['/x', ''],
  ] as const)
    assert.equal(await status(target, host), '400', `${target} of ${host}`)
  assert.deepEqual(it.seen, [])
})

test('an API behind that answers before the body is whole is not overwritten when the rest does not come, or is no body', async () => {
  await using it = await startHarness({
    file: { limits: { request: 1 } },
    early: (_request, response) => void response.writeHead(200, { 'content-type': 'text/plain' }).write('begun'),
  })
  const head = `POST /orders HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nAuthorization: Bearer ${it.mint()}\r\n\r\n`
  for (const rest of ['', 'nonsense\r\n']) {
    const socket = it.connect().setEncoding('latin1')
    let received = ''
    socket.on('data', (chunk: string) => (received += chunk)).on('error', () => {})
    socket.write(`${head}3\r\nabc\r\n`)
    while (!received.includes('begun')) await once(socket, 'data')
    if (rest !== '') socket.write(rest)
    if (!socket.closed) await once(socket, 'close')
    assert.equal(received.match(/HTTP\/1\.1 /g)?.length, 1, received)
    // Without its last chunk nobody takes it for whole.
    assert.ok(!received.endsWith('0\r\n\r\n'))
  }
})

test('RFC 9112 §9.6: a refusal arrives whole while the client goes on sending, and the connection then ends', async () => {
  await using it = await startHarness()
  const long = 'x'.repeat(200_000)
  const head = 'Host: a\r\nContent-Type: text/plain\r\n'
  for (const [status, begin] of [
    ['401', `POST /orders HTTP/1.1\r\n${head}Content-Length: 8000000\r\n\r\n`],
    ['401', `POST /orders HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\n7a1200\r\n`],
    ['431', `GET /orders HTTP/1.1\r\nX-Long: `],
    ['400', 'this is no HTTP\r\n'],
  ] as const) {
    const socket = it.connect().setEncoding('latin1')
    let received = ''
    let failed: unknown = null
    socket.on('data', (chunk: string) => (received += chunk)).on('error', (error) => (failed = error))
    socket.write(begin)
    // Forty times 200 kB, without waiting for an answer.
    for (let n = 0; n < 40 && !socket.destroyed; n++) {
      socket.write(long)
      await new Promise((resolve) => setImmediate(resolve))
    }
    if (!socket.closed) await once(socket, 'close')
    assert.equal(received.match(/HTTP\/1\.1 /g)?.length, 1, `${begin}: ${received.slice(0, 300)} ${String(failed)}`)
    assert.equal(received.split(' ')[1], status)
    const [fields = '', body = ''] = received.split('\r\n\r\n')
    assert.equal(body.length, Number(/content-length: (\d+)/i.exec(fields)?.[1]), 'the whole of it')
  }
})

test('a client that sends its header line by line is cut off, and does not keep others waiting', async () => {
  await using it = await startHarness({ file: { limits: { request: 1 } } })
  const slow = it.connect().setEncoding('latin1')
  slow.on('error', () => {})
  slow.write('GET /orders HTTP/1.1\r\nHost: a\r\nX-A: 1\r\n')
  assert.equal((await it.ask('/orders', { token: it.mint() })).status, 200)
  await once(slow.resume(), 'close')
  assert.equal(it.seen.length, 1)
})

test('while the gateway ends, what is on its way is answered, what has no end is ended, and nothing new begins', async () => {
  const held: (() => void)[] = []
  await using it = await startHarness({
    answer(_request, response, { url }) {
      if (url === '/orders/events')
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n')
      else held.push(() => void response.end('whole'))
    },
  })
  const token = it.mint()
  const events = it.ask('/orders/events', { token })
  const slow = it.ask('/orders/slow', { token })
  while (it.seen.length < 2 || held.length < 1) await new Promise((resolve) => setTimeout(resolve, 10))
  const closed = it.gateway.close()
  assert.deepEqual(await events.then(({ status, body }) => [status, body]), [200, 'data: 1\n\n'])
  await assert.rejects(it.ask('/orders', { token }), /ECONNREFUSED/)
  held[0]?.()
  const { status, headers, body } = await slow
  assert.deepEqual([status, body, headers['connection']], [200, 'whole', 'close'])
  await closed
})
