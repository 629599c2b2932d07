/** What clients are told of ended sessions: the telling is written with the end, and taken by one at a time. */
import { deepEqual, equal } from 'node:assert/strict'
import type { Delivery, DeliveryRequest } from '../../src/contract/outgoing/deliveries.ts'
import type { Store } from '../../src/contract/store.ts'
import {
  acme,
  at,
  basisNow,
  client,
  event,
  grant,
  grantId,
  handle,
  issuance,
  opening,
  session,
  tenantWithClient,
  user,
} from '../samples.ts'
import { logged, type OpenEngine, storeTest } from '../store-test.ts'

const taking = (now: number, more: Partial<DeliveryRequest> = {}): DeliveryRequest => ({
  now: at(now),
  lease: 1_000,
  busy: [],
  ...more,
})

/** Ada, signed in to `web` (which knows her by another name) in the session s1. */
async function signedIn(store: Store): Promise<void> {
  const basis = await tenantWithClient(store)
  await store.users.create(user('ada'), [])
  await store.sessions.start(session('s1'), null, [])
  await store.grants.open(
    opening(basis, 'g1', { grant: grant('g1', { pairwiseSubject: 'a1' }), party: true, events: [] }),
  )
  const spend = { kind: 'code', handle: handle('code g1') } as const
  await store.tokens.issue(issuance(basis, { grantId: grantId('g1'), spend, events: [] }))
}

async function due(store: Store, now = 900_000): Promise<readonly Delivery[]> {
  const found: Delivery[] = []
  // More than any test here makes: one that is due for ever is a failure, not a hang.
  for (let n = 0; n < 100; n += 1) {
    const delivery = await store.deliveries.takeDue(taking(now, { lease: 1_000_000 }))
    if (delivery === null) return found
    found.push(delivery)
  }
  throw new Error('what was taken is due again')
}

const web = { clientId: 'web', sid: 's1', sub: 'a1' }

