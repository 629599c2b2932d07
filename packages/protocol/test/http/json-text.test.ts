/** JSON from strangers: what is read, and what is refused before anything looks at it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ok } from '../../src/result.ts'
import { pointerTo, readJson } from '../../src/http/json-text.ts'

const faultOf = (text: string, depth?: number): string | null => {
  const read = readJson(text, depth)
  return read.kind === 'ok' ? null : read.error.code
}

test('RFC 8259: what JSON writes is read, whatever its strings hold', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const text = JSON.stringify(value)
      if (/"(?:__proto__|constructor|prototype)"/.test(text)) return
      const read = readJson(text)
      assert.deepEqual(read, ok(JSON.parse(text)))
    }),
  )
})

const refused: readonly [string, string, string][] = [
  ['nothing', '', 'malformed_json'],
  ['a tail', '{} {}', 'malformed_json'],
  ['a comment', '{/**/}', 'malformed_json'],
  ['not a number', '{"a":NaN}', 'malformed_json'],
  ['a lone quote', '"', 'malformed_json'],
  ['__proto__', '{"__proto__":{"a":1}}', 'forbidden_member'],
  ['__proto__ in escapes', String.raw`{"\u005f_proto__":{"a":1}}`, 'forbidden_member'],
  ['__proto__ further inside', '{"a":[{"b":{"__proto__":1}}]}', 'forbidden_member'],
  ['constructor', '{"constructor":{"prototype":{}}}', 'forbidden_member'],
  ['a name twice', '{"a":1,"a":2}', 'repeated_member'],
  ['a name twice, once in escapes', String.raw`{"a":1,"\u0061":2}`, 'repeated_member'],
  ['half a surrogate pair', String.raw`{"a":"\ud800x"}`, 'broken_text'],
  ['half a surrogate pair in a name', String.raw`{"\uDFFF" : 1}`, 'broken_text'],
  ['U+0000', String.raw`{"a":"x\u0000"}`, 'broken_text'],
  ['U+0000 in a name', String.raw`{"\u0000" : 1}`, 'broken_text'],
  ['a name twice with a blank before the colon', '{"a" : 1 , "a"\t:2}', 'repeated_member'],
]
for (const [name, text, code] of refused) test(`refused: ${name}`, () => assert.equal(faultOf(text), code))

const accepted: readonly [string, string][] = [
  ['a forbidden name as a value', '["__proto__","constructor"]'],
  ['brackets and colons inside strings', String.raw`{"a":"{\"a\":[[[","b":"]\\"}`],
  ['the same name in sibling objects', '[{"a":1},{"a":2},{"b":{"a":3}}]'],
  ['a surrogate pair in escapes', String.raw`{"a":"\ud83d\ude00"}`],
  ['an escaped backslash before u', String.raw`["\\ud800"]`],
  ['an escaped backslash before u0000', String.raw`["\\u0000"]`],
  ['a scalar', '7'],
]
for (const [name, text] of accepted) test(`accepted: ${name}`, () => assert.equal(faultOf(text), null))

test('nesting is bounded, at the bound and past it, and a megabyte of it is refused without harm', () => {
  assert.equal(faultOf(`${'['.repeat(32)}${']'.repeat(32)}`), null)
  assert.equal(faultOf(`${'['.repeat(33)}${']'.repeat(33)}`), 'too_deep')
  assert.equal(faultOf(`${'['.repeat(500_000)}${']'.repeat(500_000)}`), 'too_deep')
  assert.equal(faultOf('{"a":'.repeat(200_000) + '1' + '}'.repeat(200_000)), 'too_deep')
})

test('a megabyte of one string is one string', () => {
  assert.equal(faultOf(JSON.stringify('"\\'.repeat(300_000))), null)
  assert.equal(faultOf(JSON.stringify({ a: 'x'.repeat(1_000_000) })), null)
})

test('RFC 6901 §6: a pointer escapes its steps', () => {
  assert.equal(pointerTo(['items', '0', 'a/b~c d']), '#/items/0/a~1b~0c%20d')
  assert.equal(pointerTo([]), '#')
})
