/** Status lists of real processes: killed between a revocation and the list. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  decodeStatuses,
  statusAt,
  statusListSize,
  statusReference,
  type StatusReference,
} from '@grantor/protocol/status-list'
import { temporaryDatabase } from '../../interop/database.ts'
import { type ServerOptions, startServer, temporaryFolder } from '../../interop/server.ts'
import { claimsOf, type HttpClient, httpClientOf } from '../faults/http-client.ts'
import { requestRevocation, requestToken, seed as plainSeed, tokenIn, unlimited } from '../faults/service-client.ts'

const masterKey = { GRANTOR_MASTER_KEY: 'a-master-key-for-list-tests-0123456789' }
const seed = { ...plainSeed, resources: plainSeed.resources.map((it) => ({ ...it, status_list: true })) }

function placeOf(token: string): StatusReference {
  const place = statusReference(claimsOf(token))
  assert.ok(place)
  return place
}

async function statusOf(http: HttpClient, { uri, idx }: StatusReference): Promise<number | null> {
  const { status, body } = await http.send(new URL(uri).pathname)
  assert.equal(status, 200, body)
  const { status_list: list } = claimsOf(body) as unknown as { status_list: { lst: string } }
  const bytes = await decodeStatuses(list.lst, statusListSize / 8)
  assert.ok(bytes)
  return statusAt({ bits: 1, bytes }, idx)
}

async function killedAfterRevocation(options: ServerOptions): Promise<void> {
  const first = await startServer(options)
  using http = httpClientOf(first)
  const [kept, dead] = [tokenIn(await requestToken(http)), tokenIn(await requestToken(http))]
  assert.equal(await statusOf(http, placeOf(dead)), 0)
  assert.equal((await requestRevocation(http, dead)).status, 200)
  await first.kill()
  await using second = await startServer({ ...options, env: { ...options.env, GRANTOR_PORT: String(first.port) } })
  using again = httpClientOf(second)
  assert.equal(await statusOf(again, placeOf(dead)), 1)
  assert.equal(await statusOf(again, placeOf(kept)), 0)
  // What the first had leased and not used is lost, and given to nobody.
  const fresh = placeOf(tokenIn(await requestToken(again)))
  assert.ok(fresh.idx >= 1024)
}

test('SQLite: kill -9 between a revocation and the list; the list tells it after the restart', async () => {
  using folder = temporaryFolder()
  await killedAfterRevocation({ data: folder.path, seed: folder.write('seed.json', seed), env: unlimited })
})

test('PostgreSQL: kill -9 between a revocation and the list; the list tells it after the restart', async () => {
  using folder = temporaryFolder()
  await using database = await temporaryDatabase()
  const env = { ...unlimited, ...masterKey, GRANTOR_DATABASE_URL: database.url }
  await killedAfterRevocation({ data: folder.path, seed: folder.write('seed.json', seed), env })
})
