/** `authorization_details` out of a request (RFC 9396 §2): what is read, what is refused, and when two are the same. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type AuthorizationDetail,
  detailDigest,
  detailLimits,
  hasDetail,
  requestedDetails,
  sameDetail,
} from '../../src/authorization-details/detail.ts'
import { formOf } from '../../src/oauth/form.ts'

const read = (text: string) => requestedDetails(formOf([['authorization_details', text]]))
const reasonOf = (text: string): string => {
  const details = read(text)
  return details.kind === 'error' ? details.error.reason : 'read'
}
const many = (count: number) => JSON.stringify(Array.from({ length: count }, (_, n) => ({ type: 'pay', n })))
const ofLength = (length: number) => `[{"type":"${'x'.repeat(length - '[{"type":""}]'.length)}"}]`
/** The list and the detail are the first two levels. */
const ofDepth = (levels: number) => `[{"type":"a","x":${'['.repeat(levels - 2)}${']'.repeat(levels - 2)}}]`

const cases: readonly (readonly [title: string, text: string, as: 'read' | 'details_malformed'])[] = [
  ['one', '[{"type":"pay"}]', 'read'],
  ['as many as may be', many(detailLimits.details), 'read'],
  ['one more', many(detailLimits.details + 1), 'details_malformed'],
  ['as long as may be', ofLength(detailLimits.text), 'read'],
  ['longer', ofLength(detailLimits.text + 1), 'details_malformed'],
  ['as deep as may be', ofDepth(detailLimits.depth), 'read'],
  ['deeper', ofDepth(detailLimits.depth + 1), 'details_malformed'],
  ['none', '[]', 'details_malformed'],
  ['no list', '{"type":"pay"}', 'details_malformed'],
  ['no JSON', '[{"type":"pay"}', 'details_malformed'],
  ['a text', '["pay"]', 'details_malformed'],
  ['without a type', '[{"amount":1}]', 'details_malformed'],
  ['an empty type', '[{"type":""}]', 'details_malformed'],
  ['a type that is no text', '[{"type":1}]', 'details_malformed'],
  ['one of two without a type', '[{"type":"pay"},{}]', 'details_malformed'],
  ['the same twice', '[{"type":"pay","a":1,"b":2},{"b":2,"type":"pay","a":1}]', 'details_malformed'],
]
for (const [title, text, as] of cases) test(`RFC 9396 §2: ${title} → ${as}`, () => assert.equal(reasonOf(text), as))

test('RFC 9396 §2: what was not sent is none, and what was is read as it stands', () => {
  assert.deepEqual(requestedDetails(formOf([])), { kind: 'ok', value: null })
  assert.deepEqual(read('[{"type":"pay","n":1},{"type":"pay","n":2}]'), {
    kind: 'ok',
    value: [
      { type: 'pay', n: 1 },
      { type: 'pay', n: 2 },
    ],
  })
  assert.deepEqual([detailLimits.text, detailLimits.details, detailLimits.depth], [10_240, 20, 8])
})

const base: AuthorizationDetail = { type: 'pay', to: { iban: 'DE1', name: 'A' }, of: ['a', 'b'], at: null, n: 0 }
const different: readonly AuthorizationDetail[] = [
  { ...base, type: 'read' },
  { ...base, to: { iban: 'DE2', name: 'A' } },
  { ...base, to: { iban: 'DE1', title: 'A' } },
  { ...base, to: { iban: 'DE1' } },
  { ...base, of: ['b', 'a'] },
  { ...base, of: ['a'] },
  { ...base, of: 'a,b' },
  { ...base, at: 0 },
  { ...base, n: null },
  { ...base, n: '0' },
  { ...base, more: true },
]
test('RFC 9396 §6: two are the same when every member is, in whatever order', () => {
  const turned: AuthorizationDetail = { n: 0, at: null, of: ['a', 'b'], to: { name: 'A', iban: 'DE1' }, type: 'pay' }
  assert.ok(sameDetail(base, turned))
  assert.equal(detailDigest(base), detailDigest(turned))
  assert.ok(hasDetail([...different, turned], base))
  for (const other of different) {
    assert.ok(!sameDetail(base, other), JSON.stringify(other))
    assert.notEqual(detailDigest(base), detailDigest(other))
  }
  assert.ok(!hasDetail(different, base))
})

test('a digest is the SHA-256 of the members in the order of their names', () => {
  // printf '{"of":[1,"a"],"type":"pay"}' | openssl dgst -sha256 -binary | base64
  assert.equal(detailDigest({ type: 'pay', of: [1, 'a'] }), 'nrRlSUFAGBRzur9OemtlUQYjYXB9QB3XOKwGcL-37pE')
})
