/** A relay of the revocation feed between real servers and validators: killed, cut off from the issuer, chained, asked by strangers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runCommand, startServer, temporaryFolder } from '../../interop/server.ts'
import { type HttpClient, httpClientOf } from '../faults/http-client.ts'
import { requestRevocation, requestToken, tokenIn, unlimited } from '../faults/service-client.ts'
import { startTcpProxy } from '../faults/tcp-proxy.ts'
import { startRelay } from './relay-process.ts'
import { eventually, readerToken, seed, startValidator } from './validators.ts'

const tokenOf = async (http: HttpClient): Promise<string> => tokenIn(await requestToken(http))
const revoke = async (http: HttpClient, token: string): Promise<void> =>
  assert.equal((await requestRevocation(http, token)).status, 200)

test('validators beyond one relay, and beyond two, refuse what is revoked and accept the rest; each is in the receipt', async () => {
  using folder = temporaryFolder()
  const options = { data: folder.path, seed: folder.write('seed.json', seed), env: unlimited }
  await using server = await startServer(options)
  using http = httpClientOf(server)
  await using first = await startRelay({ server })
  await using second = await startRelay({ server, from: first.address })
  await using near = startValidator(server.issuer, server.ca, { address: first.address })
  await using far = startValidator(server.issuer, server.ca, { address: second.address })
  await using polling = startValidator(server.issuer, server.ca, { address: second.address, transport: 'poll' })
  const all = [near, far, polling]
  await Promise.all(all.map(({ validator }) => validator.whenReady()))
  const [kept, revoked] = [await tokenOf(http), await tokenOf(http)]
  for (const { verdict } of all) await eventually(async () => (await verdict(revoked)) === 'accepted', 'good')
  await revoke(http, revoked)
  for (const { verdict } of all) {
    await eventually(async () => (await verdict(revoked)) === 'token_revoked', 'it is told on')
    await eventually(async () => (await verdict(kept)) === 'accepted', 'the rest is good')
  }
  // Who comes later learns of it by the issuer's own snapshot.
  await using late = startValidator(server.issuer, server.ca, { address: second.address })
  await late.validator.whenReady()
  assert.equal(await late.verdict(revoked), 'token_revoked')
  // Three validators, the two relays and the late one: all have said how far they heard.
  const receipt = async () => {
    const { stdout } = await runCommand(['revocation', 'list', '--limit', '1', '--json'], options)
    const read = JSON.parse(stdout) as { items?: readonly Receipt[] } | readonly Receipt[]
    return ('items' in read ? read.items : (read as readonly Receipt[]))?.[0]
  }
  await eventually(async () => {
    await revoke(http, await tokenOf(http))
    return (await receipt())?.validators === 6
  }, 'all six are known')
  await eventually(async () => (await receipt())?.acknowledged === 6, 'all six have heard')
})

interface Receipt {
  readonly validators: number
  readonly acknowledged: number
}

test('the issuer is away: a validator beyond a relay closes by its own bound, as without one, also if it starts anew', async () => {
  using folder = temporaryFolder()
  let port = 0
  await using wire = await startTcpProxy('127.0.0.1', () => port)
  const env = { ...unlimited, GRANTOR_ISSUER: `https://localhost:${wire.port}` }
  await using server = await startServer({ data: folder.path, seed: folder.write('seed.json', seed), env })
  port = server.port
  using http = httpClientOf(server)
  await using relay = await startRelay({ server })
  await using direct = startValidator(server.issuer, server.ca, { maxStaleness: 8 })
  await using beyond = startValidator(server.issuer, server.ca, { address: relay.address, maxStaleness: 8 })
  await Promise.all([direct.validator.whenReady(), beyond.validator.whenReady()])
  const token = await tokenOf(http)
  for (const { verdict } of [direct, beyond])
    await eventually(async () => (await verdict(token)) === 'accepted', 'good')
  wire.hold()
  const held = performance.now()
  for (const { verdict } of [direct, beyond])
    await eventually(async () => (await verdict(token)) === 'revocation_state_stale', 'it closes')
  // Revoked where nobody beyond the wire can hear: whatever the relay says meanwhile makes nothing fresh.
  await revoke(http, token)
  while (performance.now() < held + 15_000) {
    assert.equal(await beyond.verdict(token), 'revocation_state_stale')
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  wire.release()
  for (const { verdict } of [direct, beyond])
    await eventually(async () => (await verdict(token)) === 'token_revoked', 'it hears again')
  const fresh = await tokenOf(http)
  for (const { verdict } of [direct, beyond])
    await eventually(async () => (await verdict(fresh)) === 'accepted', 'and accepts again')
})

test('a relay that is killed: its validators close, and go on where they were when it is there again', async () => {
  using folder = temporaryFolder()
  await using server = await startServer({ data: folder.path, seed: folder.write('seed.json', seed), env: unlimited })
  using http = httpClientOf(server)
  await using relay = await startRelay({ server })
  // The address stays, whatever port the next one gets.
  let { port } = relay
  await using wire = await startTcpProxy('127.0.0.1', () => port)
  const address = `http://127.0.0.1:${wire.port}`
  await using beyond = startValidator(server.issuer, server.ca, { address, maxStaleness: 8 })
  await beyond.validator.whenReady()
  const [kept, revoked] = [await tokenOf(http), await tokenOf(http)]
  await eventually(async () => (await beyond.verdict(revoked)) === 'accepted', 'good')
  await relay.kill()
  await revoke(http, revoked)
  await eventually(async () => (await beyond.verdict(revoked)) === 'revocation_state_stale', 'it closes')
  await using again = await startRelay({ server })
  ;({ port } = again)
  await eventually(async () => (await beyond.verdict(revoked)) === 'token_revoked', 'it hears what it missed')
  await eventually(async () => (await beyond.verdict(kept)) === 'accepted', 'and is fresh again')
})

test('nobody reads at a relay who could not at the issuer: no token, one for an API, one without the scope, one that was revoked', async () => {
  using folder = temporaryFolder()
  await using server = await startServer({ data: folder.path, seed: folder.write('seed.json', seed), env: unlimited })
  using http = httpClientOf(server)
  await using relay = await startRelay({ server })
  await using follower = startValidator(server.issuer, server.ca, { address: relay.address })
  await follower.validator.whenReady()
  const ask = async (path: string, token?: string, method = 'GET'): Promise<number> => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const answer = await fetch(relay.address + path, { headers, method, signal: AbortSignal.timeout(20_000) })
    await answer.body?.cancel()
    return answer.status
  }
  const paths = ['/revocations/stream', '/revocations/changes', '/revocations/snapshot'] as const
  const good = await readerToken(http, 'revocations:read')
  assert.equal(await ask('/revocations/snapshot', good), 200)
  const [forApi, withoutScope] = [await tokenOf(http), await readerToken(http, 'events:report')]
  for (const path of paths) {
    assert.equal(await ask(path), 401)
    assert.equal(await ask(path, 'nonsense'), 401)
    assert.equal(await ask(path, forApi), 401, 'a token for the API is none for the issuer')
    assert.equal(await ask(path, withoutScope), 403)
    assert.equal(await ask(path, good, 'POST'), 405)
  }
  const acknowledgement = '/revocations/acknowledgements?validator=x&position=y'
  assert.equal(await ask(acknowledgement, forApi, 'POST'), 401)
  assert.equal(await ask(acknowledgement, good, 'POST'), 400, 'the issuer says what is wrong with it')
  assert.equal(await ask('/revocations/changes?after=nonsense', good), 400)
  assert.equal(await ask('/revocations/changes?wait=-1', good), 400)
  assert.equal(await ask('/orders', good), 404)
  // What is open ends with its token.
  const open = await fetch(`${relay.address}/revocations/stream`, {
    headers: { authorization: `Bearer ${good}`, 'last-event-id': await cursorOf(relay.address, good) },
  })
  assert.equal(open.status, 200)
  const basic = ['reader', 'zz9canary-reader-secret-of-32-characters'] as const
  assert.equal((await http.send('/revoke', { basic, form: { token: good } })).status, 200)
  await open.text()
  await eventually(async () => (await ask('/revocations/snapshot', good)) === 401, 'it is refused')
})

/** Where the feed stands, as the snapshot says; nobody here has to believe it. */
async function cursorOf(address: string, token: string): Promise<string> {
  const answer = await fetch(`${address}/revocations/snapshot`, { headers: { authorization: `Bearer ${token}` } })
  const [, claims = ''] = (await answer.text()).split('.')
  const { epoch, pos } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { epoch: string; pos: number }
  return `${epoch}.${pos}`
}
