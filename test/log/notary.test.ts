/** Two real servers seal one log: one is stopped while it seals, then killed; the other goes on, and the log verifies. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { History } from '../faults/history.ts'
import { until } from '../faults/until.ts'
import { openFleet } from '../fleet/fleet.ts'
import { declared, tokenOf } from '../fleet/objects.ts'

test('two nodes seal at the same moment, one is stopped and killed while it does: nothing is lost, doubled or left unsealed', async () => {
  await using fleet = await openFleet(declared)
  await using one = await fleet.start()
  await using two = await fleet.start()
  const database = new Client({ connectionString: fleet.databaseUrl, options: '-c search_path=grantor' })
  await database.connect()
  const history = new History()
  const nodes = [one, one, two, two]
  const working = nodes.map(({ send }) => history.work({ send, [Symbol.dispose]: () => {} }))
  try {
    await history.more(30)
    process.kill(two.server.pid, 'SIGSTOP')
    await history.more(40)
    const token = await tokenOf(one, 'acme')
    const { jti } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { jti: string }
    const placed = async () =>
      (await database.query("select 1 from events where body like '%' || $1 || '%'", [jti])).rowCount
    // Nobody asks the log for its position here: the node that is left seals by itself.
    await until(placed, (count) => count === 1)
    process.kill(two.server.pid, 'SIGCONT')
    await history.more(20)
    await two.server.kill()
    await history.more(30)
    await one.server.kill()
  } finally {
    await database.end()
  }
  await Promise.all(working)
  await history.assertKept(fleet.options)
  for (const tenant of ['acme', 'globex'])
    assert.equal((await fleet.run(['audit', 'verify', '--tenant', tenant])).code, 0)
})
