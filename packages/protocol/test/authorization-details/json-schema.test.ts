/** The part of JSON Schema that describes details: what is declared, what fits, and that no value makes it slow. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fitsSchema, schemaProblem } from '../../src/authorization-details/json-schema.ts'
import type { Json, JsonObject } from '../../src/types.ts'

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...more })

const table: readonly (readonly [JsonObject, readonly Json[], readonly Json[]])[] = [
  [{ type: 'string' }, ['', 'x', 'x'.repeat(256)], ['x'.repeat(257), 1, null, {}, [], 'a\u202eb', '\u200b', 'a\nb']],
  [{ type: 'string', maxLength: 1000 }, ['x'.repeat(1000)], ['x'.repeat(1001)]],
  [{ type: 'string', minLength: 2, maxLength: 3 }, ['ab', 'abc'], ['a', 'abcd']],
  [{ type: 'string', pattern: '^[A-Z]{3}$' }, ['EUR'], ['eur', 'EURO', '']],
  [{ type: 'string', enum: ['a', 'b'] }, ['a'], ['c', '']],
  [{ type: 'string', const: 'a' }, ['a'], ['b']],
  [{ type: 'number', minimum: 0, maximum: 1.5 }, [0, 1.5], [-0.1, 1.6, '1', Number.NaN, Number.POSITIVE_INFINITY]],
  [{ type: 'integer', minimum: 1 }, [1, 2 ** 53 - 1], [0, 1.5, 2 ** 53]],
  [{ type: 'boolean' }, [true, false], ['true', 0, null]],
  [{ type: 'array', items: { type: 'integer' } }, [[], [1, 2]], [['1'], Array.from({ length: 21 }, () => 1), {}]],
  [{ type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: 2 }, [[1]], [[], [1, 2, 3]]],
  [object({ a: { type: 'string' } }), [{}, { a: 'x' }], [{ b: 1 }, { a: 1 }, [], null, 'x', { toString: 'x' }]],
  [object({ a: { type: 'string' } }, { required: ['a'] }), [{ a: 'x' }], [{}]],
]

test('a value fits the schema that describes it, and no other', () => {
  for (const [schema, fitting, others] of table) {
    assert.equal(schemaProblem(schema), null, JSON.stringify(schema))
    for (const value of fitting) assert.equal(fitsSchema(value, schema), true, JSON.stringify([schema, value]))
    for (const value of others) assert.equal(fitsSchema(value, schema), false, JSON.stringify([schema, value]))
  }
})

test('a schema that means something else than it says is refused, and the place is named', () => {
  let deep: JsonObject = { type: 'string' }
  for (let n = 0; n < 10; n++) deep = object({ a: deep })
  const wrong: readonly (readonly [Json, RegExp])[] = [
    [null, /must be a schema/],
    [{}, /type must be one of/],
    [{ type: 'array', items: { type: 'array' } }, /^\/items\/items is missing/],
    [{ type: 'array', items: { type: 'x' } }, /^\/items\/type must be one of/],
    [object({ a: { type: 'object' } }), /^\/properties\/a\/properties is missing/],
    [{ type: ['string', 'null'] }, /type must be one of/],
    [{ type: 'toString' }, /type must be one of/],
    [{ type: 'string', minimum: 1 }, /\/minimum is not understood/],
    [{ type: 'string', format: 'email' }, /\/format is not understood/],
    [{ type: 'string', $ref: '#' }, /\/\$ref is not understood/],
    [{ type: 'string', maxLength: 1001 }, /\/maxLength must be/],
    [{ type: 'string', enum: [] }, /\/enum must be/],
    [{ type: 'string', pattern: '(a|a)*' }, /repeat a group/],
    [{ type: 'string', pattern: '(a)\\1' }, /refer back/],
    [{ type: 'string', pattern: 'a*b*c*d*' }, /three repetitions/],
    [{ type: 'string', pattern: '[' }, /must be a pattern/],
    [{ type: 'array' }, /items is missing/],
    [{ type: 'object' }, /properties is missing/],
    [object({ a: { type: 'nothing' } }), /\/properties\/a\/type/],
    [object({ a: { type: 'string' } }, { additionalProperties: true }), /additionalProperties must be false/],
    [object({ 'a b': { type: 'string' } }), /\/properties must be/],
    [deep, /deeper/],
    [object({ a: { type: 'string', description: 'x'.repeat(20_000) } }), /longer/],
  ]
  for (const [schema, problem] of wrong) assert.match(schemaProblem(schema) ?? '', problem, JSON.stringify(schema))
})

test('property: whatever a stranger sends is judged, and only what is described passes', () => {
  const schema = object({ a: object({ b: { type: 'array', items: { type: 'string' } } }), c: { type: 'integer' } })
  const known = new Set(['a', 'b', 'c'])
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      if (!fitsSchema(value as Json, schema)) return
      const names: string[] = []
      JSON.stringify(value, (name, it: unknown) => {
        if (name !== '' && !/^\d+$/.test(name)) names.push(name)
        return it
      })
      assert.ok(names.every((name) => known.has(name)))
    }),
  )
})
