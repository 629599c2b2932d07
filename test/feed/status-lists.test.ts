/** Status lists of real processes: killed between a revocation and the list, and two that give out places at once. */
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
import { type Node, openFleet } from '../fleet/fleet.ts'
import { tokenOf } from '../fleet/objects.ts'

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
  const env = { ...unlimited, ...masterKey, ...database.settings }
  await killedAfterRevocation({ data: folder.path, seed: folder.write('seed.json', seed), env })
})

/** `count` places, asked for by 16 at a time; what a kill cut off is left out. */
async function placesOf(node: Node, count: number): Promise<readonly string[]> {
  const given: string[] = []
  let left = count
  const ask = async (): Promise<void> => {
    while (left-- > 0) {
      const token = await tokenOf(node).catch(() => null)
      if (token === null) return
      const { uri, idx } = placeOf(token)
      given.push(`${uri} ${idx}`)
    }
  }
  await Promise.all(Array.from({ length: 16 }, ask))
  return given
}

test('PostgreSQL: two processes that give out places at once, one of them killed and begun again, give none twice', async () => {
  await using fleet = await openFleet(seed)
  await using one = await fleet.start()
  await using two = await fleet.start()
  // More than a block each, so that both lease while the other does.
  const [first, second] = await Promise.all([placesOf(one, 1_400), placesOf(two, 1_400)])
  const dying = placesOf(two, 1_400)
  const killed = tokenOf(one).then(() => two.server.kill())
  const [cut, third] = await Promise.all([dying, placesOf(one, 300), killed])
  await using again = await fleet.start()
  const last = await placesOf(again, 300)
  assert.deepEqual([first.length, second.length, third.length, last.length], [1_400, 1_400, 300, 300])
  const all = [...first, ...second, ...cut, ...third, ...last]
  assert.equal(new Set(all).size, all.length)
})
