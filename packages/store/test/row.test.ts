/** Columns of a row as what they are: whatever else stands there is named, and nothing of it is told. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StoreUnreadable } from '@grantor/store'
import { json, list, maybeBytes, maybeJson, objects, parsed, words } from '../src/verbs/row.ts'

const row = (value: unknown) => ({ tenant: 'acme', id: 'web', kid: null, data: value }) as never
const values = ['{"a":1}', '[]', '["a"]', '[{"a":1}]', '[{"a":1},2]', '7', 'null', '"text"', '{', '']

for (const [name, read, good] of [
  ['an object', json, ['{"a":1}']],
  ['a list', list, ['[]', '["a"]', '[{"a":1}]', '[{"a":1},2]']],
  ['a list of objects', objects, ['[]', '[{"a":1}]']],
  ['any JSON', parsed, values.slice(0, -2)],
] as const)
  test(`${name} is read as it was written, and nothing else is`, () => {
    for (const value of values) {
      if ((good as readonly string[]).includes(value)) assert.deepEqual(read(row(value), 'data'), JSON.parse(value))
      else
        assert.throws(
          () => read(row(value), 'data'),
          (thrown: Error) =>
            thrown instanceof StoreUnreadable &&
            thrown.message === 'the column data of a row cannot be read (tenant acme, id web)',
          value,
        )
    }
  })

test('a row that cannot be read is named by all that tells it from others', () => {
  const whole = { tenant: 'acme', id: 'web', kid: 'k1', seq: 7, pos: 9, data: '{' } as never
  assert.throws(() => json(whole, 'data'), /\(tenant acme, id web, kid k1, seq 7, pos 9\)$/)
})

test('null is null, bytes are a copy, and words are those between spaces', () => {
  assert.equal(maybeJson(row(null), 'data'), null)
  assert.deepEqual(maybeJson(row('{"a":1}'), 'data'), { a: 1 })
  assert.equal(maybeBytes(row(null), 'data'), null)
  const given = Buffer.from('abc')
  const read = maybeBytes(row(given), 'data')
  given[0] = 0
  assert.deepEqual(read, Uint8Array.of(97, 98, 99))
  assert.deepEqual(words(row('a  b '), 'data'), new Set(['a', 'b']))
  assert.deepEqual(words(row(''), 'data'), new Set())
})
