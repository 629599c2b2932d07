/** More at once than can be served: told so at once and cheaply, kind by kind, while those who are in go on. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { test } from 'node:test'
import { ok } from '@grantor/protocol/result'
import { kindOf } from '../../src/http/overload/admission.ts'
import { defaults } from '../config/default-settings.ts'
import { testbed } from './testbed.ts'

const bounded = { timeout: 60_000 }
const body = 'grant_type=client_credentials'
const headers = { 'content-type': 'application/x-www-form-urlencoded' }

/** A server that works on two of a kind at once, and on tokens for as long as it is told to. */
async function serving() {
  const held = Promise.withResolvers<void>()
  const places: (() => void)[] = []
  const begun: (() => void)[] = []
  const most = 2
  const settings = { ...defaults(), requestsInFlight: most }
  const { app, logged, metrics } = testbed(
    {
      async token() {
        begun.shift()?.()
        await Promise.race([held.promise, new Promise<void>((resolve) => places.push(resolve))])
        return ok({ access_token: 'a-token' })
      },
    },
    { settings },
  )
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const post = (path: string, more: Record<string, string> = {}, signal: AbortSignal | null = null) =>
    fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body, headers: { ...headers, ...more }, signal })
  return {
    port,
    logged,
    metrics,
    post,
    /** As many as are worked on at once; their answers come when they are released. */
    async full(signal: AbortSignal | null = null) {
      const underWay = Array.from({ length: most }, () => new Promise<void>((resolve) => begun.push(resolve)))
      const answers = underWay.map(() => post('/token', {}, signal))
      await Promise.all(underWay)
      return answers
    },
    get: (path: string) => fetch(`http://127.0.0.1:${port}${path}`),
    release: () => held.resolve(),
    /** The answer to the request that came first. */
    releaseOne: () => places.shift()?.(),
    async [Symbol.asyncDispose]() {
      held.resolve()
      await app.close()
    },
  }
}

test(
  'one more than is worked on gets 503 with Retry-After at once; those before it get their tokens',
  bounded,
  async () => {
    await using server = await serving()
    const first = await server.full()
    // Both ways in: the fast one, and that of a browser; whatever the caller says that it wants.
    for (const more of [{}, { accept: 'text/html' }, { accept: 'text/event-stream' }]) {
      const refused = await server.post('/t/acme/token', more)
      assert.equal(refused.status, 503)
      assert.equal(refused.headers.get('retry-after'), '1')
    }
    const { error } = (await (await server.post('/token')).json()) as { error: string }
    assert.equal(error, 'temporarily_unavailable')
    assert.equal(server.logged.filter((line) => line.includes('requests.in_flight')).length, 1, 'told once')
    assert.match(await server.metrics(), /grantor_refusals_total\{route="\/token",reason="overloaded"\} 3/)
    server.release()
    for (const answer of await Promise.all(first)) assert.equal(answer.status, 200)
    assert.equal((await server.post('/token')).status, 200, 'it comes back by itself')
  },
)

test(
  'other kinds of requests have room of their own, and what comes from memory is always answered',
  bounded,
  async () => {
    await using server = await serving()
    const waiting = await server.full()
    assert.equal((await server.post('/introspect')).status, 200)
    for (const path of ['/jwks', '/.well-known/openid-configuration', '/t/acme/jwks'])
      assert.equal((await server.get(path)).status, 200, path)
    server.release()
    await Promise.all(waiting)
  },
)

/** One connection on which is asked again and again. */
function impatient(port: number) {
  const socket = connect({ port, host: '127.0.0.1' })
  const request = `POST /token HTTP/1.1\r\nHost: a\r\nContent-Type: ${headers['content-type']}\r\nContent-Length: 29\r\n\r\n${body}`
  let text = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk))
  const found = () => [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status = '']) => status)
  return {
    ask: () => void socket.write(request),
    async statuses(count: number): Promise<readonly string[]> {
      while (found().length < count) await once(socket, 'data')
      return found()
    },
    [Symbol.asyncDispose]: () => socket[Symbol.asyncDispose](),
  }
}

