/** Conditional requests as a table: the vectors of RFC 9110 §13 that need no server. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type ConditionOutcome,
  evaluateConditions,
  isConditionalWrite,
  type MatchMode,
  parseConditions,
  parseTagList,
  type SelectedRepresentation,
  versionTag,
  writeTag,
} from '../../src/http/conditional.ts'
import { httpDate, parseHttpDate } from '../../src/http/http-date.ts'
import type { Instant } from '../../src/types.ts'

const changed = Date.UTC(2026, 10, 15, 10, 0, 0) as Instant
const v7: SelectedRepresentation = { etag: { weak: false, opaque: 'v7' }, lastModified: changed }
const weakV7: SelectedRepresentation = { etag: { weak: true, opaque: 'v7' }, lastModified: null }

type Headers = Readonly<Record<string, string>>
const evaluate = (
  method: string,
  headers: Headers,
  selected: SelectedRepresentation | null,
  mode?: MatchMode,
): ConditionOutcome =>
  evaluateConditions(
    method,
    parseConditions((name) => headers[name] ?? null),
    selected,
    mode,
  )

const later = httpDate(changed + 1000)
const earlier = httpDate(changed - 1000)

const vectors: readonly [string, string, Headers, SelectedRepresentation | null, ConditionOutcome][] = [
  ['C1 an equal tag', 'GET', { 'if-none-match': '"v7"' }, v7, 'not-modified'],
  ['C2 a weak tag, compared weakly', 'GET', { 'if-none-match': 'W/"v7"' }, v7, 'not-modified'],
  ['C3 a list', 'GET', { 'if-none-match': '"x", "v7"' }, v7, 'not-modified'],
  ['C3 a comma inside the quotes', 'GET', { 'if-none-match': '"a,b", "v7"' }, v7, 'not-modified'],
  ['C4 a star', 'GET', { 'if-none-match': '*' }, v7, 'not-modified'],
  ['C4 HEAD as GET', 'HEAD', { 'if-none-match': '*' }, v7, 'not-modified'],
  ['C5 an unquoted tag matches nothing', 'GET', { 'if-none-match': 'v7' }, v7, 'proceed'],
  [
    'C6 If-Modified-Since is ignored beside If-None-Match',
    'GET',
    { 'if-none-match': '"x"', 'if-modified-since': later },
    v7,
    'proceed',
  ],
  ['C10 PUT with a star on what exists', 'PUT', { 'if-none-match': '*' }, v7, 'failed'],
  ['C11 PUT with a star on what is absent', 'PUT', { 'if-none-match': '*' }, null, 'proceed'],
  ['C12 PUT with another tag', 'PUT', { 'if-match': '"v6"' }, v7, 'failed'],
  ['C13 PUT with a weak tag', 'PUT', { 'if-match': 'W/"v7"' }, v7, 'failed'],
  ['C14 If-Match star on what is absent', 'PUT', { 'if-match': '*' }, null, 'failed'],
  ['C16 DELETE with the tag', 'DELETE', { 'if-match': '"v7"' }, v7, 'proceed'],
  ['If-Match star on what exists', 'PUT', { 'if-match': '*' }, v7, 'proceed'],
  ['If-Match with a list', 'PATCH', { 'if-match': '"v6", "v7"' }, v7, 'proceed'],
  ['a malformed If-Match does not write', 'PUT', { 'if-match': 'v7' }, v7, 'failed'],
  ['an empty If-Match does not write', 'PUT', { 'if-match': '' }, v7, 'failed'],
  ['a weak representation matches no If-Match', 'PUT', { 'if-match': '"v7"' }, weakV7, 'failed'],
  ['If-Match holds and If-None-Match too', 'PUT', { 'if-match': '"v7"', 'if-none-match': '"v7"' }, v7, 'failed'],
  ['If-Modified-Since, unchanged', 'GET', { 'if-modified-since': httpDate(changed) }, v7, 'not-modified'],
  ['If-Modified-Since, changed', 'GET', { 'if-modified-since': earlier }, v7, 'proceed'],
  ['If-Modified-Since on a write is ignored', 'PUT', { 'if-modified-since': later }, v7, 'proceed'],
  ['If-Modified-Since that is no date is ignored', 'GET', { 'if-modified-since': 'yesterday' }, v7, 'proceed'],
  ['If-Modified-Since without a date to compare', 'GET', { 'if-modified-since': later }, weakV7, 'proceed'],
  ['If-Unmodified-Since, changed since', 'PUT', { 'if-unmodified-since': earlier }, v7, 'failed'],
  ['If-Unmodified-Since, unchanged', 'PUT', { 'if-unmodified-since': httpDate(changed) }, v7, 'proceed'],
  [
    'If-Unmodified-Since is ignored beside If-Match',
    'PUT',
    { 'if-match': '"v7"', 'if-unmodified-since': earlier },
    v7,
    'proceed',
  ],
  ['no condition', 'PUT', {}, v7, 'proceed'],
]

for (const [name, method, headers, selected, expected] of vectors) {
  test(`RFC 9110 §13: ${name} (${method})`, () => assert.equal(evaluate(method, headers, selected), expected))
}

test('C13, version mode: a tag weakened on the way still names its version', () => {
  assert.equal(evaluate('PUT', { 'if-match': 'W/"v7"' }, v7, 'version'), 'proceed')
  assert.equal(evaluate('PUT', { 'if-match': 'W/"v6"' }, v7, 'version'), 'failed')
})

test('RFC 9110 §8.8.3: what was written is read again, whatever stands beside it', () => {
  const opaque = fc.string({
    unit: fc.constantFrom(...'!#$%,;=W/abz~\u00E9\u00FF'.split('')),
    maxLength: 12,
  })
  const tag = fc.record({ weak: fc.boolean(), opaque }, { noNullPrototype: true })
  fc.assert(
    fc.property(fc.array(tag, { minLength: 1, maxLength: 6 }), (tags) => {
      assert.deepEqual(parseTagList(tags.map(writeTag).join(' ,\t')), tags)
      assert.deepEqual(parseTagList(`, ,junk, ${tags.map(writeTag).join(',')},`), tags)
    }),
  )
})

test('a list of tags takes time in proportion to its length', () => {
  assert.deepEqual(parseTagList('"'.repeat(16_384)), [])
  assert.deepEqual(parseTagList(`${','.repeat(8192)}${' '.repeat(8192)}`), [])
})

test('a tag names one version of one resource in one variant', () => {
  const tags = [
    versionTag('a', 1),
    versionTag('a', 2),
    versionTag('b', 1),
    versionTag('a', 1, 'short'),
    versionTag('a","1', ''),
  ]
  assert.equal(new Set(tags.map(({ opaque }) => opaque)).size, tags.length)
  assert.deepEqual(versionTag('a', 1), versionTag('a', '1'))
  assert.match(writeTag(versionTag('a', 1)), /^"[\w-]{22}"$/)
})

test('C15: a write is conditional by If-Match, or by the star that only creates', () => {
  const of = (headers: Headers): boolean => isConditionalWrite(parseConditions((name) => headers[name] ?? null))
  assert.equal(of({ 'if-match': '"a"' }), true)
  assert.equal(of({ 'if-none-match': '*' }), true)
  assert.equal(of({ 'if-none-match': '"a"' }), false)
  assert.equal(of({ 'if-unmodified-since': later }), false)
})

test('RFC 9110 §5.6.7: three forms are read, one is written, and what is no date is none', () => {
  const moment = Date.UTC(1994, 10, 6, 8, 49, 37)
  assert.equal(parseHttpDate('Sun, 06 Nov 1994 08:49:37 GMT'), moment)
  assert.equal(parseHttpDate('Sunday, 06-Nov-94 08:49:37 GMT'), moment)
  assert.equal(parseHttpDate('Sun Nov  6 08:49:37 1994'), moment)
  assert.equal(httpDate(moment + 999), 'Sun, 06 Nov 1994 08:49:37 GMT')
  for (const bad of ['', '0', '2026-11-15', 'Sun, 31 Feb 2026 00:00:00 GMT', 'Sun, 06 Nov 1994 25:00:00 GMT']) {
    assert.equal(parseHttpDate(bad), null, bad)
  }
})
