/** Lists that are narrowed and paged: whatever is asked for, they show what a filter over all rows would, in order, page after page. */
import { deepEqual, equal } from 'node:assert/strict'
import type { TenantId } from '@grantor/protocol/types'
import type { ApiKeyPage } from '../src/contract/clients/api-keys.ts'
import type { Store } from '../src/contract/store.ts'
import { apiKey } from './clients/api-keys.ts'
import { combinations, isAsModelled } from './list-model.ts'
import { group, guarded, role, scope } from './people/group-samples.ts'
import {
  acme,
  at,
  authentication,
  backchannelRequest,
  basisNow,
  change,
  client,
  consent,
  device,
  deviceApproval,
  event,
  grant,
  grantId,
  handle,
  interaction,
  invitation,
  opening,
  other,
  session,
  user,
} from './samples.ts'
import { type OpenEngine, storeTest } from './store-test.ts'

const now = at(5_000)

/** The same names in both tenants; what makes a difference is there in all ways here, and in every way at once elsewhere. */
const tenants = [acme, other] as const

async function withClients(store: Store, tenant: TenantId): Promise<void> {
  const createClients = ['web', 'app'].map((id) => client(id, { tenant }))
  await store.directory.apply([change({ tenant, createClients })])
}

interface Access {
  readonly id: string
  readonly subject: string
  readonly clientId: string
  readonly fate: 'lives' | 'revoked' | 'over'
  readonly n: number
}

/** Ids that are not in the order of anything else. */
const accesses: readonly Access[] = combinations<Omit<Access, 'id'>>({
  fate: ['lives', 'over', 'revoked'],
  subject: ['bob', 'ada'],
  clientId: ['web', 'app'],
  n: [1, 2, 3],
}).map((it, place) => ({ ...it, id: `a${String((place * 7) % 36).padStart(2, '0')}` }))

async function withGrants(store: Store, tenant: TenantId): Promise<void> {
  await withClients(store, tenant)
  for (const { id, subject, clientId, fate } of accesses) {
    const expiresAt = fate === 'over' ? now : at(9_000)
    const opened = grant(id, { tenant, clientId, authentication: authentication(subject), expiresAt })
    const agreed = { ...consent(id, { tenant, subject, clientId }), id }
    const basis = await basisNow(store, tenant, clientId)
    equal(await store.grants.open(opening(basis, id, { grant: opened, consent: agreed, events: [] })), 'opened')
    if (fate === 'revoked') await store.grants.revoke({ tenant, id: grantId(id), at: at(2_000), events: [] })
  }
}

type AccessFilter = { readonly subject: string | null; readonly clientId: string | null }
const accessFilters = combinations<AccessFilter>({ subject: [null, 'ada', 'bob'], clientId: [null, 'web', 'app'] })

const isAskedFor = (row: Access, { subject, clientId }: AccessFilter): boolean =>
  (subject === null || row.subject === subject) && (clientId === null || row.clientId === clientId)

const newestFirst = {
  before: (one: { readonly id: string }, another: { readonly id: string }) => one.id > another.id,
  nameOf: ({ id }: { readonly id: string }) => id,
}

const sessions = combinations<{ subject: string; createdAt: number; fate: 'lives' | 'ended' | 'over'; n: number }>({
  fate: ['ended', 'lives', 'over'],
  subject: ['bob', 'ada'],
  createdAt: [3_000, 1_000],
  n: [1, 2],
}).map((it, place) => ({ ...it, id: `s${String((place * 7) % 24).padStart(2, '0')}` }))

const invitations = combinations<{ kind: 'invitation' | 'sign_up'; isOver: boolean; n: number }>({
  kind: ['sign_up', 'invitation'],
  isOver: [true, false],
  n: [1, 2, 3],
}).map((it, place) => ({ ...it, id: `i${String((place * 7) % 12).padStart(2, '0')}` }))

const apiKeys = combinations<{ clientId: string; resource: string; isRevoked: boolean; n: number }>({
  clientId: ['web', 'app'],
  resource: ['https://one.example', 'https://two.example'],
  isRevoked: [false, true],
  n: [1, 2, 3],
}).map((it, place) => ({ ...it, id: `k${String((place * 7) % 24).padStart(2, '0')}` }))

const groups = combinations<{ externalId: string | null; roles: string[]; members: string[]; first: string }>({
  externalId: ['x', null],
  roles: [[], ['reader'], ['reader', 'writer']],
  members: [['ada'], ['ada', 'bob'], []],
  first: ['A', 'b'],
}).map((it, place) => ({
  ...it,
  id: `g${String((place * 7) % 36).padStart(2, '0')}`,
  name: `${it.first} ${String((place * 11) % 36).padStart(2, '0')}`,
}))

