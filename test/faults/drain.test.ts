/** SIGTERM under load: requests in flight are answered, none fails, and the process ends with 0. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { temporaryDatabase } from '../../interop/database.ts'
import { type ServerOptions, startServer, temporaryFolder } from '../../interop/server.ts'
import { httpClientOf, NotSent } from './http-client.ts'
import { requestToken, seed, unlimited } from './service-client.ts'

interface Tally {
  answered: number
  failed: string[]
}

/** Asks until nobody listens any more. A refused connection is no failure; a request that was sent and is dropped is one. */
async function askUntilClosed(http: ReturnType<typeof httpClientOf>, tally: Tally): Promise<void> {
  const deadline = performance.now() + 120_000
  while (performance.now() < deadline) {
    try {
      const { status } = await requestToken(http)
      if (status === 200) tally.answered += 1
      else tally.failed.push(String(status))
    } catch (error) {
      if (error instanceof NotSent) return
      tally.failed.push(String(error))
    }
  }
  throw new Error('it went on listening')
}

async function drain(options: ServerOptions): Promise<void> {
  await using server = await startServer(options)
  using http = httpClientOf(server)
  const tally: Tally = { answered: 0, failed: [] }
  const asking = Array.from({ length: 16 }, () => askUntilClosed(http, tally))
  while (tally.answered < 200) await requestToken(http)
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
  const env = { ...database.settings, GRANTOR_MASTER_KEY: 'a-master-key-for-fault-tests-0123456789' }
  await drain({ data: folder.path, seed: folder.write('seed.json', seed), env: { ...unlimited, ...env } })
})
