/** One entry of what is known about revocation: its boundaries, each to the millisecond. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { covers, type Cutoff, hits, isNews, merged, wholeSecond } from '../../src/revocation/cutoff.ts'

const entry: Cutoff = { upTo: 5_000, at: 5_100, until: 9_000, monotonicUntil: 90, heardAt: 50 }

test('a token is dead up to the moment that the entry says, and no later', () => {
  assert.equal(covers(entry, 4_999), true)
  assert.equal(covers(entry, 5_000), true)
  assert.equal(covers(entry, 5_001), false)
  assert.equal(covers(null, 0), false)
  assert.equal(covers(undefined, 0), false)
})

test('of many entries, the one by that key counts', () => {
  const map = new Map([['a', entry]])
  assert.equal(hits(map, 'a', 5_000), true)
  assert.equal(hits(map, 'a', 5_001), false)
  assert.equal(hits(map, 'b', 5_000), false)
  assert.equal(hits(map, null, 5_000), false)
  assert.equal(hits(new Map(), 'a', 5_000), false)
})

test('news is what was heard since, that moment included', () => {
  assert.equal(isNews(entry, 50), true)
  assert.equal(isNews(entry, 49), true)
  assert.equal(isNews(entry, 51), false)
  assert.equal(isNews(null, 0), false)
  assert.equal(isNews(undefined, 0), false)
})

test('a cutoff is rounded up to the second, and what has no end ends when it was said', () => {
  const upTo = (upTo: number, at: number) => wholeSecond({ ...entry, upTo, at }).upTo
  assert.equal(upTo(5_000, 5_100), 5_000)
  assert.equal(upTo(5_001, 6_000), 6_000)
  assert.equal(upTo(Infinity, 6_001), 7_000)
  assert.deepEqual({ ...wholeSecond(entry), upTo: 0 }, { ...entry, upTo: 0 })
})

test('two entries are together the later of each', () => {
  assert.equal(merged(null, entry), entry)
  assert.equal(merged(undefined, entry), entry)
  for (const member of ['upTo', 'at', 'until', 'monotonicUntil', 'heardAt'] as const)
    for (const change of [-1, 1]) {
      const other = { ...entry, [member]: entry[member] + change }
      const later = { ...entry, [member]: Math.max(entry[member], other[member]) }
      assert.deepEqual(merged(entry, other), later)
      assert.deepEqual(merged(other, entry), later)
    }
})
