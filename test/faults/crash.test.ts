/** kill -9 under load: whatever a client was told has happened, has happened. Real processes, both databases. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { temporaryDatabase } from '../../interop/database.ts'
import { type ServerOptions, startServer, temporaryFolder } from '../../interop/server.ts'
import { httpClientOf } from './http-client.ts'
import { History } from './history.ts'
import { requestIntrospection, seed, unlimited } from './service-client.ts'

const rounds = 4
const workers = 8

async function survive(options: ServerOptions): Promise<void> {
  const history = new History()
  for (let round = 0; round < rounds; round++) {
    const server = await startServer(options)
    using http = httpClientOf(server)
    await assertDead(history, http)
    let killed = false
    const working = Array.from({ length: workers }, () => history.work(http))
    const registering = history.register(options, `round-${round}`, () => killed)
    // Another place in the load each time, so that the kill meets another moment.
    await history.more(60 + 17 * round)
    killed = true
    await server.kill()
    await Promise.all([...working, registering])
  }
  await using last = await startServer(options)
  using http = httpClientOf(last)
  await assertDead(history, http)
  assert.equal(await last.stop(), 0)
  assert.ok(history.revoked.size >= rounds * 60 && history.clients.size >= 1)
  await history.assertKept(options)
}

/** Every acknowledged revocation holds after the restart. */
async function assertDead(history: History, http: ReturnType<typeof httpClientOf>): Promise<void> {
  for (const token of history.revoked.values()) {
    const { status, body } = await requestIntrospection(http, token)
    assert.equal(status, 200)
    assert.deepEqual(JSON.parse(body), { active: false })
  }
}

test('SQLite: kill -9 during load loses no acknowledged token event, revocation or client', async () => {
  using folder = temporaryFolder()
  await survive({ data: folder.path, seed: folder.write('seed.json', seed), env: unlimited })
})

test('PostgreSQL: kill -9 during load loses no acknowledged token event, revocation or client', async () => {
  using folder = temporaryFolder()
  await using database = await temporaryDatabase()
  const env = { ...database.settings, GRANTOR_MASTER_KEY: 'a-master-key-for-fault-tests-0123456789' }
  await survive({ data: folder.path, seed: folder.write('seed.json', seed), env: { ...unlimited, ...env } })
})
