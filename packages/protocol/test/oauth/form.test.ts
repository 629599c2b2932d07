import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Form, formLimits, formOf, isFormValue, parseForm } from '../../src/oauth/form.ts'
import type { Refusal } from '../../src/oauth/refusal.ts'
import { err } from '../../src/result.ts'

function parsed(text: string): Form {
  const form = parseForm(text)
  if (form.kind === 'error') assert.fail(`refused: ${form.error.reason}`)
  return form.value
}

test('RFC 6749 appendix B: plus and percent-encoding are decoded as UTF-8', () => {
  const form = parsed('grant_type=client_credentials&scope=a+b%20c&state=%C3%A4%26%3D%2B&raw=a b')
  assert.equal(form.get('grant_type'), 'client_credentials')
  assert.equal(form.get('scope'), 'a b c')
  assert.equal(form.get('state'), 'ä&=+')
  assert.equal(form.get('raw'), 'a b')
  assert.equal(form.get('absent'), undefined)
})

test('RFC 6749 §3.1: a parameter without a value is as good as omitted', () => {
  const form = parsed('scope=&state&&x=1&')
  assert.equal(form.get('scope'), undefined)
  assert.equal(form.get('state'), undefined)
  assert.deepEqual(form.all('scope'), [])
  assert.equal(form.get('x'), '1')
})

test('RFC 8707 §2: resource and audience may repeat, in their order', () => {
  const form = parsed('resource=https://a.example&audience=x&resource=&resource=https%3A%2F%2Fb.example')
  assert.deepEqual(form.all('resource'), ['https://a.example', 'https://b.example'])
  assert.equal(form.get('resource'), 'https://a.example')
  assert.deepEqual(form.all('audience'), ['x'])
  assert.deepEqual(parsed('audience=x&resource=r&audience=y').all('audience'), ['x', 'y'])
})

const long = (n: number) => 'x'.repeat(n)
const refused: readonly (readonly [string, string, Refusal])[] = [
  ['a parameter sent twice', 'scope=a&scope=b', { reason: 'parameter_repeated', name: 'scope' }],
  ['a parameter sent twice, once empty', 'scope=&scope=b', { reason: 'parameter_repeated', name: 'scope' }],
  ['a parameter sent twice without a value', 'scope&scope', { reason: 'parameter_repeated', name: 'scope' }],
  ['a name that differs only in its encoding', 'scope=a&%73cope=b', { reason: 'parameter_repeated', name: 'scope' }],
  ['a cut percent escape', 'scope=a%2', { reason: 'parameter_malformed', name: 'scope' }],
  ['a percent escape that is not hexadecimal', 'scope=%zz', { reason: 'parameter_malformed', name: 'scope' }],
  ['bytes that are not UTF-8', 'scope=%ff', { reason: 'parameter_malformed', name: 'scope' }],
  ['an overlong UTF-8 form', 'scope=%c0%af', { reason: 'parameter_malformed', name: 'scope' }],
  ['an encoded surrogate', 'scope=%ed%a0%80', { reason: 'parameter_malformed', name: 'scope' }],
  ['an encoded NUL', 'scope=a%00b', { reason: 'parameter_malformed', name: 'scope' }],
  ['an encoded line break', 'scope=a%0d%0ab', { reason: 'parameter_malformed', name: 'scope' }],
  ['an encoded C1 control', 'scope=%c2%85', { reason: 'parameter_malformed', name: 'scope' }],
  ['a raw control character', 'scope=a\nb', { reason: 'parameter_malformed', name: 'scope' }],
  ['raw non-ASCII', 'scope=ä', { reason: 'parameter_malformed', name: 'scope' }],
  ['a broken name', '%zz=a', { reason: 'form_malformed' }],
  ['a pair without a name', '=a', { reason: 'form_malformed' }],
  ['a name that is too long', `${long(formLimits.name + 1)}=a`, { reason: 'form_malformed' }],
  ['a value that is too long', `scope=${long(formLimits.value + 1)}`, { reason: 'parameter_malformed', name: 'scope' }],
  [
    'too many parameters',
    Array.from({ length: formLimits.parameters + 1 }, (_, i) => `p${i}=1`).join('&'),
    { reason: 'form_malformed' },
  ],
]
for (const [what, text, refusal] of refused)
  test(`RFC 6749 §3.1, appendix B: ${what} is refused`, () => assert.deepEqual(parseForm(text), err(refusal)))

