/** The names of types of authorization details. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detailTypeNameProblem } from '../../src/authorization-details/detail-type.ts'

test('RFC 9396 §2.1: the name of a type is printable, without spaces, quotes and backslashes', () => {
  for (const good of ['payment', 'https://a.example/x', '!', 'x'.repeat(200)])
    assert.equal(detailTypeNameProblem(good), null, good)
  for (const bad of ['', 'a b', 'a"b', 'a\\b', 'ä', 'x'.repeat(201), 7, null])
    assert.match(detailTypeNameProblem(bad) ?? '', /^must be 1 to 200 printable/, String(bad))
})
