/** The clock of the deployment: the database's, wherever the machine's own stands, and never backwards. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Instant, mostSkew } from '@grantor/protocol/types'
import { type ClockDependencies, openDeploymentClock } from '../../src/deployment-clock.ts'
import { startFeedDeployment } from '../feed/feed-deployment.ts'

const hour = 3_600_000
const near = (a: number, b: number) => Math.abs(a - b) < 10_000

/** A store whose clock is `ahead` of the machine's (null: it has none) and whose log ends at `latest`. */
const storeWith = (ahead: number | null, latest: number | null = null): ClockDependencies['store'] => ({
  time: () => Promise.resolve(ahead === null ? null : ((Date.now() + ahead) as Instant)),
  events: { latest: () => Promise.resolve(latest as Instant | null) },
})

for (const ahead of [-hour, -30_000, 30_000, hour]) {
  test(`a node goes by the database's clock where that is ${ahead / 1000} s from its own, and knows by how much`, async () => {
    const clock = await openDeploymentClock({ store: storeWith(ahead), settle: null })
    assert.ok(near(clock.now(), Date.now() + ahead))
    assert.ok(near(clock.machineAhead() ?? 0, -ahead))
    await clock.close()
  })
}

test('over SQLite the machine has the only clock', async () => {
  const clock = await openDeploymentClock({ store: storeWith(null), settle: null })
  assert.ok(near(clock.now(), Date.now()))
  assert.equal(clock.machineAhead(), null)
  await clock.close()
})

for (const ahead of [null, 0]) {
  const where = ahead === null ? 'SQLite' : 'PostgreSQL'
  test(`a clock over ${where} that is a little behind the log is waited for: time goes on, and settles nothing`, async () => {
    const latest = Date.now() + mostSkew - 10_000
    const settle = () => assert.fail('nothing was set back')
    const clock = await openDeploymentClock({ store: storeWith(ahead, latest), settle })
    const readings = [clock.now()]
    for (let turn = 0; turn < 20; turn += 1) {
      await new Promise(setImmediate)
      readings.push(clock.now())
    }
    assert.ok((readings[0] ?? 0) >= latest)
    assert.deepEqual(
      readings,
      readings.toSorted((a, b) => a - b),
    )
    await clock.until(((readings.at(-1) ?? 0) + 100) as Instant)
    assert.ok(clock.now() >= (readings.at(-1) ?? 0) + 100)
    assert.ok(near(clock.now(), latest))
    await clock.close()
  })

  test(`a clock over ${where} that is an hour behind the log is believed once that is settled, and tells of it`, async () => {
    const settled: number[] = []
    const settle = (at: Instant) => (settled.push(at), Promise.resolve(hour))
    const clock = await openDeploymentClock({ store: storeWith(ahead, Date.now() + hour), settle })
    assert.equal(settled.length, 1)
    assert.ok(near(settled[0] ?? 0, Date.now()))
    assert.ok(near(clock.now(), Date.now()))
    const told: number[] = []
    clock.watchSetBacks((milliseconds) => told.push(milliseconds))
    assert.deepEqual(told, [hour])
    await clock.close()
  })
}

test('a command goes on from the end of the log, and leaves it to the server to say what time it is', async () => {
  const latest = Date.now() + hour
  const clock = await openDeploymentClock({ store: storeWith(null, latest), settle: null })
  assert.ok(clock.now() >= latest)
  await clock.close()
})

test('a clock that is set back while the server runs is held until that is settled, also at the second try', async (t) => {
  let ahead = hour
  const real = Date.now
  t.mock.method(Date, 'now', () => real() + ahead)
  const tries: Instant[] = []
  const settle = (at: Instant) =>
    tries.push(at) === 1 ? Promise.reject(new Error('the store is away')) : Promise.resolve(hour)
  const clock = await openDeploymentClock({ store: storeWith(null), settle })
  const before = clock.now()
  ahead = 0
  while (tries.length < 2) {
    assert.ok(clock.now() >= before)
    await new Promise(setImmediate)
  }
  await new Promise(setImmediate)
  assert.ok(near(clock.now(), real()))
})

test("over PostgreSQL the time is the server's, and the node is ready", async () => {
  await using it = await startFeedDeployment('postgres')
  assert.ok(Math.abs(it.deployment.clock.machineAhead() ?? Infinity) < mostSkew)
  const ready = () => fetch(`http://127.0.0.1:${it.running.managementPort}/health/ready`)
  assert.equal((await ready()).status, 200)
})
