import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
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
const userinfoFor = (names: readonly string[], claims: JsonObject | null = null) =>
  userinfo({ person: alice, subject: 'pairwise-1', scope: new Set(names), claims })

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
