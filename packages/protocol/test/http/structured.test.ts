/** Structured fields as we write them: RFC 9651 §4.1. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sfDate, sfItem, sfList } from '../../src/http/structured.ts'

test('RFC 9651 §4.1.10: a date is whole seconds, and never later than what it says', () => {
  assert.equal(sfDate(1_659_578_233_000), '@1659578233')
  assert.equal(sfDate(1_659_578_233_999), '@1659578233')
  assert.equal(sfDate(0), '@0')
})

test('RFC 9651 §4.1.4, §4.1.6, §4.1.8: numbers, texts and bytes, with their parameters', () => {
  assert.equal(sfItem('a'), '"a"')
  assert.equal(
    sfItem('say "hi" \\o/', [
      ['q', 5],
      ['w', 'x'],
    ]),
    String.raw`"say \"hi\" \\o/";q=5;w="x"`,
  )
  assert.equal(sfItem(Buffer.from('pk')), ':cGs=:')
  assert.equal(sfItem(-999_999_999_999_999), '-999999999999999')
  assert.equal(sfList([sfItem('a'), sfItem('b')]), '"a", "b"')
})

test('RFC 9651 §4.1: what cannot be written is a mistake of ours', () => {
  for (const wrong of [0.5, 1e15, -1e15, Number.NaN, 'ü', '\n', '\u007f'])
    assert.throws(() => sfItem(wrong), RangeError)
  for (const key of ['', 'A', '1a', 'a b', 'ä']) assert.throws(() => sfItem(1, [[key, 1]]), RangeError)
  for (const key of ['a', '*', 'a1_-.*']) assert.equal(sfItem(1, [[key, 1]]), `1;${key}=1`)
})