const people = combinations<{ roles: string[]; groups: string[]; n: number }>({
  roles: [[], ['reader'], ['reader', 'writer']],
  groups: [[], ['Team'], ['Team', 'Crew']],
  n: [1, 2],
}).map((it, place) => ({
  ...it,
  id: `p${String((place * 7) % 18).padStart(2, '0')}`,
  username: `Name-${String((place * 11) % 18).padStart(2, '0')}`,
  email: it.n === 1 ? 'Home@example.com' : `only-${place}@example.com`,
}))

async function withRoles(store: Store, tenant: TenantId): Promise<void> {
  await store.directory.apply([
    change({
      tenant,
      putResources: [guarded],
      putScopes: [scope('a:read')],
      putRoles: [role('reader', ['a:read']), role('writer', ['a:read'])],
    }),
  ])
}

type Waiting = 'waits' | 'denied' | 'approved' | 'over'
const devices = combinations<{ askedAt: number; clientId: string; fate: Waiting; n: number }>({
  askedAt: [1_000, 2_000],
  clientId: ['web', 'app'],
  fate: ['approved', 'waits', 'over', 'denied'],
  n: [1, 2],
}).map((it, place) => ({ ...it, id: `d${String((place * 7) % 32).padStart(2, '0')}` }))

async function withDevices(store: Store, tenant: TenantId): Promise<void> {
  await withClients(store, tenant)
  for (const { id, askedAt, clientId, fate } of devices) {
    const expiresAt = fate === 'over' ? now : at(9_000)
    const basis = await basisNow(store, tenant, clientId)
    equal(await store.devices.open(device(id, { tenant, clientId, askedAt: at(askedAt), expiresAt }), basis), 'opened')
    const named = { tenant, device: handle(`device ${id}`) }
    if (fate === 'denied') equal(await store.devices.refuse({ ...named, at: at(3_000), events: [] }), 'denied')
    if (fate !== 'approved') continue
    await store.devices.claim(named.device, interaction(id, { tenant, kind: 'device', openedAt: at(2_000) }))
    const approval = deviceApproval(basis, id, {
      device: named.device,
      interaction: handle(`interaction ${id}`),
      grant: grant(id, { tenant, clientId }),
      consent: null,
      at: at(3_000),
    })
    equal(await store.devices.approve(approval), 'opened')
  }
  await store.users.create(user('ada', { tenant }), [])
  const byBackChannel = { basis: await basisNow(store, tenant), mostWaiting: 5, events: [], unasked: [] }
  await store.backchannel.open(backchannelRequest('b1', { tenant }), byBackChannel)
}

