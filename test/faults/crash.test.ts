/** kill -9 under load: whatever a client was told has happened, has happened. Real processes, both databases. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { temporaryDatabase } from '../../interop/database.ts'
import { type ServerWish, startServer, temporaryFolder } from '../../interop/server.ts'
import { askerOf } from './http-client.ts'
import { History } from './history.ts'
import { askIntrospection, seed, unlimited } from './service-client.ts'

const rounds = 4
const workers = 8

async function survive(wish: ServerWish): Promise<void> {
  const history = new History()
  for (let round = 0; round < rounds; round++) {
    const server = await startServer(wish)
    using asker = askerOf(server)
    await assertDead(history, asker)
    let killed = false
    const working = Array.from({ length: workers }, () => history.work(asker))
    const registering = history.register(wish, `round-${round}`, () => killed)
    // Another place in the load each time, so that the kill meets another moment.
    await history.more(60 + 17 * round)
    killed = true
    await server.kill()
    await Promise.all([...working, registering])
  }
  await using last = await startServer(wish)
  using asker = askerOf(last)
  await assertDead(history, asker)
  assert.equal(await last.stop(), 0)
  assert.ok(history.revoked.size >= rounds * 60 && history.clients.size >= 1)
  await history.assertKept(wish)
}

/** Every acknowledged revocation holds after the restart. */
async function assertDead(history: History, asker: ReturnType<typeof askerOf>): Promise<void> {
  for (const token of history.revoked.values()) {
    const { status, body } = await askIntrospection(asker, token)
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
  const env = { GRANTOR_DATABASE_URL: database.url, GRANTOR_MASTER_KEY: 'a-master-key-for-fault-tests-0123456789' }
  await survive({ data: folder.path, seed: folder.write('seed.json', seed), env: { ...unlimited, ...env } })
})
