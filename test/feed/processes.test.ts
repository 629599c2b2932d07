/** The feed and real processes: killed in the middle, stopped without a word, two nodes on one database. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { test } from 'node:test'
import { temporaryDatabase } from '../../interop/database.ts'
import { type ServerOptions, startServer, temporaryFolder } from '../../interop/server.ts'
import { type HttpClient, httpClientOf } from '../faults/http-client.ts'
import { requestRevocation, requestToken, tokenIn, unlimited } from '../faults/service-client.ts'
import { eventually, seed, startValidator } from './validators.ts'

const masterKey = { GRANTOR_MASTER_KEY: 'a-master-key-for-feed-tests-0123456789' }

/** As many at once as a busy client would have open. */
const atOnce = 32
const burst = 10_000

async function tokens(http: HttpClient, count: number): Promise<readonly string[]> {
  const got: string[] = []
  const send = async (): Promise<void> => {
    for (let mine = got.push(''); mine <= count; mine = got.push('')) got[mine - 1] = tokenIn(await requestToken(http))
  }
  await Promise.all(Array.from({ length: atOnce }, send))
  return got.slice(0, count)
}

async function killedInABurst(options: ServerOptions): Promise<void> {
  const first = await startServer(options)
  await using stream = startValidator(first.issuer, first.ca)
  await using poll = startValidator(first.issuer, first.ca, { transport: 'poll' })
  using http = httpClientOf(first)
  await Promise.all([stream.validator.whenReady(), poll.validator.whenReady()])
  const doomed = await tokens(http, burst)
  const acknowledged: string[] = []
  const waiting = [...doomed]
  const revoke = async (): Promise<void> => {
    for (let token = waiting.pop(); token !== undefined; token = waiting.pop()) {
      const answer = await requestRevocation(http, token).catch(() => null)
      if (answer === null) return
      if (answer.status === 200) acknowledged.push(token)
      if (acknowledged.length === burst / 4) await first.kill()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, revoke))
  assert.ok(acknowledged.length >= burst / 4 && acknowledged.length < doomed.length)
  await using second = await startServer({ ...options, env: { ...options.env, GRANTOR_PORT: String(first.port) } })
  await using late = startValidator(second.issuer, second.ca)
  await late.validator.whenReady()
  for (const { verdict } of [stream, poll, late]) {
    for (const token of acknowledged) {
      await eventually(async () => (await verdict(token)) === 'token_revoked', 'an acknowledged revocation is heard of')
    }
  }
}

test('SQLite: kill -9 in a burst of 10 000 revocations; each that was acknowledged is refused after the restart', async () => {
  using folder = temporaryFolder()
  await killedInABurst({ data: folder.path, seed: folder.write('seed.json', seed), env: unlimited })
})

test('PostgreSQL: kill -9 in a burst of 10 000 revocations; each that was acknowledged is refused after the restart', async () => {
  using folder = temporaryFolder()
  await using database = await temporaryDatabase()
  const env = { ...unlimited, ...masterKey, ...database.settings }
  await killedInABurst({ data: folder.path, seed: folder.write('seed.json', seed), env })
})

test('a server that is stopped without a word: its validators refuse with 503 within the bound, and recover', async () => {
  using folder = temporaryFolder()
  await using server = await startServer({ data: folder.path, seed: folder.write('seed.json', seed), env: unlimited })
  await using running = startValidator(server.issuer, server.ca)
  using http = httpClientOf(server)
  await running.validator.whenReady()
  const [kept = '', revoked = ''] = await tokens(http, 2)
  assert.equal(await running.verdict(kept), 'accepted')
  process.kill(server.pid, 'SIGSTOP')
  try {
    running.letPass(20_000)
    assert.equal(await running.verdict(kept), 'accepted', 'lagging is not stale')
    running.letPass(25_000)
    assert.equal(await running.verdict(kept), 'revocation_state_stale')
  } finally {
    process.kill(server.pid, 'SIGCONT')
  }
  assert.equal((await requestRevocation(http, revoked)).status, 200)
  await eventually(async () => (await running.verdict(kept)) === 'accepted', 'the view is fresh again')
  await eventually(async () => (await running.verdict(revoked)) === 'token_revoked', 'the revocation is heard of')
})

test('PostgreSQL, two nodes: what is revoked at one is refused by validators of the other', async () => {
  using folder = temporaryFolder()
  await using database = await temporaryDatabase()
  // One address for both, as a balancer has; here it leads to the second node only.
  let port = 0
  const balancer = createServer((near) => {
    const far = connect({ host: '127.0.0.1', port })
    near.pipe(far).pipe(near)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => {})
      one.on('close', () => other.destroy())
    }
  })
  balancer.listen(0, '127.0.0.1')
  await once(balancer, 'listening')
  const issuer = `https://localhost:${(balancer.address() as AddressInfo).port}`
  const env = { ...unlimited, ...masterKey, ...database.settings, GRANTOR_ISSUER: issuer }
  const options = { data: folder.path, seed: folder.write('seed.json', seed), env }
  try {
    await using one = await startServer(options)
    await using two = await startServer(options)
    port = two.port
    await using stream = startValidator(issuer, two.ca)
    await using poll = startValidator(issuer, two.ca, { transport: 'poll' })
    using http = httpClientOf(one)
    await Promise.all([stream.validator.whenReady(), poll.validator.whenReady()])
    for (const token of await tokens(http, 5)) {
      for (const { verdict } of [stream, poll]) assert.equal(await verdict(token), 'accepted')
      assert.equal((await requestRevocation(http, token)).status, 200)
      for (const { verdict } of [stream, poll]) {
        await eventually(async () => (await verdict(token)) === 'token_revoked', 'the other node tells')
      }
    }
  } finally {
    balancer.close()
  }
})
