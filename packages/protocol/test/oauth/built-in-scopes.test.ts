/** The scopes of the issuer itself, in every tenant. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adminNouns, builtInScopes, reservedScopes } from '../../src/oauth/built-in-scopes.ts'

const names = builtInScopes.map(({ name }) => name)

test('every noun of the admin API can be read and written by a scope of its own, and each is sensitive', () => {
  for (const noun of adminNouns)
    for (const scope of [`admin:${noun}:read`, `admin:${noun}:write`]) {
      const entry = builtInScopes.find(({ name }) => name === scope)
      assert.deepEqual([entry?.sensitivity, entry?.resource, entry?.mode], ['high', null, 'default'], scope)
      assert.notEqual(entry?.description ?? '', '')
    }
  for (const noun of `clients scopes resources users consents grants sessions keys events tenants api-keys
    operations`.split(/\s+/))
    assert.ok(
      adminNouns.some((it) => it === noun),
      noun,
    )
})

test('the feed, reports and metrics have theirs, and nobody can declare one of them', () => {
  for (const name of ['revocations:read', 'events:report', 'metrics:read']) assert.ok(names.includes(name), name)
  for (const name of [...names, 'openid', 'profile', 'email', 'offline_access'])
    assert.ok(reservedScopes.has(name), name)
  assert.equal(new Set(names).size, names.length)
})
