/** Two changes of one thing: nothing of either is lost, and only what both changed is asked about. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isEqual, mergeChanges, withMine } from '../src/api/merge.ts'

test('changes of different fields are put together', () => {
  const base = { name: 'Shop', uris: ['a'], disabled: false }
  const { merged, conflicts } = mergeChanges(base, { ...base, name: 'Store' }, { ...base, uris: ['a', 'b'] })
  assert.deepEqual(merged, { name: 'Store', uris: ['a', 'b'], disabled: false })
  assert.deepEqual(conflicts, [])
})

test('two changes of one field are a conflict, unless they are the same', () => {
  const base = { name: 'Shop', uris: ['a'] }
  const { merged, conflicts } = mergeChanges(base, { name: 'Mine', uris: ['b'] }, { name: 'Theirs', uris: ['b'] })
  assert.deepEqual(merged, { name: 'Theirs', uris: ['b'] })
  assert.deepEqual(conflicts, [{ field: 'name', mine: 'Mine', theirs: 'Theirs' }])
})

test('every change of mine is in the result or named as a conflict', () => {
  const value = fc.record({ a: fc.integer({ max: 3 }), b: fc.array(fc.boolean()), c: fc.option(fc.string()) })
  fc.assert(
    fc.property(value, value, value, (base, mine, theirs) => {
      const { merged, conflicts } = mergeChanges(base, mine, theirs)
      for (const field of ['a', 'b', 'c'] as const) {
        const changed = !isEqual(base[field], mine[field])
        const asked = conflicts.some((it) => it.field === field)
        assert.ok(!changed || asked || isEqual(merged[field], mine[field]))
        if (!changed) assert.deepEqual(merged[field], theirs[field])
      }
    }),
  )
})

test('members of a field are put together like fields, and mine is chosen member by member', () => {
  const base = { description: { en: 'Read', de: 'Lesen' }, list: ['a'] }
  const mine = { description: { en: 'Mine', de: 'Lesen' }, list: ['a'] }
  const theirs = { description: { en: 'Theirs', de: 'Ihres' }, list: ['a', 'b'] }
  const { merged, conflicts } = mergeChanges(base, mine, theirs)
  assert.deepEqual(merged, theirs)
  assert.deepEqual(conflicts, [{ field: 'description.en', mine: 'Mine', theirs: 'Theirs' }])
  assert.deepEqual(withMine(merged, conflicts, new Set()), theirs)
  assert.deepEqual(withMine(merged, conflicts, new Set(['description.en'])), {
    description: { en: 'Mine', de: 'Ihres' },
    list: ['a', 'b'],
  })
})
