/** The loop under all background work: when it runs, what is shared, and how it ends. */
import assert from 'node:assert/strict'
import { after, beforeEach, describe, mock, test } from 'node:test'
import { StoreUnavailable } from '@grantor/store'
import { openDeliveries } from '../../src/background/deliveries.ts'
import { openLoop } from '../../src/background/loop.ts'

/** Work that goes on until it is told to end, and counts its runs. */
function slowWork() {
  const ends: PromiseWithResolvers<void>[] = []
  const work = () => {
    const end = Promise.withResolvers<void>()
    ends.push(end)
    return end.promise
  }
  return { work, runs: () => ends.length, end: (run: number) => ends[run]?.resolve(), ends }
}

/** Lets everything that waits for nothing but promises go on. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('a background loop', () => {
  beforeEach(() => {
    mock.timers.reset()
    mock.timers.enable({ apis: ['setInterval', 'setTimeout'] })
  })
  after(() => mock.timers.reset())

  test('runs every so often, from its beginning on, and skips a turn while it is at work', async () => {
    const it = slowWork()
    const loop = openLoop(it.work, { every: 100 })
    mock.timers.tick(100)
    assert.equal(it.runs(), 0)
    loop.begin()
    loop.begin()
    mock.timers.tick(100)
    mock.timers.tick(100)
    assert.equal(it.runs(), 1)
    it.end(0)
    await settled()
    assert.equal(it.runs(), 1)
    mock.timers.tick(100)
    assert.equal(it.runs(), 2)
  })

  test('whoever asks while it is at work shares the run after, which began later than they asked', async () => {
    const it = slowWork()
    const loop = openLoop(it.work, { every: 100 })
    const first = loop.run()
    const others = [loop.run(), loop.run()]
    assert.equal(it.runs(), 1)
    it.end(0)
    await first
    await settled()
    assert.equal(it.runs(), 2)
    it.end(1)
    await Promise.all(others)
    assert.equal(it.runs(), 2)
  })

  test('never runs twice at once, also for whoever asks just when one run is over and the next not begun', async () => {
    const it = slowWork()
    const loop = openLoop(it.work, { every: 100 })
    void loop.run()
    void loop.run()
    // In the same turn: whatever the end of the run sets going, this comes in between.
    const ask = async (): Promise<void> => {
      await it.ends[0]?.promise
      await Promise.resolve()
      void loop.run()
    }
    const asked = ask()
    it.end(0)
    await asked
    await settled()
    assert.equal(it.runs(), 2)
  })

  test('a run that fails is told to whoever asked for it, and keeps nobody from the next', async () => {
    const it = slowWork()
    const loop = openLoop(it.work, { every: 100 })
    const failing = loop.run()
    const next = loop.run()
    it.ends[0]?.reject(new Error('lost'))
    await assert.rejects(failing, /lost/)
    await settled()
    it.end(1)
    await next
  })

  test('an outage is waited out', async () => {
    let runs = 0
    const away = async () => {
      runs += 1
      throw new StoreUnavailable('away')
    }
    const loop = openLoop(away, { every: 100 })
    loop.begin()
    loop.wake()
    await settled()
    mock.timers.tick(100)
    await settled()
    assert.equal(runs, 2)
  })

  test('what it watches has it run at once, and once more for all that happened within the rest', async () => {
    let runs = 0
    let happened = () => {}
    const watch = (wake: () => void) => {
      happened = wake
      return () => (happened = () => {})
    }
    const loop = openLoop(async () => void (runs += 1), { every: 60_000, watch, rest: 10 })
    loop.begin()
    happened()
    assert.equal(runs, 1)
    await settled()
    happened()
    happened()
    assert.equal(runs, 1)
    mock.timers.tick(10)
    assert.equal(runs, 2)
    mock.timers.tick(10)
    assert.equal(runs, 2)
    await loop.close()
    happened()
    assert.equal(runs, 2)
  })

  test('closing waits for what is under way, and nothing begins any more', async () => {
    const it = slowWork()
    const loop = openLoop(it.work, { every: 100 })
    loop.begin()
    loop.wake()
    loop.wake()
    let closed = false
    const closing = loop.close().then(() => (closed = true))
    await settled()
    assert.equal(closed, false)
    it.end(0)
    await closing
    mock.timers.tick(100)
    await loop.run()
    assert.equal(it.runs(), 1)
  })
})

describe('deliveries', () => {
  test('so many at once, in sight of those under way, until nothing is due; closing lets them arrive', async () => {
    const due = ['a', 'b', 'c', 'd']
    const it = slowWork()
    let most = 0
    const deliveries = openDeliveries<string>({
      every: 60_000,
      atOnce: 2,
      async take(underWay) {
        most = Math.max(most, underWay.length + 1)
        return due.shift() ?? null
      },
      deliver: it.work,
    })
    const all = deliveries.deliverDue()
    await settled()
    assert.equal(it.runs(), 2)
    for (let run = 0; run < 4; run++) {
      it.end(run)
      await settled()
    }
    await all
    assert.equal(it.runs(), 4)
    assert.equal(most, 2)
    due.push('e', 'f', 'g')
    deliveries.wake()
    await settled()
    const closing = deliveries.close()
    it.end(4)
    it.end(5)
    await closing
    assert.deepEqual([it.runs(), due], [6, ['g']])
  })
})
