/** A memory with a bound: what was asked for lately stays, and it never holds more than it may. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BoundedCache } from '../src/bounded-cache.ts'

test('the half that was asked for last is there, with its last value, and never more than the whole', () => {
  const key = fc.integer({ min: 0, max: 12 })
  const step = fc.record({ key, set: fc.boolean() })
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 10 }), fc.array(step, { maxLength: 60 }), (max, steps) => {
      const memory = new BoundedCache<number, number>(max)
      const last = new Map<number, number>()
      const used: number[] = []
      for (const [n, it] of steps.entries()) {
        if (it.set) {
          memory.set(it.key, n)
          last.set(it.key, n)
        } else {
          const found = memory.get(it.key)
          assert.ok(found === undefined || found === last.get(it.key))
          if (found === undefined) continue
        }
        used.push(it.key)
        const lately = [...new Set(used.toReversed())].slice(0, Math.floor(max / 2))
        assert.ok(memory.keys().length <= Math.max(2, max), 'no more than it may hold')
        for (const one of lately) assert.ok(memory.keys().includes(one), 'asked for lately')
      }
    }),
  )
})

test('setting what is there already forgets nothing', () => {
  const memory = new BoundedCache<string, number>(4)
  for (const name of ['a', 'b', 'c', 'd']) memory.set(name, 1)
  for (let n = 0; n < 10; n += 1) memory.set('d', n)
  assert.deepEqual(memory.keys().toSorted(), ['a', 'b', 'c', 'd'])
  assert.equal(memory.get('d'), 9)
  memory.delete('d')
  assert.equal(memory.get('d'), undefined)
})

test('a memory that is not full forgets nothing', () => {
  const memory = new BoundedCache<string, number>(6)
  for (const name of ['a', 'b', 'c']) memory.set(name, 1)
  assert.deepEqual(memory.keys().toSorted(), ['a', 'b', 'c'])
  for (const name of ['a', 'b', 'c']) assert.equal(memory.get(name), 1)
})
