/** Kinds of administrators: what is none, and who may hold what. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { administratorProblem, isAdministratorKind, mayAdminister } from '../../src/people/administrator.ts'

test('an owner may hold every scope of the issuer; nobody else holds one, and no other kind is known', () => {
  assert.equal(isAdministratorKind('owner'), true)
  assert.equal(administratorProblem('owner'), null)
  for (const other of ['', 'Owner', 'toString', null, undefined, true, ['owner']]) {
    assert.equal(isAdministratorKind(other), false)
    assert.equal(administratorProblem(other), 'must be one of owner, operator, support, auditor')
  }
  assert.deepEqual(
    [mayAdminister('owner', 'admin:users:write'), mayAdminister(null, 'admin:users:write')],
    [true, false],
  )
})
