/** A full disk: 503, nothing corrupt, nothing acknowledged lost, and it heals when there is room again. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { type ServerOptions, startServer, temporaryFolder } from '../../interop/server.ts'
import { httpClientOf } from './http-client.ts'
import { History } from './history.ts'
import { requestToken, seed, unlimited } from './service-client.ts'
import { smallDisk } from './small-disk.ts'
import { until } from './until.ts'

test('SQLite on a full disk answers 503 with Retry-After, corrupts nothing, and goes on when there is room again', async () => {
  using disk = smallDisk()
  using folder = temporaryFolder()
  const options: ServerOptions = { data: disk.path, seed: folder.write('seed.json', seed), env: unlimited }
  await using server = await startServer(options)
  using http = httpClientOf(server)
  const history = new History()
  const working = Array.from({ length: 8 }, () => history.work(http))
  for (let round = 0; round < 3; round++) {
    await history.more(20)
    disk.fill(server.pid)
    // What the database file and its log hold already may be written over for a while.
    const refused = await until(
      () => requestToken(http),
      (answer) => answer.status === 503,
    )
    assert.match(String(refused.headers['retry-after']), /^\d+$/)
    assert.equal((await http.send('/jwks')).status, 200)
    disk.free(server.pid)
    await until(
      () => requestToken(http),
      (answer) => answer.status === 200,
    )
  }
  assert.equal(await server.stop(), 0)
  await Promise.all(working)
  const db = new DatabaseSync(join(disk.path, 'grantor.db'))
  assert.deepEqual(
    db
      .prepare('pragma integrity_check')
      .all()
      .map((row) => ({ ...row })),
    [{ integrity_check: 'ok' }],
  )
  db.close()
  await history.assertKept(options)
})
