/** How old the view's knowledge is: each boundary to the millisecond, by the monotonic clock alone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Staleness, stalenessLimits } from '../../src/revocation/staleness.ts'

test('an operator says how old the view may be; a third of it, and 15 s at most, is live', () => {
  assert.deepEqual(stalenessLimits(undefined), { lagging: 15_000, stale: 45_000 })
  assert.deepEqual(stalenessLimits(45), { lagging: 15_000, stale: 45_000 })
  assert.deepEqual(stalenessLimits(55), { lagging: 15_000, stale: 55_000 })
  assert.deepEqual(stalenessLimits(30), { lagging: 10_000, stale: 30_000 })
})

function view() {
  const clock = { now: 1_000 }
  const staleness = new Staleness(() => clock.now, { lagging: 10, stale: 20 })
  return { clock, staleness }
}

test('cold without any claim; then live, lagging and stale by its age', () => {
  const { clock, staleness } = view()
  assert.equal(staleness.freshness(), 'cold')
  assert.equal(staleness.claim(500, { askedAt: 990, asOf: 490 }, 1_000), true)
  assert.equal(staleness.knownUpTo, 1_000)
  for (const [age, freshness] of [
    [0, 'live'],
    [10, 'live'],
    [11, 'lagging'],
    [20, 'lagging'],
    [21, 'stale'],
  ] as const) {
    clock.now = 1_000 + age
    assert.deepEqual([staleness.age(), staleness.freshness()], [age, freshness])
  }
})

test('only differences of the server’s clock count, and nothing is known from before it was asked', () => {
  const { staleness } = view()
  staleness.claim(490, { askedAt: 700, asOf: 490 }, 1_000)
  assert.equal(staleness.knownUpTo, 700)
  // Later by the server's clock than it can have been read: what arrived is known up to its arrival.
  staleness.claim(1_290, { askedAt: 700, asOf: 490 }, 1_000)
  assert.equal(staleness.knownUpTo, 1_000)
  staleness.claim(500, { askedAt: 700, asOf: 490 }, 1_000)
  assert.equal(staleness.knownUpTo, 1_000, 'an older claim takes nothing back')
})

test('a clock that is a second ahead is believed, one that is further has stepped', () => {
  const { staleness } = view()
  assert.equal(staleness.claim(2_001, { askedAt: 0, asOf: 0 }, 1_000), false)
  assert.equal(staleness.freshness(), 'cold')
  assert.equal(staleness.claim(2_000, { askedAt: 0, asOf: 0 }, 1_000), true)
})
