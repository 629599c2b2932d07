/** Browser sessions. */
import { deepEqual, equal } from 'node:assert/strict'
import type { UserChange } from '../../src/contract/people/users.ts'
import { acme, at, authentication, change, event, handle, other, session, user } from '../samples.ts'
import { logged, type OpenEngine, storeTest } from '../store-test.ts'

export function sessionSuite(open: OpenEngine): void {
  storeTest(open, 'a session reads back whole, by each of its names', async ({ store }) => {
    await store.directory.apply([change()])
    await store.sessions.start(session('s1'), null, [event('session.started')])
    deepEqual(await store.sessions.find(acme, handle('session s1')), session('s1'))
    deepEqual(await store.sessions.byId(acme, 's1'), session('s1'))
    deepEqual(await store.sessions.ofBrowser(acme, handle('browser 1')), [session('s1')])
    deepEqual(await store.sessions.ofSubject(acme, 'ada'), [session('s1')])
    equal(await store.sessions.find(other, handle('session s1')), null)
    deepEqual(await store.sessions.ofSubject(acme, 'bob'), [])
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
    const start = (id: string, createdAt: number) =>
      store.sessions.start(session(id, { createdAt: at(createdAt) }), null, [event('session.started')])
    const alter = async (more: Partial<UserChange>) => {
      const { version = 0 } = (await store.users.byId(acme, 'ada')) ?? {}
      equal(
        await store.users.change({ tenant: acme, id: 'ada', version, at: at(5_000), ...more, events: [] }),
        'changed',
      )
    }
    await alter({ passwordHash: 'stronger', samePassword: true })
    equal(await start('s1', 4_999), 'started')
    await alter({ passwordHash: 'another', endSessionsBut: null })
    equal(await start('s2', 4_999), 'outdated')
    equal(await start('s3', 5_000), 'started')
    await alter({ disabledAt: at(5_000) })
    equal(await start('s4', 6_000), 'outdated')
    deepEqual(
      (await store.sessions.ofSubject(acme, 'ada')).map(({ id }) => id),
      ['s1', 's3'],
    )
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
