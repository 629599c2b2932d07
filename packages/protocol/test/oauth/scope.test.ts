import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatScope, intersect, isWithin, parseScope, scopeLimits, without } from '../../src/oauth/scope.ts'

const name = fc
  .array(fc.integer({ min: 0x21, max: 0x7e }), { minLength: 1, maxLength: 12 })
  .map((codes) => String.fromCodePoint(...codes).replaceAll(/["\\]/g, '~'))
const scope = fc.uniqueArray(name, { maxLength: 12 }).map((names) => new Set(names))

test('RFC 6749 §3.3: names separated by single spaces are a scope; order and repetition mean nothing', () => {
  assert.deepEqual(parseScope('b a b'), new Set(['a', 'b']))
  assert.equal(formatScope(new Set(['b', 'a'])), 'a b')
  assert.equal(formatScope(new Set(['b'])), 'b')
  assert.equal(formatScope(new Set()), '')
})

for (const [what, text] of [
  ['an empty text', ''],
  ['a leading space', ' a'],
  ['a trailing space', 'a '],
  ['two spaces', 'a  b'],
  ['a quote', 'a"b'],
  ['a backslash', 'a\\b'],
  ['a tab', 'a\tb'],
  ['a control character', 'a\x7fb'],
  ['a letter beyond ASCII', 'ä'],
  ['a list of 10 000 names', Array.from({ length: 10_000 }, (_, i) => `s${i}`).join(' ')],
  ['a name that is too long', 'x'.repeat(scopeLimits.name + 1)],
  ['one name more than the limit', Array.from({ length: scopeLimits.names + 1 }, (_, i) => `s${i}`).join(' ')],
] as const)
  test(`RFC 6749 §3.3: ${what} is not a scope`, () => assert.equal(parseScope(text), null))

test('RFC 6749 §3.3: what is written is read back, and equal sets are equal texts', () => {
  fc.assert(
    fc.property(scope, (it) => {
      fc.pre(it.size > 0)
      assert.deepEqual(parseScope(formatScope(it)), it)
      assert.equal(formatScope(new Set([...it].toReversed())), formatScope(it))
    }),
  )
})

test('the algebra holds: intersection narrows, union widens, difference and intersection make the whole', () => {
  fc.assert(
    fc.property(scope, scope, (a, b) => {
      assert.ok(isWithin(intersect(a, b), a) && isWithin(intersect(a, b), b))
      assert.ok(isWithin(a, a.union(b)) && isWithin(b, a.union(b)))
      assert.deepEqual(formatScope(without(a, b).union(intersect(a, b))), formatScope(a))
      assert.equal(isWithin(a, b), without(a, b).size === 0)
    }),
  )
})

test('RFC 6749 §3.3: the ends of what is accepted as a scope', () => {
  const names = (count: number, length = 2) =>
    Array.from({ length: count }, (_, n) => `${n}`.padStart(length, 'x')).join(' ')
  assert.deepEqual(scopeLimits, { text: 4096, names: 100, name: 128 })
  assert.equal(parseScope(names(100))?.size, 100)
  assert.equal(parseScope(names(101)), null)
  assert.equal(parseScope('x'.repeat(128))?.size, 1)
  assert.equal(parseScope('x'.repeat(129)), null)
  const long = names(32, 127)
  assert.equal(long.length, 4095)
  assert.equal(parseScope(`${long}y`)?.size, 32)
  assert.equal(parseScope(`${long} y`), null)
})
