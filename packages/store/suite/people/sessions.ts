/** Browser sessions. */
import { deepEqual, equal } from 'node:assert/strict'
import type { NewSession, SessionPage } from '../../src/contract/people/sessions.ts'
import type { UserChange } from '../../src/contract/people/users.ts'
import type { Store } from '../../src/contract/store.ts'
import { unit } from '../limits.ts'
import { acme, at, authentication, change, event, handle, other, session, user } from '../samples.ts'
import { passkey, totp } from './factor-samples.ts'
import { logged, type OpenEngine, storeTest } from '../store-test.ts'

const living = (store: Store, subject = 'ada', page: Partial<SessionPage> = {}) =>
  store.sessions.livingOf(acme, subject, { now: at(1_000), before: null, limit: 100, ...page })

export function sessionSuite(open: OpenEngine): void {
  storeTest(open, 'living sessions come in pages, the newest first, each once', async ({ store }) => {
    const made = Array.from({ length: 7 }, (_, n) => session(`s${n}`, { createdAt: at(1_000 + (n >> 1)) }))
    for (const one of made) await store.sessions.start(one, null, [])
    await store.sessions.end(acme, 's4', at(2_000), [])
    const seen: string[] = []
    let page = await living(store, 'ada', { limit: 2 })
    while (page.length > 0) {
      seen.push(...page.map(({ id }) => id))
      page = await living(store, 'ada', { limit: 2, before: page.at(-1) ?? null })
    }
    deepEqual(seen, ['s6', 's5', 's3', 's2', 's1', 's0'])
    deepEqual(await living(store, 'ada', { now: made[0]?.expiresAt ?? at(0) }), [])
  })

  storeTest(open, 'a browser is known to whoever signed in there, until they say otherwise', async ({ store }) => {
    const [home, work] = [handle('home'), handle('work')]
    const start = (id: string, browser: typeof home, subject = 'ada') =>
      store.sessions.start(session(id, { browser, authentication: authentication(subject, id) }), null, [])
    await store.directory.apply([change()])
    await store.users.create(user('ada'), [])
    for (const id of ['h1', 'h2']) await start(id, home)
    await start('w1', work)
    await start('h3', home, 'bob')
    await store.sessions.end(acme, 'h1', at(2_000), [])
    const known = async (browser: typeof home) =>
      (await store.sessions.knownIn(acme, browser)).map(({ subject }) => subject)
    deepEqual(await known(home), ['ada', 'bob'])
    deepEqual(await store.sessions.knownIn(other, home), [])
    await store.sessions.forgetBrowser(acme, 'h2')
    deepEqual(await known(home), ['bob'], 'also by the session that had ended')
    deepEqual(await known(work), ['ada'])
    await start('h4', home)
    const { version = 0 } = (await store.users.byId(acme, 'ada')) ?? {}
    await store.users.change({ tenant: acme, id: 'ada', version, endSessionsBut: 'w1', at: at(3_000), events: [] })
    deepEqual([await known(home), await known(work)], [['bob'], ['ada']])
  })

  storeTest(
    open,
    'a session that must not begin beside a second factor tells of one, and nothing begins',
    async ({ store }) => {
      await store.directory.apply([change()])
      await store.users.create(user('ada'), [])
      const start = (id: string, more: Partial<NewSession>, replaces: string | null = null) =>
        store.sessions.start({ ...session(id), ...more }, replaces, [event('session.started')])
      equal(await start('s1', { unlessSecondFactor: true }), 'started')
      await store.factors.addPasskey(passkey('key'), [], [])
      for (const replaces of [null, 's1'])
        equal(await start('s2', { unlessSecondFactor: true }, replaces), 'second-factor', 'the passkey')
      await store.factors.remove({ tenant: acme, subject: 'ada', what: 'everything' }, [])
      equal(await start('s2', { unlessSecondFactor: true }, 's1'), 'started', 'it is gone')
      await store.factors.addTotp(totp(), [], [])
      equal(await start('s3', { unlessSecondFactor: true, passwordSeen: at(1) }), 'second-factor', 'the app')
      equal(await start('s3', {}), 'started', 'who has shown it')
      deepEqual((await living(store)).map(({ id }) => id).toSorted(), ['s2', 's3'])
      equal((await logged(store, acme)).filter((name) => name === 'session.started').length, 3)
    },
  )

  storeTest(
    open,
    'what was taken from limits is given back with a session, whatever becomes of it',
    async ({ store }) => {
      await store.directory.apply([change()])
      await store.users.create(user('ada'), [])
      const returned = [unit(1_000), unit(1_000, 'another')].map(({ key, interval }) => ({ key, interval }))
      const tats = () => Promise.all(['k', 'another'].map((key) => store.limits.tatOf(key)))
      const start = async (id: string, more: Partial<NewSession>, replaces: string | null = null) => {
        await store.limits.takeUnits([unit(1_000), unit(1_000, 'another')])
        return store.sessions.start({ ...session(id), returned, ...more }, replaces, [])
      }
      await store.limits.takeUnits([unit(1_000), unit(1_000, 'another')])
      const before = await tats()
      equal(await start('s1', {}), 'started')
      equal(await start('s2', { passwordSeen: at(1) }), 'outdated')
      equal(await start('s3', {}, 's1'), 'started')
      equal(await start('s4', { passwordSeen: at(1) }, 's3'), 'outdated')
      await store.factors.addTotp(totp(), [], [])
      for (const replaces of [null, 's3'])
        equal(await start('s5', { unlessSecondFactor: true }, replaces), 'second-factor')
      deepEqual(await tats(), before)
      deepEqual(
        (await living(store)).map(({ id }) => id),
        ['s3'],
      )
    },
  )

  storeTest(open, 'a session reads back whole, by each of its names', async ({ store }) => {
    await store.directory.apply([change()])
    await store.sessions.start(session('s1'), null, [event('session.started')])
    deepEqual(await store.sessions.find(acme, handle('session s1')), { ...session('s1'), passwordSeen: null })
    deepEqual(await store.sessions.byId(acme, 's1'), session('s1'))
    deepEqual(await living(store), [session('s1')])
    equal(await store.sessions.find(other, handle('session s1')), null)
    deepEqual(await living(store, 'bob'), [])
    deepEqual(await logged(store, acme), ['admin.tenant_changed', 'session.started'])
  })

  storeTest(open, 'a session that renews another ends it in the same commit', async ({ store }) => {
    await store.sessions.start(session('s1'), null, [])
    await store.sessions.start(session('s2', { createdAt: at(2_000) }), 's1', [])
    equal((await store.sessions.byId(acme, 's1'))?.endedAt, 2_000)
    equal((await store.sessions.byId(acme, 's2'))?.endedAt, null)
  })

  storeTest(open, 'no session begins on a proof from before the password or the person went', async ({ store }) => {
    await store.directory.apply([change()])
    await store.users.create(user('ada'), [])
    // The clock may stand anywhere: what counts is which password was seen.
    const start = (id: string, passwordSeen: number) =>
      store.sessions.start({ ...session(id), passwordSeen: at(passwordSeen) }, null, [event('session.started')])
    const alter = async (more: Partial<UserChange>) => {
      const { version = 0 } = (await store.users.byId(acme, 'ada')) ?? {}
      equal(
        await store.users.change({ tenant: acme, id: 'ada', version, at: at(5_000), ...more, events: [] }),
        'changed',
      )
    }
    await alter({ passwordHash: 'stronger', samePassword: true })
    equal(await start('s1', 1_000), 'started')
    await alter({ passwordHash: 'another', endSessionsBut: null })
    equal(await start('s2', 1_000), 'outdated')
    equal(await start('s3', 5_000), 'started')
    // Another password of the same moment, or one set by a clock that was set back, is another all the same.
    await alter({ passwordHash: 'a third', at: at(2_000) })
    equal((await store.users.byId(acme, 'ada'))?.passwordChangedAt, 5_001)
    equal(await start('s5', 5_000), 'outdated')
    equal((await store.sessions.find(acme, handle('session s3')))?.passwordSeen, 5_001)
    await alter({ disabledAt: at(5_000) })
    equal(await start('s4', 5_001), 'outdated')
    deepEqual([(await store.sessions.byId(acme, 's1'))?.endedAt, await store.sessions.byId(acme, 's2')], [5_000, null])
    equal((await logged(store, acme)).filter((name) => name === 'session.started').length, 2)
  })

  storeTest(open, 'a touch moves forward only, and wakes no ended session', async ({ store }) => {
    await store.sessions.start(session('s1'), null, [])
    const seen = async () => (await store.sessions.byId(acme, 's1'))?.lastSeenAt
    await store.sessions.touch(acme, 's1', at(3_000))
    await store.sessions.touch(acme, 's1', at(2_000))
    equal(await seen(), 3_000)
    equal(await store.sessions.end(acme, 's1', at(4_000), [event('session.ended')]), 'ended')
    await store.sessions.touch(acme, 's1', at(5_000))
    equal(await seen(), 3_000)
  })

  storeTest(open, 'a session ends once', async ({ store }) => {
    await store.sessions.start(
      session('s1', { authentication: authentication('bob', 's1'), ip: null, userAgent: null }),
      null,
      [],
    )
    equal(await store.sessions.end(acme, 's1', at(4_000), [event('session.ended')]), 'ended')
    equal(await store.sessions.end(acme, 's1', at(5_000), [event('session.ended')]), 'already-ended')
    equal(await store.sessions.end(acme, 'never was', at(5_000), [event('session.ended')]), 'already-ended')
    equal((await store.sessions.byId(acme, 's1'))?.endedAt, 4_000)
    deepEqual(await logged(store, acme), ['session.ended'])
  })
}
