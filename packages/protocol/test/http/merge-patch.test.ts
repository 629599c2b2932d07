/** Merge patches: the appendix of RFC 7396 as data, and what must hold for any patch. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { mergePatch } from '../../src/http/merge-patch.ts'
import type { Json, JsonObject } from '../../src/types.ts'

const appendixA: readonly [string, string, string][] = [
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', '{}'],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['["a","b"]', '["c","d"]', '["c","d"]'],
  ['{"a":"b"}', '["c"]', '["c"]'],
  ['{"a":"foo"}', 'null', 'null'],
  ['{"a":"foo"}', '"bar"', '"bar"'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
  ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
]

for (const [target, patch, result] of appendixA) {
  test(`RFC 7396 appendix A: ${target} + ${patch} is ${result}`, () => {
    assert.equal(JSON.stringify(mergePatch(JSON.parse(target) as Json, JSON.parse(patch) as Json)), result)
  })
}

const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>
const object = fc.dictionary(fc.string({ maxLength: 3 }), json) as fc.Arbitrary<JsonObject>

test('the empty patch changes nothing, and a patch applied twice is the patch applied once', () => {
  fc.assert(
    fc.property(object, json, (target, patch) => {
      assert.deepEqual(mergePatch(target, {}), { ...target })
      const once = mergePatch(target, patch)
      assert.deepEqual(mergePatch(once, patch), once)
    }),
  )
})

test('neither target nor patch is changed, and no null of the patch is left in what it touched', () => {
  fc.assert(
    fc.property(object, object, (target, patch) => {
      const before = JSON.stringify([target, patch])
      const result = mergePatch(target, patch) as JsonObject
      assert.equal(JSON.stringify([target, patch]), before)
      for (const [name, value] of Object.entries(patch)) assert.equal(Object.hasOwn(result, name), value !== null)
    }),
  )
})

test('a member called __proto__ stays a member: nothing inherits from a patch', () => {
  const patch = JSON.parse('{"__proto__":{"admin":true},"a":{"__proto__":{"admin":true}}}') as Json
  const result = mergePatch({ a: {} }, patch) as { admin?: boolean; a: { admin?: boolean } }
  assert.equal(result.admin, undefined)
  assert.equal(result.a.admin, undefined)
  assert.equal(({} as { admin?: boolean }).admin, undefined)
  assert.equal(Object.getPrototypeOf(result), Object.prototype)
})
