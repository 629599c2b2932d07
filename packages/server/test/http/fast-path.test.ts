/** The fast path and the usual way give the same answers, byte for byte; and what is not plain goes the usual way. */
import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { EndpointRequest } from '@grantor/authority'
import { parseForm } from '@grantor/protocol/oauth'
import { err, ok } from '@grantor/protocol/result'
import { StoreUnavailable } from '@grantor/store'
import fc from 'fast-check'
import type { Responder } from '../../src/http/responder.ts'
import { FastPath } from '../../src/http/fast-path.ts'
import { testbed, type Testbed } from './testbed.ts'

const form = 'Content-Type: application/x-www-form-urlencoded\r\n'
/** Means nothing, and is not plain: the parser of forms knows it, the fast path does not. */
const usualWay = 'Content-Encoding: identity\r\n'

interface PostRequest {
  readonly path?: string
  readonly headers?: string
  readonly body?: string
}

const textOf = (
  { path = '/token', headers = '', body = 'grant_type=client_credentials' }: PostRequest,
  more: string,
): string =>
  `POST ${path} HTTP/1.1\r\nHost: as.example\r\nConnection: close\r\n${form}${headers}${more}` +
  `Content-Length: ${Buffer.byteLength(body, 'latin1')}\r\n\r\n${body}`

