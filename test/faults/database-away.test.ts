/** PostgreSQL goes away in mid-load: 503 where it is needed, /jwks and metadata go on, service resumes by itself. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { temporaryDatabase } from '../../interop/database.ts'
import { type ServerOptions, startServer, temporaryFolder } from '../../interop/server.ts'
import { type HttpClient, httpClientOf } from './http-client.ts'
import { History } from './history.ts'
import { requestIntrospection, requestToken, seed, tokenIn, unlimited } from './service-client.ts'
import { until } from './until.ts'
import { startTcpProxy } from './tcp-proxy.ts'

const masterKey = 'a-master-key-for-fault-tests-0123456789'
const wants = (status: number) => (answer: { readonly status: number }) => answer.status === status

const health = async (port: number, of: string): Promise<{ readonly status: number }> =>
  fetch(`http://127.0.0.1:${port}/health/${of}`)

test('PostgreSQL cut in mid-load: 503 with Retry-After, documents go on, and it heals without a restart', async () => {
  using folder = temporaryFolder()
  await using database = await temporaryDatabase()
  const address = new URL(database.url)
  await using proxy = await startTcpProxy(address.hostname, Number(address.port))
  address.port = String(proxy.port)
  const env = { ...unlimited, GRANTOR_DATABASE_URL: address.href, GRANTOR_MASTER_KEY: masterKey }
  const options: ServerOptions = { data: folder.path, seed: folder.write('seed.json', seed), env }
  await using server = await startServer(options)
  using http = httpClientOf(server)
  const history = new History()
  const working = Array.from({ length: 4 }, () => history.work(http))

  for (let round = 0; round < 3; round++) {
    await history.more(20)
    const token = tokenIn(await until(() => requestToken(http), wants(200)))
    proxy.cut()
    const refused = await until(() => requestToken(http), wants(503))
    assert.match(String(refused.headers['retry-after']), /^\d+$/)
    assert.equal(refused.headers['cache-control'], 'no-store')
    assert.equal((await requestIntrospection(http, token)).status, 503)
    await assertDocuments(http)
    assert.equal((await health(server.managementPort, 'live')).status, 200)
    await until(() => health(server.managementPort, 'ready'), wants(503))
    proxy.mend()
    await until(() => requestToken(http), wants(200))
    await until(() => health(server.managementPort, 'ready'), wants(200))
  }
  assert.equal(await server.stop(), 0)
  await Promise.all(working)
  await history.assertKept(options)
})

/** From memory: whoever holds a token can check it although the database is away. */
async function assertDocuments({ send }: HttpClient): Promise<void> {
  for (const path of ['/jwks', '/.well-known/openid-configuration', '/.well-known/oauth-authorization-server']) {
    const { status, body } = await send(path)
    assert.equal(status, 200, path)
    assert.ok(Object.keys(JSON.parse(body) as object).length > 0)
  }
}

test('PostgreSQL ends all its connections, as in a restart: nothing acknowledged is lost, and service resumes by itself', async () => {
  using folder = temporaryFolder()
  await using database = await temporaryDatabase()
  const env = { ...unlimited, GRANTOR_DATABASE_URL: database.url, GRANTOR_MASTER_KEY: masterKey }
  const options: ServerOptions = { data: folder.path, seed: folder.write('seed.json', seed), env }
  await using server = await startServer(options)
  using http = httpClientOf(server)
  const history = new History()
  const working = Array.from({ length: 4 }, () => history.work(http))
  for (let round = 0; round < 5; round++) {
    await history.more(20)
    await endConnections(database.url)
    await until(() => requestToken(http), wants(200))
  }
  assert.equal(await server.stop(), 0)
  await Promise.all(working)
  await history.assertKept(options)
})

async function endConnections(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  await client.end()
}
