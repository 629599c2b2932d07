/** The scopes of the issuer itself, in every tenant. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adminNouns, adminScopes, builtInScopes, reservedScopes } from '../../src/oauth/built-in-scopes.ts'

const names = builtInScopes.map(({ name }) => name)

test('every noun of the admin API has scopes of its own, and each is sensitive; the log cannot be written', () => {
  for (const noun of adminNouns)
    for (const act of ['read', 'write']) {
      const entry = builtInScopes.find(({ name }) => name === `admin:${noun}:${act}`)
      if (act === 'write' && ['events', 'statistics', 'settings'].includes(noun)) assert.equal(entry, undefined)
      else {
        assert.deepEqual([entry?.sensitivity, entry?.resource, entry?.mode], ['high', null, 'default'], noun)
        // What people are asked to agree to.
        assert.equal(entry?.description, `${act === 'read' ? 'Read' : 'Change'} ${noun} of this service`)
      }
    }
  for (const noun of `tenants clients resources scopes users consents grants sessions devices keys registration-tokens
    api-keys operations events statistics locks mails settings groups roles webhooks providers`.split(/\s+/))
    assert.ok(
      adminNouns.some((it) => it === noun),
      noun,
    )
})

test('the scopes of administrators are those of the nouns, and no others of the issuer', () => {
  assert.deepEqual(
    adminScopes,
    names.filter((name) => /^admin:[a-z-]+:(?:read|write)$/.test(name)),
  )
  assert.equal(adminScopes.length, 2 * adminNouns.length - 3)
})

test('RFC 7644, CAEP Interoperability Profile: what reads or changes people and streams is sensitive', () => {
  for (const name of ['scim:read', 'scim:write', 'ssf.read', 'ssf.manage'])
    assert.equal(builtInScopes.find((entry) => entry.name === name)?.sensitivity, 'high', name)
})

test('the feed, reports and metrics have theirs, and nobody can declare one of them', () => {
  for (const name of ['revocations:read', 'events:report', 'metrics:read']) assert.ok(names.includes(name), name)
  for (const name of [...names, 'openid', 'profile', 'email', 'offline_access'])
    assert.ok(reservedScopes.has(name), name)
  assert.equal(new Set(names).size, names.length)
})
