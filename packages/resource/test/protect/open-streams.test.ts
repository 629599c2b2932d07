/** What stays open ends with its token, on every adapter, over real HTTP: revoked, expired, or no longer to be judged. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, get, type IncomingMessage, ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { after, describe, test } from 'node:test'
import { fastify } from 'fastify'
import { guard as fastifyGuard } from '../../src/adapters/fastify.ts'
import { protectedUpgrade } from '../../src/adapters/node.ts'
import { watchCaller } from '../../src/protect/open-exchanges.ts'
import { protectedResource } from '../../src/protect/protected-resource.ts'
import type { Freshness } from '../../src/revocation/revocation-source.ts'
import { createTestIssuer } from '../../src/testing/test-issuer.ts'
import type { ValidatorOptions } from '../../src/validate/validator-options.ts'
import { createValidator } from '../../src/validate/validator.ts'
import { serve } from '../adapters.ts'
import { openRoutes } from '../open-routes.ts'

const audience = 'https://notes.example'

function trusted(more: Partial<ValidatorOptions> = {}) {
  const dev = createTestIssuer({ audience })
  const feed: { freshness: Freshness; age: number } = { freshness: 'live', age: 0 }
  const { revocation } = dev.trust
  assert.ok(typeof revocation === 'object')
  const source = { isRevoked: revocation.isRevoked, freshness: () => feed.freshness, age: () => feed.age }
  const validator = createValidator({ audience, issuers: [{ ...dev.trust, revocation: source }], ...more })
  // Two seconds, not one: of what is opened after its token is over the end is that of the leeway.
  const mint = (expiresIn = 600) => dev.mint({ scope: 'read', expiresIn })
  return { validator, feed, mint, revoke: dev.revoke, options: { validator, audience } }
}

async function opened(origin: string, token: string, method = 'GET'): Promise<IncomingMessage> {
  const asked = get(origin, { headers: { authorization: `Bearer ${token}` }, agent: false, method })
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  response.on('error', () => {})
  return response
}

/** Whether it came to an end of its own, or was broken off. */
async function endOf(response: IncomingMessage): Promise<'ended' | 'broken'> {
  await new Promise((resolve) => {
    response.resume().on('close', resolve)
  })
  return response.complete ? 'ended' : 'broken'
}

/** They share nothing, and wait for real time: so they wait together. */
const atOnce = { concurrency: true }
/** Fetch does not tell a body that goes on from one that is there already; where node:http is behind, it does. */
const byTheBody = new Set(['hono without node', 'fetch'])
const waits = new Set(['hono middleware', 'hono handler', ...byTheBody])

