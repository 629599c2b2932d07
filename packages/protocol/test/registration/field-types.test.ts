/** The types of metadata values: what each says of a value that is none of it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { served } from '../../src/documents/served.ts'
import {
  certificateFlag,
  certificateName,
  type FieldType,
  flag,
  httpsOnly,
  identifier,
  listOf,
  oneOf,
  outboundUrl,
  pageUrl,
  requestObjectUrl,
  scopeNames,
  subjectName,
  text,
  wholeSeconds,
} from '../../src/registration/field-types.ts'

const rows: readonly (readonly [what: string, type: FieldType<unknown>, value: unknown, problem: string | null])[] = [
  ['a text', text(3), 'abc', null],
  ['a text', text(3), 7, 'must be a text'],
  ['a text', text(3), '', 'must not be empty'],
  ['a text', text(3), 'abcd', 'must not be longer than 3 characters'],
  ['a text', text(3), 'a\n', 'must not hold control characters'],
  ['a text', text(3), 'a\u202e', 'must not hold control characters'],
  ['a text of any length', text(), 'x'.repeat(2048), null],
  ['a text of any length', text(), 'x'.repeat(2049), 'must not be longer than 2048 characters'],
  ['a flag', flag, false, null],
  ['a flag', flag, 'false', 'must be true or false'],
  ['seconds', wholeSeconds, 0, null],
  ['seconds', wholeSeconds, -1, 'must be a whole number of seconds'],
  ['seconds', wholeSeconds, 0.5, 'must be a whole number of seconds'],
  ['seconds', wholeSeconds, '1', 'must be a whole number of seconds'],
  ['a choice', oneOf(['a', 'b']), 'b', null],
  ['a choice', oneOf(['a', 'b']), 'c', 'must be one of a, b'],
  ['a choice', oneOf(['a', 'b']), 7, 'must be one of a, b'],
  ['a list', listOf(flag, 2), [], null],
  ['a list', listOf(flag, 2), [true, false], null],
  ['a list', listOf(flag, 1), [true, false], 'must not hold more than 1 entries'],
  ['a list', listOf(flag, 2), [true, true], 'must not hold an entry twice'],
  ['a list', listOf(flag, 2), [true, 7], 'holds an entry that must be true or false'],
  ['a list', listOf(flag, 2), true, 'must be a list'],
  ['a long list', listOf(wholeSeconds), Array.from({ length: 50 }, (_, n) => n), null],
  ['a long list', listOf(wholeSeconds), Array.from({ length: 51 }, (_, n) => n), 'must not hold more than 50 entries'],
  ['a page', pageUrl('iss'), 'https://a.example/?x=1', null],
  ['a page', pageUrl('iss'), 'http://127.0.0.1:1234/', null],
  ['a page', pageUrl('iss'), 'http://a.example/', 'must use https'],
  ['a page', pageUrl('iss'), 7, 'must be a text'],
  ['a page', pageUrl('iss', 'sid'), 'https://a.example/?sid=1', 'must not hold sid in its query, which we add'],
  ['a page by https alone', httpsOnly(pageUrl()), 'https://a.example/', null],
  ['a page by https alone', httpsOnly(pageUrl()), 'http://127.0.0.1/', 'must use https'],
  ['a page by https alone', httpsOnly(pageUrl()), 'http://a.example/', 'must use https'],
  ['an address', outboundUrl('web'), 7, 'must be a text'],
  ['an address', outboundUrl('web'), 'https://client.example/x', null],
  ['a request object', requestObjectUrl, 'https://client.example/x#hash', null],
  ['a request object', requestObjectUrl, 7, 'must be a text'],
  ['an identifier', identifier, 'https://a.example', null],
  ['an identifier', identifier, 'https://a.example#x', 'must be an absolute URI without fragment'],
  ['an identifier', identifier, 7, 'must be an absolute URI without fragment'],
  ['scopes', scopeNames, '', null],
  ['scopes', scopeNames, 'a b', null],
  ['scopes', scopeNames, 'a  b', 'must be scope names separated by single spaces'],
  ['scopes', scopeNames, null, 'must be scope names separated by single spaces'],
  ['a subject', subjectName, 'CN=a', null],
  ['a subject', subjectName, '', 'must not be empty'],
  ['a subject', subjectName, 'a', 'must be a distinguished name (RFC 4514)'],
  ['a subject', subjectName, `CN=${'x'.repeat(1022)}`, 'must not be longer than 1024 characters'],
  ['a name of a certificate', certificateName('ip'), '192.0.2.7', null],
  ['a name of a certificate', certificateName('ip'), '', 'must not be empty'],
  ['a name of a certificate', certificateName('ip'), 'x', 'must be an IPv4 or IPv6 address'],
]
for (const [what, type, value, problem] of rows)
  test(`${what}: ${String(value).slice(0, 40)} → ${problem ?? 'fine'}`, () =>
    assert.equal(type.check(value, served), problem))

test('what takes a certificate is refused where nobody is asked for one', () => {
  const check = (value: unknown, certificates: boolean) => certificateFlag.check(value, { ...served, certificates })
  assert.equal(check(true, true), null)
  assert.equal(check(false, false), null)
  assert.equal(check(true, false), 'needs certificates, which clients are not asked for here')
  assert.equal(check('true', true), 'must be true or false')
})
