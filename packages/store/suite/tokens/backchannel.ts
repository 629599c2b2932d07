/** Requests by the back channel: for one person, answered by them alone, decided once, redeemed once, told of until it is. */
import { deepEqual, equal } from 'node:assert/strict'
import type { Store } from '../../src/contract/store.ts'
import type { Basis } from '../../src/contract/directory/basis.ts'
import {
  acme,
  at,
  authentication,
  backchannelRequest,
  deviceApproval,
  event,
  grant,
  grantId,
  handle,
  interaction,
  issuance,
  other,
  refresh,
  tenantWithClient,
  user,
} from '../samples.ts'
import { logged, type OpenEngine, storeTest } from '../store-test.ts'

const one = handle('request b1')
const answering = (id: string, browser = 'browser 1') =>
  interaction(id, { kind: 'device', browser: handle(browser), openedAt: at(2_000) })

async function opened(store: Store, more: Parameters<typeof backchannelRequest>[1] = {}): Promise<Basis> {
  const basis = await tenantWithClient(store)
  await store.users.create(user('ada'), [])
  equal(await ask(store, basis, 'b1', more), 'opened')
  return basis
}

const ask = (store: Store, basis: Basis, id: string, more: Parameters<typeof backchannelRequest>[1] = {}) =>
  store.backchannel.open(backchannelRequest(id, more), {
    basis,
    mostWaiting: 3,
    events: [event('backchannel.requested', { subject: 'ada' })],
    unasked: [event('backchannel.requested', { reason: 'too_many_waiting' })],
  })

const approval = (basis: Basis, id: string, by: string) =>
  deviceApproval(basis, id, {
    device: one,
    interaction: handle(`interaction ${by}`),
    grant: grant(id, { authentication: authentication('ada') }),
    at: at(3_000),
  })

const denial = (by: string) => ({
  tenant: acme,
  device: one,
  interaction: handle(`interaction ${by}`),
  at: at(3_000),
  events: [event('backchannel.denied')],
})

/** All at once. */
const many = <T>(count: number, act: (n: number) => Promise<T>): Promise<readonly T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => act(n)))

const due = (now: number, busy: readonly string[] = []) => ({ now: at(now), lease: 1_000, busy })

