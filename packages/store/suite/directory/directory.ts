/** The directory: tenants, catalogues, and changes that happen whole or not at all. */
import { equal, deepEqual, notEqual } from 'node:assert/strict'
import type { Catalogue, Resource, ScopeEntry, Tenant } from '@grantor/protocol/oauth'
import type { TenantId } from '@grantor/protocol/types'
import type { DirectoryChange } from '../../src/contract/directory/directory.ts'
import type { Store } from '../../src/contract/store.ts'
import {
  acme,
  at,
  basisNow,
  change,
  client,
  event,
  issuance,
  key,
  opaqueToken,
  opening,
  other,
  revocable,
  session,
  tenantWithClient,
  user,
} from '../samples.ts'
import { apiKey } from '../clients/api-keys.ts'
import { initialToken } from '../clients/registrations.ts'
import { everything } from '../database-rows.ts'
import { receiver } from '../outgoing/event-samples.ts'
import { logged, type OpenEngine, storeTest } from '../store-test.ts'
import { populated, withKey } from '../verb-calls.ts'

const api: Resource = {
  identifier: 'https://api.example',
  name: 'API',
  tokenFormat: 'opaque',
  tokenTyp: 'JWT',
  accessTtl: 300,
  claimMappings: [{ claim: 'department', from: 'attributes.department' }],
  policyService: { url: 'https://pdp.example', deadline_ms: 500, on_failure: 'allow' },
  issuanceHook: { url: 'https://hook.example', claims: ['plan'], key: 2 },
}
const read: ScopeEntry = {
  name: 'a:read',
  description: { en: 'See', de: 'Sehen' },
  resource: api.identifier,
  sensitivity: 'high',
  mode: 'optional',
}
const write: ScopeEntry = {
  name: 'a:write',
  description: 'Change',
  resource: null,
  sensitivity: 'low',
  mode: 'default',
}

const catalogueOf = async (store: Store, tenant: TenantId = acme): Promise<Catalogue> => {
  const catalogue = await store.directory.catalogue(tenant)
  if (catalogue === null) throw new Error(`no tenant ${tenant}`)
  return catalogue
}

