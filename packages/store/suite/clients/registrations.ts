/** Clients that register themselves: tokens are used up with the client they let in, and unused clients go. */
import { deepEqual, equal, notEqual } from 'node:assert/strict'
import type { Grant } from '@grantor/protocol/grants'
import type { TenantId } from '@grantor/protocol/types'
import type { NewClient } from '../../src/contract/clients/clients.ts'
import type { RegistrationToken } from '../../src/contract/clients/registrations.ts'
import type { Store } from '../../src/contract/store.ts'
import { race } from '../races.ts'
import { acme, at, basisNow, change, client, event, grant, grantId, handle, opening, other } from '../samples.ts'
import { logged, type OpenEngine, storeTest } from '../store-test.ts'

export const selfMade = (id: string, more: Partial<NewClient> = {}): NewClient =>
  client(id, { origin: 'dynamic', secrets: [], registrationAccess: handle(`access ${id}`), ...more })

export const registration = (id: string, more: Partial<Parameters<Store['registrations']['register']>[0]> = {}) => ({
  client: selfMade(id),
  most: 100,
  token: null,
  at: at(1_000),
  events: [event('client.registered', { clientId: id })],
  ...more,
})

export const initialToken = (id: string, more: Partial<RegistrationToken> = {}) => ({
  tenant: acme,
  id,
  handle: handle(`initial ${id}`),
  createdAt: at(1_000),
  expiresAt: null,
  usesLeft: null,
  ...more,
})

const firstTokens = { after: null, limit: 100 }

export const idsOf = async (store: Store) =>
  (await store.clients.list(acme, { after: null, limit: 100 })).map(({ id }) => id)

