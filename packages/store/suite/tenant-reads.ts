/** No read finds in one tenant what lies under the same ids in another. */
import { equal } from 'node:assert/strict'
import type { TenantId } from '@grantor/protocol/types'
import type { ApiKeyPage } from '../src/contract/clients/api-keys.ts'
import type { Store } from '../src/contract/store.ts'
import { initialToken, registration } from './clients/registrations.ts'
import { lock, unit } from './limits.ts'
import { combinations } from './list-model.ts'
import { delivery, receiver, streamSubject } from './outgoing/event-samples.ts'
import { group, withGroup } from './people/group-samples.ts'
import { identity } from './people/identities.ts'
import {
  acme,
  at,
  basisNow,
  event,
  grantId,
  handle,
  issuance,
  jti,
  opaqueToken,
  other,
  refresh,
  revocable,
  session,
  statusBlock,
  statusEntry,
  user,
} from './samples.ts'
import { withPolled } from './signal-polls.ts'
import { type OpenEngine, storeTest } from './store-test.ts'
import { validatorNote } from './validator-samples.ts'
import { populated, withKey } from './verb-calls.ts'

type Read = (store: Store, tenant: TenantId) => Promise<unknown>

/** A read for each way in which a list can be narrowed. */
const narrowed = <Filter extends object>(
  name: string,
  choices: { readonly [K in keyof Filter]: readonly Filter[K][] },
  read: (store: Store, tenant: TenantId, filter: Filter) => Promise<unknown>,
): Readonly<Record<string, Read>> =>
  Object.fromEntries(
    combinations<Filter>(choices).map((filter) => [
      `${name} ${JSON.stringify(filter)}`,
      (store: Store, tenant: TenantId) => read(store, tenant, filter),
    ]),
  )

type Access = { readonly subject: string | null; readonly clientId: string | null }
const access = { subject: [null, 'ada'], clientId: [null, 'web'] } as const
const newest = { before: null, limit: 10 } as const
const firstOnes = { after: null, limit: 10 } as const

const lists: Readonly<Record<string, Read>> = {
  ...narrowed<Omit<ApiKeyPage, 'after' | 'limit'>>(
    'apiKeys.list',
    { clientId: [null, 'web'], resource: [null, 'https://api.example'], descending: [false, true] },
    (store, tenant, filter) => store.apiKeys.list(tenant, { ...filter, ...firstOnes }),
  ),
  ...narrowed<Access>('consents.search', access, (store, tenant, filter) =>
    store.consents.search(tenant, { ...filter, ...newest }),
  ),
  ...narrowed<Access>('grants.search', access, (store, tenant, filter) =>
    store.grants.search(tenant, at(1), { ...filter, ...newest }),
  ),
  ...narrowed<{ clientId: string | null }>('devices.pending', { clientId: [null, 'web'] }, (store, tenant, filter) =>
    store.devices.pending(tenant, at(1_500), { ...filter, ...newest }),
  ),
  ...narrowed<{ state: 'waiting' | null }>('eventDeliveries', { state: [null, 'waiting'] }, (store, tenant, filter) =>
    store.eventDeliveries.search(tenant, { receiver: 'r1', ...filter, ...newest }),
  ),
  ...narrowed<{ name: string | null; externalId: string | null; member: string | null; role: string | null }>(
    'groups.search',
    { name: [null, 'Group x'], externalId: [null, 'x'], member: [null, 'ada'], role: [null, 'reader'] },
    (store, tenant, filter) => store.groups.search(tenant, { prefix: '', ...filter, ...firstOnes }),
  ),
  ...narrowed<{ subject: string | null }>('sessions.search', { subject: [null, 'ada'] }, (store, tenant, filter) =>
    store.sessions.search(tenant, at(1), { ...filter, ...newest }),
  ),
  ...narrowed<{ group: string | null; role: string | null; username: string | null; email: string | null }>(
    'users.list',
    {
      group: [null, 'team'],
      role: [null, 'reader'],
      username: [null, 'name-of-eve'],
      email: [null, 'eve@example.com'],
    },
    (store, tenant, filter) => store.users.list(tenant, { ...filter, ...firstOnes }),
  ),
}

