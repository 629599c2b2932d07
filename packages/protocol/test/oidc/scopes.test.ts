/** The scopes of OpenID Connect. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oidcScopeNames, oidcScopes } from '../../src/oidc/scopes.ts'

test('OIDC Core §5.4, §11: these, and no others', () => {
  assert.deepEqual(oidcScopeNames, ['openid', 'profile', 'email', 'address', 'phone', 'offline_access'])
  assert.deepEqual([...oidcScopes], oidcScopeNames)
})