describe('the fast path', () => {
  let bed: Testbed
  let port = 0
  const seen: EndpointRequest[] = []
  let failure: Error | null = null

  before(async () => {
    bed = testbed({
      async token(request) {
        seen.push(request)
        if (failure !== null) throw failure
        return request.form.get('grant_type') === undefined
          ? err({ reason: 'parameter_missing', name: 'grant_type' })
          : ok({ access_token: 'ä-token', token_type: 'Bearer' })
      },
    })
    await bed.app.listen({ host: '127.0.0.1', port: 0 })
    port = (bed.app.server.address() as AddressInfo).port
  })
  after(() => bed.app.close())

  /** Sends the parts one after the other, and reads until the server closes. */
  async function talk(...parts: readonly string[]): Promise<string> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    socket.on('error', () => {})
    const heard: Buffer[] = []
    socket.on('data', (chunk: Buffer) => heard.push(chunk))
    for (const part of parts) {
      socket.write(part, 'latin1')
      await new Promise((tick) => setTimeout(tick, 5))
    }
    if (!socket.closed) await once(socket, 'close')
    return Buffer.concat(heard).toString('latin1')
  }

  /** Header by header; their order is nobody's business, and the clock's is its own. */
  function read(heard: string) {
    const [head = '', ...body] = heard.split('\r\n\r\n')
    const [status, ...lines] = head.split('\r\n')
    return { status, lines: lines.filter((line) => !/^date:/i.test(line)).toSorted(), body: body.join('\r\n\r\n') }
  }

  async function bothWays(request: PostRequest) {
    const answers = []
    for (const more of ['', usualWay]) answers.push(read(await talk(textOf(request, more))))
    assert.deepEqual(answers[0], answers[1], JSON.stringify(request))
    return answers[0]
  }

  const basic = `Authorization: Basic ${Buffer.from('web:s3cret').toString('base64')}\r\n`
  const requests: Record<string, PostRequest> = {
    'a token': { headers: basic },
    'of a tenant': { path: '/t/acme/token', headers: basic },
    'of a tenant that cannot be': { path: '/t/Acme!/token' },
    'of the default tenant by name': { path: '/t/default/token' },
    'a trailing slash': { path: '/token/' },
    'a query': { path: '/token?grant_type=client_credentials', body: '' },
    'a percent-encoded path': { path: '/t/%61cme/token' },
    'dots in the path': { path: '/t/../token' },
    'an absolute address': { path: 'https://as.example/token' },
    'an empty form': { body: '' },
    'a repeated parameter': { body: 'grant_type=a&grant_type=b' },
    'a broken escape': { body: 'grant_type=%zz' },
    'raw bytes': { body: 'grant_type=\xe4' },
    'two Authorization headers': { headers: basic + basic },
    'a trace': { headers: `traceparent: 00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01\r\n` },
    'a person who wants a page': { headers: 'Accept: text/html\r\n', body: '' },
    'nearly too much': { body: `grant_type=client_credentials&x=${'a'.repeat(16_000)}` },
  }
  for (const [what, request] of Object.entries(requests)) {
    test(`${what}: both ways alike`, async () => {
      const before = seen.length
      const answer = await bothWays(request)
      assert.match(answer?.status ?? '', /^HTTP\/1\.1 [2345]\d\d /)
      const [first, second] = seen.slice(before)
      assert.deepEqual(first, second)
    })
  }

  test('whatever the form holds: both ways alike', async () => {
    const bodies = fc.string({ unit: fc.constantFrom(...'grant_type=&%2bcd+é\0 ;'.split('')), maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => void (await bothWays({ body }))),
      { numRuns: 60 },
    )
  })

  test('a bug is 500 with a number and nothing of our insides, an outage is 503; both ways', async () => {
    for (const [error, status] of [
      [new Error('the inside'), 500],
      [new StoreUnavailable('the database at 10.0.0.1'), 503],
    ] as const) {
      failure = error
      for (const more of ['', usualWay]) {
        const { status: line, lines, body } = read(await talk(textOf({}, more)))
        assert.match(line ?? '', new RegExp(`^HTTP/1.1 ${status} `))
        assert.ok(lines.includes('cache-control: no-store'))
        assert.doesNotMatch(body, /inside|10\.0/)
      }
    }
    failure = null
    assert.ok(bed.logged.some((line) => line.includes('the inside')))
  })

  test('a body in pieces is read whole, and answered bytes are counted as bytes', async () => {
    const whole = textOf({}, '')
    const { body, lines } = read(await talk(whole.slice(0, -20), whole.slice(-20, -7), whole.slice(-7)))
    assert.equal(Buffer.from(body, 'latin1').toString(), '{"access_token":"ä-token","token_type":"Bearer"}')
    assert.ok(lines.includes(`content-length: ${body.length}`))
  })

  test('one after the other on one connection, and one behind the other in one packet', async () => {
    const open = textOf({}, '').replace('Connection: close\r\n', '')
    for (const parts of [[open, textOf({}, '')], [open + open + textOf({}, usualWay)]]) {
      const heard = await talk(...parts)
      assert.equal(heard.match(/HTTP\/1\.1 200 OK/g)?.length, parts.length === 2 ? 2 : 3)
    }
  })

  test('a sender that leaves in the middle of its body is answered by nobody, and the next one is', async () => {
    const before = seen.length
    const socket = connect({ port, host: '127.0.0.1' })
    await once(socket, 'connect')
    socket.write(textOf({}, '').slice(0, -5))
    await new Promise((tick) => setTimeout(tick, 20))
    socket.destroy()
    assert.match(await talk(textOf({}, '')), /^HTTP\/1\.1 200 OK/)
    assert.equal(seen.length, before + 1)
  })

  test('no length, too great a length, two lengths, another method: the usual way refuses them as ever', async () => {
    const post = (headers: string, body = ''): string =>
      `POST /token HTTP/1.1\r\nHost: as.example\r\nConnection: close\r\n${form}${headers}\r\n${body}`
    const chunked = await talk(post('Transfer-Encoding: chunked\r\n', '4\r\na=bc\r\n0\r\n\r\n'))
    assert.match(chunked, /^HTTP\/1\.1 400 [^]*grant_type/)
    assert.match(await talk(post('Content-Length: 65537\r\n')), /^HTTP\/1\.1 413 /)
    assert.match(await talk(post('Content-Length: 3\r\nContent-Length: 4\r\n', 'a=bc')), /^HTTP\/1\.1 400 /)
    assert.match(await talk(post('Content-Length: +4\r\n', 'a=bc')), /^HTTP\/1\.1 400 /)
    const put = post('Content-Length: 0\r\n').replace('POST', 'PUT')
    assert.match(await talk(put), /^HTTP\/1\.1 405 [^]*allow: POST/i)
  })

  test('plain HTTP from nobody we trust is refused there too', async () => {
    const plain = testbed({}, { encrypted: false })
    await plain.app.listen({ host: '127.0.0.1', port: 0 })
    try {
      const { port: to } = plain.app.server.address() as AddressInfo
      const answer = await fetch(`http://127.0.0.1:${to}/token`, { method: 'POST', body: new URLSearchParams('a=b') })
      assert.equal(answer.status, 400)
      assert.match(await answer.text(), /HTTPS|TLS/i)
    } finally {
      await plain.app.close()
    }
  })
})

