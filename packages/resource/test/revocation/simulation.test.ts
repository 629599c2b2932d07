/** The bound of 60 s under faults, over many seeds; and proof that the simulation would notice if it did not hold. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Flaw, simulate } from './simulation.ts'

const bound = 60_000
const seeds = Array.from({ length: 150 }, (_, n) => n + 1)
/** A wrong build shows soon. */
const few = seeds.slice(0, 30)

function worstOf(flaw: Flaw, over: readonly number[] = seeds) {
  const outcomes = over.map((seed) => simulate(seed, flaw))
  return {
    worst: Math.max(...outcomes.map(({ worst }) => worst)),
    broken: outcomes.filter(({ worst }) => worst >= bound).length,
    outcomes,
  }
}

test('Over 150 seeds of partitions, late commits, stops and clock steps no revoked token is accepted for 60 s', (t) => {
  const { worst, broken, outcomes } = worstOf('none')
  t.diagnostic(`worst acceptance after revocation: ${worst / 1000} s`)
  assert.equal(broken, 0)
  assert.ok(worst < bound)
  assert.ok(
    outcomes.every(({ accepted, refused }) => accepted > 0 && refused > 0),
    'every run saw both',
  )
  assert.ok(worst > 40_000, 'the faults reach up to the limit, or they prove nothing')
})

for (const [flaw, what] of [
  ['send-time', 'heartbeats stamped when sent instead of when the log was read'],
  ['serial-cursor', 'positions given when a transaction starts instead of when it is sealed'],
  ['arrival-time', 'a reader that takes for fresh whatever arrives'],
] as const) {
  test(`The simulation catches ${what}`, (t) => {
    const { worst, broken } = worstOf(flaw, few)
    t.diagnostic(`worst: ${worst / 1000} s; ${broken} of ${few.length} runs break the bound`)
    assert.ok(broken > 0)
  })
}