test('as many and as long parameters as there may be are read', () => {
  const most = Array.from({ length: formLimits.parameters }, (_, i) => `p${i}=1`)
  assert.equal(parsed(most.join('&')).get(`p${formLimits.parameters - 1}`), '1')
  const [name, value] = [long(formLimits.name), long(formLimits.value)]
  assert.equal(parsed(`${name}=${value}`).get(name), value)
  // Percent-encoded, each character takes three.
  const escaped = (text: string) => text.replaceAll('x', '%78')
  assert.equal(parsed(`${escaped(name)}=${escaped(value)}`).get(name), value)
})

test('a text is not read for longer than it may be at three octets of its encoding for each character', () => {
  const most = 3 * formLimits.value
  const raw = (length: number) => `${'%E4%BD%A0'.repeat(Math.floor(length / 9))}${long(length % 9)}`
  assert.equal(parsed(`v=${raw(most)}`).get('v')?.length, Math.floor(most / 9) + (most % 9))
  assert.deepEqual(parseForm(`v=${raw(most + 1)}`), err({ reason: 'parameter_malformed', name: 'v' }))
})

test('SAML Bindings §3.5.4: an answer of SAML may be longer, and broken into lines', () => {
  const answer = long(formLimits.samlResponse)
  assert.equal(parsed(`SAMLResponse=${answer}`).get('SAMLResponse'), answer)
  assert.equal(parsed('SAMLResponse=ab%0D%0Acd%0aef').get('SAMLResponse'), 'abcdef')
  assert.deepEqual(parseForm(`SAMLResponse=${answer}x`), err({ reason: 'parameter_malformed', name: 'SAMLResponse' }))
})

test('what could not have come as a parameter is no value of one', () => {
  assert.equal(isFormValue(long(formLimits.value)), true)
  assert.equal(isFormValue(long(formLimits.value + 1)), false)
  for (const control of ['\0', 'a\nb', '\x7f', '\x85']) assert.equal(isFormValue(control), false)
  assert.equal(isFormValue('ä€ '), true)
})

test('names of the prototype are ordinary names', () => {
  const form = parsed('__proto__=a&constructor=b')
  assert.equal(form.get('__proto__'), 'a')
  assert.equal(form.get('constructor'), 'b')
  assert.equal(parsed('').get('toString'), undefined)
})

test('whatever an encoder writes is read back the same', () => {
  const value = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).filter((s) => !/[\p{Cc}\p{Cs}]/u.test(s))
  fc.assert(
    fc.property(fc.dictionary(value, value, { maxKeys: 20 }), (pairs) => {
      const form = parsed(new URLSearchParams(pairs).toString())
      for (const [name, text] of Object.entries(pairs))
        if (name !== 'resource' && name !== 'audience') assert.equal(form.get(name), text)
    }),
  )
})

test('no text makes it throw, and no control character comes through', () => {
  const alphabet = fc.constantFrom(
    '&',
    '=',
    '%',
    '+',
    '2',
    'f',
    'F',
    '0',
    'a',
    'é',
    '\0',
    '\n',
    '%00',
    '%C3%A9',
    '\ud800',
  )
  fc.assert(
    fc.property(fc.array(alphabet, { maxLength: 60 }), (parts) => {
      const form = parseForm(parts.join(''))
      if (form.kind === 'error') return
      for (const name of ['a', 'f', 'F', '2', '0']) assert.doesNotMatch(form.value.get(name) ?? '', /\p{Cc}/u)
    }),
    { numRuns: 2000 },
  )
})

test('a form can be made of decoded pairs', () => {
  const form = formOf([
    ['a', '1'],
    ['resource', 'x'],
    ['resource', 'y'],
    ['empty', ''],
  ])
  assert.equal(form.get('a'), '1')
  assert.deepEqual(form.all('resource'), ['x', 'y'])
  assert.equal(form.get('empty'), undefined)
})

test('how many parameters a form has, and how long they are', () => {
  assert.deepEqual(formLimits, { parameters: 100, name: 128, value: 16_384, samlResponse: 60_000 })
})
