/** A question that another server is asked before a token is issued: answered in time, in size and in kind, or not at all. */
import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { err } from '@grantor/protocol/result'
import { type Behaviour, openHttpsServer, outboundTo } from './test-servers.ts'

const json = { 'content-type': 'application/json' }
let heard: unknown = null
const behaviours: Readonly<Record<string, Behaviour>> = {
  '/ok': async (request, response) => {
    const { authorization, 'x-request-id': id, 'content-type': type } = request.headers
    heard = { method: request.method, authorization, id, type, body: await text(request) }
    response.writeHead(200, json).end('{"decision":true}')
  },
  '/redirect': (_request, response) => response.writeHead(307, { ...json, location: '/ok' }).end('{"decision":true}'),
  '/html': (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('{"decision":true}'),
  '/huge': (_request, response) => response.writeHead(200, json).end(`{"decision":true,"x":"${'y'.repeat(40_000)}"}`),
  '/denied': (_request, response) => response.writeHead(401, json).end('{"decision":true}'),
  '/busy': (_request, response) => response.writeHead(503, { ...json, 'retry-after': '120' }).end('{}'),
  '/later': (_request, response) => response.writeHead(429, { 'retry-after': 'soon' }).end(),
  '/ok-later': (_request, response) => response.writeHead(200, { ...json, 'retry-after': '7' }).end('{}'),
  '/silence': () => {},
}
const server = await openHttpsServer(behaviours)
const outbound = outboundTo(server)
after(async () => {
  outbound.close()
  await server[Symbol.asyncDispose]()
})

const question = (path: string, deadline = 30_000) => ({
  url: `https://localhost:${server.port}${path}`,
  message: { type: 'application/json', content: '{"subject":{}}', headers: { 'x-request-id': 'r1' } },
  authorization: 'Bearer who-asks',
  types: ['application/json'],
  maxBytes: 16_384,
  deadline,
})

test('a question is posted as it is, with who asks, and its answer comes back', async () => {
  const answer = await outbound.submit(question('/ok'))
  assert.ok(answer.kind === 'ok')
  assert.equal(Buffer.from(answer.value.body).toString(), '{"decision":true}')
  const body = '{"subject":{}}'
  const type = 'application/json'
  assert.deepEqual(heard, { method: 'POST', authorization: 'Bearer who-asks', id: 'r1', type, body })
})

test('a redirect, another type, another status and a huge answer are none', async () => {
  assert.deepEqual(await outbound.submit(question('/redirect')), err('status'))
  assert.deepEqual(await outbound.submit(question('/html')), err('type'))
  assert.deepEqual(await outbound.submit(question('/denied')), err('status'))
  assert.deepEqual(await outbound.submit(question('/huge')), err('size'))
})

test('RFC 9110 §10.2.3: whoever refuses and asks to be left alone for a while is heard', async () => {
  const waits: number[] = []
  for (const path of ['/busy', '/later', '/ok-later', '/denied'])
    await outbound.submit({ ...question(path), onRetryAfter: (seconds) => waits.push(seconds) })
  assert.deepEqual(waits, [120])
})

test('whoever does not answer by the deadline of the question has not answered', async () => {
  assert.deepEqual(await outbound.submit(question('/silence', 50)), err('time'))
})

test('a private address that nobody allowed is not asked', async () => {
  const strict = outboundTo(server, { allow: new Set() })
  const before = server.connections()
  assert.deepEqual(await strict.submit(question('/ok')), err('address'))
  assert.deepEqual(await strict.submit({ ...question('/ok'), url: 'https://10.0.0.1/ok' }), err('address'))
  assert.equal(server.connections(), before)
  strict.close()
})
