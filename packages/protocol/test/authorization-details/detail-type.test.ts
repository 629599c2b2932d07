/** The names of types of authorization details. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  detailDescriptionProblem,
  detailSchemaProblem,
  detailTypeNameProblem,
} from '../../src/authorization-details/detail-type.ts'
import type { Json } from '../../src/types.ts'

test('RFC 9396 §2.1: the name of a type is printable, without spaces, quotes and backslashes', () => {
  for (const good of ['payment', 'https://a.example/x', '!', 'x'.repeat(200)])
    assert.equal(detailTypeNameProblem(good), null, good)
  for (const bad of ['', 'a b', 'a"b', 'a\\b', 'ä', 'x'.repeat(201), 7, null])
    assert.match(detailTypeNameProblem(bad) ?? '', /^must be 1 to 200 printable/, String(bad))
})

const schema = { type: 'object', properties: { amount: { type: 'string' } }, additionalProperties: false }
const schemas: readonly (readonly [what: string, schema: Json, problem: string | null])[] = [
  ['an object of members', schema, null],
  ['no object', 'x', 'must be a JSON schema of type object'],
  ['a schema of a text', { type: 'string' }, 'must be a JSON schema of type object'],
  [
    'the type of every detail',
    { ...schema, properties: { type: { type: 'string' } } },
    '/properties/type is a member of every detail and cannot be described',
  ],
  [
    'the locations of every detail',
    { ...schema, properties: { locations: { type: 'string' } } },
    '/properties/locations is a member of every detail and cannot be described',
  ],
]
for (const [what, value, problem] of schemas)
  test(`the schema of a type: ${what}`, () => assert.equal(detailSchemaProblem(value), problem))

test('the schema of a type: whatever else is wrong with a schema is wrong with this one', () =>
  assert.notEqual(detailSchemaProblem({ ...schema, $ref: 'https://a.example' }), null))

test('the description of a type is a text, or one per language, and none of them is wrong', () => {
  const problem = (description: Json) => detailDescriptionProblem(description, schema)
  assert.equal(problem('Pay'), null)
  assert.equal(problem('x'.repeat(1000)), null)
  assert.equal(problem({ en: 'Pay', de: 'Zahlen' }), null)
  assert.equal(problem({}), 'must be a text, or one text per language')
  for (const wrong of [7, '', 'x'.repeat(1001), { en: 'Pay', de: '' }, { en: 7 }, 'Pay {nothing}'])
    assert.notEqual(problem(wrong), null, JSON.stringify(wrong))
})
