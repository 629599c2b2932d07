/** SIGTERM under load: requests in flight are answered, none fails, and the process ends with 0. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { temporaryDatabase } from '../../interop/database.ts'
import { type ServerWish, startServer, temporaryFolder } from '../../interop/server.ts'
import { askerOf, NotAsked } from './http-client.ts'
import { askToken, seed, unlimited } from './service-client.ts'

interface Tally {
  answered: number
  failed: string[]
}

/** Asks until nobody listens any more. That the door is closed is no failure; that an asked question is dropped is one. */
async function askUntilClosed(asker: ReturnType<typeof askerOf>, tally: Tally): Promise<void> {
  for (;;) {
    try {
      const { status } = await askToken(asker)
      if (status === 200) tally.answered += 1
      else tally.failed.push(String(status))
    } catch (error) {
      if (error instanceof NotAsked) return
      tally.failed.push(String(error))
    }
  }
}

async function drain(wish: ServerWish): Promise<void> {
  await using server = await startServer(wish)
  using asker = askerOf(server)
  const tally: Tally = { answered: 0, failed: [] }
  const asking = Array.from({ length: 16 }, () => askUntilClosed(asker, tally))
  while (tally.answered < 200) await askToken(asker)
  assert.equal(await server.stop(), 0)
  await Promise.all(asking)
  assert.deepEqual(tally.failed, [])
}

test('SQLite: SIGTERM under load drains without one failed request and exits 0', async () => {
  using folder = temporaryFolder()
  await drain({ data: folder.path, seed: folder.write('seed.json', seed), env: unlimited })
})

test('PostgreSQL: SIGTERM under load drains without one failed request and exits 0', async () => {
  using folder = temporaryFolder()
  await using database = await temporaryDatabase()
  const env = { GRANTOR_DATABASE_URL: database.url, GRANTOR_MASTER_KEY: 'a-master-key-for-fault-tests-0123456789' }
  await drain({ data: folder.path, seed: folder.write('seed.json', seed), env: { ...unlimited, ...env } })
})
