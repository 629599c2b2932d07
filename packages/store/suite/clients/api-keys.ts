/** API keys: kept by their hash, in one tenant, for a client and a resource that are there; revoked once and for good. */
import { deepEqual, equal, ok } from 'node:assert/strict'
import type { ApiKey, Resource } from '@grantor/protocol/oauth'
import type { Instant, TenantId } from '@grantor/protocol/types'
import type { ApiKeyPage } from '../../src/contract/clients/api-keys.ts'
import type { Store } from '../../src/contract/store.ts'
import { tombstoneKeeping } from '../../src/verbs/sweep.ts'
import { race } from '../races.ts'
import { acme, at, change, client, event, handle, other } from '../samples.ts'
import { logged, type OpenEngine, storeTest } from '../store-test.ts'

const api = (identifier: string): Resource => ({
  identifier,
  name: 'API',
  tokenFormat: 'jwt',
  tokenTyp: 'at+jwt',
  accessTtl: null,
})

export const apiKey = (
  id: string,
  more: Partial<ApiKey> = {},
): ApiKey & { readonly handle: ReturnType<typeof handle> } => ({
  tenant: acme,
  id,
  handle: handle(`key ${id}`),
  name: 'Nightly export ✓',
  clientId: 'web',
  resource: 'https://api.example',
  scope: new Set(['a:read', 'a:write']),
  addresses: ['192.0.2.0/24', '2001:db8::/32'],
  createdAt: at(1_000),
  createdBy: { kind: 'user', id: 'ada' },
  expiresAt: at(900_000),
  lastUsedAt: null,
  revokedAt: null,
  ...more,
})

const bare = { scope: null, addresses: [], expiresAt: null }
const stored = (id: string, more: Partial<ApiKey> = {}): ApiKey => {
  const { handle: _handle, ...it } = apiKey(id, more)
  return it
}
const made = [event('api_key.created')]

/** A tenant with two clients and two APIs. */
async function home(store: Store, tenant: TenantId = acme): Promise<void> {
  const putResources = [api('https://api.example'), api('https://other.example')]
  const createClients = [client('web', { tenant }), client('svc', { tenant })]
  await store.directory.apply([change({ tenant, putResources, createClients })])
}

const all: ApiKeyPage = { clientId: null, resource: null, after: null, limit: 10, descending: false }
const revocation = (id: string, when: Instant = at(2_000)) => ({
  tenant: acme,
  id,
  at: when,
  events: [event('api_key.revoked')],
})

