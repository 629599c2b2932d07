/** What a tenant may say of the accounts of its people, one thing wrong at a time, and whom it lets in. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  isAccountPolicy,
  isPlainAccountPolicy,
  longestTermsVersion,
  maySignUp,
  outstandingTerms,
  readAccountPolicy,
} from '../../src/people/account-policy.ts'
import type { Json } from '../../src/types.ts'

const terms = { version: '2026-01', url: 'https://example.com/terms' }
const domains = (count: number) => Array.from({ length: count }, (_, n) => `d${n}.example`)
const read = (value: Json) => {
  const result = readAccountPolicy(value)
  return result.kind === 'ok' ? result.value : null
}
const refused = (value: Json) => {
  const result = readAccountPolicy(value)
  return result.kind === 'error' ? result.error.map(({ field, problem }) => `${field}: ${problem}`) : []
}

test('a policy is kept as it was said; what is off is left out', () => {
  assert.deepEqual(read({}), {})
  assert.deepEqual(read({ sign_up: false, sign_in_links: false }), {})
  const whole = { sign_up: true, sign_up_domains: ['a.example', 'b.example'], sign_in_links: true, terms }
  assert.deepEqual(read(whole), whole)
  assert.deepEqual(read({ sign_up_domains: ['A.Example', 'a.example'] }), { sign_up_domains: ['a.example'] })
  assert.deepEqual(read({ sign_up_domains: domains(100) })?.sign_up_domains?.length, 100)
  assert.equal(isPlainAccountPolicy({}), true)
  assert.equal(isPlainAccountPolicy({ sign_up: true }), false)
  assert.equal(isAccountPolicy(whole), true)
  assert.equal(isAccountPolicy({ sign_up: 'yes' }), false)
})

test('each member that is wrong is named, with what is wrong about it', () => {
  const notDomains = ['sign_up_domains: must be a list of 1 to 100 domains, such as example.com']
  const cases: readonly (readonly [Json, readonly string[]])[] = [
    ...[null, [], 'x', 7].map((value) => [value, [': must be an object']] as const),
    [{ signup: true }, ['signup: is not known here']],
    [{ sign_up: 'true' }, ['sign_up: must be true or false']],
    [{ sign_in_links: 1 }, ['sign_in_links: must be true or false']],
    ...['a.example', [], [7], ['a.example', ''], ['a.example', 'localhost'], ['x@a.example'], domains(101)].map(
      (it) => [{ sign_up_domains: it }, notDomains] as const,
    ),
    [{ terms: 'v1' }, ['terms: must be an object of version and url']],
    [{ terms: { ...terms, text: 'x' } }, ['terms.text: is not known here']],
    [{ terms: { ...terms, version: '' } }, ['terms.version: must not be empty']],
    [{ terms: { url: terms.url } }, ['terms.version: must be a text']],
    [{ terms: { version: 'v1' } }, ['terms.url: must be an https address']],
    ...[
      'http://example.com/',
      'https://me@example.com/',
      'terms',
      '/terms',
      7,
      `https://a.example/${'x'.repeat(1983)}`,
    ].map((url) => [{ terms: { version: 'v1', url } }, ['terms.url: must be an https address']] as const),
    [{ sign_up: 1, sign_in_links: 1 }, ['sign_up: must be true or false', 'sign_in_links: must be true or false']],
  ]
  for (const [value, problems] of cases) assert.deepEqual(refused(value), problems, JSON.stringify(value)?.slice(0, 80))
})

test('the version of terms has at most 64 characters, their address 2000', () => {
  const url = `https://a.example/${'x'.repeat(1982)}`
  assert.equal(url.length, 2000)
  assert.notEqual(read({ terms: { version: 'v'.repeat(64), url } }), null)
  assert.deepEqual(refused({ terms: { ...terms, version: 'v'.repeat(65) } }), [
    'terms.version: must not be longer than 64 characters',
  ])
  assert.equal(longestTermsVersion, 64)
})

test('whoever has an address of a domain that is named may sign up; where none is, everybody', () => {
  const policy = { sign_up: true, sign_up_domains: ['a.example'] }
  assert.equal(maySignUp('ada@A.example', policy), true)
  for (const email of ['ada@b.example', 'ada@x.a.example', 'a.example@b.example', 'a.example'.slice(1)])
    assert.equal(maySignUp(email, policy), false, email)
  assert.equal(maySignUp('ada@b.example', {}), true)
})

test('terms are outstanding until their very version was agreed to', () => {
  assert.deepEqual(outstandingTerms({ terms }, null), terms)
  assert.deepEqual(outstandingTerms({ terms }, undefined), terms)
  assert.deepEqual(outstandingTerms({ terms }, '2025-01'), terms)
  assert.equal(outstandingTerms({ terms }, '2026-01'), null)
  assert.equal(outstandingTerms({}, '2026-01'), null)
  assert.equal(outstandingTerms(undefined, null), null)
})