/** Every read that names a tenant, by the ids of the samples; where nothing is, each has nothing to say. */
const reads: Readonly<Record<string, Read>> = {
  ...lists,
  'apiKeys.byHandle': (store, tenant) => store.apiKeys.byHandle(tenant, handle('key k1')),
  'apiKeys.find': (store, tenant) => store.apiKeys.find(tenant, 'k1'),
  'backchannel.waitingFor': (store, tenant) => store.backchannel.waitingFor(tenant, 'ada', at(1_500)),
  'backchannel.userCodeHash': (store, tenant) => store.backchannel.userCodeHash(tenant, 'ada'),
  'clients.find': (store, tenant) => store.clients.find(tenant, 'web'),
  'clients.list': (store, tenant) => store.clients.list(tenant, { after: null, limit: 10 }),
  'clients.list backwards': (store, tenant) => store.clients.list(tenant, { after: null, limit: 10, descending: true }),
  'consents.inForce': (store, tenant) => store.consents.inForce(tenant, 'ada', 'web', at(2_000)),
  'consents.ofSubject': (store, tenant) => store.consents.ofSubject(tenant, 'ada', 10),
  'consents.find': (store, tenant) => store.consents.find(tenant, 'consent g1'),
  'devices.find': (store, tenant) => store.devices.find(tenant, handle('device d1')),
  'devices.byUserCode': (store, tenant) => store.devices.byUserCode(tenant, handle('user code d1')),
  'directory.catalogue': (store, tenant) => store.directory.catalogue(tenant),
  'eventDeliveries.find': (store, tenant) => store.eventDeliveries.find(tenant, 'r1', 'd1'),
  'eventDeliveries.waiting': (store, tenant) =>
    store.eventDeliveries.waiting({ tenant, id: 'r1', status: 'enabled' }, 10),
  'eventReceivers.find': (store, tenant) => store.eventReceivers.find(tenant, 'r1'),
  'eventReceivers.list': (store, tenant) =>
    store.eventReceivers.list(tenant, { kind: 'webhook', after: null, limit: 10 }),
  'eventReceivers.listening': (store, tenant) => store.eventReceivers.listening(tenant),
  'events.after': (store, tenant) => store.events.after(tenant, 0, 10),
  'events.before': (store, tenant) => store.events.before(tenant, 1_000, 10),
  'events.ofSubject': (store, tenant) => store.events.ofSubject(tenant, 'ada', { before: null, limit: 10 }),
  'events.rows': (store, tenant) => store.events.rows(tenant, 0, 10),
  'events.feed': (store, tenant) => store.events.feed({ pos: 0, tenant, limit: 10 }),
  'factors.of': async (store, tenant) => Object.values(await store.factors.of(tenant, 'ada')).filter(Boolean),
  'factors.passkey': (store, tenant) => store.factors.passkey(tenant, 'k1'),
  'factors.passkeys': (store, tenant) => store.factors.passkeys(tenant, 'ada'),
  'factors.totp': (store, tenant) => store.factors.totp(tenant, 'ada'),
  'factors.totps': (store, tenant) => store.factors.totps(tenant, { after: '', limit: 10 }),
  'factors.browser': (store, tenant) => store.factors.browser(tenant, handle('remembered r1')),
  'factors.browsers': (store, tenant) => store.factors.browsers(tenant, 'ada'),
  'grants.code': (store, tenant) => store.grants.code(tenant, handle('code g1')),
  'grants.refresh': (store, tenant) => store.grants.refresh(tenant, handle('refresh r1')),
  'grants.device': (store, tenant) => store.grants.device(tenant, handle('device d1')),
  'grants.find': (store, tenant) => store.grants.find(tenant, grantId('g1')),
  'grants.ofSubject': (store, tenant) => store.grants.ofSubject(tenant, 'ada', { clientId: 'web', limit: 10 }),
  'grants.clientsOf': (store, tenant) => store.grants.clientsOf(tenant, 'ada', { now: at(1), after: null, limit: 10 }),
  'grants.findUsed': (store, tenant) => store.grants.findUsed(tenant, grantId('g1')),
  'groups.byId': (store, tenant) => store.groups.byId(tenant, 'team'),
  'groups.byName': (store, tenant) => store.groups.byName(tenant, 'Group team'),
  'groups.members': (store, tenant) => store.groups.members(tenant, 'team', { after: null, limit: 10 }),
  'groups.memberships': (store, tenant) => store.groups.memberships(tenant, ['ada'], 10),
  'groups.page': (store, tenant) => store.groups.page(tenant, { offset: 0, limit: 10 }),
  'identities.find': (store, tenant) => store.identities.find(tenant, identity({ upstreamSubject: 'of ada' })),
  'identities.of': (store, tenant) => store.identities.of(tenant, 'ada'),
  'identities.leadsToAdministrator': (store, tenant) => store.identities.leadsToAdministrator(tenant, 'second'),
  'interactions.find': (store, tenant) => store.interactions.find(tenant, handle('interaction i1')),
  'invitations.find': (store, tenant) => store.invitations.find(tenant, handle('invitation grace')),
  'invitations.byId': (store, tenant) => store.invitations.byId(tenant, 'grace'),
  'invitations.waiting': (store, tenant) => store.invitations.waiting(tenant, { now: at(1), before: null, limit: 10 }),
  'keys.list': (store, tenant) => store.keys.list(tenant),
  'limits.locks': (store, tenant) => store.limits.locks(tenant, at(5_000)),
  'mails.search': (store, tenant) => store.mails.search(tenant, newest),
  'mails.find': (store, tenant) => store.mails.find(tenant, 'm1'),
  'pushedRequests.find': (store, tenant) => store.pushedRequests.find(tenant, handle('pushed p1')),
  'signInLinks.find': (store, tenant) => store.signInLinks.find(tenant, handle('sign-in link one')),
  'links.find': (store, tenant) => store.links.find(tenant, handle('link reset')),
  'registrations.access': (store, tenant) => store.registrations.access(tenant, 'own'),
  'registrations.tokens': (store, tenant) => store.registrations.tokens(tenant, { after: null, limit: 10 }),
  'registrations.tokenById': (store, tenant) => store.registrations.tokenById(tenant, 't'),
  'registrations.token': (store, tenant) => store.registrations.token(tenant, handle('initial t'), at(1_500)),
  'registrations.hasGrants': (store, tenant) => store.registrations.hasGrants(tenant, 'web', at(1)),
  'sessions.find': (store, tenant) => store.sessions.find(tenant, handle('session s1')),
  'sessions.byId': (store, tenant) => store.sessions.byId(tenant, 's1'),
  'sessions.knownIn': (store, tenant) => store.sessions.knownIn(tenant, handle('browser 1')),
  'sessions.byUpstream': (store, tenant) => store.sessions.byUpstream(tenant, 'corp', 'theirs'),
  'sessions.livingOf': (store, tenant) =>
    store.sessions.livingOf(tenant, 'ada', { now: at(1), before: null, limit: 10 }),
  'sessions.parties': (store, tenant) => store.sessions.parties(tenant, 's1'),
  'signalPolls.of': (store, tenant) => store.signalPolls.of(tenant),
  'streamSubjects.find': (store, tenant) => store.streamSubjects.find(tenant, 'r1', 'ada'),
  'streamSubjects.isKnown': (store, tenant) => store.streamSubjects.isKnown(tenant, 'ada', 'web'),
  'tokens.opaque': (store, tenant) => store.tokens.opaque(tenant, handle('handle of living')),
  'tokens.status': async (store, tenant) =>
    (await store.tokens.status(tenant, revocable({ jti: jti('dead'), grantId: null }))).revokedAt,
  'tokens.status with a grant': async (store, tenant) =>
    (await store.tokens.status(tenant, revocable({ jti: jti('dead'), grantId: grantId('g1') }))).revokedAt,
  // A grant that is not on record ended before all time.
  'tokens.status of the grant': async (store, tenant) => {
    const { grantRevokedAt } = await store.tokens.status(
      tenant,
      revocable({ jti: jti('living'), grantId: grantId('g1') }),
    )
    return grantRevokedAt === 0 ? null : grantRevokedAt
  },
  'statusLists.lists': (store, tenant) => store.statusLists.lists(tenant, at(0)),
  'statusLists.places': (store, tenant) =>
    store.statusLists.places(tenant, [{ dimension: 'client', key: 'web', issuedUpTo: at(9_000) }]),
  'users.byId': (store, tenant) => store.users.byId(tenant, 'ada'),
  'users.byUsername': (store, tenant) => store.users.byUsername(tenant, 'Name-of-ada'),
  'users.byEmail': (store, tenant) => store.users.byEmail(tenant, 'ada@example.com', 10),
  'users.byExternalId': (store, tenant) => store.users.byExternalId(tenant, 'E-1', 10),
  'users.hasAdministrator': (store, tenant) => store.users.hasAdministrator(tenant, 'owner'),
  'users.administratorNames': (store, tenant) => store.users.administratorNames(tenant),
  'users.owners': (store, tenant) => store.users.owners(tenant, 10),
  'users.page': (store, tenant) => store.users.page(tenant, { offset: 0, limit: 10 }),
  'users.search': (store, tenant) => store.users.search(tenant, { prefix: '', after: null, limit: 10 }),
  'users.search after a name': (store, tenant) => store.users.search(tenant, { prefix: '', after: 'a', limit: 10 }),
  'validators.known': (store, tenant) => store.validators.known([tenant], at(0), 0),
}