export function registrationSuite(open: OpenEngine): void {
  storeTest(open, 'a client that registered itself reads back, and its token is known by its handle', async (it) => {
    const { store } = it
    await store.directory.apply([change()])
    equal(await store.registrations.register(registration('new')), 'registered')
    equal(await store.registrations.register(registration('new')), 'exists')
    equal((await store.clients.find(acme, 'new'))?.origin, 'dynamic')
    equal(await store.registrations.access(acme, 'new'), 'access new')
    equal(await store.registrations.access(acme, 'nobody'), null)
    equal(await store.registrations.access(other, 'new'), null)
    deepEqual(await logged(store, acme), ['admin.tenant_changed', 'client.registered'])
  })

  storeTest(open, 'a tenant that is full takes no more of them, and others as before', async ({ store }) => {
    await store.directory.apply([change({ createClients: [client('web')] })])
    equal(await store.registrations.register(registration('a', { most: 2 })), 'registered')
    equal(await store.registrations.register(registration('b', { most: 2 })), 'registered')
    equal(await store.registrations.register(registration('c', { most: 2 })), 'full')
    equal(await store.clients.create(client('manual'), []), 'created')
    deepEqual(await idsOf(store), ['a', 'b', 'manual', 'web'])
    const nowhere = registration('x', { client: selfMade('x', { tenant: other }) })
    equal(await store.registrations.register(nowhere), 'no-tenant')
  })

  storeTest(open, 'an initial access token is used up by the client it lets in, and by no other', async ({ store }) => {
    await store.directory.apply([change()])
    const { registrations } = store
    equal(await registrations.addToken(initialToken('t', { usesLeft: 2 }), [event('admin.tenant_changed')]), 'added')
    const { handle: _handle, ...shown } = initialToken('t', { usesLeft: 2 })
    deepEqual(await registrations.tokens(acme, firstTokens), [shown])
    deepEqual(await registrations.tokenById(acme, 't'), shown)
    equal(await registrations.tokenById(other, 't'), null)
    const by = { token: handle('initial t') }
    equal(await registrations.register(registration('a', by)), 'registered')
    // What is refused for another reason uses nothing up.
    equal(await registrations.register(registration('a', by)), 'exists')
    equal(await registrations.register(registration('b', { ...by, most: 0 })), 'full')
    deepEqual(
      (await registrations.tokens(acme, firstTokens)).map(({ usesLeft }) => usesLeft),
      [1],
    )
    equal(await registrations.register(registration('b', by)), 'registered')
    equal(await registrations.register(registration('c', by)), 'token-spent')
    deepEqual(await registrations.tokens(acme, firstTokens), [])
    deepEqual(await idsOf(store), ['a', 'b'])
  })

  storeTest(
    open,
    'initial access tokens are read page by page, either way',
    async ({ store: { directory, registrations } }) => {
      await directory.apply([change()])
      for (const id of ['b', 'c', 'a']) await registrations.addToken(initialToken(id), [])
      const ids = async (page: Parameters<typeof registrations.tokens>[1]) =>
        (await registrations.tokens(acme, page)).map(({ id }) => id)
      deepEqual(await ids({ after: null, limit: 2 }), ['a', 'b'])
      deepEqual(await ids({ after: 'b', limit: 2 }), ['c'])
      deepEqual(await ids({ after: null, limit: 2, descending: true }), ['c', 'b'])
      deepEqual(await ids({ after: 'b', limit: 2, descending: true }), ['a'])
    },
  )

  storeTest(open, 'an initial access token ends at its time, by revocation, and in no other tenant', async (it) => {
    const { registrations, directory } = it.store
    await directory.apply([change(), change({ tenant: other })])
    await registrations.addToken(initialToken('old', { expiresAt: at(1_000) }), [])
    await registrations.addToken(initialToken('any'), [])
    equal(await registrations.register(registration('a', { token: handle('initial old') })), 'token-spent')
    equal(await registrations.token(acme, handle('initial old'), at(1_000)), null)
    equal(await registrations.token(other, handle('initial any'), at(1_000)), null)
    const elsewhere = { token: handle('initial any'), client: selfMade('a', { tenant: other }) }
    equal(await registrations.register(registration('a', elsewhere)), 'token-spent')
    equal((await registrations.token(acme, handle('initial any'), at(1_000)))?.id, 'any')
    equal(await registrations.register(registration('a', { token: handle('initial any') })), 'registered')
    equal(await registrations.revokeToken(other, 'any', []), 'absent')
    equal(await registrations.revokeToken(acme, 'any', [event('admin.tenant_changed')]), 'revoked')
    equal(await registrations.revokeToken(acme, 'any', []), 'absent')
    equal(await registrations.register(registration('b', { token: handle('initial any') })), 'token-spent')
    equal(await it.store.sweep(at(1_000), 10), 1)
    const absent = initialToken('x', { tenant: 'nowhere' as typeof acme })
    equal(await registrations.addToken(absent, []), 'no-tenant')
  })

  storeTest(open, 'a document keeps its origin and its time; a change of it is a change of the client', async (it) => {
    const { store } = it
    await store.directory.apply([change()])
    const id = 'https://app.example/client.json'
    const made = selfMade(id, { origin: 'document', freshUntil: at(5_000) })
    await store.registrations.register(registration(id, { client: made }))
    const before = await store.clients.find(acme, id)
    deepEqual([before?.origin, before?.freshUntil], ['document', 5_000])
    const input = {
      tenant: acme,
      id,
      version: before?.version ?? 0,
      metadata: null,
      losesScope: [],
      freshUntil: at(7_000),
      at: at(6_000),
    }
    equal(await store.registrations.refresh({ ...input, events: [] }), 'refreshed')
    const same = await store.clients.find(acme, id)
    deepEqual([same?.version, same?.freshUntil], [before?.version, 7_000])
    const metadata = { ...made.metadata, client_name: 'Another' }
    equal(await store.registrations.refresh({ ...input, metadata, events: [event('client.updated')] }), 'refreshed')
    const after = await store.clients.find(acme, id)
    equal(after?.metadata.client_name, 'Another')
    notEqual(after?.version, before?.version)
    equal(await store.registrations.refresh({ ...input, metadata, events: [] }), 'changed-meanwhile')
    equal(await store.registrations.refresh({ ...input, events: [] }), 'changed-meanwhile')
    await store.clients.create(client('web'), [])
    const web = await store.clients.find(acme, 'web')
    const foreign = { ...input, id: 'web', version: web?.version ?? 0, metadata, events: [] }
    equal(await store.registrations.refresh(foreign), 'changed-meanwhile')
  })

  storeTest(open, 'what a client gives up, its living grants lose, and nothing else changes', async ({ store }) => {
    await store.directory.apply([change({ createClients: [client('web'), client('web2')] })])
    const scopes = ['a:read b:read', 'b:read', 'b:read a:read', 'aa:read a:read a:reader', 'a:write']
    const basis = await basisNow(store)
    for (const [n, scope] of scopes.entries()) {
      const it = opening(basis, `g${n}`)
      await store.grants.open({ ...it, grant: { ...it.grant, scope: new Set(scope.split(' ')) } })
    }
    const foreign = opening(await basisNow(store, acme, 'web2'), 'other')
    await store.grants.open({ ...foreign, grant: { ...foreign.grant, clientId: 'web2' } })
    const { metadata } = client('web')
    const input = {
      tenant: acme,
      id: 'web',
      version: basis.client?.version ?? 0,
      metadata,
      disabledAt: null,
      secrets: null,
    }
    const losesScope = ['a:read', '%', 'x']
    equal(await store.clients.replace({ ...input, losesScope, at: at(2), events: [] }), 'replaced')
    const left = async (id: string) => [...((await store.grants.find(acme, grantId(id)))?.scope ?? [])].join(' ')
    deepEqual(await Promise.all(scopes.map((_, n) => left(`g${n}`))), [
      'b:read',
      'b:read',
      'b:read',
      'aa:read a:reader',
      'a:write',
    ])
    equal(await left('other'), 'openid a:read offline_access')
  })

  storeTest(
    open,
    'claims go with the scope they belong to, from the living grants of that client alone',
    async (it) => {
      const { store } = it
      await store.directory.apply([change({ createClients: [client('web'), client('web2')] })])
      await store.directory.apply([change({ tenant: other, createClients: [client('web', { tenant: other })] })])
      const asks = { userinfo: { email: null, name: null }, id_token: { email: { essential: true } } } as const
      const left = { userinfo: { name: null }, id_token: {} }
      const opened = async (id: string, more: Partial<Grant> = {}) => {
        const { tenant, clientId } = grant(id, more)
        const basis = await basisNow(store, tenant, clientId)
        const scope = new Set(['openid', 'email', 'profile'])
        const given = grant(id, { claims: asks, scope, ...more })
        equal(await store.grants.open(opening(basis, id, { grant: given, consent: null, events: [] })), 'opened')
      }
      const revoked = async (tenant: TenantId, id: string) =>
        void (await store.grants.revoke({ tenant, id: grantId(id), at: at(1_500), events: [] }))
      await opened('g1')
      await opened('g2')
      await opened('without', { claims: null })
      const less = { userinfo: { name: null } }
      await opened('others', { claims: less })
      await opened('dead')
      await revoked(acme, 'dead')
      await opened('of web2', { clientId: 'web2' })
      await opened('g1', { tenant: other })
      await opened('others', { tenant: other })
      const by = {
        tenant: acme,
        id: 'web',
        metadata: client('web').metadata,
        disabledAt: null,
        secrets: null,
        events: [],
      }
      const version = (await basisNow(store)).client?.version ?? 0
      equal(await store.clients.replace({ ...by, version, losesScope: ['email'], at: at(2_000) }), 'replaced')
      const of = async (id: string, tenant = acme) => {
        const found = await store.grants.find(tenant, grantId(id))
        return [found?.claims, [...(found?.scope ?? [])].join(' ')]
      }
      const kept = [asks, 'openid email profile']
      deepEqual(await of('g1'), [left, 'openid profile'])
      deepEqual(await of('g2'), [left, 'openid profile'])
      deepEqual(await of('without'), [null, 'openid profile'])
      deepEqual(await of('others'), [less, 'openid profile'], 'what loses nothing is not written anew')
      deepEqual(await of('dead'), kept, 'what it was when it ended')
      deepEqual(await of('of web2'), kept)
      deepEqual(await of('g1', other), kept)
      deepEqual(await of('others', other), kept)
    },
  )

  storeTest(open, 'a tenant keeps what it says of registration, until it says nothing', async ({ store }) => {
    const said = { mode: 'token', grants: ['authorization_code'] } as const
    await store.directory.apply([change({ registration: said })])
    const read = async () => (await store.directory.catalogue(acme))?.tenant
    deepEqual((await read())?.registration, said)
    await store.directory.apply([change({ expected: (await read())?.revision ?? 0 })])
    deepEqual((await read())?.registration, said)
    await store.directory.apply([change({ expected: (await read())?.revision ?? 0, registration: null })])
    equal((await read())?.registration, undefined)
  })

  storeTest(
    open,
    'a removed tenant takes its initial access tokens along, and so does a restore',
    async ({ store }) => {
      await store.directory.apply([change({ disabledAt: at(1) })])
      await store.registrations.addToken(initialToken('t'), [])
      equal(await store.directory.removeTenant(acme, at(2), []), 'removed')
      await store.directory.apply([change({ tenant: other })])
      await store.registrations.addToken(initialToken('u', { tenant: other }), [])
      await store.beginNewEpoch(at(3), [])
      deepEqual(await store.registrations.tokens(other, firstTokens), [])
    },
  )

  storeTest(open, 'of 50 that register at once no more get in than the token or the tenant lets', async ({ store }) => {
    await store.directory.apply([change()])
    await store.registrations.addToken(initialToken('t', { usesLeft: 3 }), [])
    const by = { token: handle('initial t') }
    const byToken = await race(50, (n) => store.registrations.register(registration(`a${n}`, by)))
    deepEqual(byToken, { registered: 3, 'token-spent': 47 })
    const byRoom = await race(50, (n) => store.registrations.register(registration(`b${n}`, { most: 10 })))
    deepEqual(byRoom, { registered: 7, full: 43 })
    equal((await idsOf(store)).length, 10)
    equal((await logged(store, acme)).length, 11)
  })
}