test(
  'who was turned away and does not wait comes after those who were not, while there is little room',
  bounded,
  async () => {
    await using server = await serving()
    const [first, second] = await server.full()
    await using caller = impatient(server.port)
    caller.ask()
    assert.deepEqual(await caller.statuses(1), ['503'])
    server.releaseOne()
    assert.equal((await first)?.status, 200)
    caller.ask()
    assert.deepEqual(await caller.statuses(2), ['503', '503'], 'one of two places is free, and not for it')
    const fresh = server.post('/token')
    server.release()
    assert.equal((await fresh).status, 200)
    assert.equal((await second)?.status, 200)
    caller.ask()
    assert.equal((await caller.statuses(3)).at(-1), '200')
  },
)

test(
  'who was turned away and asks again at once is heard when there is room, and told no again before',
  bounded,
  async () => {
    await using server = await serving()
    const first = await server.full()
    await using caller = impatient(server.port)
    for (const count of [1, 2]) {
      caller.ask()
      assert.equal((await caller.statuses(count)).at(-1), '503')
    }
    caller.ask()
    server.release()
    assert.deepEqual(await caller.statuses(3), ['503', '503', '200'])
    await Promise.all(first)
  },
)

test('whoever goes away gives the place back, and a body that does not come takes none', bounded, async () => {
  await using server = await serving()
  const sockets = Array.from({ length: 5 }, () => connect({ port: server.port, host: '127.0.0.1' }))
  const head = `POST /token HTTP/1.1\r\nHost: a\r\nContent-Type: ${headers['content-type']}\r\nContent-Length: 29\r\n\r\n`
  for (const socket of sockets) socket.write(head)
  const gone = new AbortController()
  const leaving = await server.full(gone.signal)
  gone.abort()
  await Promise.allSettled(leaving)
  server.release()
  let status = 0
  // That it is gone reaches the server after it reaches us.
  while (status !== 200) status = (await server.post('/token')).status
  for (const socket of sockets) {
    socket.destroy()
    await once(socket, 'close')
  }
})

test('every address has its kind; a tenant, a query or a longer name change nothing or make another', () => {
  const rows: readonly (readonly [string, ReturnType<typeof kindOf>])[] = [
    ['/token', 'clients'],
    ['/t/acme/token', 'clients'],
    ['/par?x=1', 'clients'],
    ['/register/abc', 'clients'],
    ['/introspect', 'introspection'],
    ['/t/acme/userinfo', 'introspection'],
    ['/v1/users', 'administration'],
    ['/t/acme/scim/v2/Users', 'administration'],
    ['/ssf/streams', 'administration'],
    ['/t/acme/ssf/poll?stream_id=a', null],
    ['/authorize?client_id=a', 'people'],
    ['/account', 'people'],
    ['/tokens', 'people'],
    ['/', 'people'],
    ['/jwks', null],
    ['/revocations/stream', null],
    ['/status-lists/3', null],
    ['/.well-known/jwks.json', null],
    ['/%74oken', 'clients'],
    ['/t/acme/%74%6f%6ben?x=%', 'clients'],
    ['/%76%31/users', 'administration'],
    ['/%2574oken', 'people'],
    ['/%ff', 'people'],
  ]
  for (const [url, kind] of rows) assert.equal(kindOf(url), kind, url)
})

test('each kind is turned away in the form of its endpoint, whichever way it is served', bounded, async () => {
  const { app } = testbed({}, { settings: { ...defaults(), requestsInFlight: 0 } })
  const rows: readonly (readonly [method: 'GET' | 'POST', url: string, status: number])[] = [
    ['POST', '/token', 503],
    ['POST', '/introspect', 503],
    ['GET', '/v1/users', 503],
    ['GET', '/%761/users', 503],
    ['POST', '/t/acme/v1/users', 503],
    ['GET', '/scim/v2/Users', 503],
    ['GET', '/ssf/streams', 503],
    ['GET', '/account', 503],
    ['POST', '/t/acme/callback/somebody/signals', 503],
    ['GET', '/jwks', 200],
  ]
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  for (const [method, url, status] of rows) {
    const answer = await fetch(`http://127.0.0.1:${port}${url}`, {
      method,
      ...(method === 'POST' ? { body, headers } : {}),
    })
    assert.equal(answer.status, status, url)
    if (status === 503) assert.equal(answer.headers.get('retry-after'), '1', url)
    await answer.body?.cancel()
  }
  await app.close()
})