export function apiKeySuite(open: OpenEngine): void {
  storeTest(open, 'a key reads back whole, by its id and its hash, in its tenant only', async ({ store }) => {
    await home(store)
    await home(store, other)
    equal(await store.apiKeys.add(apiKey('k1'), made), 'added')
    equal(await store.apiKeys.add(apiKey('k2', bare), made), 'added')
    deepEqual(await store.apiKeys.find(acme, 'k1'), stored('k1'))
    deepEqual(await store.apiKeys.find(acme, 'k2'), stored('k2', bare))
    deepEqual(await store.apiKeys.byHandle(acme, handle('key k1')), stored('k1'))
    equal(await store.apiKeys.find(other, 'k1'), null)
    equal(await store.apiKeys.byHandle(other, handle('key k1')), null)
    deepEqual(await store.apiKeys.list(other, all), [])
    equal(await store.apiKeys.revoke({ ...revocation('k1'), tenant: other }), 'absent')
    await store.apiKeys.noteUse(other, 'k1', at(5_000))
    deepEqual(await store.apiKeys.find(acme, 'k1'), stored('k1'))
    deepEqual(await logged(store, acme), ['admin.tenant_changed', 'api_key.created', 'api_key.created'])
  })

  storeTest(open, 'a key is for a client and a resource that are there, and goes with either', async ({ store }) => {
    await home(store)
    equal(await store.apiKeys.add(apiKey('x', { clientId: 'nobody' }), made), 'no-client')
    equal(await store.apiKeys.add(apiKey('x', { resource: 'https://nowhere.example' }), made), 'no-resource')
    equal(await store.apiKeys.add(apiKey('x', { tenant: other }), made), 'no-client')
    await store.apiKeys.add(apiKey('k1'), made)
    await store.apiKeys.add(apiKey('k2', { clientId: 'svc' }), made)
    await store.apiKeys.add(apiKey('k3', { clientId: 'svc', resource: 'https://other.example' }), made)
    const left = async () => (await store.apiKeys.list(acme, all)).map(({ id }) => id)
    equal(await store.clients.remove(acme, 'web', at(3_000), []), 'removed')
    deepEqual(await left(), ['k2', 'k3'])
    equal(await store.apiKeys.byHandle(acme, handle('key k1')), null)
    const { revision } = (await store.directory.catalogue(acme))?.tenant ?? { revision: 0 }
    const drop = change({ expected: revision, dropResources: ['https://api.example'] })
    equal(await store.directory.apply([drop]), 'applied')
    deepEqual(await left(), ['k3'])
    deepEqual((await logged(store, acme)).filter((name) => name === 'api_key.created').length, 3)
  })

  storeTest(open, 'keys are listed by their ids, both ways, by client and by resource', async ({ store }) => {
    await home(store)
    const kinds = [
      ['k1', 'web', 'https://api.example'],
      ['k2', 'svc', 'https://api.example'],
      ['k3', 'web', 'https://other.example'],
      ['k4', 'web', 'https://api.example'],
    ] as const
    for (const [id, clientId, resource] of kinds) await store.apiKeys.add(apiKey(id, { clientId, resource }), [])
    const listed = async (more: Partial<ApiKeyPage>) =>
      (await store.apiKeys.list(acme, { ...all, ...more })).map(({ id }) => id).join(' ')
    equal(await listed({}), 'k1 k2 k3 k4')
    equal(await listed({ descending: true }), 'k4 k3 k2 k1')
    equal(await listed({ after: 'k2', limit: 1 }), 'k3')
    equal(await listed({ after: 'k3', descending: true, limit: 1 }), 'k2')
    equal(await listed({ clientId: 'web' }), 'k1 k3 k4')
    equal(await listed({ clientId: 'web', resource: 'https://api.example', descending: true }), 'k4 k1')
    equal(await listed({ resource: 'https://nowhere.example' }), '')
    await store.apiKeys.revoke(revocation('k1'))
    equal(await listed({ clientId: 'web' }), 'k3 k4')
  })

  storeTest(open, 'a revoked key is gone for administrators, and known by its hash for a day', async ({ store }) => {
    await home(store)
    await store.apiKeys.add(apiKey('k1', bare), [])
    await store.apiKeys.add(apiKey('k2'), [])
    equal(await store.apiKeys.revoke(revocation('k1', at(5_000))), 'revoked')
    equal(await store.apiKeys.revoke(revocation('k1', at(6_000))), 'absent')
    equal(await store.apiKeys.find(acme, 'k1'), null)
    for (const descending of [false, true])
      deepEqual(
        (await store.apiKeys.list(acme, { ...all, descending })).map(({ id }) => id),
        ['k2'],
      )
    equal((await store.apiKeys.byHandle(acme, handle('key k1')))?.revokedAt, 5_000)
    equal(await store.sweep(at(5_000 + tombstoneKeeping - 1), 10), 0)
    equal(await store.sweep(at(5_000 + tombstoneKeeping), 10), 1)
    equal(await store.apiKeys.byHandle(acme, handle('key k1')), null)
    // An expired one is listed a day longer.
    equal(await store.sweep(at(900_000 + tombstoneKeeping - 1), 10), 0)
    equal(await store.sweep(at(900_000 + tombstoneKeeping), 10), 1)
    deepEqual(await logged(store, acme), ['admin.tenant_changed', 'api_key.revoked'])
  })

  storeTest(open, 'of 20 revocations of one key one happens, with one event', async ({ store }) => {
    await home(store)
    await store.apiKeys.add(apiKey('k1'), [])
    deepEqual(await race(20, (n) => store.apiKeys.revoke(revocation('k1', at(2_000 + n)))), { revoked: 1, absent: 19 })
    deepEqual(await logged(store, acme), ['admin.tenant_changed', 'api_key.revoked'])
  })

  storeTest(open, 'after a revocation is told, no look that begins finds the key alive', async ({ store }) => {
    await home(store)
    await store.apiKeys.add(apiKey('k1'), [])
    let told = false
    let late = 0
    const users = Array.from({ length: 8 }, async () => {
      while (late < 40) {
        const toldBefore = told
        const found = await store.apiKeys.byHandle(acme, handle('key k1'))
        await store.apiKeys.noteUse(acme, 'k1', at(70_000))
        if (!toldBefore) continue
        late += 1
        ok(found?.revokedAt === 2_000)
      }
    })
    await store.apiKeys.byHandle(acme, handle('key k1'))
    equal(await store.apiKeys.revoke(revocation('k1')), 'revoked')
    told = true
    await Promise.all(users)
  })

  storeTest(
    open,
    'a key and its client, made and removed at once, leave no key without a client',
    async ({ store }) => {
      await home(store)
      for (let round = 0; round < 10; round++) {
        await Promise.all([
          store.apiKeys.add(apiKey(`k${round}`), []),
          store.clients.remove(acme, 'web', at(3_000), []),
          store.apiKeys.add(apiKey(`m${round}`), []),
        ])
        deepEqual(await store.apiKeys.list(acme, all), [])
        await store.clients.create(client('web'), [])
      }
    },
  )

  storeTest(open, 'a use is noted once a minute, and again where the clock was set back', async ({ store }) => {
    await home(store)
    await store.apiKeys.add(apiKey('k1'), [])
    const used = async (when: number) => {
      await store.apiKeys.noteUse(acme, 'k1', at(when))
      return (await store.apiKeys.find(acme, 'k1'))?.lastUsedAt
    }
    equal(await used(100_000), 100_000)
    equal(await used(159_999), 100_000)
    equal(await used(160_000), 160_000)
    equal(await used(50_000), 50_000)
  })

  storeTest(
    open,
    'a restored database may have forgotten a revocation: no key of it opens anything',
    async ({ store }) => {
      await home(store)
      await store.apiKeys.add(apiKey('k1'), [])
      await store.beginNewEpoch(at(9_000), [event('admin.restored')])
      equal(await store.apiKeys.byHandle(acme, handle('key k1')), null)
    },
  )
}
