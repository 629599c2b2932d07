/** Links that were mailed: one use, the newest only, and dead with what they rested on. */
import { deepEqual, equal, notEqual } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Store } from '../../src/contract/store.ts'
import { acme, at, change, event, handle, link, mail, other, session, user } from '../samples.ts'
import { logged, type OpenEngine, storeTest } from '../store-test.ts'

async function withAda(store: Store): Promise<void> {
  await store.directory.apply([change()])
  await store.users.create(user('ada'), [])
}

const mailed = (store: Store, name: string, more: Parameters<typeof link>[1] = {}) =>
  store.links.mail({
    links: [{ link: link(name, more), mail: mail(randomUUID()) }],
    instead: null,
    events: [event('password.reset_requested')],
  })

const spending = (name: string, more: { readonly version?: number; readonly at?: number } = {}) => ({
  handle: handle(`link ${name}`),
  change: {
    tenant: acme,
    id: 'ada',
    version: more.version ?? 1,
    passwordHash: 'new',
    endSessionsBut: null,
    at: at(more.at ?? 2_000),
  },
  mails: [mail(`notice of ${name}`)],
  events: [event('admin.user_changed')],
})

export function linkSuite(open: OpenEngine): void {
  storeTest(open, 'a link reads back whole, in its own tenant only; a newer one replaces it', async ({ store }) => {
    await withAda(store)
    equal(await mailed(store, 'reset'), 'mailed')
    deepEqual(await store.links.find(acme, handle('link reset')), link('reset'))
    equal(await store.links.find(other, handle('link reset')), null)
    await mailed(store, 'address')
    await mailed(store, 'newer')
    equal(await store.links.find(acme, handle('link reset')), null)
    notEqual(await store.links.find(acme, handle('link address')), null)
    notEqual(await store.links.find(acme, handle('link newer')), null)
  })

  storeTest(open, 'a request is answered once, by whoever comes first', async ({ store }) => {
    await withAda(store)
    await store.mails.queue([mail('asked')], [])
    const answering = (n: number) =>
      store.links.mail({
        links: [{ link: link(`n${n}`), mail: mail(`m${n}`) }],
        instead: { tenant: acme, id: 'asked' },
        events: [event('password.reset_requested')],
      })
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => answering(n)))
    equal(answers.filter((it) => it === 'mailed').length, 1)
    equal((await logged(store, acme)).filter((it) => it === 'password.reset_requested').length, 1)
  })

  storeTest(open, 'of 50 that spend one link one changes the person, and the sessions end', async ({ store }) => {
    await withAda(store)
    await store.sessions.start(session('s1'), null, [])
    await mailed(store, 'reset')
    const answers = await Promise.all(Array.from({ length: 50 }, () => store.links.spend(spending('reset'))))
    deepEqual(answers.toSorted(), [...Array.from({ length: 49 }, () => 'gone'), 'spent'])
    const ada = await store.users.byId(acme, 'ada')
    deepEqual([ada?.passwordHash, ada?.version, ada?.passwordChangedAt], ['new', 2, 2_000])
    equal((await store.sessions.byId(acme, 's1'))?.endedAt, 2_000)
    equal((await logged(store, acme)).filter((it) => it === 'admin.user_changed').length, 1)
  })

  storeTest(open, 'a link is not spent by what does not happen', async ({ store }) => {
    await withAda(store)
    await mailed(store, 'reset')
    equal(await store.links.spend(spending('reset', { version: 7 })), 'changed-meanwhile')
    equal(await store.links.spend({ ...spending('reset'), change: { ...spending('reset').change, id: 'bob' } }), 'gone')
    equal(
      await store.links.spend({ ...spending('reset'), change: { ...spending('reset').change, tenant: other } }),
      'gone',
    )
    notEqual(await store.links.find(acme, handle('link reset')), null)
    equal(await store.links.spend(spending('reset', { at: 900_000 })), 'gone')
    equal((await store.users.byId(acme, 'ada'))?.version, 1)
    equal(await store.links.spend(spending('reset')), 'spent')
  })

  storeTest(open, 'another password kills the reset links, another address all of them', async ({ store }) => {
    await withAda(store)
    await mailed(store, 'reset')
    await mailed(store, 'address')
    const living = async () =>
      (await Promise.all(['reset', 'address'].map((it) => store.links.find(acme, handle(`link ${it}`))))).map(
        (it) => it !== null,
      )
    const base = { tenant: acme, id: 'ada', at: at(2_000), events: [] }
    await store.users.change({ ...base, version: 1, claims: { email: 'ADA@example.com', name: 'Ada' } })
    deepEqual(await living(), [true, true])
    await store.users.change({ ...base, version: 2, passwordHash: 'other' })
    deepEqual(await living(), [false, true])
    await mailed(store, 'reset')
    await store.users.change({ ...base, version: 3, claims: { email: 'ada@elsewhere.example' } })
    deepEqual(await living(), [false, false])
  })

  storeTest(open, 'people are found by any spelling of their address, all who share it', async ({ store }) => {
    await withAda(store)
    await store.users.create(user('bob', { claims: { email: 'Ada@Example.com' } }), [])
    await store.users.create(user('eve', { claims: {} }), [])
    const found = async (email: string) => (await store.users.byEmail(acme, email, 5)).map(({ id }) => id)
    deepEqual(await found('ADA@EXAMPLE.COM'), ['ada', 'bob'])
    deepEqual((await store.users.byEmail(acme, 'ada@example.com', 1)).length, 1)
    deepEqual(await found('eve@example.com'), [])
    await store.users.change({ tenant: acme, id: 'bob', version: 1, claims: {}, at: at(2), events: [] })
    deepEqual(await found('ada@example.com'), ['ada'])
  })

  storeTest(open, 'expired links are swept, and a removed tenant leaves neither links nor mails', async ({ store }) => {
    await withAda(store)
    await mailed(store, 'reset')
    equal(await store.sweep(at(899_999), 10), 0)
    equal(await store.sweep(at(900_000), 10), 1)
    await mailed(store, 'reset')
    const { revision: expected = null } = (await store.directory.catalogue(acme))?.tenant ?? {}
    await store.directory.apply([change({ expected, disabledAt: at(2_000) })])
    equal(await store.directory.removeTenant(acme, at(2_000), []), 'removed')
    equal(await store.links.find(acme, handle('link reset')), null)
    equal(await store.mails.takeDue(at(9_000), at(10_000)), null)
  })
}
