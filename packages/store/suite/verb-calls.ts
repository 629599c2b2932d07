/** One call of every verb, each doing as much as that verb can do, and a state in which it has something to do. */
import type { Store } from '../src/contract/store.ts'
import { entryOf } from '../src/verbs/entry.ts'
import type { VerbArgs, VerbName } from '../src/verbs/index.ts'
import { apiKey } from './clients/api-keys.ts'
import { initialToken, registration, selfMade } from './clients/registrations.ts'
import { eventCalls } from './outgoing/event-samples.ts'
import { group, withGroup } from './people/group-samples.ts'
import { enrolled, factorCalls } from './people/factor-samples.ts'
import { identity, identityCalls, providerVisit } from './people/identities.ts'
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
  entries,
  event,
  grant,
  grantId,
  handle,
  interaction,
  invitation,
  issuance,
  jti,
  key,
  link,
  mail,
  opaqueToken,
  opening,
  pushedRequest,
  refresh,
  session,
  signInLink,
  statusBlock,
  statusEntry,
  tenantWithClient,
  user,
} from './samples.ts'
import type { StoreUnderTest } from './store-test.ts'
import { lock, unit } from './limits.ts'
import { signalPoll, withPolled } from './signal-polls.ts'
import { validatorNote } from './validator-samples.ts'

/** A state in which every verb below has something to do. */
export async function populated(store: Store): Promise<void> {
  await tenantWithClient(store)
  await store.keys.add(key(1, { kid: 'k1' }), [event('key.published')])
  await store.users.create(user('ada'), [])
  await enrolled(store)
  await store.identities.link(identity({ upstreamSubject: 'of ada' }), [])
  await store.identities.leave(providerVisit('p1'))
  await store.sessions.start(session('s1'), null, [])
  await store.interactions.record(interaction('i1'), {})
  const basis = await basisNow(store)
  await store.grants.open(opening(basis, 'g1'))
  await store.grants.open(opening(basis, 'g2', { grant: grant('g2', { pairwiseSubject: 'pairwise' }), party: true }))
  await store.devices.open(device('d1'), basis)
  await store.pushedRequests.push(pushedRequest('p1'), basis)
  await store.backchannel.open(backchannelRequest('b1'), { basis, mostWaiting: 5, events: [], unasked: [] })
  await store.backchannel.setUserCode({ tenant: acme, subject: 'ada', hash: 'of ada', at: at(1_000) }, [])
  await store.devices.claim(
    handle('device d1'),
    interaction('of d1', { handle: handle('interaction of d1'), kind: 'device' }),
  )
  const expired = { opaque: opaqueToken('expired', { expiresAt: at(1_500) }) }
  await store.tokens.issue(issuance(basis, expired))
  await store.links.mail({ links: [{ link: link('reset'), mail: mail('m1') }], instead: null, events: [] })
  await store.links.mail({ links: [{ link: link('address'), mail: mail('m2') }], instead: null, events: [] })
  await store.mails.queue([mail('m4')], [])
  await store.signInLinks.mail({
    links: [{ link: signInLink('one'), address: 'ada@example.com', mail: mail('m3') }],
    instead: { tenant: acme, id: 'm4' },
    events: [],
  })
  await store.invitations.make({ invitation: invitation('grace'), mails: [], instead: null, events: [] })
}

/** A request by the back channel that was denied, so that its client is to be told. */
async function decidedRequest(store: Store): Promise<void> {
  const of = interaction('of b1', { handle: handle('interaction of b1'), kind: 'device' })
  await store.backchannel.claim(handle('request b1'), 'ada', of)
  await store.devices.deny({
    tenant: acme,
    device: handle('request b1'),
    interaction: of.handle,
    at: at(2_000),
    events: [],
  })
}

const api = {
  identifier: 'https://api.example',
  name: 'API',
  tokenFormat: 'jwt',
  tokenTyp: 'at+jwt',
  accessTtl: null,
} as const

export async function withKey(store: Store): Promise<void> {
  await store.directory.apply([change({ expected: (await basisNow(store)).revision, putResources: [api] })])
  await store.apiKeys.add(apiKey('k1'), [])
}

/** Of somebody new, where there is the group that `withGroup` makes. */
const holdings = { ownRoles: ['reader'], groups: ['Group team'] }

type Calls = { readonly [N in VerbName]: (it: StoreUnderTest) => VerbArgs<N> | Promise<VerbArgs<N>> }

