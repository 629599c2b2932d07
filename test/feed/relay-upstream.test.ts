/** A relay whose node dies and is replaced by another, and whose log begins anew: what validators beyond it end up with. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { temporaryDatabase } from '../../interop/database.ts'
import { runCommand, startServer, temporaryFolder } from '../../interop/server.ts'
import { httpClientOf } from '../faults/http-client.ts'
import { requestRevocation, requestToken, tokenIn, unlimited } from '../faults/service-client.ts'
import { startTcpProxy } from '../faults/tcp-proxy.ts'
import { startRelay } from './relay-process.ts'
import { eventually, seed, startValidator } from './validators.ts'

test('PostgreSQL: the node that a relay reads is killed, another takes its place, and then the database is put back', async () => {
  using folder = temporaryFolder()
  await using database = await temporaryDatabase()
  let port = 0
  await using balancer = await startTcpProxy('127.0.0.1', () => port)
  const issuer = `https://localhost:${balancer.port}`
  const key = { GRANTOR_MASTER_KEY: 'a-master-key-for-feed-tests-0123456789' }
  const env = { ...unlimited, ...key, ...database.settings, GRANTOR_ISSUER: issuer }
  const options = { data: folder.path, seed: folder.write('seed.json', seed), env }
  await using one = await startServer(options)
  port = one.port
  await using relay = await startRelay({ server: { issuer, ca: one.ca } })
  await using stream = startValidator(issuer, one.ca, { address: relay.address })
  await using poll = startValidator(issuer, one.ca, { address: relay.address, transport: 'poll' })
  const beyond = [stream, poll]
  await Promise.all(beyond.map(({ validator }) => validator.whenReady()))
  await using two = await startServer(options)
  using http = httpClientOf(two)
  const tokenOf = async (): Promise<string> => tokenIn(await requestToken(http))
  const tokens = await Promise.all(Array.from({ length: 20 }, tokenOf))
  const [kept = '', ...doomed] = tokens
  const allSay = async (token: string, said: string): Promise<void> => {
    for (const { verdict } of beyond) await eventually(async () => (await verdict(token)) === said, said)
  }
  const revoke = async (some: readonly string[]): Promise<void> => {
    for (const token of some) assert.equal((await requestRevocation(http, token)).status, 200)
  }
  for (const token of tokens) await allSay(token, 'accepted')

  // While it reads nothing, while it connects anew, and when it is there again.
  await revoke(doomed.slice(0, 5))
  await one.kill()
  await revoke(doomed.slice(5, 10))
  port = two.port
  await revoke(doomed.slice(10, 15))
  await allSay(doomed[14] ?? '', 'token_revoked')
  await revoke(doomed.slice(15))
  for (const token of doomed) await allSay(token, 'token_revoked')
  await allSay(kept, 'accepted')

  const restored = await runCommand(['restore', '--yes'], options)
  assert.equal(restored.code, 0, restored.stderr)
  await allSay(kept, 'token_revoked')
  // Tokens count whole seconds, and one of the second of the restore is taken for an older one.
  for (const { verdict } of beyond)
    await eventually(async () => (await verdict(await tokenOf())) === 'accepted', 'new ones are good')
  const late = await tokenOf()
  await allSay(late, 'accepted')
  await revoke([late])
  await allSay(late, 'token_revoked')
})
