/** Clients and their secrets. */
import { deepEqual, equal, notEqual } from 'node:assert/strict'
import type { TenantId } from '@grantor/protocol/types'
import {
  acme,
  at,
  basisNow,
  change,
  client,
  consent,
  device,
  event,
  handle,
  issuance,
  opaqueToken,
  opening,
  other,
  tenantWithClient,
} from '../samples.ts'
import { delivery, receiver, streamSubject } from '../outgoing/event-samples.ts'
import { logged, type OpenEngine, storeTest } from '../store-test.ts'

export function clientSuite(open: OpenEngine): void {
  storeTest(open, 'a client reads back whole', async ({ store }) => {
    await store.directory.apply([change()])
    const web = client('web')
    equal(await store.clients.create(web, [event('client.registered')]), 'created')
    const found = await store.clients.find(acme, 'web')
    const { version: _version, ...rest } = found ?? { version: 0 }
    deepEqual(rest, { ...web, updatedAt: at(1_000), disabledAt: null })
    deepEqual(await logged(store, acme), ['admin.tenant_changed', 'client.registered'])
  })

  storeTest(open, 'a client may be disabled from the commit that makes it', async ({ store }) => {
    await store.directory.apply([change()])
    const closed = client('closed', { disabledAt: at(1_000) })
    equal(await store.clients.create(closed, [event('client.registered')]), 'created')
    equal((await store.clients.find(acme, 'closed'))?.disabledAt, 1_000)
    deepEqual(await logged(store, acme), ['admin.tenant_changed', 'client.registered'])
  })

  storeTest(
    open,
    'when clients were last used is noted together, never backwards, and only of those that are there',
    async ({ store }) => {
      await tenantWithClient(store)
      await store.clients.create(client('cli'), [])
      const used = async (id: string) => (await store.clients.find(acme, id))?.lastUsedAt ?? null
      const note = (id: string, when: number) => ({ tenant: acme, id, at: at(when) })
      equal(await used('web'), null)
      const { version } = (await store.clients.find(acme, 'web')) ?? {}
      await store.clients.noteUses([note('web', 5_000), note('gone', 5_000), note('cli', 7_000)])
      await store.clients.noteUses([note('web', 9_000), note('cli', 6_000)])
      deepEqual([await used('web'), await used('cli')], [9_000, 7_000])
      equal((await store.clients.find(acme, 'web'))?.version, version, 'it is no change of the client')
      const listed = await store.clients.list(acme, { after: null, limit: 10 })
      deepEqual(Object.fromEntries(listed.map(({ id, lastUsedAt }) => [id, lastUsedAt])), { cli: 7_000, web: 9_000 })
      // Both at once, in either order: no deadlock, and the later time stays.
      await Promise.all([
        store.clients.noteUses([note('web', 11_000), note('cli', 12_000)]),
        store.clients.noteUses([note('cli', 11_000), note('web', 12_000)]),
      ])
      deepEqual([await used('web'), await used('cli')], [12_000, 12_000])
      await store.clients.remove(acme, 'web', at(13_000), [])
      await store.clients.create(client('web'), [])
      equal(await used('web'), null, 'one made anew was never used')
    },
  )

  storeTest(open, 'an unknown client is null, also under names no client can have', async ({ store }) => {
    await store.directory.apply([change()])
    for (const id of ['nobody', '', "' or 1=1 --", 'a\0b', '\uD800', '?1', '$1']) {
      equal(await store.clients.find(acme, id), null, JSON.stringify(id))
    }
  })

  storeTest(open, 'a second client of the same name is refused and leaves no event', async ({ store }) => {
    await tenantWithClient(store)
    equal(await store.clients.create(client('web', { secrets: [] }), [event('client.registered')]), 'exists')
    equal((await store.clients.find(acme, 'web'))?.secrets.length, 1)
    deepEqual(await logged(store, acme), ['admin.tenant_changed'])
  })

  storeTest(open, 'a client of no tenant is refused', async ({ store }) => {
    equal(await store.clients.create(client('web'), [event('client.registered')]), 'no-tenant')
    deepEqual(await logged(store, acme), [])
  })

  storeTest(open, 'the same client id means nothing in another tenant', async ({ store }) => {
    await tenantWithClient(store)
    await store.directory.apply([change({ tenant: other })])
    equal(await store.clients.find(other, 'web'), null)
    equal(await store.clients.create(client('web', { tenant: other, secrets: [] }), []), 'created')
    equal((await store.clients.find(acme, 'web'))?.secrets.length, 1)
  })

  storeTest(open, 'clients are listed by id, page by page, each with its secrets', async ({ store }) => {
    await store.directory.apply([change({ createClients: ['b', 'a', 'C'].map((id) => client(id)) })])
    const secret = (name: string) => ({ handle: handle(name), createdAt: at(1), expiresAt: null })
    await store.clients.create(client('d', { secrets: [secret('x'), secret('y')] }), [])
    const first = await store.clients.list(acme, { after: null, limit: 2 })
    // Bytes, not an alphabet: capitals come first, on every database.
    deepEqual(
      first.map(({ id }) => id),
      ['C', 'a'],
    )
    const second = await store.clients.list(acme, { after: 'a', limit: 2 })
    deepEqual(
      second.map(({ id, secrets }) => [id, secrets.length]),
      [
        ['b', 1],
        ['d', 2],
      ],
    )
  })

  storeTest(open, 'clients are listed backwards, too', async ({ store }) => {
    await store.directory.apply([change()])
    for (const id of ['b', 'C', '~', 'a']) await store.clients.create(client(id), [])
    const ids = async (after: string | null) =>
      (await store.clients.list(acme, { after, limit: 3, descending: true })).map(({ id }) => id)
    deepEqual(await ids(null), ['~', 'b', 'a'])
    deepEqual(await ids('a'), ['C'])
  })

  storeTest(
    open,
    'a client is replaced and removed at the version it was looked at, and at no other',
    async ({ store }) => {
      await store.directory.apply([change()])
      await store.clients.create(client('web'), [])
      const version = (await store.clients.find(acme, 'web'))?.version ?? 0
      const { metadata } = client('web')
      const input = {
        tenant: acme,
        id: 'web',
        version,
        metadata: { ...metadata, client_name: 'New name' },
        disabledAt: at(7),
        secrets: null,
        at: at(7),
      }
      equal(await store.clients.replace({ ...input, events: [event('client.updated')] }), 'replaced')
      const after = await store.clients.find(acme, 'web')
      deepEqual(
        [after?.metadata.client_name, after?.disabledAt, after?.updatedAt, after?.secrets.length],
        ['New name', 7, 7, 1],
      )
      equal(await store.clients.replace({ ...input, events: [event('client.updated')] }), 'changed-meanwhile')
      equal(await store.clients.replace({ ...input, id: 'nobody', events: [] }), 'absent')
      const fresh = after?.version ?? 0
      const secrets = [{ handle: handle('fresh'), createdAt: at(8), expiresAt: null }]
      equal(await store.clients.replace({ ...input, version: fresh, secrets, events: [] }), 'replaced')
      const last = await store.clients.find(acme, 'web')
      deepEqual(
        last?.secrets.map((secret) => secret.handle),
        ['fresh'],
      )
      equal(
        await store.clients.remove(acme, { id: 'web', version: fresh }, at(9), [event('client.deleted')]),
        'changed-meanwhile',
      )
      equal(await store.clients.remove(acme, { id: 'web', version: last?.version ?? 0 }, at(9), []), 'removed')
      deepEqual(await logged(store, acme), ['admin.tenant_changed', 'client.updated'])
    },
  )

  storeTest(
    open,
    'a version of another client, here or of the same name elsewhere, removes nothing',
    async ({ store }) => {
      await store.directory.apply([change(), change({ tenant: other })])
      for (const tenant of [acme, other])
        for (const id of ['app', 'web']) await store.clients.create(client(id, { tenant }), [])
      const version = async (tenant: TenantId, id: string) => (await store.clients.find(tenant, id))?.version ?? 0
      const removed = (tenant: TenantId, id: string, seen: number) =>
        store.clients.remove(tenant, { id, version: seen }, at(9), [])
      equal(await removed(other, 'web', await version(acme, 'web')), 'changed-meanwhile')
      equal(await removed(acme, 'web', await version(acme, 'app')), 'changed-meanwhile')
      equal(await removed(acme, 'nobody', await version(acme, 'app')), 'absent')
      const stamp = await store.directory.stamp(other)
      const by = { tenant: other, version: 0, at: at(9), events: [] }
      const next = { ...by, metadata: client('web').metadata, disabledAt: null, secrets: null }
      const secret = { handle: handle('s'), createdAt: at(9), expiresAt: null }
      await store.clients.create(client('only'), [])
      for (const [id, refused] of [
        ['web', 'changed-meanwhile'],
        ['only', 'absent'],
      ] as const) {
        equal(await store.clients.replace({ ...next, id }), refused)
        equal(await store.clients.rotateSecret({ ...by, id, secret, othersExpireAt: at(9) }), refused)
      }
      equal(await store.directory.stamp(other), stamp, 'what is refused is no news')
      equal(await removed(other, 'web', await version(other, 'web')), 'removed')
      notEqual(await store.directory.stamp(other), stamp, 'whoever remembers it hears of it')
      notEqual(await store.clients.find(acme, 'web'), null)
    },
  )

  storeTest(open, 'rotation adds a secret and ends the others, but never later than they would', async ({ store }) => {
    await store.directory.apply([change()])
    const secrets = [
      { handle: handle('open end'), createdAt: at(1), expiresAt: null },
      { handle: handle('ends early'), createdAt: at(2), expiresAt: at(4_000) },
      { handle: handle('ends late'), createdAt: at(3), expiresAt: at(90_000) },
    ]
    await store.clients.create(client('web', { secrets }), [])
    const before = await store.clients.find(acme, 'web')
    const secret = { handle: handle('new'), createdAt: at(5_000), expiresAt: null }
    const rotation = {
      tenant: acme,
      id: 'web',
      version: before?.version ?? 0,
      secret,
      othersExpireAt: at(9_000),
      at: at(5_000),
    }
    equal(await store.clients.rotateSecret({ ...rotation, events: [event('client.secret_rotated')] }), 'rotated')
    const after = await store.clients.find(acme, 'web')
    deepEqual(
      after?.secrets.map(({ handle, expiresAt }) => [handle, expiresAt]),
      [
        ['open end', 9_000],
        ['ends early', 4_000],
        ['ends late', 9_000],
        ['new', null],
      ],
    )
    equal(after?.updatedAt, 5_000)
    notEqual(after?.version, before?.version)
    const again = {
      ...rotation,
      secret: { ...secret, handle: handle('newer') },
      events: [event('client.secret_rotated')],
    }
    equal(await store.clients.rotateSecret(again), 'changed-meanwhile')
    equal(await store.clients.rotateSecret({ ...again, id: 'nobody' }), 'absent')
    equal((await logged(store, acme)).filter((name) => name === 'client.secret_rotated').length, 1)
  })

  storeTest(
    open,
    'a removed client takes its secrets, tokens, grants, waiting devices and remembered consent along',
    async ({ store }) => {
      const basis = await tenantWithClient(store)
      await store.grants.open(opening(basis, 'g1'))
      await store.tokens.issue(issuance(basis, { opaque: opaqueToken('t') }))
      equal(await store.devices.open(device('d1'), basis), 'opened')
      equal(await store.clients.remove(acme, 'web', at(9), [event('client.deleted')]), 'removed')
      equal(await store.clients.remove(acme, 'web', at(10), [event('client.deleted')]), 'absent')
      equal(await store.tokens.opaque(acme, opaqueToken('t').handle), null)
      equal(await store.devices.find(acme, device('d1').handle), null)
      equal((await store.grants.find(acme, consent('g1').grantId))?.revokedAt, 9)
      deepEqual(await store.consents.inForce(acme, 'ada', 'web', at(2_000)), [])
      equal((await logged(store, acme)).filter((name) => name === 'client.deleted').length, 1)
    },
  )

  storeTest(open, 'the streams of a removed client go with it, and no others', async ({ store }) => {
    for (const tenant of [acme, other]) {
      await tenantWithClient(store, tenant)
      await store.clients.create(client('app', { tenant }), [])
      for (const clientId of ['web', 'app'])
        await store.eventReceivers.add(
          receiver(`of ${clientId}`, { tenant, kind: 'stream', config: { clientId, method: 'poll' } }),
          [],
        )
      await store.eventReceivers.add(receiver('hook', { tenant, config: { clientId: 'web' } }), [])
      await store.eventDeliveries.queue(delivery('d1', { tenant, receiver: 'of web' }), [])
      await store.streamSubjects.put({ ...streamSubject, tenant, stream: 'of web' })
    }
    const held = async (tenant = acme) => [
      ...(await store.eventReceivers.listening(tenant)).map(({ id }) => id),
      (await store.eventDeliveries.find(tenant, 'of web', 'd1'))?.id ?? null,
      (await store.streamSubjects.find(tenant, 'of web', 'ada'))?.subject ?? null,
    ]
    equal(await store.clients.remove(acme, 'web', at(9), []), 'removed')
    deepEqual(await held(), ['hook', 'of app', null, null])
    deepEqual(await held(other), ['hook', 'of app', 'of web', 'd1', 'ada'])
    const { version = 0 } = (await store.clients.find(acme, 'app')) ?? {}
    const { revision } = await basisNow(store, acme, 'app')
    const dropClients = [{ id: 'app', version }]
    equal(await store.directory.apply([change({ expected: revision, dropClients })]), 'applied')
    deepEqual(await held(), ['hook', null, null])
  })

  storeTest(open, 'what had ended before its client was removed ended then, and by whom', async ({ store }) => {
    const basis = await tenantWithClient(store)
    await store.grants.open(opening(basis, 'g1'))
    const withdrawal = { tenant: acme, subject: 'ada', clientId: 'web', by: 'ada', at: at(5) }
    const events = { event: event('consent.withdrawn'), grantEvent: event('grant.revoked') }
    await store.consents.withdraw({ ...withdrawal, ...events })
    equal(await store.clients.remove(acme, 'web', at(9), []), 'removed')
    equal((await store.grants.find(acme, consent('g1').grantId))?.revokedAt, 5)
    deepEqual(
      (await store.consents.ofSubject(acme, 'ada', 10)).map(({ revokedAt, revokedBy }) => [revokedAt, revokedBy]),
      [[5, 'ada']],
    )
  })

  storeTest(open, 'a client made anew under an old name never has an old version', async ({ store }) => {
    const basis = await tenantWithClient(store)
    await store.clients.remove(acme, 'web', at(9), [])
    await store.clients.create(client('web'), [])
    const anew = await basisNow(store)
    notEqual(anew.client?.version, basis.client?.version)
    equal(await store.tokens.issue(issuance(basis)), 'stale')
    equal(await store.tokens.issue(issuance(anew)), 'committed')
  })
}
