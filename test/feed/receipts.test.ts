/** Receipts over real processes: two nodes on one database, and a validator that is killed without a word. */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { temporaryDatabase } from '../../interop/database.ts'
import { grantorCommand, startServer, temporaryFolder } from '../../interop/server.ts'
import { httpClientOf } from '../faults/http-client.ts'
import { requestRevocation, requestToken, tokenIn, unlimited } from '../faults/service-client.ts'
import { eventually, seed, startValidator } from './validators.ts'

const run = promisify(execFile)

/** What the command line says of the newest revocation: it reads the database itself. */
async function newest(env: Readonly<Record<string, string>>): Promise<Readonly<Record<string, unknown>>> {
  const args = [grantorCommand, 'revocation', 'list', '--limit', '1', '--json']
  const { stdout } = await run(process.execPath, args, { env: { ...process.env, ...env } })
  const read = JSON.parse(stdout) as { readonly items?: readonly Record<string, unknown>[] } | Record<string, unknown>[]
  const [one] = Array.isArray(read) ? read : (read.items ?? [])
  assert.ok(one !== undefined, stdout)
  return one
}

test('PostgreSQL, two nodes: validators of one are in the receipt of what was revoked at the other; one that is killed is waited for', async () => {
  using folder = temporaryFolder()
  await using database = await temporaryDatabase()
  const shared = { ...unlimited, ...database.settings, GRANTOR_MASTER_KEY: 'a-master-key-for-feed-tests-0123456789' }
  const options = { data: folder.path, seed: folder.write('seed.json', seed), env: shared }
  await using one = await startServer(options)
  // The second has the issuer of the first: tokens of either are the same.
  await using two = await startServer({ ...options, env: { ...shared, GRANTOR_ISSUER: one.issuer, GRANTOR_PORT: '0' } })
  await using near = startValidator(one.issuer, one.ca)
  await near.validator.whenReady()
  const killed = spawn(
    process.execPath,
    [`${import.meta.dirname}/validator-process.ts`, one.issuer, folder.write('ca.pem', one.ca ?? '')],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  await once(killed.stdout, 'data')
  using http = httpClientOf({ ...two, issuer: one.issuer })
  const env = { ...shared, GRANTOR_DATA: folder.path, GRANTOR_ISSUER: one.issuer }
  const revoke = async (): Promise<void> => {
    const token = tokenIn(await requestToken(http))
    assert.equal((await requestRevocation(http, token)).status, 200)
  }
  await eventually(async () => {
    await revoke()
    return (await newest(env))['validators'] === 2
  }, 'both are known')
  await eventually(async () => (await newest(env))['acknowledged'] === 2, 'both have heard')
  const gone = once(killed, 'exit')
  killed.kill('SIGKILL')
  await gone
  await revoke()
  await eventually(async () => (await newest(env))['acknowledged'] === 1, 'the other has heard')
  const { at, waiting, closes_at: closesAt, validators } = await newest(env)
  assert.deepEqual([validators, waiting], [2, 1])
  // Their feed closes after 45 s; a status list that a cache kept may be used for 120.
  assert.equal(Date.parse(String(closesAt)) - Date.parse(String(at)), 120_000)
})
