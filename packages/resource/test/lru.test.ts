/** A bounded map: what was used longest ago goes first. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Lru } from '../src/lru.ts'

test('it holds as many as it may, and says what had to go', () => {
  const map = new Lru<string, number>(2)
  assert.deepEqual([map.set('a', 1), map.set('b', 2)], [undefined, undefined])
  assert.equal(map.get('a'), 1)
  assert.equal(map.get('x'), undefined)
  assert.equal(map.set('c', 3), 2)
  assert.deepEqual([map.get('a'), map.get('b'), map.get('c'), map.size], [1, undefined, 3, 2])
  // Set again, it is the newest, and nothing goes.
  assert.equal(map.set('a', 4), undefined)
  assert.equal(map.set('d', 5), 3)
  assert.deepEqual([...map.values()], [4, 5])
  map.delete('a')
  assert.deepEqual([map.get('a'), map.size], [undefined, 1])
})
