/** The scope of callers: one set for all tokens of the same text, as far as a thousand texts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { grantedScope } from '../src/granted-scope.ts'

test('tokens of the same scope share one set, those of another have their own', () => {
  const scope = grantedScope('notes:read notes:write')
  assert.equal(grantedScope('notes:read notes:write'), scope)
  assert.deepEqual([...scope], ['notes:read', 'notes:write'])
  assert.notEqual(grantedScope('notes:read'), scope)
  assert.deepEqual([...grantedScope('')], [])
})

test('a thousand sets are kept, those that were used last', () => {
  const meet = (from: number, count: number) => {
    for (let n = from; n < from + count; n += 1) grantedScope(`s${n}`)
  }
  const scope = grantedScope('first')
  meet(0, 999)
  assert.equal(grantedScope('first'), scope)
  meet(1000, 1000)
  assert.notEqual(grantedScope('first'), scope)
})
