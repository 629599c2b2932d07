/** Providers that are asked for security events: as many rows as say so, each taken by one at a time. */
import { deepEqual, equal } from 'node:assert/strict'
import type { StoredProvider } from '@grantor/protocol/providers'
import type { SignalPoll } from '../src/contract/signal-polls.ts'
import type { Store } from '../src/contract/store.ts'
import { acme, at, basisNow, change, event, handle, other, session, tenantWithClient } from './samples.ts'
import { logged, type OpenEngine, storeTest } from './store-test.ts'

const provider = (id: string, more: Partial<StoredProvider> = {}): StoredProvider => ({
  id,
  kind: 'oidc',
  name: id,
  issuer: 'https://corp.example',
  client_id: 'us',
  signals_url: 'https://corp.example/poll',
  ...more,
})

export const signalPoll = (more: Partial<SignalPoll> = {}): SignalPoll => ({
  tenant: acme,
  provider: 'corp',
  turn: 1,
  askedAt: at(5_000),
  receivedAt: at(4_000),
  failures: 2,
  failingSince: at(3_000),
  error: 'time',
  ...more,
})

async function providers(store: Store, list: readonly StoredProvider[], when = 2_000): Promise<void> {
  const { revision } = await basisNow(store)
  equal(await store.directory.apply([change({ expected: revision, providers: list, at: at(when) })]), 'applied')
}

export const withPolled = (store: Store): Promise<void> => providers(store, [provider('corp')])

const take = (store: Store, now: number, busy: readonly (typeof acme)[] = []) =>
  store.signalPolls.take({ now: at(now), lease: 1_000, busy })

export function signalPollSuite(open: OpenEngine): void {
  storeTest(open, 'rows follow the providers of a tenant: those that are asked have one', async ({ store }) => {
    await tenantWithClient(store)
    const { signals_url: _url, ...pushing } = provider('pushing')
    await providers(store, [provider('one'), provider('two'), provider('off', { disabled: true }), pushing])
    const names = async () => (await store.signalPolls.of(acme)).map((it) => it.provider)
    deepEqual(await names(), ['one', 'two'])
    deepEqual(await store.signalPolls.of(other), [])
    await providers(store, [provider('two')])
    deepEqual(await names(), ['two'])
    await providers(store, [])
    deepEqual(await names(), [])
    equal(await store.signalPolls.due(at(9_000)), false)
  })

  storeTest(open, 'what a tenant asks, and how it goes, is no concern of another’s', async ({ store }) => {
    for (const tenant of [acme, other]) {
      await tenantWithClient(store, tenant)
      const { revision: expected } = await basisNow(store, tenant)
      const list = [provider('corp'), provider('more')]
      await store.directory.apply([change({ tenant, expected, providers: list, at: at(2_000) })])
    }
    const polls = async (tenant = other) =>
      (await store.signalPolls.of(tenant)).map(({ provider: id, turn, failures }) => `${id} ${turn} ${failures}`)
    const first = await take(store, 2_000, [other])
    deepEqual([first?.tenant, first?.provider], [acme, 'corp'])
    deepEqual(await polls(), ['corp 0 0', 'more 0 0'])
    equal(await store.signalPolls.settle(signalPoll(), at(9_000)), 'settled')
    deepEqual(
      [await polls(acme), await polls()],
      [
        ['corp 1 2', 'more 0 0'],
        ['corp 0 0', 'more 0 0'],
      ],
    )
    await providers(store, [provider('more')])
    deepEqual([await polls(acme), await polls()], [['more 1 0'], ['corp 0 0', 'more 0 0']])
    const next = await take(store, 2_000, [acme])
    deepEqual([next?.tenant, next?.provider], [other, 'corp'])
    equal(await take(store, 2_000, [acme, other]), null)
  })

  storeTest(open, 'of many who would ask one asks, until its time is over; then another', async ({ store }) => {
    await tenantWithClient(store)
    await withPolled(store)
    equal(await store.signalPolls.due(at(1_999)), false)
    equal(await store.signalPolls.due(at(2_000)), true)
    equal(await take(store, 1_999), null)
    equal(await take(store, 2_000, [acme]), null)
    const taken = (await Promise.all(Array.from({ length: 20 }, () => take(store, 2_000)))).filter((it) => it !== null)
    deepEqual(
      taken.map(({ turn, failures, error }) => [turn, failures, error]),
      [[1, 0, null]],
    )
    equal(await take(store, 2_999), null)
    equal((await take(store, 3_000))?.turn, 2)
    equal(await store.signalPolls.settle(signalPoll(), at(9_000)), 'taken-again')
    equal(await store.signalPolls.settle(signalPoll({ turn: 2 }), at(9_000)), 'settled')
    deepEqual(await store.signalPolls.of(acme), [signalPoll({ turn: 2 })])
    equal(await take(store, 8_999), null)
    deepEqual(await take(store, 9_000), signalPoll({ turn: 3 }))
  })

  storeTest(open, 'a change of the providers makes all due; a clock set back does, too', async ({ store }) => {
    await tenantWithClient(store)
    await withPolled(store)
    await take(store, 2_000)
    await store.signalPolls.settle(signalPoll(), at(5_000_000))
    await providers(store, [provider('corp'), provider('more')], 3_000)
    deepEqual(
      (await store.signalPolls.of(acme)).map(({ provider: id, failures, askedAt }) => [id, failures, askedAt]),
      [
        ['corp', 0, 5_000],
        ['more', 0, null],
      ],
    )
    equal((await take(store, 3_000))?.provider, 'corp')
    await store.signalPolls.settle(signalPoll({ turn: 3 }), at(5_000_000))
    await store.setBack({ from: at(4_000_000), at: at(1_000_000), event: event('clock.set_back') })
    equal((await take(store, 1_000_000, []))?.provider, 'more')
    equal((await take(store, 1_000_000, []))?.provider, 'corp')
  })

  storeTest(
    open,
    'what was asked where a provider was before says nothing of when it is asked now',
    async ({ store }) => {
      await tenantWithClient(store)
      await withPolled(store)
      const before = await take(store, 2_000)
      await providers(store, [provider('corp', { signals_url: 'https://moved.example/poll' })], 2_500)
      equal(before && (await store.signalPolls.settle(before, at(5_000_000))), 'taken-again')
      equal((await take(store, 2_500))?.provider, 'corp')
    },
  )

  storeTest(open, 'one message ends its sessions once, however many bring it at once', async ({ store }) => {
    await tenantWithClient(store)
    for (const id of ['s1', 's2', 's3']) await store.sessions.start(session(id), null, [])
    await store.sessions.end(acme, 's3', at(1_500), [])
    const spent = { tenant: acme, clientId: 'signals corp', handle: handle('signal'), expiresAt: at(9_000) }
    const endOnce = (...ids: string[]) =>
      store.sessions.endOnce({
        spent,
        ends: ids.map((id) => ({ id, events: [event('session.ended')] })),
        at: at(2_000),
      })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => endOnce(...(n % 2 ? ['s1', 's2', 's3'] : ['s3', 's2', 's1']))),
    )
    deepEqual(
      answers.filter((it) => it !== 'already-spent'),
      [2],
    )
    equal((await logged(store, acme)).filter((it) => it === 'session.ended').length, 2)
    await store.sessions.start(session('s4'), null, [])
    equal(await endOnce('s4'), 'already-spent')
    equal((await store.sessions.byId(acme, 's4'))?.endedAt, null)
  })
}