export const verbCalls: Calls = {
  ...factorCalls,
  ...eventCalls,
  ...identityCalls,
  'apiKeys.add': async ({ store }) => {
    await store.directory.apply([change({ expected: (await basisNow(store)).revision, putResources: [api] })])
    return [apiKey('new'), entries('api_key.created')]
  },
  'apiKeys.revoke': async ({ store }) => {
    await withKey(store)
    return [{ tenant: acme, id: 'k1', at: at(2_000) }, entries('api_key.revoked')]
  },
  'apiKeys.noteUse': async ({ store }) => {
    await withKey(store)
    return [acme, 'k1', at(90_000)]
  },
  'validators.note': () => [[validatorNote('one', [[7, 100]])]],
  'validators.forget': async ({ store }) => {
    await store.validators.note([validatorNote('gone', [])])
    return [at(1_000_000_000), 10]
  },
  'clients.noteUses': () => [[{ tenant: acme, id: 'web', at: at(90_000) }]],
  'assertions.spend': () => [{ tenant: acme, clientId: 'web', handle: handle('used'), expiresAt: at(2_000) }],
  'backchannel.open': async ({ store }) => [
    backchannelRequest('new'),
    { basis: await basisNow(store), mostWaiting: 5 },
    entries('backchannel.requested'),
    entries('backchannel.requested'),
  ],
  'backchannel.claim': () => [handle('request b1'), 'ada', interaction('new', { kind: 'device' })],
  'backchannel.setUserCode': () => [
    { tenant: acme, subject: 'ada', hash: 'another', at: at(2_000) },
    entries('backchannel.user_code_changed'),
  ],
  'backchannel.takeNotification': async ({ store }) => {
    await decidedRequest(store)
    return [{ now: at(9_000), lease: 1_000, busy: [] }]
  },
  'backchannel.settleNotification': async ({ store }) => {
    await decidedRequest(store)
    const taken = await store.backchannel.takeNotification({ now: at(9_000), lease: 1_000, busy: [] })
    if (taken === null) throw new Error('nothing to tell')
    return [taken, entries('backchannel.denied')]
  },
  'clients.create': () => [client('new'), entries('client.registered')],
  'clients.rotateSecret': async ({ store }) => [
    {
      tenant: acme,
      id: 'web',
      version: (await basisNow(store)).client?.version ?? 0,
      secret: { handle: handle('new'), createdAt: at(2_000), expiresAt: null },
      othersExpireAt: at(9_000),
      at: at(2_000),
    },
    entries('client.secret_rotated'),
  ],
  'clients.replace': async ({ store }) => [
    {
      tenant: acme,
      id: 'web',
      version: (await basisNow(store)).client?.version ?? 0,
      metadata: client('new').metadata,
      disabledAt: at(2_000),
      secrets: [{ handle: handle('new'), createdAt: at(2_000), expiresAt: null }],
      at: at(2_000),
    },
    entries('client.updated'),
  ],
  'clients.remove': async ({ store }) => {
    await withKey(store)
    await store.clients.noteUses([{ tenant: acme, id: 'web', at: at(1_500) }])
    // What one session's end has to tell it, and what it has in another.
    await store.sessions.end(acme, 's1', at(1_500), [])
    await store.sessions.start(session('new'), null, [])
    const inNew = grant('new', { authentication: authentication('ada', 'new') })
    await store.grants.open(opening(await basisNow(store), 'new', { grant: inNew, party: true }))
    return [acme, 'web', at(2_000), entries('client.deleted')]
  },
  'consents.withdraw': () => [
    { tenant: acme, subject: 'ada', clientId: 'web', by: 'ada', at: at(2_000) },
    entryOf(event('consent.withdrawn')),
    event('grant.revoked'),
  ],
  'deliveries.takeDue': async ({ store }) => {
    await store.sessions.end(acme, 's1', at(5_000), [])
    return [{ now: at(9_000), lease: 1_000, busy: [] }]
  },
  'deliveries.settle': async ({ store }) => {
    await store.sessions.end(acme, 's1', at(5_000), [])
    const delivery = await store.deliveries.takeDue({ now: at(9_000), lease: 1_000, busy: [] })
    if (delivery === null) throw new Error('nothing to deliver')
    return [delivery, entries('logout.undelivered')]
  },
  'devices.open': async ({ store }) => [device('new'), await basisNow(store)],
  'devices.claim': () => [handle('device d1'), interaction('new', { kind: 'device' })],
  'devices.approve': async ({ store }) => {
    const { events: _events, ...it } = deviceApproval(await basisNow(store), 'new', {
      interaction: handle('interaction of d1'),
    })
    return [{ ...it, grant: grant('new', { authentication: authentication('bob') }) }, entries('consent.granted')]
  },
  'devices.deny': () => [
    { tenant: acme, device: handle('device d1'), interaction: handle('interaction of d1'), at: at(2_000) },
    entries('login.failed'),
  ],
  'devices.refuse': () => [
    { tenant: acme, device: handle('device d1'), at: at(2_000) },
    entries('admin.device_denied'),
  ],
  'devices.slowDown': () => [acme, handle('device d1'), { by: 5, most: 60 }],
  'directory.apply': async ({ store }) => {
    const described = { resources: [api.identifier], schema: {}, description: 'Pay' }
    const scope = { name: 'a:read', description: 'See', resource: null, sensitivity: 'low', mode: 'default' } as const
    const role = { name: 'x', description: '', resource: api.identifier, scopes: [] }
    await store.directory.apply([
      change({
        expected: (await basisNow(store)).revision,
        putResources: [{ ...api, identifier: 'x' }],
        putScopes: [{ ...scope, name: 'x' }],
        putRoles: [role],
        putDetailTypes: [{ type: 'x', ...described }],
        createClients: [client('gone')],
      }),
    ])
    const [web, gone] = [await basisNow(store), await basisNow(store, acme, 'gone')]
    const { events: _events, ...plan } = change({
      expected: web.revision,
      name: 'New name',
      disabledAt: at(2_000),
      putResources: [{ ...api, tokenTyp: 'JWT' }],
      putScopes: [scope],
      putRoles: [{ ...role, name: 'y' }],
      putDetailTypes: [{ type: 'y', ...described }],
      dropResources: ['x'],
      dropScopes: ['x'],
      dropRoles: ['x'],
      dropDetailTypes: ['x'],
      createClients: [client('new')],
      replaceClients: [
        { id: 'web', version: web.client?.version ?? 0, metadata: client('x').metadata, disabledAt: null, secrets: [] },
      ],
      dropClients: [{ id: 'gone', version: gone.client?.version ?? 0 }],
    })
    return [[plan], entries('admin.tenant_changed')]
  },
  'directory.removeTenant': async ({ store }) => {
    const { revision } = await basisNow(store)
    await store.directory.apply([change({ expected: revision, disabledAt: at(2_000) })])
    return [acme, entries('admin.tenant_changed')]
  },
  'directory.beginNewEpoch': () => ['another epoch', at(2_000), entries('admin.restored')],
  'directory.setBack': () => [{ from: at(2_000), at: at(500) }, event('clock.set_back')],
  'events.append': () => [[...entries('login.failed'), ...entries('token.rejected')]],
  'events.prune': async ({ store }) => {
    await store.events.position()
    const link = await store.events.prunable(acme, at(10_000), 2)
    if (link === null) throw new Error('nothing to prune')
    return [{ ...link, at: at(2_000), signature: new Uint8Array(2) }, entries('admin.tenant_changed')]
  },
  'grants.open': async ({ store }) => {
    const basis = await basisNow(store)
    const { events: _events, ...it } = opening(basis, 'new', { interaction: interaction('i1') })
    return [
      {
        ...it,
        grant: grant('new', { authentication: authentication('bob') }),
        consent: consent('new', { expiresAt: at(9_000) }),
      },
      entries('consent.granted'),
    ]
  },
  'grants.openByAssertion': async ({ store }) => [
    {
      basis: await basisNow(store),
      grant: grant('g9'),
      assertion: { tenant: acme, clientId: 'web', handle: handle('asserted'), expiresAt: at(2_000) },
    },
  ],
  'grants.failVerifier': () => [acme, handle('code g1'), 1, at(2_000)],
  'grants.revoke': () => [{ tenant: acme, id: grantId('g1'), at: at(2_000) }, entries('grant.revoked')],
  'groups.create': async ({ store }) => {
    await withGroup(store)
    return [group('new', { roles: ['reader'], members: ['ada'] }), entries('admin.group_changed')]
  },
  'groups.change': async ({ store }) => {
    await withGroup(store)
    const members = { removeMembers: ['ada'], addMembers: [] }
    const more = { name: 'Renamed', description: 'x', externalId: 'e', roles: [], ...members }
    return [{ tenant: acme, id: 'team', version: 1, ...more, at: at(2_000) }, entries('admin.group_changed')]
  },
  'groups.remove': async ({ store }) => {
    await withGroup(store)
    return [{ tenant: acme, id: 'team', version: 1, at: at(2_000) }, entries('admin.group_changed')]
  },
  'interactions.record': () => [interaction('i1', { version: 2 }), { subject: 'ada' }],
  'interactions.close': () => [interaction('i1'), at(2_000)],
  'invitations.make': () => [
    { invitation: invitation('new'), mails: [mail('new')], instead: { tenant: acme, id: 'm1' } },
    entries('invitation.created'),
  ],
  'invitations.accept': async ({ store }) => {
    await withGroup(store)
    return [
      { handle: handle('invitation grace'), user: user('grace'), groupIds: ['team'], at: at(2_000) },
      entries('admin.user_changed'),
    ]
  },
  'invitations.revoke': () => [acme, 'grace', entries('invitation.revoked')],
  'keys.add': () => [key(2), entries('key.published')],
  'keys.activate': () => [{ tenant: acme, kid: 'k1', activatesAt: at(1) }, entries('key.activated')],
  'keys.noteActive': () => [{ tenant: acme, kid: 'k1', at: at(3_000) }, entries('key.activated')],
  'keys.drop': () => [{ tenant: acme, kid: 'k1', at: at(3_000) }, entries('key.dropped')],
  'keys.forget': () => [acme, ['k1'], entries('key.retired')],
  'keys.rewrap': () => [
    [{ which: { tenant: acme, kid: 'k1' }, from: key(1).sealedPrivate, to: new Uint8Array(3) }],
    entries('admin.master_key_rewrapped'),
  ],
  'limits.takeUnits': () => [[unit(5_000), unit(5_000, 'another')]],
  'limits.noteLock': () => [lock('k')],
  'limits.unlock': async ({ store }) => {
    await store.limits.noteLock(lock('k'))
    return [acme, 'k', entries('admin.lock_removed')]
  },
  'limits.probeWrite': () => [at(5_000)],
  'limits.giveBackUnits': async ({ store }) => {
    await store.limits.takeUnits([unit(5_000), unit(5_000, 'another')])
    return [[unit(5_000), unit(5_000, 'another')]]
  },
  'links.mail': () => [
    { links: [{ link: link('new'), mail: mail('new') }], instead: { tenant: acme, id: 'm1' } },
    entries('password.reset_requested'),
  ],
  'links.spend': () => [
    {
      handle: handle('link reset'),
      change: { tenant: acme, id: 'ada', version: 1, passwordHash: 'new', endSessionsBut: null, at: at(2_000) },
      mails: [mail('notice')],
    },
    entries('admin.user_changed'),
  ],
  'signInLinks.mail': () => [
    {
      links: [{ link: signInLink('new'), address: 'ada@example.com', mail: mail('new') }],
      instead: { tenant: acme, id: 'm1' },
    },
    entries('login.link_requested'),
  ],
  'signInLinks.spend': () => [
    { tenant: acme, handle: handle('sign-in link one'), browser: handle('browser 1'), at: at(2_000) },
  ],
  'mails.queue': () => [[mail('new')], entries('login.failed')],
  'mails.takeDue': () => [at(5_000), at(6_000)],
  'mails.postpone': () => [acme, 'm1', at(9_000)],
  'mails.retry': () => [{ tenant: acme, id: 'm1', at: at(2_000) }, entries('admin.mail_changed')],
  'mails.drop': () => [{ tenant: acme, id: 'm1', at: at(2_000) }, entries('mail.failed')],
  'mails.settle': () => [acme, 'm1', entries('mail.sent')],
  'mails.derive': () => [{ from: null, to: 5, mails: [mail('new')] }],
  'pushedRequests.push': async ({ store }) => [pushedRequest('new'), await basisNow(store)],
  'pushedRequests.use': () => [acme, handle('pushed p1'), at(2_000)],
  'registrations.register': async ({ store }) => {
    await store.registrations.addToken(initialToken('t', { usesLeft: 1 }), [])
    const { events: _events, ...it } = registration('new', { token: handle('initial t') })
    return [it, entries('client.registered')]
  },
  'registrations.refresh': async ({ store }) => {
    const made = selfMade('new', { origin: 'document', freshUntil: at(2_000) })
    await store.registrations.register(registration('new', { client: made }))
    const version = (await basisNow(store, acme, 'new')).client?.version ?? 0
    const metadata = { ...made.metadata, client_name: 'Another' }
    return [
      { tenant: acme, id: 'new', version, metadata, losesScope: ['a:read'], freshUntil: at(9_000), at: at(2_000) },
      entries('client.updated'),
    ]
  },
  'registrations.reap': async ({ store }) => {
    await store.registrations.register(registration('new'))
    return [{ tenant: acme, before: at(5_000), limit: 10, at: at(9_000) }, event('client.deleted')]
  },
  'registrations.addToken': () => [initialToken('t', { expiresAt: at(9_000) }), entries('admin.tenant_changed')],
  'registrations.revokeToken': async ({ store }) => {
    await store.registrations.addToken(initialToken('t'), [])
    return [acme, 't', entries('admin.tenant_changed')]
  },
  'sessions.start': () => [session('new'), 's1', entries('session.started')],
  'sessions.forgetBrowser': () => [acme, 's1'],
  'sessions.touch': () => [acme, 's1', at(5_000)],
  'sessions.end': () => [{ tenant: acme, id: 's1', at: at(5_000) }, entries('session.ended')],
  'sessions.endOnce': () => [
    {
      spent: { tenant: acme, clientId: 'signals corp', handle: handle('signal'), expiresAt: at(9_000) },
      at: at(5_000),
    },
    [{ id: 's1', entries: entries('session.ended') }],
  ],
  'signalPolls.take': async ({ store }) => {
    await withPolled(store)
    return [{ now: at(5_000), lease: 1_000, busy: [] }]
  },
  'signalPolls.settle': async ({ store }) => {
    await withPolled(store)
    return [signalPoll({ turn: 0 }), at(9_000)]
  },
  'statusLists.lease': () => [statusBlock()],
  sweep: () => [at(400_000_000), 10],
  'tokens.issue': async ({ store }) => {
    const more = {
      grantId: grantId('g1'),
      spend: { kind: 'code', handle: handle('code g1') },
      successor: refresh('r1', 'g1'),
      opaque: opaqueToken('new'),
      statusEntry: statusEntry(7),
      proof: { handle: handle('proof'), expiresAt: at(9_000) },
      binding: { jkt: 'key' },
    } as const
    const { events: _events, ...it } = issuance(await basisNow(store), more)
    return [{ ...it, entries: entries('token.issued') }]
  },
  'tokens.useProof': () => [acme, { handle: handle('proof'), expiresAt: at(9_000) }],
  'tokens.revoke': () => [
    { tenant: acme, jti: jti('j'), expiresAt: at(9_000), at: at(2_000) },
    entries('token.revoked'),
  ],
  'users.create': async ({ store }) => {
    await withGroup(store)
    return [user('new', holdings), entries('admin.user_changed')]
  },
  'users.createMany': async ({ store }) => {
    await withGroup(store)
    const newer = {
      ...user('newer'),
      sealedTotp: Buffer.from('sealed'),
      identities: [{ provider: 'corp', issuer: 'https://corp.example', upstreamSubject: 'newer' }],
    }
    return [
      [user('new', holdings), newer],
      [...entries('admin.user_changed'), ...entries('admin.user_changed')],
    ]
  },
  'users.change': () => [
    {
      tenant: acme,
      id: 'ada',
      version: 1,
      username: 'Lovelace',
      claims: {},
      passwordHash: null,
      administrator: 'auditor',
      disabledAt: at(2_000),
      terms: { version: '2', at: at(2_000) },
      deletionDueAt: at(9_000),
      endSessionsBut: null,
      at: at(2_000),
    },
    entries('admin.user_changed'),
  ],
  'users.changeMemberships': async ({ store }) => {
    await withGroup(store)
    const held = { roles: ['reader'], groups: [], attributes: { floor: 3 } }
    return [{ tenant: acme, id: 'ada', version: 1, ...held, at: at(2_000) }, entries('admin.user_changed')]
  },
  'users.remove': () => [
    { tenant: acme, id: 'ada', version: 1, by: 'operator', at: at(2_000) },
    entries('admin.user_changed'),
  ],
}
