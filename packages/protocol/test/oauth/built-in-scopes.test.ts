/** The scopes of the issuer itself, in every tenant. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adminNouns, builtInScopes, reservedScopes } from '../../src/oauth/built-in-scopes.ts'

const names = builtInScopes.map(({ name }) => name)

test('every noun of the admin API has scopes of its own, and each is sensitive; the log cannot be written', () => {
  for (const noun of adminNouns)
    for (const act of ['read', 'write']) {
      const entry = builtInScopes.find(({ name }) => name === `admin:${noun}:${act}`)
      if (act === 'write' && ['events', 'statistics', 'settings'].includes(noun)) assert.equal(entry, undefined)
      else assert.deepEqual([entry?.sensitivity, entry?.resource, entry?.mode], ['high', null, 'default'], noun)
    }
  for (const noun of `tenants clients resources scopes users consents grants sessions devices keys registration-tokens
    api-keys operations events statistics locks mails settings`.split(/\s+/))
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
