/** A full disk: 503, nothing corrupt, nothing acknowledged lost, and it heals when there is room again. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { type ServerWish, startServer, temporaryFolder } from '../../interop/server.ts'
import { askerOf } from './http-client.ts'
import { History } from './history.ts'
import { askToken, seed, unlimited } from './service-client.ts'
import { smallDisk } from './small-disk.ts'
import { until } from './until.ts'

test('SQLite on a full disk answers 503 with Retry-After, corrupts nothing, and goes on when there is room again', async () => {
  using disk = smallDisk()
  using folder = temporaryFolder()
  const wish: ServerWish = { data: disk.path, seed: folder.write('seed.json', seed), env: unlimited }
  await using server = await startServer(wish)
  using asker = askerOf(server)
  const history = new History()
  const working = Array.from({ length: 8 }, () => history.work(asker))
  for (let round = 0; round < 3; round++) {
    await history.more(20)
    disk.fill(server.pid)
    // What the database file and its log hold already may be written over for a while.
    const refused = await until(
      () => askToken(asker),
      (answer) => answer.status === 503,
    )
    assert.match(String(refused.headers['retry-after']), /^\d+$/)
    assert.equal((await asker.ask('/jwks')).status, 200)
    disk.free(server.pid)
    await until(
      () => askToken(asker),
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
  await history.assertKept(wish)
})