for (const [adapter, open] of Object.entries(openRoutes)) {
  describe(`what stays open on ${adapter}`, atOnce, () => {
    test('a stream of events ends when its token is revoked, when it expires and when the feed is lost; others go on', async () => {
      const it = trusted()
      const origin = await serve(await open(it.options))
      const token = it.mint()
      const other = await opened(`${origin}/events`, it.mint())
      const revoked = await opened(`${origin}/events`, token)
      const expiring = await opened(`${origin}/events`, it.mint(2))
      it.revoke(token)
      assert.equal(await endOf(revoked), 'ended')
      assert.equal(await endOf(expiring), 'ended')
      assert.equal(other.readableEnded, false)
      it.feed.freshness = 'stale'
      assert.equal(await endOf(other), 'ended')
    })

    test('a long poll is refused when its token is revoked', async () => {
      const it = trusted()
      const origin = await serve(await open(it.options))
      const token = it.mint()
      const answer = opened(`${origin}/poll`, token)
      // Admitted first: a request behind it on another connection is answered later.
      await endOf(await opened(`${origin}/short`, it.mint()))
      it.revoke(token)
      const response = await answer
      assert.equal(response.statusCode, 401)
      assert.match(String(response.headers['www-authenticate']), /error="invalid_token"/)
      await endOf(response)
    })

    test('an answer that says its length is not broken off because its token expires', async () => {
      const it = trusted()
      const origin = await serve(await open(it.options))
      const file = await opened(`${origin}/file`, it.mint(2))
      assert.equal(await endOf(await opened(`${origin}/events`, it.mint(2))), 'ended')
      assert.equal(file.closed, false)
      file.destroy()
    })

    if (!byTheBody.has(adapter))
      test('an answer of any type that does not say its length is broken off when its token expires', async () => {
        const it = trusted()
        const origin = await serve(await open(it.options))
        assert.equal(await endOf(await opened(`${origin}/download`, it.mint(2))), 'broken')
      })

    test('a connection is used again after answers that were short, and each counts for itself', async () => {
      const it = trusted()
      const origin = await serve(await open(it.options))
      const [gone, good] = [it.mint(), it.mint()]
      const socket = connect(Number(new URL(origin).port), '127.0.0.1').setEncoding('utf8')
      const ask = (path: string, token: string) =>
        socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`)
      for (const token of [gone, good]) {
        ask('/short', token)
        await until(socket, 'short')
      }
      it.revoke(gone)
      ask('/events', good)
      await until(socket, 'one')
      await endOf(await opened(`${origin}/events`, it.mint(2)))
      assert.equal(socket.closed, false)
      it.revoke(good)
      await until(socket, '0\r\n\r\n')
      socket.destroy()
    })

    test('streams that are left alone go on', async () => {
      const it = trusted()
      const origin = await serve(await open({ ...it.options, streams: 'leave' }))
      const cutting = await serve(await open(it.options))
      const [left, cut] = [await opened(`${origin}/events`, it.mint()), await opened(`${cutting}/events`, it.mint())]
      it.feed.freshness = 'stale'
      await endOf(cut)
      assert.equal(left.readableEnded, false)
      left.destroy()
    })

    if (!waits.has(adapter))
      test('another answer is broken off when its token is revoked, and what changes something is let finish', async () => {
        const it = trusted()
        const origin = await serve(await open(it.options))
        const [token, another] = [it.mint(), it.mint()]
        const download = await opened(`${origin}/download`, token)
        const asked = get(`${origin}/poll`, {
          method: 'POST',
          headers: { authorization: `Bearer ${another}` },
          agent: false,
        })
        asked.on('error', () => {})
        await endOf(await opened(`${origin}/short`, it.mint()))
        it.revoke(token)
        it.revoke(another)
        assert.equal(await endOf(download), 'broken')
        assert.equal(asked.destroyed, false)
        asked.destroy()
      })
  })
}

async function until(socket: Socket, text: string): Promise<void> {
  let received = ''
  while (!received.includes(text)) received += ((await once(socket, 'data')) as [string])[0]
}

/** Just enough of RFC 6455. */
function accept(request: IncomingMessage, socket: Duplex): void {
  const key = createHash('sha1')
    .update(`${String(request.headers['sec-websocket-key'])}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest('base64')
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\n\r\n`,
  )
}

type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

async function upgrading(upgrade: Upgrade): Promise<(token: string | null) => Socket> {
  const server = createServer().on('upgrade', upgrade)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  after(() => server.close())
  return (token) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    const authorization = token === null ? '' : `Authorization: Bearer ${token}\r\n`
    socket.write(
      `GET /live HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${authorization}\r\n`,
    )
    return socket.on('error', () => {})
  }
}

type Trusted = ReturnType<typeof trusted>

const upgrades: Record<string, (it: Trusted) => Promise<Upgrade>> = {
  'node:http': async ({ options }) => {
    const resource = protectedResource({ ...options, name: 'Notes', issuers: ['https://issuer.test'], scope: 'read' })
    return protectedUpgrade(resource, (request, socket) => accept(request, socket))
  },
  // As its plugin for WebSockets does: the handshake goes through the routes.
  fastify: async ({ options }) => {
    const app = fastify()
    app.decorateRequest('caller', null)
    app.get('/live', { onRequest: fastifyGuard(options, 'read') }, (request, reply) => {
      reply.hijack()
      accept(request.raw, request.raw.socket)
    })
    await app.ready()
    after(() => app.close())
    return (request, socket) => {
      const response = new ServerResponse(request)
      response.assignSocket(socket as Socket)
      app.routing(request, response)
    }
  },
}

for (const [adapter, open] of Object.entries(upgrades)) {
  test(`RFC 6455 §7.4.1: a WebSocket on ${adapter} is closed with 1008 when its token is over, and the reason says why`, async () => {
    const it = trusted()
    const handshake = await upgrading(await open(it))
    const token = it.mint()
    const sockets = { revoked: handshake(token), expired: handshake(it.mint(2)), stale: handshake(it.mint()) }
    for (const socket of Object.values(sockets)) assert.match(String(await once(socket, 'data')), /^HTTP\/1\.1 101 /)
    const closing = async (socket: Socket): Promise<Buffer> => {
      const chunks: Buffer[] = []
      socket.on('data', (chunk: Buffer) => chunks.push(chunk))
      await once(socket, 'close')
      return Buffer.concat(chunks)
    }
    const { stale } = sockets
    const ends = [closing(sockets.revoked), closing(sockets.expired)]
    it.revoke(token)
    const [revoked, expired] = await Promise.all(ends)
    assert.equal(stale.closed, false)
    it.feed.freshness = 'stale'
    const frames = { token_revoked: revoked, token_expired: expired, revocation_state_stale: await closing(stale) }
    for (const [reason, frame] of Object.entries(frames)) {
      assert.deepEqual([...(frame ?? Buffer.of()).subarray(0, 4)], [0x88, reason.length + 2, 1008 >> 8, 1008 & 0xff])
      assert.equal(frame?.subarray(4).toString(), reason)
    }
  })
}

test('a handshake without a good token is answered like a request', async () => {
  const handshake = await upgrading(await (upgrades['node:http'] as (it: Trusted) => Promise<Upgrade>)(trusted()))
  const socket = handshake(null)
  assert.match(String(await once(socket, 'data')), /^HTTP\/1\.1 401 [^]*www-authenticate: Bearer/)
  await once(socket.resume(), 'close')
})

test('work of one’s own hears of the end of its token, and nothing after it was closed', async () => {
  const it = trusted()
  const callerOf = (token: string) => {
    const verdict = it.validator.validate({ authorization: `Bearer ${token}` })
    assert.ok(!(verdict instanceof Promise) && verdict.kind === 'ok')
    return verdict.value
  }
  const token = it.mint()
  const watch = watchCaller(it.validator, callerOf(token))
  const closed = watchCaller(it.validator, callerOf(token))
  closed.close()
  it.revoke(token)
  await once(watch.signal, 'abort')
  assert.equal(watch.signal.reason, 'revoked')
  assert.equal(closed.signal.aborted, false)
})

test('the policy `serve` lets streams go on for its time and no longer', async () => {
  const it = trusted({ onStale: 'serve', serveStaleFor: 100 })
  const verdict = it.validator.validate({ authorization: `Bearer ${it.mint()}` })
  assert.ok(!(verdict instanceof Promise) && verdict.kind === 'ok')
  const now = () => it.validator.endOf?.(verdict.value, Date.now())
  it.feed.freshness = 'stale'
  it.feed.age = 100_000
  assert.equal(now(), null)
  it.feed.age = 100_001
  assert.equal(now(), 'stale')
  assert.equal(it.validator.endOf?.({ ...verdict.value }, Date.now()), null, 'nobody that a validator let in')
})

test('whoever came with a token that had just expired is served for the leeway', () => {
  const it = trusted()
  const verdict = it.validator.validate({ authorization: `Bearer ${it.mint(-30)}` })
  assert.ok(!(verdict instanceof Promise) && verdict.kind === 'ok')
  assert.equal(it.validator.endOf?.(verdict.value, Date.now()), null)
  assert.equal(it.validator.endOf?.(verdict.value, verdict.value.expiresAt - 1), 'expired')
})
