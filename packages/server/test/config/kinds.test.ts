/** The kinds of values: what is shown reads back as the same, and nothing that is read makes them fail. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { duration, integer, list, rate } from '../../src/config/kinds.ts'
import { nearest } from '../../src/config/nearest.ts'
import { settingKeys, settingsList, variableOf } from '../../src/config/settings.ts'

test('a duration that is shown reads back as the same seconds', () => {
  const kind = duration(0, 999_999_999)
  fc.assert(fc.property(fc.nat(999_999_999), (seconds) => assert.equal(kind.read(kind.show(seconds), ''), seconds)))
})

test('a limit that is shown reads back as the same limit', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: 1, max: 86_400 }), (quota, window) => {
      assert.deepEqual(rate.read(rate.show({ quota, window }), ''), { quota, window })
    }),
  )
})

test('a list that is shown reads back as the same list', () => {
  const word = fc.stringMatching(/^[a-z0-9.:/]{1,10}$/)
  fc.assert(
    fc.property(fc.array(word, { minLength: 1 }), (words) => assert.deepEqual(list.read(list.show(words), ''), words)),
  )
})

test('no text makes any kind of value fail: it is read or it is refused', () => {
  const kinds = [duration(1, 60), integer(1, 9), rate, list, ...settingKeys.map((key) => settingsList[key].kind)]
  fc.assert(fc.property(fc.string(), fc.constantFrom(...kinds), (text, kind) => void kind.read(text, '/')))
})

test('a name with one letter missing, added or wrong finds the name that was meant', () => {
  const names = settingKeys.map((key) => variableOf(settingsList[key].name)).filter((name) => name.length > 14)
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.nat(), fc.constantFrom('', 'X', 'XX'), (name, seed, put) => {
      const at = 8 + (seed % (name.length - 8))
      assert.equal(nearest(name.slice(0, at) + put + name.slice(at + 1), names), name)
    }),
  )
})
