import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { claimsOfScope, personClaims } from '../../src/oidc/claims.ts'
import { userinfo } from '../../src/oidc/userinfo.ts'
import type { JsonObject } from '../../src/types.ts'
import { person } from '../samples.ts'

const alice = person({
  id: 'u1',
  claims: {
    name: 'Alice Doe',
    email: 'alice@example.com',
    email_verified: true,
    nickname: '',
    salary: 7,
    address: { country: 'DE' },
  },
})
const all = new Set(['openid', 'profile', 'email', 'address', 'phone'])
const userinfoFor = (names: readonly string[], claims: JsonObject | null = null, registered = all) =>
  userinfo({ person: alice, subject: 'pairwise-1', scope: new Set(names), claims, registered })

test('OIDC Core §5.4: each scope tells its claims, and sub is always told', () => {
  assert.deepEqual(userinfoFor(['openid']), { sub: 'pairwise-1' })
  assert.deepEqual(userinfoFor(['openid', 'profile']), {
    sub: 'pairwise-1',
    name: 'Alice Doe',
    preferred_username: 'alice',
  })
  assert.deepEqual(userinfoFor(['openid', 'email']), {
    sub: 'pairwise-1',
    email: 'alice@example.com',
    email_verified: true,
  })
  assert.deepEqual(userinfoFor(['openid', 'address']), { sub: 'pairwise-1', address: { country: 'DE' } })
})

test('OIDC Core §5.5: the claims parameter adds single claims', () => {
  assert.deepEqual(userinfoFor(['openid'], { userinfo: { name: null }, id_token: { email: null } }), {
    sub: 'pairwise-1',
    name: 'Alice Doe',
  })
})

test('OIDC Core §5.5.1: a claim asked for by value is told if it has it, and a scope that covers it asks without condition', () => {
  const requests = (email: JsonObject) => ({ userinfo: { email }, id_token: {} })
  const right = { value: 'alice@example.com' }
  const wrong = { value: 'mallory@example.com', essential: true }
  assert.equal(userinfoFor(['openid'], requests(right))['email'], 'alice@example.com')
  assert.equal(userinfoFor(['openid'], requests({ values: ['x', 'alice@example.com'] }))['email'], 'alice@example.com')
  for (const other of [wrong, { values: [] }, { values: ['x'] }]) {
    assert.equal(userinfoFor(['openid'], requests(other))['email'], undefined)
    assert.equal(userinfoFor(['openid', 'email'], requests(other))['email'], 'alice@example.com')
  }
})

test('OIDC Core §5.3.2: what is empty is left out, and what is no standard claim is never told', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('name', 'nickname', 'salary', 'sub', 'birthdate', 'username')), (names) => {
      const told = userinfoFor(['openid'], {
        userinfo: Object.fromEntries(names.map((name) => [name, null])),
        id_token: {},
      })
      assert.ok(!('salary' in told) && !('nickname' in told) && !('username' in told) && !('birthdate' in told))
      assert.equal(told['sub'], 'pairwise-1')
    }),
  )
})

test('OIDC Core §5.5: a client is told no claim of a scope that it is not registered for, by whatever way it asks', () => {
  const asked = { userinfo: { name: null, email: { essential: true }, sub: null }, id_token: {} }
  const registered = new Set(['openid', 'email'])
  assert.deepEqual(userinfoFor(['openid', 'profile'], asked, registered), {
    sub: 'pairwise-1',
    email: 'alice@example.com',
  })
  assert.deepEqual(userinfoFor(['openid', 'profile'], asked, new Set(['openid'])), { sub: 'pairwise-1' })
})

test('whatever is asked and granted, nothing is told beyond the claims of the registered scopes', () => {
  const names = [...personClaims]
  const scopes = fc.uniqueArray(fc.constantFrom(...all))
  fc.assert(
    fc.property(scopes, scopes, fc.uniqueArray(fc.constantFrom(...names)), (granted, registered, asked) => {
      const claims = { userinfo: Object.fromEntries(asked.map((name) => [name, null])), id_token: {} }
      const told = Object.keys(userinfoFor(granted, claims, new Set(registered)))
      const allowed = claimsOfScope(new Set(registered))
      assert.deepEqual(
        told.filter((name) => name !== 'sub' && !allowed.has(name)),
        [],
      )
    }),
  )
})
