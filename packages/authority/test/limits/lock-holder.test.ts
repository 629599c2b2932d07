/** Whom a limit of guessing shuts out, by the key that it is counted by. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LimitName } from '../../src/limits/limits.ts'
import { isLock, shutOutBy } from '../../src/limits/lock-holder.ts'

const people = [{ tenant: 'acme', id: 'u1', username: 'Ada' }]
const clients = [
  { tenant: 'acme', id: 'https://client.example/a b' },
  { tenant: 'acme', id: 'web' },
]
const asked: string[] = []
const store = {
  users: {
    byUsername: async (tenant: string, name: string) =>
      people.find((it) => it.tenant === tenant && it.username.toLowerCase() === name) ?? null,
    byId: async (tenant: string, id: string) => {
      asked.push(id)
      return people.find((it) => it.tenant === tenant && it.id === id) ?? null
    },
  },
  clients: {
    find: async (tenant: string, id: string) => clients.find((it) => it.tenant === tenant && it.id === id) ?? null,
  },
}
const told = async (limit: string, key: string) => {
  const found = await shutOutBy(limit as LimitName, key, { store } as never)
  return found === null ? null : [found.tenant, found.heldBy.kind, found.heldBy.id, found.heldBy.name]
}

test('a name that was typed is told where it is somebody’s: whatever else was typed may be a password', async () => {
  assert.deepEqual(await told('loginAccount', 'acme ada'), ['acme', 'user', 'u1', 'Ada'])
  for (const key of ['other ada', 'acme eve', 'acme', 'acme ', ''])
    assert.equal(await told('loginAccount', key), null, key)
})

test('a person is told by the id between tenant and browser', async () => {
  for (const limit of ['loginBrowser', 'secondFactor']) {
    assert.deepEqual(await told(limit, 'acme u1 browser'), ['acme', 'user', 'u1', 'Ada'])
    assert.deepEqual(await told(limit, 'acme u1'), ['acme', 'user', 'u1', 'Ada'])
    assert.equal(await told(limit, 'acme u2 browser'), null)
    const before = asked.length
    assert.equal(await told(limit, 'acme  browser'), null)
    assert.equal(asked.length, before, 'nobody has no id')
  }
})

test('a client is told with the address, though there be spaces in its id', async () => {
  assert.deepEqual(await told('tokenFailures', 'acme web 192.0.2.1'), ['acme', 'client', 'web', '192.0.2.1'])
  const long = 'https://client.example/a b'
  assert.deepEqual(await told('tokenFailures', `acme ${long} 192.0.2.1`), ['acme', 'client', long, '192.0.2.1'])
  assert.equal(await told('tokenFailures', 'acme nobody 192.0.2.1'), null)
})

test('an address is the deployment’s, a tenant its own', async () => {
  for (const limit of ['loginAddress', 'tokenFailuresAddress'])
    assert.deepEqual(await told(limit, '192.0.2.1'), ['default', 'address', '192.0.2.1', null])
  assert.deepEqual(await told('loginTenant', 'acme'), ['acme', 'tenant', 'acme', null])
})

test('what else is limited is a quota of work, and no lock', async () => {
  for (const limit of ['token', 'authorize'] as const) {
    assert.equal(isLock(limit), false)
    assert.equal(await told(limit, 'acme web'), null)
  }
  assert.equal(isLock('loginAccount'), true)
})
