/** A database that does not answer and does not break: documents come at once, the rest gets 503, and the first request after it works. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { temporaryDatabase } from '../../interop/database.ts'
import { type Server, startServer, temporaryFolder } from '../../interop/server.ts'
import { type HttpClient, httpClientOf } from './http-client.ts'
import { requestIntrospection, requestRevocation, requestToken, seed, tokenIn, unlimited } from './service-client.ts'
import { startTcpProxy } from './tcp-proxy.ts'

const documents = [
  '/jwks',
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
  '/.well-known/grantor',
  '/.well-known/oauth-protected-resource',
] as const

/** While a request waits for the database in vain, everything that needs none is answered, again and again. */
async function assertServedFromMemory(http: HttpClient, { managementPort }: Server): Promise<void> {
  let isOver = false
  const waiting = requestToken(http).finally(() => (isOver = true))
  for (let round = 0; round < 3; round++) {
    for (const path of documents) {
      const { status, body } = await http.send(path)
      assert.equal(status, 200, path)
      assert.ok(Object.keys(JSON.parse(body) as object).length > 0)
    }
    assert.equal((await fetch(`http://127.0.0.1:${managementPort}/health/live`)).status, 200)
  }
  assert.equal(isOver, false, 'the documents came before the request that waited gave up')
  const refused = await waiting
  assert.equal(refused.status, 503)
  assert.match(String(refused.headers['retry-after']), /^\d+$/)
}

test('PostgreSQL hangs: key set, metadata and liveness at once, 503 for the rest, and the first request after it works', async () => {
  using folder = temporaryFolder()
  await using database = await temporaryDatabase()
  const address = new URL(database.url)
  await using proxy = await startTcpProxy(address.hostname, Number(address.port))
  address.port = String(proxy.port)
  const masterKey = 'a-master-key-for-fault-tests-0123456789'
  const env = {
    ...unlimited,
    GRANTOR_DATABASE_URL: address.href,
    GRANTOR_MASTER_KEY: masterKey,
    GRANTOR_DATABASE_TIMEOUT: '8s',
  }
  await using server = await startServer({ data: folder.path, seed: folder.write('seed.json', seed), env })
  using http = httpClientOf(server)
  const token = tokenIn(await requestToken(http))
  for (const path of documents) assert.equal((await http.send(path)).status, 200, path)
  for (let round = 0; round < 2; round++) {
    proxy.hold()
    await assertServedFromMemory(http, server)
    const asked = [requestIntrospection(http, token), requestRevocation(http, 'no-token'), requestToken(http)]
    for (const { status, headers } of await Promise.all(asked)) {
      assert.equal(status, 503)
      assert.match(String(headers['retry-after']), /^\d+$/)
    }
    assert.equal((await fetch(`http://127.0.0.1:${server.managementPort}/health/ready`)).status, 503)
    proxy.release()
    assert.equal((await requestToken(http)).status, 200)
  }
  assert.equal(await server.stop(), 0)
})

test('SQLite locked by another program: key set, metadata and liveness at once, 503 for what writes, and then it works', async () => {
  using folder = temporaryFolder()
  await using server = await startServer({
    data: folder.path,
    seed: folder.write('seed.json', seed),
    env: unlimited,
  })
  using http = httpClientOf(server)
  assert.equal((await requestToken(http)).status, 200)
  // The first look loads the program that answers.
  for (const path of documents) assert.equal((await http.send(path)).status, 200, path)
  using other = new DatabaseSync(join(folder.path, 'grantor.db'))
  for (let round = 0; round < 2; round++) {
    other.exec('begin exclusive')
    await assertServedFromMemory(http, server)
    other.exec('rollback')
    assert.equal((await requestToken(http)).status, 200)
  }
  assert.equal(await server.stop(), 0)
})