export function listSuite(open: OpenEngine): void {
  storeTest(open, 'grants and consents, of a person, of a client, of both or of all', async ({ store }) => {
    for (const tenant of tenants) await withGrants(store, tenant)
    const list = { rows: accesses, filters: accessFilters, ...newestFirst }
    await isAsModelled<Access, AccessFilter>({
      ...list,
      shows: (row, filter) => row.fate === 'lives' && isAskedFor(row, filter),
      read: async (filter, after, limit) =>
        (await store.grants.search(acme, now, { ...filter, before: after?.id ?? null, limit })).map(({ id }) => id),
    })
    await isAsModelled<Access, AccessFilter>({
      ...list,
      shows: isAskedFor,
      read: async (filter, after, limit) =>
        (await store.consents.search(acme, { ...filter, before: after?.id ?? null, limit })).map(({ id }) => id),
    })
    const clients = async (limit: number, after: string | null = null, subject = 'ada') =>
      store.grants.clientsOf(acme, subject, { now, after, limit })
    deepEqual([await clients(9), await clients(1), await clients(9, 'app')], [['app', 'web'], ['app'], ['web']])
    deepEqual([await clients(9, 'web'), await clients(9, null, 'cyd')], [[], []])
    for (const subject of ['ada', 'bob'])
      for (const clientId of ['web', 'app'])
        await store.consents.withdraw({
          tenant: acme,
          subject,
          clientId,
          by: 'operator',
          at: now,
          event: event('consent.withdrawn'),
          grantEvent: event('grant.revoked'),
        })
    deepEqual(await clients(9), [])
    equal(
      (await store.grants.search(other, now, { subject: null, clientId: null, before: null, limit: 99 })).length,
      12,
    )
  })

  storeTest(open, 'living sessions, of a person or of all, by their ids and by when they began', async ({ store }) => {
    for (const tenant of tenants) {
      await withClients(store, tenant)
      for (const id of ['ada', 'bob']) await store.users.create(user(id, { tenant }), [])
      for (const { id, subject, createdAt, fate } of sessions) {
        const expiresAt = fate === 'over' ? now : at(9_000)
        const begun = { tenant, authentication: authentication(subject, id), createdAt: at(createdAt), expiresAt }
        equal(await store.sessions.start(session(id, begun), null, []), 'started')
        if (fate === 'ended') await store.sessions.end(tenant, id, at(4_000), [])
      }
    }
    type Row = (typeof sessions)[number]
    const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)
    await isAsModelled<Row, { readonly subject: string | null }>({
      rows: sessions,
      filters: combinations({ subject: [null, 'ada', 'bob'] }),
      shows: (row, { subject }) => row.fate === 'lives' && (subject === null || row.subject === subject),
      ...newestFirst,
      read: async ({ subject }, after, limit) =>
        ids(await store.sessions.search(acme, now, { subject, before: after?.id ?? null, limit })),
    })
    await isAsModelled<Row, { readonly subject: string }>({
      rows: sessions,
      filters: combinations({ subject: ['ada', 'bob'] }),
      shows: (row, { subject }) => row.fate === 'lives' && row.subject === subject,
      nameOf: newestFirst.nameOf,
      before: (one, another) =>
        one.createdAt === another.createdAt ? one.id > another.id : one.createdAt > another.createdAt,
      read: async ({ subject }, after, limit) => {
        const before = after === null ? null : { createdAt: at(after.createdAt), id: after.id }
        return ids(await store.sessions.livingOf(acme, subject, { now, before, limit }))
      },
    })
  })

  storeTest(open, 'invitations that wait, and no sign-ups', async ({ store }) => {
    for (const tenant of tenants)
      for (const { id, kind, isOver } of invitations) {
        const expiresAt = isOver ? now : at(9_000)
        const made = invitation(id, { tenant, kind, expiresAt })
        equal(await store.invitations.make({ invitation: made, mails: [], instead: null, events: [] }), 'made')
      }
    await isAsModelled<(typeof invitations)[number], object>({
      rows: invitations,
      filters: [{}],
      shows: ({ kind, isOver }) => kind === 'invitation' && !isOver,
      ...newestFirst,
      read: async (_, after, limit) =>
        (await store.invitations.waiting(acme, { now, before: after?.id ?? null, limit })).map(({ id }) => id),
    })
  })

  storeTest(open, 'API keys of a client, of an API, of both or of all, in either direction', async ({ store }) => {
    const resources = ['https://one.example', 'https://two.example']
    for (const tenant of tenants) {
      await withClients(store, tenant)
      const expected = (await basisNow(store, tenant)).revision
      const putResources = resources.map((identifier) => ({ ...guarded, identifier }))
      await store.directory.apply([change({ tenant, expected, putResources })])
      for (const { id, clientId, resource, isRevoked } of apiKeys) {
        equal(await store.apiKeys.add(apiKey(id, { tenant, clientId, resource }), []), 'added')
        if (isRevoked) await store.apiKeys.revoke({ tenant, id, at: at(2_000), events: [] })
      }
    }
    await isAsModelled<(typeof apiKeys)[number], Omit<ApiKeyPage, 'after' | 'limit'>>({
      rows: apiKeys,
      filters: combinations<Omit<ApiKeyPage, 'after' | 'limit'>>({
        clientId: [null, 'web', 'app'],
        resource: [null, ...resources],
        descending: [false, true],
      }),
      shows: (row, { clientId, resource }) =>
        !row.isRevoked &&
        (clientId === null || row.clientId === clientId) &&
        (resource === null || row.resource === resource),
      before: (one, another, { descending }) => (descending ? one.id > another.id : one.id < another.id),
      nameOf: ({ id }) => id,
      read: async (filter, after, limit) =>
        (await store.apiKeys.list(acme, { ...filter, after: after?.id ?? null, limit })).map(({ id }) => id),
    })
  })

  storeTest(open, 'groups by their names, their members, their roles and their external ids', async ({ store }) => {
    for (const tenant of tenants) {
      await withRoles(store, tenant)
      for (const id of ['ada', 'bob']) await store.users.create(user(id, { tenant }), [])
      for (const { id, name, externalId, roles, members } of groups) {
        const whole = tenant === other ? { roles: ['reader', 'writer'], members: ['ada', 'bob'] } : { roles, members }
        equal(await store.groups.create(group(id, { tenant, name, externalId, ...whole }), []), 'created')
      }
    }
    type Filter = {
      name: string | null
      prefix: string
      externalId: string | null
      member: string | null
      role: string | null
    }
    const isPlain = ({ externalId, member, role: held }: Filter) =>
      externalId === null && member === null && held === null
    const [whole] = groups.filter((it) => it.externalId !== null && it.members.length > 1 && it.roles.length > 1) as [
      (typeof groups)[number],
    ]
    await isAsModelled<(typeof groups)[number], Filter>({
      rows: groups,
      filters: combinations<Filter>({
        name: [null, whole.name.toUpperCase()],
        // Also the whole of a name.
        prefix: ['', 'a', 'B 0', groups[1]?.name ?? ''],
        externalId: [null, 'x'],
        member: [null, 'ada', 'bob'],
        role: [null, 'reader', 'writer'],
      }),
      shows: (row, { name, prefix, externalId, member, role: held }) =>
        (name === null || row.name.toLowerCase() === name.toLowerCase()) &&
        row.name.toLowerCase().startsWith(prefix.toLowerCase()) &&
        (externalId === null || row.externalId === externalId) &&
        (member === null || row.members.includes(member)) &&
        (held === null || row.roles.includes(held)),
      before: (one, another, filter) =>
        isPlain(filter) ? one.name.toLowerCase() < another.name.toLowerCase() : one.id < another.id,
      nameOf: ({ id, roles }) => `${id} ${roles.join()}`,
      read: async (filter, after, limit) =>
        (await store.groups.search(acme, { ...filter, after, limit })).map(({ id, roles }) => `${id} ${roles.join()}`),
    })
    const any = { prefix: '', member: null, role: null, externalId: null, after: null, limit: 9 }
    for (const name of ['a', 'none', ''])
      deepEqual(
        await store.groups.search(acme, { ...any, name }),
        [],
        `the beginning of a name is not its whole: ${name}`,
      )
  })

  storeTest(
    open,
    'people of a group, with a role of their own, a name, an address, with several, or all',
    async (it) => {
      const { store } = it
      for (const tenant of tenants) {
        await withRoles(store, tenant)
        for (const name of ['Team', 'Crew']) await store.groups.create(group(name, { tenant, name }), [])
        for (const { id, username, email, roles, groups: names } of people) {
          const all = { ownRoles: ['reader', 'writer'], groups: ['Team', 'Crew'] }
          const held = tenant === other ? all : { ownRoles: roles, groups: names }
          equal(await store.users.create(user(id, { tenant, username, claims: { email }, ...held }), []), 'created')
        }
      }
      type Filter = {
        readonly group: string | null
        readonly role: string | null
        readonly username: string | null
        readonly email: string | null
      }
      const [whole] = people.filter(
        ({ n, roles, groups: names }) => n === 1 && roles.length > 1 && names.length > 1,
      ) as [(typeof people)[number]]
      await isAsModelled<(typeof people)[number], Filter>({
        rows: people,
        filters: combinations<Filter>({
          group: [null, 'Team', 'Crew'],
          role: [null, 'reader', 'writer'],
          username: [null, whole.username.toUpperCase()],
          email: [null, 'home@EXAMPLE.com'],
        }),
        shows: (row, filter) =>
          (filter.username === null || row.username.toLowerCase() === filter.username.toLowerCase()) &&
          (filter.email === null || row.email.toLowerCase() === filter.email.toLowerCase()) &&
          (filter.group === null || row.groups.includes(filter.group)) &&
          (filter.role === null || row.roles.includes(filter.role)),
        before: (one, another) => one.id < another.id,
        nameOf: ({ id, roles, groups: names }) => `${id} ${roles.join()} ${names.toSorted().join()}`,
        read: async (filter, after, limit) =>
          (await store.users.list(acme, { ...filter, after: after?.id ?? null, limit })).map(
            ({ id, ownRoles = [], groups: names = [] }) => `${id} ${ownRoles.join()} ${names.toSorted().join()}`,
          ),
      })
      const { username } = whole
      for (const nobody of [{ username: 'name' }, { username: 'no name' }, { username, email: 'none@example.com' }])
        deepEqual(await store.users.list(acme, { after: null, limit: 9, ...nobody }), [], JSON.stringify(nobody))
    },
  )

  storeTest(open, 'devices that wait, of a client or of all, and nothing of the back channel', async ({ store }) => {
    for (const tenant of tenants) await withDevices(store, tenant)
    await isAsModelled<(typeof devices)[number], { readonly clientId: string | null }>({
      rows: devices,
      filters: combinations({ clientId: [null, 'web', 'app'] }),
      shows: (row, { clientId }) => row.fate === 'waits' && (clientId === null || row.clientId === clientId),
      before: (one, another) => (one.askedAt === another.askedAt ? one.id > another.id : one.askedAt > another.askedAt),
      nameOf: ({ id }) => `device ${id}`,
      read: async ({ clientId }, after, limit) => {
        const before = after === null ? null : { askedAt: at(after.askedAt), handle: handle(`device ${after.id}`) }
        return (await store.devices.pending(acme, now, { clientId, before, limit })).map((row) => row.handle)
      },
    })
  })
}
