/** The fields of a client as an API describes them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientFieldNames, clientFields, clientFieldSchema } from '../../src/registration/client-fields.ts'
import type { JsonObject } from '../../src/types.ts'

test('each field is described by a sentence, a list at its entries', () => {
  for (const name of clientFieldNames) {
    const { items, description, ...schema } = clientFieldSchema(name)
    const { items: of, ...plain } = clientFields[name].type.schema
    assert.deepEqual(schema, plain)
    const told = (of === undefined ? description : (items as JsonObject)['description']) as string
    if (of !== undefined) assert.equal(description, undefined)
    assert.match(told, /^[^a-z]/, name)
    assert.equal(told.slice(1), clientFields[name].description.slice(1))
  }
})
