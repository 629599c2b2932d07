/** The clock of the deployment: the database's, wherever the machine's own stands. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Instant } from '@grantor/protocol/types'
import { mostSkew, openDeploymentClock } from '../../src/deployment-clock.ts'
import { startFeedDeployment } from '../feed/feed-deployment.ts'

const hour = 3_600_000
const near = (a: number, b: number) => Math.abs(a - b) < 10_000

for (const ahead of [-hour, -30_000, 30_000, hour]) {
  test(`a node goes by the database's clock where that is ${ahead / 1000} s from its own, and knows by how much`, async () => {
    const clock = await openDeploymentClock({ time: () => Promise.resolve((Date.now() + ahead) as Instant) })
    assert.ok(near(clock.now(), Date.now() + ahead))
    assert.ok(near(clock.machineAhead() ?? 0, -ahead))
    await clock.close()
  })
}

test('over SQLite the machine has the only clock', async () => {
  const clock = await openDeploymentClock({ time: () => Promise.resolve(null) })
  assert.ok(near(clock.now(), Date.now()))
  assert.equal(clock.machineAhead(), null)
  await clock.close()
})

test("over PostgreSQL the time is the server's, and the node is ready", async () => {
  await using it = await startFeedDeployment('postgres')
  assert.ok(Math.abs(it.deployment.clock.machineAhead() ?? Infinity) < mostSkew)
  const ready = () => fetch(`http://127.0.0.1:${it.running.managementPort}/health/ready`)
  assert.equal((await ready()).status, 200)
})