/** The samples, and what the reads look for besides. */
async function readable(store: Store): Promise<void> {
  await populated(store)
  const basis = await basisNow(store)
  await store.statusLists.lease(statusBlock())
  await store.tokens.issue(issuance(basis, { statusEntry: statusEntry(1) }))
  const spend = { kind: 'code', handle: handle('code g1') } as const
  const more = { grantId: grantId('g1'), spend, successor: refresh('r1', 'g1'), opaque: opaqueToken('living') }
  await store.tokens.issue(issuance(basis, more))
  await store.tokens.revoke({ tenant: acme, jti: jti('dead'), expiresAt: at(601_000), at: at(2_000), events: [] })
  await store.grants.revoke({ tenant: acme, id: grantId('g1'), at: at(2_000), events: [] })
  await withKey(store)
  await withPolled(store)
  await withGroup(store)
  await store.groups.create(group('x', { externalId: 'x', roles: ['reader'], members: ['ada'] }), [])
  await store.eventReceivers.add(receiver('r1'), [])
  await store.eventDeliveries.queue(delivery('d1'), [])
  await store.streamSubjects.put(streamSubject)
  const provisioned = { externalId: 'E-1', attributes: {} }
  await store.users.create(
    user('eve', { administrator: 'owner', provisioned, ownRoles: ['reader'], groups: ['Group team'] }),
    [],
  )
  await store.identities.link(identity({ provider: 'second', subject: 'eve', upstreamSubject: 'of eve' }), [])
  await store.sessions.start(session('s2', { upstream: { provider: 'corp', sid: 'theirs' } }), null, [])
  await store.limits.takeUnits([unit(5_000_000)])
  await store.limits.noteLock(lock('k'))
  await store.validators.note([validatorNote('one', [[7, 100]])])
  await store.registrations.register(registration('own'))
  await store.registrations.addToken(initialToken('t'), [])
  await store.events.append([event('login.failed', { subject: 'ada' })])
  await store.events.position()
}

const isNothing = (answer: unknown) =>
  answer === null || answer === false || (Array.isArray(answer) && answer.length === 0)

export function tenantReadSuite(open: OpenEngine): void {
  storeTest(open, 'no read finds in one tenant what lies under the same ids in another', async ({ store }) => {
    await readable(store)
    for (const [name, read] of Object.entries(reads)) {
      equal(isNothing(await read(store, acme)), false, `${name} finds what is there`)
      equal(isNothing(await read(store, other)), true, `${name} finds what is another tenant's`)
    }
  })
}
