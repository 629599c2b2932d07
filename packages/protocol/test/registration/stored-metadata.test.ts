/** Client metadata as they come back from a database: the shape counts, and what a newer program wrote is left alone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientFieldNames, clientFields } from '../../src/registration/client-fields.ts'
import { isStoredMetadata, storedMetadataProblem } from '../../src/registration/stored-metadata.ts'
import { client } from '../samples.ts'

const { metadata } = client()

test('metadata that have what always is there are read, with fields of a newer program beside it', () => {
  assert.equal(storedMetadataProblem(metadata), null)
  assert.equal(storedMetadataProblem({ ...metadata, field_of_tomorrow: [{ any: 'thing' }] }), null)
  assert.equal(
    storedMetadataProblem({ ...metadata, redirect_uris: ['no longer allowed'] }),
    null,
    'values are not judged',
  )
  assert.ok(isStoredMetadata(metadata))
})

test('RFC 7591 §2: metadata without one of those that have a default are damaged, and it is named', () => {
  for (const name of ['redirect_uris', 'grant_types', 'response_types', 'token_endpoint_auth_method', 'scope']) {
    const damaged = { ...metadata, [name]: undefined }
    assert.equal(storedMetadataProblem(damaged), `the metadata have no ${name}`)
    assert.equal(isStoredMetadata(damaged), false)
  }
  for (const other of [null, [], 'text', 7]) assert.equal(storedMetadataProblem(other), 'the metadata are no object')
})

/** By type of the table: what fits, and what does not. */
const values: Readonly<Record<string, readonly [fits: unknown, ...others: unknown[]]>> = {
  string: ['', 7, null, [], {}],
  boolean: [false, 'false', 0, null],
  integer: [7, 7.5, '7', null],
  object: [{}, [], 'text', null],
  array: [[], {}, 'text', null],
}

for (const name of clientFieldNames)
  test(`a stored ${name} is of the type that the table says`, () => {
    const { type, items } = clientFields[name].type.schema as { type: string; items?: { type: string } }
    const [right, ...others] = values[type] ?? assert.fail(`a type without values: ${type}`)
    assert.equal(storedMetadataProblem({ ...metadata, [name]: right }), null)
    for (const other of others)
      assert.equal(storedMetadataProblem({ ...metadata, [name]: other }), `${name} is of another type`)
    if (items === undefined) return
    const [entry, ...strangers] = values[items.type] ?? assert.fail(`a type without values: ${items.type}`)
    assert.equal(storedMetadataProblem({ ...metadata, [name]: [entry] }), null)
    for (const stranger of strangers)
      assert.equal(storedMetadataProblem({ ...metadata, [name]: [entry, stranger] }), `${name} is of another type`)
  })
