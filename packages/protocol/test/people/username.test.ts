import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { normaliseUsername } from '../../src/people/username.ts'

for (const [text, name] of [
  ['Alice', 'alice'],
  ['alice@Example.com', 'alice@example.com'],
  ['Zoe\u0308', 'zoë'],
  ['ÄRGER', 'ärger'],
  ['alice＠example.com', null],
  ['ａlice', null],
  ['al ice', null],
  ['alice\u200b', null],
  ['alice\0', null],
  ['', null],
  ['x'.repeat(256), 'x'.repeat(256)],
  ['x'.repeat(257), null],
] as const)
  test(`RFC 8265 §3.3: ${JSON.stringify(text.slice(0, 20))} (${text.length}) is the user name ${JSON.stringify(name?.slice(0, 20) ?? null)}`, () =>
    assert.equal(normaliseUsername(text), name))

test('RFC 8265 §3.3: the normal form is its own normal form', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const name = normaliseUsername(text)
      if (name !== null) assert.equal(normaliseUsername(name), name)
    }),
    { numRuns: 3000 },
  )
})