test('what is plain comes through, and nothing else', async (t) => {
  const fastPath = new FastPath({
    callerOf: () => ({ ip: null, secure: true }),
    objection: () => null,
    admit: () => true,
  })
  fastPath.add({
    path: '/token',
    responder: {} as Responder,
    async serve(_request, reply) {
      reply.raw.end('fast path')
      return reply
    },
  })
  const logged: unknown[] = []
  const log = { error: (line: unknown) => logged.push(line) }
  fastPath.add({
    path: '/revoke',
    responder: { path: '/revoke', log, traceId: () => null } as unknown as Responder,
    async serve(_request, reply) {
      reply.raw.writeHead(200).write('half')
      throw new Error('in the middle of an answer')
    },
  })
  const server = createServer(fastPath.wrap((_request, response) => response.end('usual')))
  t.after(() => server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const came = async (path: string, init: RequestInit): Promise<string> =>
    (await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', ...init })).text()
  const body = new URLSearchParams('a=b')
  const plain = { 'content-type': 'application/x-www-form-urlencoded' }
  assert.equal(await came('/token', { body }), 'fast path')
  assert.equal(await came('/token', { body: 'a=b', headers: plain }), 'fast path')
  assert.equal(await came('/t/acme/token', { body }), 'fast path')
  const others: [string, RequestInit][] = [
    ['/token?', { body }],
    ['/t/acme/introspect', { body }],
    ['/t/acme/x/token', { body }],
    ['/t//token', { body }],
    ['/token', { body: '{}', headers: { 'content-type': 'application/json' } }],
    ['/token', { body, headers: { accept: 'text/html' } }],
    ['/token', { body, headers: { 'content-encoding': 'gzip' } }],
    ['/token', { body: 'a'.repeat(65_537), headers: plain }],
    ['/token', { method: 'PUT', body }],
  ]
  for (const [path, init] of others) assert.equal(await came(path, init), 'usual', path)
  // A handler that fails with its answer half written is noted and cut off; the next request is served.
  await assert.rejects(came('/revoke', { body }))
  assert.equal(logged.length, 1)
  assert.equal(await came('/token', { body }), 'fast path')
})

test('a request whose parsing throws is answered alone: its neighbours of the same turn are served', async () => {
  const guard = { callerOf: () => ({ ip: null, secure: true }), objection: () => null, admit: () => true }
  const fastPath = new FastPath(guard, (text) => {
    if (text === 'bad') throw new Error('the parser failed')
    return parseForm(text)
  })
  const answers: string[] = []
  const failures: number[] = []
  const { promise: allAnswered, resolve } = Promise.withResolvers<void>()
  const answered = (): void => (answers.length + failures.length === 4 ? resolve() : undefined)
  const responder = {
    log: { error: () => {} },
    fail() {
      failures.push(500)
      answered()
    },
    traceId: () => null,
  } as unknown as Responder
  fastPath.add({
    path: '/token',
    responder,
    async serve(request, reply) {
      const form = request.body as ReturnType<typeof parseForm>
      answers.push(form.kind === 'ok' ? (form.value.get('n') ?? '') : form.error.reason)
      answered()
      return reply
    },
  })
  const listener = fastPath.wrap(() => assert.fail('not plain'))
  const arriving = ['n=1', 'bad', 'n=2', 'n=3'].map((body) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(body.length) }
    const request = Object.assign(new EventEmitter(), { method: 'POST', url: '/token', headers })
    listener(request as unknown as IncomingMessage, { headersSent: false } as ServerResponse)
    return () => request.emit('data', Buffer.from(body)) && request.emit('end')
  })
  for (const arrive of arriving) arrive()
  await allAnswered
  assert.deepEqual([answers, failures], [['1', '2', '3'], [500]])
})