export function directorySuite(open: OpenEngine): void {
  storeTest(open, 'of accounts 0.2.0 is told nothing that it does not know', async ({ store, engine }) => {
    const put = async (accounts: DirectoryChange['accounts'], expected: number | null) => {
      equal(await store.directory.apply([change({ expected, accounts: accounts ?? null })]), 'applied')
      return (await catalogueOf(store)).tenant
    }
    const known = async () =>
      (await everything(engine))['tenants']?.map((row) => (JSON.parse(row) as Record<string, unknown>)['accounts'])
    const first = await put({ sign_up: true, sign_in_links: true }, null)
    deepEqual(first.accounts, { sign_up: true, sign_in_links: true })
    deepEqual(await known(), ['{"sign_up":true}'])
    const second = await put({ sign_in_links: true }, first.revision)
    deepEqual(second.accounts, { sign_in_links: true })
    deepEqual(await known(), [null])
    const third = await put({ sign_up: true }, second.revision)
    deepEqual(third.accounts, { sign_up: true })
    equal((await put(null, third.revision)).accounts, undefined)
  })

  storeTest(open, 'the stamp of a tenant moves with what it holds, and with nothing else', async ({ store }) => {
    equal(await store.directory.stamp(acme), null)
    const stamps = new Set<number | null>()
    const note = async () => void stamps.add(await store.directory.stamp(acme))
    await store.directory.apply([change()])
    await note()
    await store.keys.add(key(1, { kid: 'k' }), [])
    await note()
    await store.keys.drop(acme, 'k', at(3_000), [])
    await note()
    await store.directory.apply([change({ tenant: other })])
    equal(stamps.size, 3)
    await note()
    equal(stamps.size, 3, 'another tenant is another stamp')
  })

  storeTest(
    open,
    'a tenant names the claims that its clients declare, each once, and no other tenant does',
    async (it) => {
      const { store } = it
      await store.directory.apply([change(), change({ tenant: other })])
      equal((await catalogueOf(store)).mappedClaims, undefined)
      const declaring = (id: string, ...claims: readonly string[]) => {
        const made = client(id)
        const mappings = claims.map((claim) => ({ claim, from: 'groups' }))
        return { ...made, metadata: { ...made.metadata, claim_mappings: mappings } }
      }
      await store.clients.create(declaring('one', 'teams', 'department'), [])
      await store.clients.create(declaring('two', 'teams'), [])
      deepEqual((await catalogueOf(store)).mappedClaims, ['department', 'teams'])
      equal((await catalogueOf(store, other)).mappedClaims, undefined)
    },
  )

  storeTest(open, 'a tenant that nobody made is null, not an error', async ({ store }) => {
    equal(await store.directory.catalogue(acme), null)
  })

  storeTest(
    open,
    'branding is read with its tenant and a logo by its hash; both go with what replaces them',
    async (it) => {
      const { store } = it
      const logo = { type: 'image/png', bytes: Uint8Array.of(137, 80, 78, 71), hash: 'a'.repeat(32) } as const
      const branding = { name: 'Acme', accent: '#aa0000', logo: { hash: logo.hash, type: logo.type } }
      const replace = async (wanted: DirectoryChange['branding']): Promise<void> => {
        const { tenant } = await catalogueOf(store)
        const changed = { expected: tenant.revision, ...(wanted === undefined ? {} : { branding: wanted }) }
        equal(await store.directory.apply([change(changed)]), 'applied')
      }
      equal(
        await store.directory.apply([change({ branding: { branding, logo } }), change({ tenant: other })]),
        'applied',
      )
      deepEqual((await catalogueOf(store)).tenant.branding, branding)
      deepEqual(await store.directory.logo(acme, logo.hash), logo)
      equal(await store.directory.logo(other, logo.hash), null)
      equal((await catalogueOf(store, other)).tenant.branding, undefined)
      await replace({ branding: { ...branding, accent: '#00aa00' }, logo: null })
      deepEqual(await store.directory.logo(acme, logo.hash), logo, 'the one that is still named stays')
      await replace(undefined)
      equal((await catalogueOf(store)).tenant.branding?.accent, '#00aa00')
      const next = { ...logo, hash: 'b'.repeat(32) }
      await replace({ branding: { logo: { hash: next.hash, type: next.type } }, logo: next })
      equal(await store.directory.logo(acme, logo.hash), null)
      deepEqual(await store.directory.logo(acme, next.hash), next)
      await replace(null)
      equal((await catalogueOf(store)).tenant.branding, undefined)
      equal(await store.directory.logo(acme, next.hash), null)
      await replace({ branding, logo })
      const { revision } = (await catalogueOf(store)).tenant
      await store.directory.apply([change({ expected: revision, disabledAt: at(2_000) })])
      equal(await store.directory.removeTenant(acme, at(3_000), [event('admin.tenant_changed')]), 'removed')
      equal(await store.directory.logo(acme, logo.hash), null)
    },
  )

  storeTest(open, 'a catalogue reads back whole', async ({ store }) => {
    equal(
      await store.directory.apply([change({ name: 'Acme', putResources: [api], putScopes: [read, write] })]),
      'applied',
    )
    const { tenant, resources, scopes } = await catalogueOf(store)
    deepEqual(
      { id: tenant.id, name: tenant.name, disabledAt: tenant.disabledAt },
      { id: acme, name: 'Acme', disabledAt: null },
    )
    deepEqual(resources, [api])
    deepEqual(scopes, [read, write])
  })

  storeTest(
    open,
    'types of authorization details are put, replaced and dropped, and go with their tenant',
    async ({ store }) => {
      const type = {
        type: 'pay',
        resources: [api.identifier],
        schema: { type: 'object', properties: {} },
        description: 'Pay',
      }
      await store.directory.apply([change({ putResources: [api], putDetailTypes: [type] })])
      const first = await catalogueOf(store)
      deepEqual(first.authorizationDetailTypes, [type])
      const other = { ...type, description: { en: 'Pay ✓', de: 'Zahlen' }, resources: ['https://b.example'] }
      await store.directory.apply([change({ expected: first.tenant.revision, putDetailTypes: [other] })])
      const second = await catalogueOf(store)
      deepEqual(second.authorizationDetailTypes, [other])
      await store.directory.apply([
        change({ expected: second.tenant.revision, dropDetailTypes: ['pay'], disabledAt: at(5) }),
      ])
      const third = await catalogueOf(store)
      equal(third.authorizationDetailTypes, undefined)
      await store.directory.apply([change({ expected: third.tenant.revision, putDetailTypes: [type] })])
      equal(await store.directory.removeTenant(acme, at(6), []), 'removed')
      await store.directory.apply([change()])
      equal((await catalogueOf(store)).authorizationDetailTypes, undefined)
    },
  )

  storeTest(open, 'puts replace whole, drops remove, and the revision moves', async ({ store }) => {
    await store.directory.apply([change({ putResources: [api], putScopes: [read, write] })])
    const before = (await catalogueOf(store)).tenant.revision
    const renamed = { ...api, name: 'Renamed', accessTtl: null }
    const next = change({
      expected: before,
      putResources: [renamed],
      dropScopes: ['a:write', 'never there'],
      disabledAt: at(5),
    })
    equal(await store.directory.apply([next]), 'applied')
    const after = await catalogueOf(store)
    deepEqual(after.resources, [renamed])
    deepEqual(after.scopes, [read])
    equal(after.tenant.disabledAt, 5)
    notEqual(after.tenant.revision, before)
  })

  storeTest(open, 'a change planned on another revision changes nothing', async ({ store }) => {
    await store.directory.apply([change()])
    const { revision } = (await catalogueOf(store)).tenant
    equal(await store.directory.apply([change({ expected: revision + 1, putResources: [api] })]), 'changed-meanwhile')
    equal(await store.directory.apply([change({ expected: null })]), 'changed-meanwhile')
    deepEqual((await catalogueOf(store)).resources, [])
    deepEqual(await logged(store, acme), ['admin.tenant_changed'])
  })

  storeTest(open, 'of several changes one that fails takes all with it', async ({ store }) => {
    await store.directory.apply([change()])
    equal(await store.directory.apply([change({ tenant: other }), change({ expected: null })]), 'changed-meanwhile')
    equal(await store.directory.catalogue(other), null)
    deepEqual(await logged(store, other), [])
  })

  storeTest(open, 'clients of a change are created, replaced and dropped by version', async ({ store }) => {
    await store.directory.apply([change({ createClients: [client('a'), client('b')] })])
    const { revision } = (await catalogueOf(store)).tenant
    const a = await store.clients.find(acme, 'a')
    const b = await store.clients.find(acme, 'b')
    if (a === null || b === null) throw new Error('not created')
    const metadata = { ...a.metadata, client_name: 'New name' }
    const replaced = { id: 'a', metadata, version: a.version, disabledAt: at(7), secrets: [] }
    const wrong = change({
      expected: revision,
      replaceClients: [replaced],
      dropClients: [{ id: 'b', version: b.version + 1 }],
    })
    equal(await store.directory.apply([wrong]), 'changed-meanwhile')
    equal((await store.clients.find(acme, 'a'))?.metadata.client_name, a.metadata.client_name)
    const right = change({
      expected: revision,
      replaceClients: [replaced],
      dropClients: [{ id: 'b', version: b.version }],
    })
    equal(await store.directory.apply([right]), 'applied')
    const after = await store.clients.find(acme, 'a')
    deepEqual([after?.metadata, after?.disabledAt, after?.secrets], [metadata, 7, []])
    notEqual(after?.version, a.version)
    equal(await store.clients.find(acme, 'b'), null)
  })

  storeTest(
    open,
    'a client that somebody changed meanwhile is not replaced, and nothing of the change happens',
    async ({ store }) => {
      await store.directory.apply([change({ createClients: [client('a'), client('b')] })])
      const { revision } = (await catalogueOf(store)).tenant
      const [a, b] = [await store.clients.find(acme, 'a'), await store.clients.find(acme, 'b')]
      if (a === null || b === null) throw new Error('not created')
      const next = ({ id, version }: typeof a) => ({
        id,
        metadata: { ...a.metadata, client_name: 'New name' },
        version,
        disabledAt: null,
        secrets: null,
      })
      const stale = [next(a), { ...next(b), version: b.version + 1 }]
      const events = [event('admin.tenant_changed', { reason: 'stale' })]
      for (const replaceClients of [stale, stale.toReversed()]) {
        equal(
          await store.directory.apply([change({ expected: revision, replaceClients, events })]),
          'changed-meanwhile',
        )
        deepEqual([await store.clients.find(acme, 'a'), await store.clients.find(acme, 'b')], [a, b])
      }
      equal((await catalogueOf(store)).tenant.revision, revision)
      equal((await logged(store, acme)).length, 1)
    },
  )

  storeTest(open, 'a replaced client keeps its secrets when none are given', async ({ store }) => {
    const basis = await tenantWithClient(store)
    const web = await store.clients.find(acme, 'web')
    if (web === null) throw new Error('not created')
    const kept = { id: 'web', metadata: web.metadata, version: web.version, disabledAt: null, secrets: null }
    equal(await store.directory.apply([change({ expected: basis.revision, replaceClients: [kept] })]), 'applied')
    deepEqual((await store.clients.find(acme, 'web'))?.secrets, web.secrets)
  })

  storeTest(
    open,
    'of declared people and receivers all are changed, or none where one changed meanwhile',
    async ({ store }) => {
      await store.directory.apply([change()])
      await store.users.create(user('ada'), [])
      for (const id of ['r1', 'r2']) await store.eventReceivers.add(receiver(id), [])
      const revision = async () => (await catalogueOf(store)).tenant.revision
      const renamed = { tenant: acme, id: 'ada', version: 1, username: 'Renamed', at: at(2_000) }
      const wrong: Readonly<Record<string, Partial<DirectoryChange>>> = {
        'a person who is there': { createUsers: [user('ada')] },
        'a person of another version': { changeUsers: [{ ...renamed, version: 7 }] },
        'a receiver that is there': { createReceivers: [receiver('r1')] },
        'a receiver of another version': { replaceReceivers: [{ receiver: receiver('r1'), version: 7 }] },
        'a receiver that is not': { dropReceivers: ['r9'] },
      }
      for (const [what, one] of Object.entries(wrong)) {
        const both = {
          ...one,
          createUsers: [user('bob'), ...(one.createUsers ?? [])],
          createReceivers: [receiver('new'), ...(one.createReceivers ?? [])],
        }
        equal(await store.directory.apply([change({ expected: await revision(), ...both })]), 'changed-meanwhile', what)
        const made = [await store.users.byId(acme, 'bob'), await store.eventReceivers.find(acme, 'new')]
        deepEqual(made, [null, null], what)
      }
      const all = {
        createUsers: [user('bob')],
        changeUsers: [renamed],
        createReceivers: [receiver('new')],
        replaceReceivers: [{ receiver: receiver('r1', { declared: true }), version: 1 }],
        dropReceivers: ['r2'],
      }
      equal(await store.directory.apply([change({ expected: await revision(), ...all })]), 'applied')
      const [bob, ada] = [await store.users.byId(acme, 'bob'), await store.users.byId(acme, 'ada')]
      deepEqual([bob?.id, ada?.username], ['bob', 'Renamed'])
      const declared = async (id: string) => (await store.eventReceivers.find(acme, id))?.declared
      deepEqual([await declared('new'), await declared('r1'), await declared('r2')], [false, true, undefined])
    },
  )

  storeTest(open, 'a change of a tenant changes what it names and nothing else', async ({ store }) => {
    const issuers = (name: string) => [{ issuer: `https://${name}.example` }] as unknown as Tenant['trustedIssuers']
    const provider = (id: string) => ({ id, kind: 'oidc', name: id, issuer: 'https://corp.example', client_id: 'us' })
    /** What it has first, and what it has then; null where nothing is left. */
    const fields: Readonly<Record<string, readonly [unknown, unknown]>> = {
      name: ['Acme', 'Acme & Co'],
      disabledAt: [at(5), null],
      registration: [{ mode: 'open', metadataDocuments: true }, null],
      trustedIssuers: [issuers('one'), issuers('two')],
      providers: [[provider('one')], [provider('two')]],
      requirePushed: [true, false],
      profile: ['fapi2-security', null],
      accounts: [{ sign_in_links: true }, null],
    }
    const first = Object.fromEntries(Object.entries(fields).map(([name, [value]]) => [name, value]))
    const told = async (tenant: TenantId) => {
      const { revision, id: _id, ...rest } = (await catalogueOf(store, tenant)).tenant
      return { revision, rest: rest as Readonly<Record<string, unknown>> }
    }
    for (const [n, [name, [, next]]] of Object.entries(fields).entries()) {
      const tenant = `tenant-${n}` as TenantId
      equal(await store.directory.apply([change({ tenant, ...first })]), 'applied')
      const { accounts: _accounts, ...made } = first
      const before = await told(tenant)
      for (const [field, value] of Object.entries(made)) deepEqual(before.rest[field], value, field)
      const expected = before.revision
      equal(await store.directory.apply([change({ tenant, expected, [name]: next })]), 'applied')
      const after = await told(tenant)
      const { [name]: changed = null, ...same } = after.rest
      deepEqual(changed, next, name)
      const { [name]: _changed, ...others } = before.rest
      deepEqual(same, others, `${name} alone`)
    }
  })

  storeTest(open, 'what one tenant declares is in its catalogue, and in no other', async ({ store }) => {
    const declaring = (tenant: TenantId, name: string) => {
      const identifier = `https://${name}.example`
      return change({
        tenant,
        putResources: [{ ...api, identifier }],
        putScopes: [{ ...write, name, resource: identifier }],
        putRoles: [{ name, description: '', resource: identifier, scopes: [name] }],
        putDetailTypes: [{ type: name, resources: [identifier], schema: {}, description: 'Pay' }],
      })
    }
    await store.directory.apply([declaring(acme, 'one'), declaring(other, 'two')])
    for (const [tenant, name] of [[acme, 'one'] as const, [other, 'two'] as const]) {
      const found = await catalogueOf(store, tenant)
      deepEqual(
        found.resources.map(({ identifier }) => identifier),
        [`https://${name}.example`],
      )
      deepEqual(
        [...found.scopes, ...(found.roles ?? [])].map((it) => it.name),
        [name, name],
      )
      deepEqual(
        found.authorizationDetailTypes?.map(({ type }) => type),
        [name],
      )
    }
  })

  storeTest(open, 'what is dropped goes with the keys to it, and nothing beside it or elsewhere', async ({ store }) => {
    const names = ['x', 'y']
    const whole = (tenant: TenantId) =>
      change({
        tenant,
        putResources: names.map((name) => ({ ...api, identifier: `https://${name}.example` })),
        putScopes: names.map((name) => ({ ...write, name })),
        putRoles: names.map((name) => ({ name, description: '', resource: 'https://y.example', scopes: [] })),
        putDetailTypes: names.map((type) => ({ type, resources: [], schema: {}, description: 'Pay' })),
        createClients: [client('web', { tenant })],
      })
    await store.directory.apply([whole(acme), whole(other)])
    for (const tenant of [acme, other])
      for (const name of names)
        await store.apiKeys.add(apiKey(name, { tenant, resource: `https://${name}.example` }), [])
    const expected = (await catalogueOf(store)).tenant.revision
    const drop = { dropResources: ['https://x.example'], dropScopes: ['x'], dropRoles: ['x'], dropDetailTypes: ['x'] }
    equal(await store.directory.apply([change({ expected, ...drop })]), 'applied')
    for (const [tenant, left] of [[acme, ['y']] as const, [other, names] as const]) {
      const found = await catalogueOf(store, tenant)
      deepEqual(
        [
          found.resources.map(({ identifier }) => identifier.slice('https://'.length, -'.example'.length)),
          found.scopes.map(({ name }) => name),
          found.roles?.map(({ name }) => name),
          found.authorizationDetailTypes?.map(({ type }) => type),
        ],
        [left, left, left, left],
      )
      const keys = await Promise.all(names.map((name) => store.apiKeys.find(tenant, name)))
      deepEqual(
        keys.flatMap((key) => (key === null ? [] : [key.id])),
        left,
      )
    }
  })

  storeTest(open, 'after a restore nothing is open, on its way or remembered from before', async (it) => {
    await populated(it.store)
    await withKey(it.store)
    await it.store.registrations.addToken(initialToken('t'), [])
    await it.store.tokens.issue(issuance(await basisNow(it.store), { opaque: opaqueToken('t') }))
    const gone = `opaque_tokens registration_tokens api_keys remembered_browsers passkey_challenges provider_visits
      pushed_requests mails mailed_links sign_in_links invitations`.split(/\s+/)
    const held = await everything(it.engine)
    for (const table of gone) notEqual(held[table]?.length, 0, `there is something in ${table}`)
    await it.store.beginNewEpoch(at(9), [])
    const left = await everything(it.engine)
    for (const table of gone) deepEqual(left[table], [], table)
    const column = (table: string, name: string) =>
      new Set(left[table]?.map((row) => (JSON.parse(row) as Record<string, unknown>)[name]))
    deepEqual(column('interactions', 'closed_at'), new Set([9]))
    deepEqual(column('sessions', 'ended_at'), new Set([9]))
    deepEqual(column('grants', 'revoked_at'), new Set([9]))
    deepEqual(column('device_codes', 'expires_at'), new Set([9]))
  })

  storeTest(open, 'tenants are listed in order, page by page', async ({ store }) => {
    for (const id of ['b', 'a', 'c']) await store.directory.apply([change({ tenant: id as TenantId })])
    const first = await store.directory.tenants({ after: null, limit: 2 })
    deepEqual(
      first.map((tenant) => tenant.id),
      ['a', 'b'],
    )
    const second = await store.directory.tenants({ after: 'b' as TenantId, limit: 2 })
    deepEqual(
      second.map((tenant) => tenant.id),
      ['c'],
    )
    const backwards = async (after: string | null, limit: number) =>
      (await store.directory.tenants({ after: after as TenantId | null, limit, descending: true })).map(({ id }) => id)
    deepEqual(await backwards(null, 2), ['c', 'b'])
    deepEqual(await backwards('b', 2), ['a'])
  })

  storeTest(open, 'only a disabled tenant is removed, with all it holds but its events', async ({ store }) => {
    const basis = await tenantWithClient(store)
    await store.keys.add(key(1), [])
    await store.users.create(user('ada'), [])
    await store.sessions.start(session('s1'), null, [])
    const now = await basisNow(store)
    await store.grants.open(opening(now, 'g1'))
    await store.tokens.issue(issuance(now, { opaque: opaqueToken('t') }))
    equal(await store.directory.removeTenant(acme, at(9), [event('admin.tenant_changed')]), 'not-disabled')
    const { revision } = (await catalogueOf(store)).tenant
    notEqual(revision, basis.revision)
    await store.directory.apply([change({ expected: revision, disabledAt: at(8) })])
    equal(await store.directory.removeTenant(acme, at(9), [event('admin.tenant_changed')]), 'removed')
    equal(await store.directory.removeTenant(acme, at(9), [event('admin.tenant_changed')]), 'absent')
    equal(await store.directory.catalogue(acme), null)
    equal(await store.clients.find(acme, 'web'), null)
    equal(await store.users.byId(acme, 'ada'), null)
    equal(await store.tokens.opaque(acme, opaqueToken('t').handle), null)
    deepEqual(await store.keys.list(acme), [])
    const names = [
      'admin.tenant_changed',
      'consent.granted',
      'token.issued',
      'admin.tenant_changed',
      'admin.tenant_changed',
    ]
    deepEqual(await logged(store, acme), names)
  })

  storeTest(open, 'a tenant made anew under an old name never has an old revision', async ({ store }) => {
    const basis = await tenantWithClient(store)
    await store.directory.apply([change({ expected: basis.revision, disabledAt: at(8) })])
    await store.directory.removeTenant(acme, at(9), [])
    const anew = await tenantWithClient(store)
    notEqual(anew.revision, basis.revision)
    equal(await store.tokens.issue(issuance(basis)), 'stale')
  })

  storeTest(open, 'watchers of the directory hear of tenants and clients that changed', async ({ store }) => {
    const heard = new Set<string>()
    let wake = (): void => {}
    const unwatch = store.directory.watch((tenant) => {
      heard.add(tenant)
      wake()
    })
    const hears = (tenant: string): Promise<void> =>
      new Promise((resolve) => {
        wake = () => heard.has(tenant) && resolve()
        wake()
      })
    await store.directory.apply([change()])
    await hears(acme)
    heard.clear()
    await store.clients.create(client('late'), [])
    await hears(acme)
    unwatch()
  })

  storeTest(open, 'a new epoch ends every grant, opaque token and session', async ({ store }) => {
    const basis = await tenantWithClient(store)
    await store.sessions.start(session('s1'), null, [])
    await store.grants.open(opening(basis, 'g1'))
    await store.tokens.issue(issuance(basis, { opaque: opaqueToken('t') }))
    const before = await store.epoch()
    const after = await store.beginNewEpoch(at(9), [event('admin.restored')])
    notEqual(after, before)
    equal(await store.epoch(), after)
    equal((await store.tokens.status(other, revocable({ issuedAt: at(0) }))).revokedAt, 1_000)
    equal((await store.grants.find(acme, opening(basis, 'g1').grant.id))?.revokedAt, 9)
    equal((await store.sessions.byId(acme, 's1'))?.endedAt, 9)
    equal(await store.tokens.opaque(acme, opaqueToken('t').handle), null)
    equal((await logged(store, acme)).at(-1), 'admin.restored')
  })
}
