/** Names that people decide by: what is shown is what is there. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { served } from '../../src/documents/served.ts'
import { displayTextProblem, shortened } from '../../src/oauth/display-text.ts'
import { clientMetadata } from '../../src/registration/client-metadata.ts'

const bad: readonly (readonly [string, string])[] = [
  ['a space', ' '],
  ['spaces of every width', '\u00a0\u2003\u3000\u202f'],
  ['a zero-width space', '\u200b'],
  ['a word joiner', '\u2060'],
  ['a byte order mark', '\ufeff'],
  ['a soft hyphen', '\u00ad'],
  ['a Hangul filler', '\u3164'],
  ['Hangul jamo fillers', '\u115f\u1160\uffa0'],
  ['an empty Braille cell', '\u2800'],
  ['a Mongolian vowel separator', '\u180e'],
  ['a combining grapheme joiner', 'a\u034fb'],
  ['a lone mark', '\u0301'],
  ['marks and spaces', ' \u0301 \u0300'],
  ['a zero-width space inside a word', 'Goo\u200bgle'],
  ['a joiner inside a Latin word', 'Goo\u200dgle'],
  ['a right-to-left override', 'Photo\u202egnp.exe'],
  ['an isolate', '\u2066Bank\u2069'],
  ['a right-to-left mark', 'Bank\u200f'],
  ['a line break', 'Bank\nof America'],
  ['a carriage return', 'Bank\r'],
  ['a line separator', 'Bank\u2028x'],
  ['a tab', 'Bank\tx'],
  ['a null', 'Bank\u0000'],
  ['a C1 control', 'Bank\u0085'],
  ['private use', '\ue000Bank'],
  ['private use of another plane', '\u{f0000}Bank'],
  ['what is not assigned', 'Bank\u0378'],
  ['a noncharacter', 'Bank\uffff'],
  ['half of a character', 'Bank\ud800'],
  ['invisible tags', 'Bank\u{e0041}\u{e0042}'],
  ['a variation selector without an emoji', 'Ba\ufe0fnk'],
  ['a variation selector of another plane', 'Bank\u{e0100}'],
  ['an interlinear annotation', 'Ba\ufff9nk'],
  ['a pile of marks', `B${'\u0301'.repeat(5)}ank`],
  ['nothing', ''],
  ['too much', 'x'.repeat(201)],
]

for (const [what, name] of bad)
  test(`a client is not named with ${what}`, () => {
    assert.equal(typeof displayTextProblem(name), 'string')
    const made = clientMetadata({ redirect_uris: ['https://a.example/cb'], client_name: name }, served)
    assert.deepEqual(made.kind === 'error' && made.error.map(({ field }) => field), ['client_name'])
  })

for (const name of [
  'Photo Printer',
  "Bob's App (beta) – v2",
  'Büro & Töchter',
  '写真プリンター　東京',
  'تطبيق الصور',
  'می\u200cخواهم',
  'क\u094d\u200dष',
  'תמונות',
  '👩\u200d💻 Code',
  '❤\ufe0f Health',
  '👩🏽\u200d🚀',
  'e\u0301te\u0301',
  '7',
  '🚀',
])
  test(`a client may be named ${name}`, () => assert.equal(displayTextProblem(name), null))

test('no invisible character makes its way into a name, wherever it is put', () => {
  const hidden = fc.constantFrom(
    '\u200b',
    '\u202e',
    '\u2066',
    '\u00ad',
    '\ufeff',
    '\u3164',
    '\u{e0041}',
    '\n',
    '\ue000',
  )
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), hidden, fc.nat(40), (name, put, at) => {
      assert.notEqual(displayTextProblem(name.slice(0, at) + put + name.slice(at)), null)
    }),
  )
})

test('what is wrong with a name is said', () => {
  assert.equal(displayTextProblem(7), 'must be a text')
  assert.equal(displayTextProblem(''), 'must not be empty')
  assert.equal(displayTextProblem('x'.repeat(200)), null)
  assert.equal(displayTextProblem('x'.repeat(201)), 'must not be longer than 200 characters')
  assert.equal(displayTextProblem('xxx', 2), 'must not be longer than 2 characters')
  assert.equal(displayTextProblem('a\u0000'), 'must not hold control characters, or any that no screen shows')
  assert.equal(displayTextProblem('a\u200b'), 'must not hold invisible characters')
  assert.equal(displayTextProblem(' '), 'must not be blank')
  assert.equal(displayTextProblem(`a${'\u0301'.repeat(4)}`), null)
  assert.equal(displayTextProblem(`a${'\u0301'.repeat(5)}`), 'must not hold piles of marks')
})

test('a text is shortened between characters, never within one', () => {
  assert.equal(shortened('abc', 3), 'abc')
  assert.equal(shortened('abcd', 3), 'abc')
  assert.equal(shortened('ab😀', 3), 'ab')
  assert.equal(shortened('ab😀', 4), 'ab😀')
  assert.equal(shortened('', 4), '')
})
