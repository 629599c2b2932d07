/** The clock was set back: tokens from before end with their keys, and nothing waits for times made by the wrong clock. */
import { deepEqual, equal, notEqual } from 'node:assert/strict'
import {
  acme,
  at,
  authentication,
  basisNow,
  device,
  event,
  grantId,
  handle,
  issuance,
  jti,
  key,
  invitation,
  link,
  mail,
  opaqueToken,
  opening,
  other,
  pushedRequest,
  revocable,
  session,
  signInLink,
  tenantWithClient,
  user,
} from '../samples.ts'
import type { ProviderVisit } from '../../src/contract/people/identities.ts'
import { challenge } from '../people/factor-samples.ts'
import { providerVisit } from '../people/identities.ts'
import { arrived, delivery, receiver, taken } from '../outgoing/event-samples.ts'
import { logged, type OpenEngine, storeTest } from '../store-test.ts'

/** From 4 000 000 to 1 000 000. */
const hour = { from: at(4_000_000), at: at(1_000_000), event: event('clock.set_back', { at: at(1_000_000) }) }

export function setBackSuite(open: OpenEngine): void {
  storeTest(open, 'the last event says how late it was, whatever came before it', async ({ store }) => {
    equal(await store.events.latest(), null)
    await tenantWithClient(store)
    await store.events.append([event('login.failed', { at: at(9_000) }), event('login.failed', { at: at(7_000) })])
    equal(await store.events.latest(), 7_000)
  })

  storeTest(open, 'every key is dropped and told, then the clock; what rests on them is stale', async ({ store }) => {
    const before = await tenantWithClient(store)
    await store.keys.add(key(1, { kid: 'k1' }), [])
    await store.keys.add(key(2, { kid: 'k2' }), [])
    await store.keys.drop(acme, 'k1', at(5), [])
    const basis = await basisNow(store)
    await store.setBack(hour)
    deepEqual(
      (await store.keys.list(acme)).map(({ kid, droppedAt }) => [kid, droppedAt]),
      [
        ['k1', 5],
        ['k2', 1_000_000],
      ],
    )
    deepEqual((await logged(store, acme)).slice(-2), ['key.dropped', 'clock.set_back'])
    equal(await store.events.latest(), 1_000_000)
    for (const stale of [before, basis]) equal(await store.tokens.issue(issuance(stale)), 'stale')
    equal(await store.tokens.issue(issuance(await basisNow(store))), 'committed')
  })

  storeTest(open, 'every tenant is another from then on, and so it is after a restore', async ({ store }) => {
    await tenantWithClient(store)
    await tenantWithClient(store, other)
    for (const happens of [() => store.setBack(hour), () => store.beginNewEpoch(at(1_000_000), [])]) {
      const stamps = () => Promise.all([acme, other].map((tenant) => store.directory.stamp(tenant)))
      const [before, bases] = [await stamps(), [await basisNow(store), await basisNow(store, other)]]
      await happens()
      for (const [n, stamp] of (await stamps()).entries()) notEqual(stamp, before[n])
      for (const basis of bases) equal(await store.tokens.issue(issuance(basis)), 'stale')
    }
  })

  storeTest(open, 'what was said up to a second hits no token of the seconds that come again', async ({ store }) => {
    await tenantWithClient(store)
    const opaque = opaqueToken('of the wrong time')
    await store.tokens.issue(issuance(await basisNow(store), { opaque }))
    const ends = ['client.updated', 'admin.tenant_changed', 'admin.restored'] as const
    for (const name of ends)
      await store.events.append([event(name, { clientId: 'web', at: at(4_000_000), data: { cutoff: true } })])
    const token = revocable({ issuedAt: at(1_001_000) })
    notEqual((await store.tokens.status(acme, token)).revokedAt, null)
    await store.setBack(hour)
    equal((await store.tokens.status(acme, token)).revokedAt, null)
    equal((await store.directory.catalogue(acme))?.tenant.tokensDeadUpTo, undefined)
    equal(await store.tokens.opaque(acme, opaque.handle), null)
  })

  storeTest(open, 'what is revoked, spent or over stays so', async ({ store }) => {
    const basis = await tenantWithClient(store)
    const spend = { kind: 'code', handle: handle('code g1') } as const
    await store.sessions.start(session('s1'), null, [])
    await store.grants.open(opening(basis, 'g1'))
    await store.grants.open(opening(basis, 'g2'))
    await store.tokens.issue(issuance(basis, { grantId: grantId('g1'), spend }))
    await store.grants.revoke({ tenant: acme, id: grantId('g2'), at: at(2), events: [] })
    await store.tokens.revoke({ tenant: acme, jti: jti('j1'), at: at(2), expiresAt: at(4_600_000), events: [] })
    const assertion = { tenant: acme, clientId: 'web', handle: handle('a'), expiresAt: at(4_100_000) }
    await store.assertions.spend(assertion)
    await store.sessions.end(acme, 's1', at(3), [])
    await store.setBack(hour)
    const now = await basisNow(store)
    equal(await store.tokens.issue(issuance(now, { grantId: grantId('g1'), spend })), 'already-spent')
    equal(await store.tokens.issue(issuance(now, { grantId: grantId('g2') })), 'grant-dead')
    equal((await store.tokens.status(acme, revocable())).revokedAt, 2)
    equal(await store.assertions.spend(assertion), 'already-spent')
    equal((await store.sessions.byId(acme, 's1'))?.endedAt, 3)
  })

  storeTest(open, 'what lives for minutes keeps what it had left; what lives for days stays', async ({ store }) => {
    const basis = await tenantWithClient(store)
    const late = { expiresAt: at(4_060_000) }
    await store.sessions.start(session('s1', late), null, [])
    const { code } = opening(basis, 'g1')
    if (code === null) throw new Error('a code')
    await store.grants.open(opening(basis, 'g1', { code: { ...code, ...late } }))
    await store.devices.open(device('d1', late), basis)
    await store.links.mail({ links: [{ link: link('reset', late), mail: mail('m1') }], instead: null, events: [] })
    const mailed = {
      links: [{ link: signInLink('one', late), address: 'ada@example.com', mail: mail('m2') }],
      instead: { tenant: acme, id: 'm1' },
      events: [],
    }
    await store.users.create(user('ada'), [])
    await store.signInLinks.mail(mailed)
    const invited = { invitation: invitation('grace', late), mails: [], instead: null, events: [] }
    await store.invitations.make(invited)
    await store.factors.poseChallenge({ ...challenge('c1'), ...late })
    await store.pushedRequests.push(pushedRequest('p1', { ...late, keptUntil: at(4_660_000) }), basis)
    await store.identities.leave(providerVisit('v1', late))
    await store.identities.leave(providerVisit('v2', late))
    await store.setBack(hour)
    const pushed = await store.pushedRequests.find(acme, handle('pushed p1'))
    deepEqual([pushed?.expiresAt, pushed?.keptUntil], [1_060_000, 1_660_000])
    const comingBack = ({ sealed: _sealed, expiresAt: _end, ...visit }: ProviderVisit, now: number) =>
      store.identities.comeBack({ ...visit, now: at(now) })
    equal(await comingBack(providerVisit('v1'), 1_060_000), null)
    notEqual(await comingBack(providerVisit('v2'), 1_059_999), null)
    equal((await store.signInLinks.find(acme, handle('sign-in link one')))?.expiresAt, 1_060_000)
    equal((await store.invitations.byId(acme, 'grace'))?.expiresAt, 1_060_000)
    equal(await store.factors.takeChallenge({ ...challenge('c1'), now: at(1_060_000) }), 'absent')
    equal((await store.grants.code(acme, code.handle))?.expiresAt, 1_060_000)
    equal((await store.devices.find(acme, handle('device d1')))?.expiresAt, 1_060_000)
    equal((await store.links.find(acme, handle('link reset')))?.expiresAt, 1_060_000)
    equal((await store.sessions.byId(acme, 's1'))?.expiresAt, 4_060_000)
  })

  storeTest(open, 'what was over before the clock was set back does not come to life again', async ({ store }) => {
    const basis = await tenantWithClient(store)
    // Over at the last moment of the wrong clock, and an hour ahead of the right one.
    const over = { expiresAt: at(4_000_000) }
    const { code } = opening(basis, 'g1')
    if (code === null) throw new Error('a code')
    await store.grants.open(opening(basis, 'g1', { code: { ...code, ...over } }))
    await store.devices.open(device('d1', over), basis)
    await store.links.mail({ links: [{ link: link('reset', over), mail: mail('m1') }], instead: null, events: [] })
    await store.pushedRequests.push(pushedRequest('p1', over), basis)
    const { sealed: _sealed, expiresAt: _end, ...visit } = providerVisit('v1')
    await store.identities.leave(providerVisit('v1', over))
    await store.setBack(hour)
    equal((await store.pushedRequests.find(acme, handle('pushed p1')))?.expiresAt, 1_000_000)
    equal(await store.identities.comeBack({ ...visit, now: hour.at }), null)
    equal((await store.grants.code(acme, code.handle))?.expiresAt, 1_000_000)
    equal((await store.devices.find(acme, handle('device d1')))?.expiresAt, 1_000_000)
    equal((await store.links.find(acme, handle('link reset')))?.expiresAt, 1_000_000)
  })

  storeTest(open, 'a sign-in is as long ago as it was', async ({ store }) => {
    await tenantWithClient(store)
    const signedIn = at(3_900_000)
    const times = { createdAt: signedIn, lastSeenAt: at(4_000_000), expiresAt: at(9_000_000) }
    await store.sessions.start(
      session('s1', { ...times, authentication: { ...authentication(), at: signedIn } }),
      null,
      [],
    )
    const now = { createdAt: hour.at, lastSeenAt: hour.at, authentication: { ...authentication(), at: hour.at } }
    await store.sessions.start(session('s2', now), null, [])
    await store.setBack(hour)
    const shifted = await store.sessions.byId(acme, 's1')
    deepEqual([shifted?.authentication.at, shifted?.createdAt, shifted?.lastSeenAt], [900_000, 900_000, 1_000_000])
    const kept = await store.sessions.byId(acme, 's2')
    deepEqual([kept?.authentication.at, kept?.createdAt, kept?.lastSeenAt], [hour.at, hour.at, hour.at])
  })

  storeTest(open, 'no mail and no telling of a logout waits for a time of the wrong clock', async ({ store }) => {
    const basis = await tenantWithClient(store)
    await store.mails.queue([mail('m1', { expiresAt: at(9_000_000) })], [])
    await store.mails.postpone(acme, 'm1', at(4_030_000))
    await store.users.create(user('ada'), [])
    await store.sessions.start(session('s1'), null, [])
    await store.grants.open(opening(basis, 'g1', { party: true }))
    const spend = { kind: 'code', handle: handle('code g1') } as const
    await store.tokens.issue(issuance(basis, { grantId: grantId('g1'), spend }))
    await store.sessions.end(acme, 's1', at(4_000_000), [])
    equal(await store.deliveries.due(at(1_000_000)), false)
    await store.setBack(hour)
    equal((await store.mails.takeDue(at(1_000_000), at(1_300_000)))?.id, 'm1')
    equal(await store.deliveries.due(at(1_000_000)), true)
  })

  storeTest(open, 'no receiver of events waits for a time of the wrong clock', async ({ store }) => {
    await tenantWithClient(store)
    await store.eventReceivers.add(receiver('r1'), [])
    await store.eventDeliveries.queue(delivery('d1'), [])
    const health = { failures: 1, failingSince: at(4_000_000), restUntil: at(4_100_000) }
    const tried = await taken(store, { now: at(4_000_000) })
    const again = { state: 'waiting', at: at(4_000_000), dueAt: at(4_200_000), keepUntil: null, health } as const
    await store.eventDeliveries.settle(tried, arrived(again), [])
    equal(await store.eventDeliveries.due(at(4_000_000)), false)
    await store.setBack(hour)
    equal(await store.eventDeliveries.due(at(1_000_000)), true)
    equal((await taken(store, { now: at(1_000_000) })).id, 'd1')
  })

  storeTest(open, 'of what is due already nothing is put off', async ({ store }) => {
    await tenantWithClient(store)
    await store.mails.queue([mail('m1', { expiresAt: at(9_000_000) })], [])
    await store.eventReceivers.add(receiver('r1'), [])
    await store.eventDeliveries.queue(delivery('d1'), [])
    await store.setBack(hour)
    equal((await store.mails.takeDue(at(1_000), at(1_300)))?.id, 'm1')
    equal(await store.eventDeliveries.due(at(1_000)), true)
  })

  storeTest(
    open,
    'that the clock was set back says nothing of tokens by their second: their keys do',
    async ({ store }) => {
      await tenantWithClient(store)
      await store.setBack(hour)
      for (const issuedAt of [1_000, 1_000_000, 4_000_000])
        equal((await store.tokens.status(acme, revocable({ issuedAt: at(issuedAt) }))).revokedAt, null)
    },
  )
}
