/** Statements about many rows: every one is in a part, and a part is of one of two sizes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { of100, parts } from '../src/verbs/many.ts'

test('each is in a part once, in its order; a part of a hundred is filled up with its last one', () => {
  for (const [length, sizes] of [
    [0, []],
    [1, [1]],
    [2, [100]],
    [99, [100]],
    [100, [100]],
    [101, [100, 1]],
    [102, [100, 100]],
    [201, [100, 100, 1]],
  ] as const) {
    const all = Array.from({ length }, (_, n) => `id ${n}`)
    const found = [...parts(all)]
    assert.deepEqual(
      found.map(({ size }) => size),
      sizes,
      `${length} of them`,
    )
    for (const { size, part } of found) assert.equal(part.length, size)
    const rest = found.flatMap(({ part }) => [...new Set(part)])
    assert.deepEqual(rest, all)
  }
  assert.deepEqual(new Set([...parts(['a', 'b'])][0]?.part.slice(1)), new Set(['b']))
})

test('the ids of a statement begin with its third value, and are as many as its size', () => {
  const texts = of100((ids) => `in (${ids})`)
  assert.equal(texts[1], 'in (?3)')
  assert.match(texts[100], /^in \(\?3, \?4, .*, \?101, \?102\)$/)
  assert.equal(texts[100].split(', ').length, 100)
})