export function deliverySuite(open: OpenEngine): void {
  storeTest(open, 'a session knows the clients that want to hear of its end, and no other', async ({ store }) => {
    await signedIn(store)
    await store.grants.open(opening(await basisNow(store), 'g2', { grant: grant('g2'), party: false }))
    deepEqual(await store.sessions.parties(acme, 's1'), [web])
    deepEqual(await store.sessions.parties(acme, 's2'), [])
  })

  storeTest(open, 'every way to end a session leaves the telling behind, once', async ({ store }) => {
    await signedIn(store)
    equal(await store.deliveries.takeDue(taking(9_000)), null)
    await store.sessions.end(acme, 's1', at(4_000), [])
    await store.sessions.end(acme, 's1', at(5_000), [])
    equal(await store.deliveries.takeDue(taking(3_999)), null)
    deepEqual(await due(store), [{ ...web, tenant: acme, createdAt: at(4_000), tries: 1 }])
    deepEqual(await store.sessions.parties(acme, 's1'), [])
  })

  storeTest(
    open,
    'a person whose sessions end is told of at each client, and kept sessions are not',
    async ({ store }) => {
      await signedIn(store)
      await store.sessions.start(session('s2'), null, [])
      await store.sessions.start(session('s3'), null, [])
      const basis = await basisNow(store)
      for (const sid of ['s2', 's3']) {
        const authentication = session(sid).authentication
        await store.grants.open(
          opening(basis, `g ${sid}`, { grant: grant(`g ${sid}`, { authentication }), party: true }),
        )
      }
      const events = [event('admin.user_changed')]
      await store.users.change({ tenant: acme, id: 'ada', version: 1, endSessionsBut: 's3', at: at(5_000), events })
      deepEqual((await due(store)).map((it) => it.sid).toSorted(), ['s1', 's2'])
      // Validators know her by another name at web: the log names the grant instead.
      const names = await logged(store, acme)
      deepEqual(
        names.filter((name) => name === 'token.revoked' || name === 'admin.user_changed'),
        ['token.revoked', 'admin.user_changed'],
      )
    },
  )

  storeTest(open, 'a session that renews another tells its clients by the name they know', async ({ store }) => {
    await signedIn(store)
    await store.sessions.start(session('s2', { createdAt: at(2_000) }), 's1', [])
    deepEqual(await due(store), [])
    await store.sessions.end(acme, 's2', at(4_000), [])
    deepEqual(
      (await due(store)).map(({ clientId, sid }) => [clientId, sid]),
      [['web', 's1']],
    )
  })

  storeTest(open, 'nobody joins a session which is over', async ({ store }) => {
    await signedIn(store)
    await store.sessions.end(acme, 's1', at(4_000), [])
    equal((await due(store)).length, 1)
    const late = { grant: grant('g2', { clientId: 'late' }), party: true, at: at(5_000) }
    await store.clients.create(client('late'), [])
    equal(await store.grants.open(opening(await basisNow(store, acme, 'late'), 'g2', late)), 'stale')
    deepEqual(await due(store), [])
    deepEqual(await store.sessions.parties(acme, 's1'), [])
  })

  storeTest(
    open,
    'what is taken is left alone for its lease, which grows, and comes again until settled',
    async ({ store }) => {
      await signedIn(store)
      await store.sessions.end(acme, 's1', at(4_000), [])
      const first = await store.deliveries.takeDue(taking(4_000))
      equal(await store.deliveries.takeDue(taking(4_999)), null)
      const second = await store.deliveries.takeDue(taking(5_000))
      equal(second?.tries, 2)
      equal(await store.deliveries.takeDue(taking(8_999)), null)
      // Whoever held it before has lost it.
      equal(first !== null && (await store.deliveries.settle(first, [event('logout.undelivered')])), 'taken-again')
      equal(second !== null && (await store.deliveries.settle(second, [event('logout.undelivered')])), 'settled')
      equal(await store.deliveries.takeDue(taking(90_000)), null)
      equal((await logged(store, acme)).filter((name) => name === 'logout.undelivered').length, 1)
    },
  )

  storeTest(open, 'a session that 50 end at once, while its client comes again, is told of', async ({ store }) => {
    await signedIn(store)
    const basis = await basisNow(store)
    const ending = Array.from({ length: 50 }, () => store.sessions.end(acme, 's1', at(4_000), [event('session.ended')]))
    const again = store.grants.open(
      opening(basis, 'g2', { grant: grant('g2'), party: true, at: at(4_000), events: [] }),
    )
    const ends = await Promise.all(ending)
    await again
    equal(ends.filter((it) => it === 'ended').length, 1)
    equal((await logged(store, acme)).filter((name) => name === 'session.ended').length, 1)
    // Whichever came first: nobody is left who was not told.
    deepEqual(await store.sessions.parties(acme, 's1'), [])
    equal((await due(store)).length, 1)
  })

  storeTest(open, 'of 50 nodes that look for something to tell one gets it', async ({ store }) => {
    await signedIn(store)
    await store.sessions.end(acme, 's1', at(4_000), [])
    const takers = Array.from({ length: 50 }, () => store.deliveries.takeDue(taking(4_000, { lease: 1_000_000 })))
    deepEqual(
      (await Promise.all(takers)).filter((it) => it !== null).map((it) => it.tries),
      [1],
    )
  })

  storeTest(
    open,
    'the rows of a client that is busy are passed over, and those of a deleted one gone',
    async ({ store }) => {
      await signedIn(store)
      await store.sessions.end(acme, 's1', at(4_000), [])
      equal(await store.deliveries.takeDue(taking(4_000, { busy: ['acme other', 'acme web'] })), null)
      const others = Array.from({ length: 14 }, (_, n) => `acme other-${n}`)
      equal(await store.deliveries.takeDue(taking(4_000, { busy: [...others, 'acme web'] })), null)
      equal((await store.deliveries.takeDue(taking(4_000, { busy: ['other web'] })))?.clientId, 'web')
      await store.clients.remove(acme, 'web', at(5_000), [])
      deepEqual(await due(store), [])
    },
  )
}
