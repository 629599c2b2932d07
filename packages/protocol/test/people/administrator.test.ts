/** Kinds of administrators: what is none, and who may hold what. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { builtInScopes } from '../../src/oauth/built-in-scopes.ts'
import {
  type AdministratorKind,
  administratorProblem,
  isAdministratorKind,
  mayAdminister,
} from '../../src/people/administrator.ts'

const held = (kind: AdministratorKind) =>
  builtInScopes.map(({ name }) => name).filter((scope) => mayAdminister(kind, scope))
const all = builtInScopes.map(({ name }) => name)

test('four kinds are known, and nothing else is one', () => {
  for (const kind of ['owner', 'operator', 'support', 'auditor']) {
    assert.equal(isAdministratorKind(kind), true)
    assert.equal(administratorProblem(kind), null)
  }
  for (const other of ['', 'Owner', 'toString', null, undefined, true, ['owner']]) {
    assert.equal(isAdministratorKind(other), false)
    assert.equal(administratorProblem(other), 'must be one of owner, operator, support, auditor')
  }
})

test('an owner may hold every scope of the issuer, and somebody who is none holds none', () => {
  assert.deepEqual(held('owner'), all)
  for (const scope of all) assert.equal(mayAdminister(null, scope), false)
})

test('an operator changes everything but tenants; support what people are locked out of; an auditor nothing', () => {
  const missing = (kind: AdministratorKind) => all.filter((scope) => !held(kind).includes(scope))
  assert.deepEqual(missing('operator'), ['admin:tenants:write'])
  const writes = (kind: AdministratorKind) => held(kind).filter((scope) => !scope.endsWith(':read'))
  assert.deepEqual(writes('support').sort(), ['admin:grants:write', 'admin:sessions:write', 'admin:users:write'])
  assert.deepEqual(writes('auditor'), [])
  for (const kind of ['operator', 'support', 'auditor'] as const)
    for (const scope of all) if (scope.endsWith(':read')) assert.ok(mayAdminister(kind, scope), `${kind} ${scope}`)
})
