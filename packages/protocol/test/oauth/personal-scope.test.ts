/** Scopes of the issuer itself, which no consent gives away. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { builtInScopes } from '../../src/oauth/built-in-scopes.ts'
import { hasIssuerScope } from '../../src/oauth/personal-scope.ts'

test('what is of the issuer begins with admin:, or is one of its own', () => {
  for (const name of ['admin:users:read', 'admin:later', 'revocations:read', 'events:report', 'metrics:read'])
    assert.equal(hasIssuerScope(new Set(['openid', name])), true, name)
  for (const name of ['openid', 'administer', 'orders:admin:', 'x:admin'])
    assert.equal(hasIssuerScope(new Set([name])), false, name)
  const high = builtInScopes.filter(({ sensitivity }) => sensitivity === 'high').map(({ name }) => name)
  assert.ok(high.every((name) => /^(?:admin|scim):/.test(name)))
  assert.deepEqual(
    builtInScopes.filter(({ sensitivity }) => sensitivity === 'normal').map(({ name }) => name),
    ['revocations:read', 'events:report', 'metrics:read'],
  )
  assert.deepEqual(
    high.filter((name) => name.endsWith(':read')).filter((name) => !high.includes(name.replace(':read', ':write'))),
    ['admin:events:read', 'admin:statistics:read', 'admin:settings:read'],
  )
})
