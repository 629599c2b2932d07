/** Rules over claims: exact values, one star, members of objects; the first that fits, and nothing by accident. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type ClaimPattern, claimsProblem, keeps, matchingRule } from '../../src/trust/claim-rules.ts'
import { personMeant } from '../../src/trust/trusted-token.ts'
import type { JsonObject } from '../../src/types.ts'

const cases: readonly (readonly [string, JsonObject, { readonly [name: string]: ClaimPattern }, boolean])[] = [
  ['the same text', { a: 'x' }, { a: 'x' }, true],
  ['another case', { a: 'X' }, { a: 'x' }, false],
  ['a number for a text', { a: 1 }, { a: '1' }, false],
  ['a text for true', { a: 'true' }, { a: true }, false],
  ['a list that holds it', { a: ['x'] }, { a: 'x' }, false],
  ['null', { a: null }, { a: 'x' }, false],
  ['nothing', {}, { a: 'x' }, false],
  ['what every object inherits', {}, { constructor: '*' }, false],
  ['a star at the end', { a: 'repo:o/n:ref' }, { a: 'repo:o/n:*' }, true],
  ['a star in the middle', { a: 'aXYb' }, { a: 'a*b' }, true],
  ['a star that overlaps', { a: 'ab' }, { a: 'ab*b' }, false],
  ['a star for nothing', { a: 'ab' }, { a: 'a*b' }, false],
  ['a star for a number', { a: 7 }, { a: '*' }, false],
  ['a member of an object', { k: { n: 'shop', other: 1 } }, { k: { n: 'shop' } }, true],
  ['an object for a text', { k: { n: 'shop' } }, { k: 'shop' }, false],
  ['a text for an object', { k: 'shop' }, { k: { n: 'shop' } }, false],
]

for (const [what, claims, asked, fits] of cases)
  test(`a rule over claims and ${what}: ${fits ? 'fits' : 'does not fit'}`, () =>
    assert.equal(keeps(claims, asked), fits))

test('the first rule that fits counts, whatever follows', () => {
  const rules = [
    { claims: { sub: 'a:1' }, client: 'one' },
    { claims: { sub: 'a:*' }, client: 'two' },
    { claims: { sub: 'a:*', more: true }, client: 'three' },
  ]
  assert.equal(matchingRule(rules, { sub: 'a:1', more: true })?.client, 'one')
  assert.equal(matchingRule(rules, { sub: 'a:2', more: true })?.client, 'two')
  assert.equal(matchingRule(rules, { sub: 'b' }), null)
})

test('a star matches what begins and ends so and is longer, and nothing else', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', ':', '/'), maxLength: 6 })
  fc.assert(
    fc.property(text, text, text, (before, after, value) => {
      const expected =
        value.startsWith(before) && value.endsWith(after) && value.length >= before.length + after.length + 1
      assert.equal(keeps({ sub: value }, { sub: `${before}*${after}` }), expected)
    }),
  )
})

test('whatever a declaration holds, it is told what is wrong or the rule can be asked', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (claims, token) => {
      if (claimsProblem(claims) !== null) return
      keeps({ a: token } as JsonObject, claims as { readonly [name: string]: ClaimPattern })
    }),
  )
})

test('an address counts where its domain is trusted, exactly, and both say that it was verified', () => {
  const people = { email_domains: ['acme.example'] }
  const meant = (claims: JsonObject) => personMeant({ sub: 'u', email_verified: true, ...claims }, people)
  assert.deepEqual(meant({ email: 'a@ACME.example' }), { email: 'a@ACME.example' })
  for (const email of [
    'a@evil.example',
    'a@x.acme.example',
    'a@acme.example.evil.example',
    'acme.example',
    'a@acme.example@evil.example',
  ])
    assert.equal(meant({ email }), null, email)
  assert.equal(meant({ email: 'a@acme.example', email_verified: 'true' }), null)
  assert.equal(personMeant({ sub: 'u', email: 'a@acme.example', email_verified: true }, undefined), null)
})
