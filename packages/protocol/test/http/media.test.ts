/** Media types: reading one, and choosing by Accept. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { accepts, asksFor, isUtf8, parseMediaType } from '../../src/http/media.ts'

test('RFC 9110 §8.3.1: a media type is read with its parameters', () => {
  const type = parseMediaType('Application/JSON ; Charset="utf\\-8"; a=b;')
  assert.equal(type?.essence, 'application/json')
  assert.deepEqual(
    [...(type?.parameters ?? [])],
    [
      ['charset', 'utf-8'],
      ['a', 'b'],
    ],
  )
})

test('what is no media type, or two of them, is none', () => {
  for (const bad of [
    '',
    'json',
    'application/',
    '/json',
    'application/json, text/html',
    'a/b;c',
    'a/b;c=',
    'a/b;c=d;C=e',
    'a /b',
    'a/b;c="d',
  ]) {
    assert.equal(parseMediaType(bad), null, bad)
  }
})

test('RFC 8259 §8.1: JSON in another charset is not ours to read', () => {
  const utf8 = (value: string): boolean => {
    const type = parseMediaType(value)
    assert.ok(type)
    return isUtf8(type)
  }
  assert.equal(utf8('application/json'), true)
  assert.equal(utf8('application/json; charset=UTF-8'), true)
  assert.equal(utf8('application/json; charset=latin1'), false)
})

const table: readonly [string | null, boolean][] = [
  [null, true],
  ['', true],
  ['*/*', true],
  ['application/*', true],
  ['application/json', true],
  ['APPLICATION/JSON', true],
  ['application/json;q=0.1', true],
  ['text/html, application/json', true],
  ['text/html', false],
  ['text/html, */*;q=0.1', true],
  ['application/json;q=0', false],
  ['*/*, application/json;q=0', false],
  ['application/*;q=0, */*', false],
  ['application/json;q=2', false],
  ['junk', false],
  ['text/html;a="x,application/json"', false],
]
for (const [accept, expected] of table) {
  test(`RFC 9110 §12.5.1: Accept ${accept} takes JSON: ${expected}`, () => {
    assert.equal(accepts(accept, 'application/json'), expected)
  })
}

test('no header makes the reader throw', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 80 }), (text) => {
      parseMediaType(text)
      accepts(text, 'application/json')
    }),
  )
})

test('a comma within quotes divides nothing, and a quote that is not finished covers all that follows', () => {
  const member = fc.constantFrom('application/json', 'text/*', '*/*;q=0.1', ';a="x,\\"y"', '"\\\\"', ' ', '')
  fc.assert(
    fc.property(fc.array(fc.array(member)), (lists) => {
      const divided = lists.map((parts) => parts.join(''))
      const alone = divided.filter((one) => one.trim() !== '').some((one) => accepts(one, 'application/json'))
      const all = divided.join()
      if (all.trim() !== '') assert.equal(accepts(all, 'application/json'), alone)
    }),
  )
  assert.equal(accepts('text/html;a="x, application/json', 'application/json'), false)
  assert.equal(accepts('application/json, text/html;a="x', 'application/json'), true)
})

test('the time grows with the length of the header, not with its square: this would take minutes', () => {
  assert.equal(accepts(`"${'\\"'.repeat(300_000)}`, 'application/json'), false)
})

const signed = 'application/token-introspection+jwt'
const asked: readonly [string | null, boolean][] = [
  [signed, true],
  ['Application/Token-Introspection+JWT; a=b', true],
  [`${signed}, application/json`, true],
  [`application/json, ${signed}`, true],
  [`${signed};q=0.5, */*;q=0.1`, true],
  [null, false],
  ['', false],
  ['*/*', false],
  ['application/*', false],
  ['application/json', false],
  [`${signed};q=0`, false],
  [`${signed};q=0.5, application/json`, false],
  [`${signed};q=0.5, */*`, false],
  [`"${signed}"`, false],
  ['application/jwt', false],
]

test('RFC 9110 §12.5.1: a type beside the usual one is given to who names it and likes it no less', () => {
  for (const [accept, given] of asked)
    assert.equal(asksFor(accept, signed, 'application/json'), given, accept ?? 'none')
})