export function backchannelSuite(open: OpenEngine): void {
  storeTest(
    open,
    'a request waits for its person, reads back whole, and is none that a code was typed for',
    async ({ store }) => {
      await opened(store)
      const { notification: _sealed, ...row } = backchannelRequest('b1')
      deepEqual(await store.backchannel.waitingFor(acme, 'ada', at(2_000)), [row])
      deepEqual(await store.backchannel.waitingFor(acme, 'bob', at(2_000)), [])
      deepEqual(await store.backchannel.waitingFor(other, 'ada', at(2_000)), [])
      deepEqual(await store.backchannel.waitingFor(acme, 'ada', at(601_000)), [])
      equal((await store.grants.device(acme, one))?.backchannel, true)
      equal(await store.devices.claim(one, answering('i1')), 'gone')
    },
  )

  storeTest(
    open,
    'only its person claims it, from any browser, and what was begun before is over',
    async ({ store }) => {
      const basis = await opened(store)
      equal(await store.backchannel.claim(one, 'bob', answering('i1')), 'gone')
      equal(await store.backchannel.claim(one, '', answering('i1')), 'gone')
      equal(await store.interactions.find(acme, handle('interaction i1')), null)
      equal(await store.backchannel.claim(one, 'ada', answering('i2')), 'claimed')
      equal(await store.backchannel.claim(one, 'ada', answering('i3', 'browser 2')), 'claimed')
      equal((await store.interactions.find(acme, handle('interaction i2')))?.closedAt, 2_000)
      equal(await store.devices.approve(approval(basis, 'g1', 'i2')), 'already-closed')
      equal(await store.devices.deny(denial('i2')), 'already-closed')
      equal(await store.devices.approve(approval(basis, 'g1', 'i3')), 'opened')
      equal(await store.backchannel.claim(one, 'ada', answering('i4')), 'gone')
      deepEqual(await store.backchannel.waitingFor(acme, 'ada', at(3_500)), [])
    },
  )

  storeTest(open, 'a hint that means nobody is kept alike, and nobody claims it', async ({ store }) => {
    const basis = await opened(store)
    equal(await ask(store, basis, 'b2', { subject: null }), 'opened')
    const facts = await store.grants.device(acme, handle('request b2'))
    deepEqual([facts?.backchannel, facts?.grant, facts?.deniedAt], [true, null, null])
    for (const nobody of ['', 'ada', 'null'])
      equal(await store.backchannel.claim(handle('request b2'), nobody, answering('i1')), 'gone')
  })

  storeTest(open, 'so many wait for one person, and of many at once no more', async ({ store }) => {
    const basis = await opened(store)
    const outcomes = await Promise.all(Array.from({ length: 8 }, (_, n) => ask(store, basis, `more ${n}`)))
    equal(outcomes.filter((it) => it === 'opened').length, 2)
    equal(outcomes.filter((it) => it === 'unasked').length, 6)
    equal((await store.backchannel.waitingFor(acme, 'ada', at(2_000))).length, 3)
    await store.events.position()
    const log = await store.events.after(acme, 0, 100)
    equal(log.filter(({ reason }) => reason === 'too_many_waiting').length, 6)
    const stale = { ...basis, revision: basis.revision + 1 }
    equal(await ask(store, stale, 'stale'), 'stale')
    equal(await store.grants.device(acme, handle('request stale')), null)
  })

  storeTest(open, 'of many who redeem it at once one does', async ({ store }) => {
    const basis = await opened(store)
    await store.backchannel.claim(one, 'ada', answering('i1'))
    await store.devices.approve(approval(basis, 'g1', 'i1'))
    const redeemed = await many(8, (n) =>
      store.tokens.issue(
        issuance(basis, {
          grantId: grantId('g1'),
          spend: { kind: 'device', handle: one, spentFor: 'x' },
          successor: refresh(`r${n}`, 'g1'),
        }),
      ),
    )
    equal(redeemed.filter((it) => it === 'committed').length, 1)
    equal((await store.grants.device(acme, one))?.redeemedAt, 2_000)
  })

  storeTest(open, 'of an approval and a denial at once one counts', async ({ store }) => {
    const basis = await opened(store)
    await store.backchannel.claim(one, 'ada', answering('i1'))
    const outcomes = await Promise.all([
      store.devices.approve(approval(basis, 'g1', 'i1')),
      store.devices.deny(denial('i1')),
    ])
    equal(outcomes.filter((it) => it !== 'already-closed').length, 1)
  })

  storeTest(
    open,
    'a client is told once it is decided, again after a pause, until that is settled',
    async ({ store }) => {
      const basis = await opened(store)
      await ask(store, basis, 'b2', { notification: null })
      equal(await store.backchannel.notificationsDue(at(9_000)), false)
      await store.backchannel.claim(one, 'ada', answering('i1'))
      await store.devices.deny(denial('i1'))
      await store.backchannel.claim(handle('request b2'), 'ada', answering('i2'))
      await store.devices.deny({ ...denial('i2'), device: handle('request b2') })
      const denials = (await logged(store, acme)).filter((name) => name === 'backchannel.denied').length
      equal(await store.backchannel.notificationsDue(at(2_999)), false)
      equal(await store.backchannel.notificationsDue(at(3_000)), true)
      const others = Array.from({ length: 14 }, (_, n) => `${acme} other ${n}`)
      equal(await store.backchannel.takeNotification(due(3_000, [...others, `${acme} web`])), null)
      const taken = await many(4, () => store.backchannel.takeNotification(due(3_000)))
      const [first, ...rest] = taken.filter((it) => it !== null)
      deepEqual([rest.length, first?.tries, first?.handle, first?.sealed], [0, 1, one, Uint8Array.from([7, 7])])
      equal(await store.backchannel.takeNotification(due(3_500)), null)
      const again = await store.backchannel.takeNotification(due(4_000))
      equal(again?.tries, 2)
      if (first === undefined || again === null) throw new Error('nothing was taken')
      equal(await store.backchannel.settleNotification(first, []), 'taken-again')
      equal(await store.backchannel.settleNotification(again, [event('backchannel.denied')]), 'settled')
      equal(await store.backchannel.settleNotification(again, [event('backchannel.denied')]), 'taken-again')
      equal(await store.backchannel.notificationsDue(at(900_000)), false)
      equal((await logged(store, acme)).filter((name) => name === 'backchannel.denied').length, denials + 1)
    },
  )

  storeTest(open, 'a user code is set, replaced and done away with', async ({ store }) => {
    await opened(store)
    const of = (hash: string | null) =>
      store.backchannel.setUserCode({ tenant: acme, subject: 'ada', hash, at: at(2_000) }, [
        event('backchannel.user_code_changed'),
      ])
    equal(await store.backchannel.userCodeHash(acme, 'ada'), null)
    await of('one')
    await of('two')
    equal(await store.backchannel.userCodeHash(acme, 'ada'), 'two')
    await of(null)
    equal(await store.backchannel.userCodeHash(acme, 'ada'), null)
  })
}
