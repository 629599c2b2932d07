/** The simulation of revocations: its queue, its chance, and that the same seed tells the same. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { calibrationOf, type PropagationReport } from '../../bench/simulate/calibration.ts'
import { chanceOf, Histogram } from '../../bench/simulate/chance.ts'
import { EventQueue } from '../../bench/simulate/event-queue.ts'
import { type Plan, simulate } from '../../bench/simulate/simulation.ts'

test('events run in the order of their times, and those of one time in the order they were put in', () => {
  const queue = new EventQueue()
  const ran: string[] = []
  const chance = chanceOf(7)
  const times = Array.from({ length: 500 }, () => Math.floor(chance.next() * 100))
  times.forEach((at, n) =>
    queue.put(at, () => ran.push(`${String(at).padStart(3, '0')} ${String(n).padStart(3, '0')}`)),
  )
  queue.runUntil(1000)
  assert.deepEqual(ran, ran.toSorted())
  assert.equal(ran.length, 500)
  assert.equal(queue.size, 0)
})

test('what an event puts in runs too, up to the end and not beyond', () => {
  const queue = new EventQueue()
  const ran: number[] = []
  const again = (at: number): void => {
    ran.push(at)
    queue.put(at + 10, again)
  }
  queue.put(0, again)
  queue.runUntil(30)
  assert.deepEqual(ran, [0, 10, 20, 30])
  assert.equal(queue.size, 1)
})

test('chance has the median and the tail that were asked for, and is the same for the same seed', () => {
  const [one, same] = [chanceOf(3), chanceOf(3)]
  const histogram = new Histogram()
  for (let n = 0; n < 20_000; n += 1) {
    const value = one.around(10, 3)
    assert.equal(value, same.around(10, 3))
    histogram.add(value)
  }
  assert.ok(Math.abs(histogram.percentile(0.5) - 10) < 1, String(histogram.percentile(0.5)))
  assert.ok(Math.abs(histogram.percentile(0.99) - 30) < 4, String(histogram.percentile(0.99)))
})

const measured = JSON.parse(
  readFileSync(new URL('../../bench/results/propagation.json', import.meta.url), 'utf8'),
) as PropagationReport
const calibration = calibrationOf(measured)
const plan: Plan = {
  seed: 5,
  regions: 3,
  nodesPerRegion: 2,
  validators: 300,
  between: 40,
  within: 0.5,
  revocationsPerSecond: 10,
  seconds: 20,
  fault: null,
}

test('the same seed gives the same numbers, another one others', () => {
  assert.deepEqual(simulate(plan, calibration), simulate(plan, calibration))
  assert.notDeepEqual(simulate(plan, calibration), simulate({ ...plan, seed: 6 }, calibration))
})

test('at the sizes that were measured it tells the same order of magnitude', () => {
  const small = {
    ...plan,
    regions: 1,
    nodesPerRegion: 1,
    between: 0,
    within: 0.1,
    revocationsPerSecond: 2,
    seconds: 300,
  }
  for (const { validators, from_answer_ms: reality } of measured.results) {
    const { heard_ms: told } = simulate({ ...small, validators }, calibration)
    for (const [simulated, real] of [
      [told.p50, reality.p50],
      [told.p99, reality.p99],
    ] as const)
      assert.ok(simulated / real < 3 && real / simulated < 3, `${validators}: ${simulated} and ${real}`)
  }
})

test('what is lost delays those who hung on it, and a database that is away for long closes everybody', () => {
  const calm = simulate(plan, calibration)
  const region = simulate({ ...plan, fault: { kind: 'region', at: 5000 } }, calibration)
  assert.ok(region.heard_ms.most > 10_000 && calm.heard_ms.most < 1000)
  assert.equal(region.closed, 0)
  assert.equal(simulate({ ...plan, fault: { kind: 'database', at: 5000, for: 20_000 } }, calibration).closed, 0)
  assert.equal(simulate({ ...plan, fault: { kind: 'database', at: 5000, for: 60_000 } }, calibration).closed, 300)
})
