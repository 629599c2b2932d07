/** The two ways to an issuer: what is sent, what is let go of, and when it is tried a second time. */
import assert from 'node:assert/strict'
import { getEventListeners, once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { test, type TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { createOutbound, fetchTransport, nodeTransport, type Transport } from '../../src/issuer/outbound.ts'
import { selfSigned } from '../certificates.ts'
import { eventually, FakeTime } from '../fake-time.ts'

async function serving(t: TestContext, listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/x` }
}

const transports: Readonly<Record<string, () => Transport>> = {
  'Node’s own': () => nodeTransport(),
  fetch: () => fetchTransport(fetch),
}

for (const [name, open] of Object.entries(transports)) {
  test(`${name}: a request is sent as it is, and the answer read as it came`, async (t) => {
    const seen: unknown[] = []
    const { url } = await serving(t, async (request, response) => {
      const { method, headers } = request
      seen.push([
        method,
        headers['x-a'],
        headers['content-length'] ?? headers['transfer-encoding'],
        await text(request),
      ])
      response.writeHead(302, { location: '/elsewhere', 'x-b': '2' }).end('ü')
    })
    const send = open()
    const plain = await send({ url })
    assert.deepEqual(
      [plain.status, plain.header('x-b'), plain.header('x-c')],
      [302, '2', null],
      'no redirect is followed',
    )
    assert.equal(await text(plain.body), 'ü')
    const posted = await send({ url, method: 'POST', headers: { 'x-a': '1' }, body: 'grüße' })
    posted.discard()
    assert.deepEqual(seen, [
      ['GET', undefined, undefined, ''],
      ['POST', '1', '7', 'grüße'],
    ])
  })

  test(`${name}: what is let go of, or given up, ends its connection`, async (t) => {
    const { server, url } = await serving(t, (_, response) => void response.writeHead(200).write('first'))
    const closed = async (act: (send: Transport) => Promise<void>) => {
      const asked = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>
      const acting = act(open())
      const [request] = await asked
      const gone = new Promise((resolve) => {
        request.socket.once('close', resolve)
      })
      await acting
      await gone
    }
    await closed(async (send) => (await send({ url })).discard())
    const controller = new AbortController()
    await closed(async (send) => {
      const answer = await send({ url, signal: controller.signal })
      controller.abort()
      await assert.rejects(text(answer.body))
    })
  })

  test(`${name}: who gave up before it began asks nobody`, async (t) => {
    const { url } = await serving(t, () => assert.fail('nobody is asked'))
    await assert.rejects(open()({ url, signal: AbortSignal.abort() }))
  })
}

test('a connection that was closed just as it was used again costs a second try, one that fails at once does not', async (t) => {
  const requests = new Map<unknown, number>()
  const state = { always: false, asked: 0 }
  const { url } = await serving(t, ({ socket }, response) => {
    state.asked += 1
    const nth = (requests.get(socket) ?? 0) + 1
    requests.set(socket, nth)
    if (nth > 1 || state.always) socket.resetAndDestroy()
    else response.end('hello')
  })
  const send = nodeTransport()
  const { signal } = new AbortController()
  assert.equal(await text((await send({ url, signal })).body), 'hello')
  assert.equal(await text((await send({ url, signal })).body), 'hello')
  assert.deepEqual([state.asked, requests.size], [3, 2])
  assert.equal(await text((await send({ url })).body), 'hello', 'nor need anybody be able to give up')
  assert.deepEqual([state.asked, requests.size], [5, 3])
  state.always = true
  await assert.rejects(nodeTransport()({ url }), { code: 'ECONNRESET' })
  assert.equal(state.asked, 6)
})

for (const scheme of ['http', 'https'] as const)
  test(`${scheme}: connections are used again, and there are never more than sixty-four`, async (t) => {
    const certificate = await selfSigned('localhost')
    const waiting: ServerResponse[] = []
    const hold: RequestListener = (_, response) => void waiting.push(response)
    const server = scheme === 'https' ? createSecureServer(certificate, hold) : createServer(hold)
    server.listen(0, 'localhost')
    await once(server, 'listening')
    t.after(() => {
      server.close()
      server.closeAllConnections()
    })
    let connections = 0
    server.on(scheme === 'https' ? 'secureConnection' : 'connection', () => (connections += 1))
    const url = `${scheme}://localhost:${(server.address() as AddressInfo).port}/`
    const send = nodeTransport(certificate.cert)
    const ask = async () => text((await send({ url })).body)
    const asked = Array.from({ length: 70 }, ask)
    await eventually('sixty-four wait', () => waiting.length >= 64)
    // Whoever would come beside them is there by now.
    await setTimeout(100)
    assert.equal(connections, 64)
    let answered = 0
    while (answered < 70) {
      await eventually('another one waits', () => waiting.length > answered)
      for (const response of waiting.slice(answered)) response.end('hello')
      answered = waiting.length
    }
    assert.deepEqual(new Set(await Promise.all(asked)), new Set(['hello']))
    assert.equal(connections, 64)
  })

test('whoever asks many times with one signal leaves nothing on it, and no time that runs', async (t) => {
  const { url } = await serving(t, (_, response) => void response.end('hello'))
  const { signal } = new AbortController()
  const send = nodeTransport()
  for (let n = 0; n < 3; n += 1) await text((await send({ url, signal })).body)
  await new Promise((resolve) => {
    setImmediate(resolve)
  })
  assert.equal(getEventListeners(signal, 'abort').length, 0)
  const time = new FakeTime()
  const outbound = createOutbound(send, time)
  await outbound.fetchWhole({ url }, { bytes: 10, milliseconds: 5000 })
  assert.equal(time.waiting, 0)
})

test('fetch is given what there is and nothing else; an answer without a body has an empty one', async () => {
  const seen: RequestInit[] = []
  const send = fetchTransport((async (_: string, init: RequestInit) => {
    seen.push(init)
    return new Response(null, { status: 204 })
  }) as typeof fetch)
  const answer = await send({ url: 'https://a.example' })
  assert.equal(await text(answer.body), '')
  answer.discard()
  const { signal } = new AbortController()
  await send({ url: 'https://a.example', method: 'POST', headers: { a: 'b' }, body: 'c', signal })
  assert.deepEqual(seen, [
    { method: 'GET', headers: {}, redirect: 'manual' },
    { method: 'POST', headers: { a: 'b' }, redirect: 'manual', body: 'c', signal },
  ])
})
