import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { claimKind, claimNames, claimsOfScope, parseClaims } from '../../src/oidc/claims.ts'

test('OIDC Core §5.4: each scope stands for exactly these claims', () => {
  const table = {
    profile:
      'birthdate family_name gender given_name locale middle_name name nickname picture preferred_username profile updated_at website zoneinfo',
    email: 'email email_verified',
    address: 'address',
    phone: 'phone_number phone_number_verified',
    openid: '',
    toString: '',
  }
  for (const [scope, claims] of Object.entries(table))
    assert.equal([...claimsOfScope(new Set([scope]))].sort().join(' '), claims, scope)
})

test('OIDC Core §5.1: most claims are texts', () => {
  const kinds = ['email_verified', 'phone_number_verified', 'updated_at', 'address', 'email'].map(claimKind)
  assert.deepEqual(kinds, ['boolean', 'boolean', 'seconds', 'object', 'text'])
})

test('OIDC Core §5.5: essential, value and values are understood, unknown names and members are ignored', () => {
  const text = JSON.stringify({
    userinfo: { given_name: { essential: true }, nickname: null, salary: null, email: { extra: 1 } },
    id_token: { auth_time: { essential: true }, acr: { values: ['a', 'b'] }, sub: { value: 'alice' } },
    other: 7,
  })
  assert.deepEqual(parseClaims(text), {
    userinfo: { given_name: { essential: true }, nickname: null, email: {} },
    id_token: { auth_time: { essential: true }, acr: { values: ['a', 'b'] }, sub: { value: 'alice' } },
  })
})

test('OIDC Core §5.5: each part may be absent', () => {
  assert.deepEqual(parseClaims('{}'), { userinfo: {}, id_token: {} })
  assert.deepEqual(parseClaims('{"userinfo":null}'), { userinfo: {}, id_token: {} })
})

for (const text of [
  '',
  'x',
  '[]',
  '7',
  'null',
  '{"userinfo":[]}',
  '{"userinfo":"email"}',
  '{"id_token":{"acr":"x"}}',
  '{"id_token":{"acr":{"essential":"yes"}}}',
  '{"id_token":{"acr":{"value":{}}}}',
  '{"id_token":{"acr":{"values":"x"}}}',
  '{"id_token":{"acr":{"values":[[1]]}}}',
])
  test(`OIDC Core §5.5: ${JSON.stringify(text)} is no claims request`, () => assert.equal(parseClaims(text), null))

test('only names about the person need consent', () => {
  const parsed = parseClaims('{"userinfo":{"email":null},"id_token":{"acr":null,"name":null}}')
  assert.ok(parsed !== null)
  assert.deepEqual(claimNames(parsed), new Set(['email', 'name']))
})

test('a name of the prototype asks for nothing, and no JSON makes it throw', () => {
  assert.deepEqual(parseClaims('{"userinfo":{"__proto__":null,"constructor":null}}'), { userinfo: {}, id_token: {} })
  fc.assert(fc.property(fc.json(), (text) => void parseClaims(text)))
  fc.assert(fc.property(fc.json(), fc.json(), (a, b) => void parseClaims(`{"userinfo":${a},"id_token":{"acr":${b}}}`)))
})

test('OIDC Core §5.5.1: a claim is asked for with fifty values at most', () => {
  const asked = (count: number) =>
    parseClaims(JSON.stringify({ id_token: { acr: { values: Array.from({ length: count }, (_, n) => `l${n}`) } } }))
  const isRead = (count: number) => JSON.stringify(asked(count)).includes('l49')
  assert.equal(isRead(50), true)
  assert.equal(isRead(51), false)
})
