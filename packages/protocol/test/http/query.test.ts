/** The query of a URL: every parameter once, and nothing in it that is broken or hidden. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readQuery, refuseParameters } from '../../src/http/query.ts'

const cases: readonly (readonly [search: string, as: Readonly<Record<string, string>> | readonly string[]])[] = [
  ['', {}],
  ['?', {}],
  ['?a=1&b=2', { a: '1', b: '2' }],
  ['a=1&&b=2&', { a: '1', b: '2' }],
  ['?a', { a: '' }],
  ['?a=', { a: '' }],
  ['?=1', { '': '1' }],
  ['?a=b=c', { a: 'b=c' }],
  ['?a+b=c+d', { 'a b': 'c d' }],
  ['?a%2Bb=%C3%BC', { 'a+b': 'ü' }],
  ['?a=%20%7e', { a: ' ~' }],
  ['?a=1&a=2', ['a repeated']],
  ['?a=%GG', ['a malformed']],
  ['?%GG=a', [' malformed']],
  ['?a=%00', ['a malformed']],
  ['?a=%1f', ['a malformed']],
  ['?a=x%7f', ['a malformed']],
  ['?a=%GG&b=1&b=2', ['a malformed', 'b repeated']],
]
for (const [search, as] of cases)
  test(`a query: ${search || 'none'}`, () => {
    const read = readQuery(search)
    if (read.kind === 'ok') return assert.deepEqual(Object.fromEntries(read.value), as)
    const faults = read.error.map((fault) => ('parameter' in fault ? `${fault.parameter} ${fault.code}` : fault.code))
    assert.deepEqual(faults, as)
  })

test('a query has 64 parameters at most, and whoever sends more is told', () => {
  const many = (count: number) => Array.from({ length: count }, (_, n) => `p${n}=1`).join('&')
  assert.equal(readQuery(many(64)).kind, 'ok')
  const detail = 'At most 64 parameters.'
  assert.deepEqual(readQuery(many(65)), { kind: 'error', error: [{ parameter: '', code: 'too_many', detail }] })
})

test('a parameter that an operation does not have is named', () => {
  const given = new Map([
    ['a', '1'],
    ['b', '2'],
  ])
  const detail = 'This operation has no such parameter.'
  assert.deepEqual(refuseParameters(given, ['a']), [{ parameter: 'b', code: 'unknown', detail }])
  assert.equal(refuseParameters(given).length, 2)
  assert.deepEqual(refuseParameters(given, ['b', 'a']), [])
})
