/** Issuers that change and issuers that are away, under a gateway that goes on. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, audience, type Harness, startHarness } from './harness.ts'
import { startIssuer } from './issuer.ts'

async function until(what: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (await what()) return
    await pause(50)
  }
  assert.fail('it did not become so')
}

const isReady = async (it: Harness): Promise<boolean> => (await it.ask('/health/ready')).status === 200

test('a new reading with another issuer takes over when its keys are known: nothing is dropped, and no moment has none', async () => {
  await using one = await startIssuer(audience)
  await using other = await startIssuer(audience)
  const held: (() => void)[] = []
  await using it = await startHarness({
    trust: 'file',
    file: { issuer: one.issuer },
    answer(_request, response, { url, headers }) {
      const end = (): void => void response.end(String(headers['grantor-subject']))
      if (url === '/orders/held') held.push(end)
      else end()
    },
    upgrade(_request, socket) {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n')
      socket.pipe(socket).on('error', () => {})
    },
  })
  await until(() => isReady(it))
  const [before, after] = [one.mint({ sub: 'before' }), other.mint({ sub: 'after' })]
  const slow = it.ask('/orders/held', { token: before })
  await until(() => held.length === 1)
  const socket = it.connect().setEncoding('latin1')
  socket.write(
    `GET /orders HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nAuthorization: Bearer ${before}\r\n\r\n`,
  )
  assert.match(((await once(socket, 'data')) as [string])[0], /^HTTP\/1\.1 101 /)
  // Both kinds of callers, without a pause, on connections of their own.
  const seen: [whose: string, answer: Answer][] = []
  const state = { over: false }
  const callers = [before, after].map(async (token) => {
    while (!state.over) seen.push([token, await it.ask('/orders', { token })])
  })
  await until(() => seen.length > 20)
  const read = await it.gateway.reload(await it.config({ issuer: other.issuer }))
  assert.equal(read.kind, 'ok')
  const taken = seen.length
  await until(() => seen.length > taken + 20)
  state.over = true
  await Promise.all(callers)
  const statuses = (token: string) => seen.filter(([whose]) => whose === token).map(([, { status }]) => status)
  for (const [token, first, last] of [
    [before, 200, 401],
    [after, 401, 200],
  ] as const) {
    const all = statuses(token)
    const change = all.indexOf(last)
    assert.ok(change > 0)
    assert.deepEqual(new Set(all.slice(0, change)), new Set([first]))
    assert.deepEqual(new Set(all.slice(change)), new Set([last]))
  }
  held[0]?.()
  assert.deepEqual(await slow.then(({ status, body }) => [status, body]), [200, 'before'])
  socket.write('still here')
  assert.deepEqual(await once(socket, 'data'), ['still here'])
  socket.destroy()
})

test('what is open goes on by its own issuer through any number of readings', async () => {
  await using one = await startIssuer(audience)
  await using other = await startIssuer(audience)
  await using it = await startHarness({
    trust: 'file',
    file: { issuer: one.issuer },
    answer: (_request, response) =>
      void response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: one\n\n'),
    upgrade(_request, socket) {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n')
      socket.pipe(socket).on('error', () => {})
    },
  })
  await until(() => isReady(it))
  const open = async (token: string) => {
    const socket = it.connect().setEncoding('latin1')
    socket.write(
      `GET /orders HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    )
    await once(socket, 'data')
    return socket
  }
  const lasting = await open(one.mint())
  const routes = [{ path: '/', scopes: [] }]
  assert.equal((await it.gateway.reload(await it.config({ issuer: one.issuer, routes }))).kind, 'ok')
  assert.equal((await it.gateway.reload(await it.config({ issuer: other.issuer, routes }))).kind, 'ok')
  // Ended by a look at what is open, which would have ended the other, too.
  const token = other.mint({ exp: Math.floor(Date.now() / 1000) + 2 })
  assert.equal((await it.ask('/orders', { token })).body, 'data: one\n\n')
  assert.equal(lasting.closed, false)
  lasting.write('still here')
  assert.deepEqual(await once(lasting, 'data'), ['still here'])
  lasting.destroy()
})

test('a new reading with an issuer that is away is refused, and the one before goes on', async () => {
  await using one = await startIssuer(audience)
  await using away = await startIssuer(audience)
  await away.leave()
  await using it = await startHarness({ trust: 'file', file: { issuer: one.issuer } })
  await until(() => isReady(it))
  const read = await it.gateway.reload(await it.config({ issuer: away.issuer }))
  assert.deepEqual(read.kind === 'error' ? read.error.map(({ field }) => field) : [], ['issuer'])
  assert.equal((await it.ask('/orders', { token: one.mint() })).status, 200)
  assert.ok(it.notices.some((line) => line.startsWith(`${away.issuer}: `) && line.includes('cannot be reached')))
})

test('a gateway whose issuer is away starts, says so, answers 503, and works without a new start when it is back', async () => {
  await using one = await startIssuer(audience)
  const token = one.mint()
  await one.leave()
  await using it = await startHarness({ trust: 'file', file: { issuer: one.issuer } })
  await until(() => it.notices.some((line) => line.includes('cannot be reached')))
  const refused = await it.ask('/orders', { token })
  assert.equal(refused.status, 503)
  assert.ok(Number(refused.headers['retry-after']) > 0)
  assert.equal((await it.ask('/health/live')).status, 200)
  const health = await it.ask('/health/ready')
  assert.equal(health.status, 503)
  const fault = { issuer: one.issuer, code: 'issuer_unreachable', reason: 'The issuer cannot be reached.' }
  assert.deepEqual(JSON.parse(health.body).faults, [fault])
  assert.deepEqual(it.seen, [])
  await one.comeBack()
  await until(async () => (await it.ask('/orders', { token })).status === 200)
  assert.ok(it.notices.some((line) => line.includes('over: ')))
  // What is known is enough while it is away again.
  await one.leave()
  assert.equal((await it.ask('/orders', { token: one.mint() })).status, 200)
})

test('a new reading of the file gives nobody a new quota', async () => {
  const quota = { requests: 2, seconds: 3600 }
  await using it = await startHarness({ file: { quota } })
  const token = it.mint()
  const status = async (): Promise<number> => (await it.ask('/orders', { token })).status
  assert.deepEqual([await status(), await status(), await status()], [200, 200, 429])
  await it.gateway.reload(await it.config({ quota, routes: [{ path: '/', scopes: [] }] }))
  assert.equal(await status(), 429)
})

test('a token that lacks the scope uses up the quota too; a request without a good one uses up nobody’s', async () => {
  await using it = await startHarness({ file: { quota: { requests: 2, seconds: 3600 } } })
  for (const token of [undefined, 'a.b.c', it.mint({ expiresIn: -600 })])
    assert.equal((await it.ask('/orders', token === undefined ? {} : { token })).status, 401)
  const poor = it.mint({ scope: 'other' })
  assert.equal((await it.ask('/orders', { token: poor })).status, 401)
  assert.equal((await it.ask('/orders', { token: it.mint() })).status, 200)
  assert.equal((await it.ask('/orders', { token: it.mint() })).status, 429)
  // Another tenant's client of the same name is another.
  assert.equal((await it.ask('/orders', { token: it.mint({ tenant: 'acme' }) })).status, 200)
})
