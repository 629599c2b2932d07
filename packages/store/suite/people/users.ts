/** People kept by ourselves. */
import { deepEqual, equal } from 'node:assert/strict'
import { acme, at, authentication, change, event, other, session, user } from '../samples.ts'
import { group, guarded, role, scope } from './group-samples.ts'
import { logged, type OpenEngine, storeTest } from '../store-test.ts'

export function userSuite(open: OpenEngine): void {
  storeTest(open, 'a person reads back whole, by id and by any spelling of the username', async ({ store }) => {
    await store.directory.apply([change()])
    equal(await store.users.create(user('ada'), [event('admin.user_changed')]), 'created')
    const whole = { ...user('ada'), version: 1 }
    deepEqual(await store.users.byId(acme, 'ada'), whole)
    deepEqual(await store.users.byUsername(acme, 'NAME-of-ADA'), whole)
    equal(await store.users.byUsername(other, 'name-of-ada'), null)
    equal(await store.users.byUsername(acme, 'no such\0name'), null)
    deepEqual(await logged(store, acme), ['admin.tenant_changed', 'admin.user_changed'])
  })

  storeTest(
    open,
    'what is kept for whoever provisions reads back, and is found by its external id',
    async ({ store }) => {
      await store.directory.apply([change()])
      const provisioned = { externalId: 'E-1', attributes: { title: 'Countess' } }
      await store.users.create(user('ada', { provisioned }), [])
      await store.users.create(user('bob'), [])
      deepEqual(await store.users.byExternalId(acme, 'E-1', 10), [{ ...user('ada', { provisioned }), version: 1 }])
      deepEqual(await store.users.byExternalId(acme, 'e-1', 10), [])
      deepEqual(await store.users.byExternalId(other, 'E-1', 10), [])
      const renamed = { externalId: 'E-2', attributes: {} }
      const it = { tenant: acme, id: 'ada', version: 1, provisioned: renamed, at: at(5), events: [] }
      equal(await store.users.change(it), 'changed')
      const now = await store.users.byId(acme, 'ada')
      deepEqual([now?.provisioned, now?.changedAt], [renamed, at(5)])
      deepEqual(await store.users.byExternalId(acme, 'E-1', 10), [])
    },
  )

  storeTest(open, 'people are counted, and listed by numbers', async ({ store }) => {
    await store.directory.apply([change()])
    for (const id of ['cyd', 'ada', 'bob']) await store.users.create(user(id), [])
    equal(await store.users.count(acme), 3)
    equal(await store.users.count(other), 0)
    const ids = async (offset: number, limit: number) =>
      (await store.users.page(acme, { offset, limit })).map(({ id }) => id)
    deepEqual(await ids(0, 2), ['ada', 'bob'])
    deepEqual(await ids(2, 2), ['cyd'])
    deepEqual(await ids(3, 2), [])
  })

  storeTest(
    open,
    'of two owners who are taken away at once one stays, whatever would take them away',
    async ({ store }) => {
      await store.directory.apply([change()])
      const which = (id: string) => ({ tenant: acme, id, version: 1, at: at(5), events: [] })
      const acts = [
        async (id: string) => store.users.change({ ...which(id), disabledAt: at(5) }),
        async (id: string) => store.users.remove({ ...which(id), by: 'test' }),
        async (id: string) => store.users.change({ ...which(id), administrator: 'operator' }),
        async (id: string) => store.users.change({ ...which(id), administrator: null }),
        async (id: string) => store.users.change({ ...which(id), deletionDueAt: at(9) }),
      ]
      for (const [nth, act] of acts.entries()) {
        const pair: readonly [string, string] = [`ada${nth}`, `bob${nth}`]
        for (const id of pair) await store.users.create(user(id, { administrator: 'owner' }), [])
        for (const id of await store.users.owners(acme, 10)) {
          if (!pair.includes(id)) equal(await store.users.remove({ ...which(id), by: 'test' }), 'removed')
        }
        const next = acts[(nth + 1) % acts.length] ?? act
        const outcomes = await Promise.all([act(pair[0]), next(pair[1])])
        equal(outcomes.filter((it) => it === 'last-owner').length, 1, `${nth}`)
        equal((await store.users.owners(acme, 10)).length, 1)
      }
    },
  )

  storeTest(open, 'the last owner is the one who is there and beside whom nobody is', async ({ store }) => {
    await store.directory.apply([change(), change({ tenant: other })])
    const owner = { administrator: 'owner' } as const
    await store.users.create(user('ada', owner), [])
    await store.users.create(user('ada', { ...owner, tenant: other }), [])
    await store.users.create(user('bob', { ...owner, tenant: other }), [])
    await store.users.create(user('bob', { ...owner, disabledAt: at(2) }), [])
    await store.users.create(user('cyd', { administrator: 'auditor' }), [])
    await store.users.create(user('eve'), [])
    const disabling = async (id: string, version = 1) =>
      store.users.change({ tenant: acme, id, version, at: at(5), disabledAt: at(5), events: [] })
    deepEqual(await store.users.owners(acme, 10), ['ada'])
    equal(await disabling('ada'), 'last-owner')
    equal(await disabling('bob'), 'changed', 'who is disabled is none who is left')
    equal(await disabling('eve'), 'changed')
    equal(await disabling('cyd'), 'changed')
    await store.users.create(user('fay', owner), [])
    deepEqual(await store.users.owners(acme, 10), ['ada', 'fay'])
    deepEqual(await store.users.owners(acme, 1), ['ada'])
    const leaving = { tenant: acme, id: 'fay', version: 1, at: at(5), deletionDueAt: at(9), events: [] }
    equal(await store.users.change(leaving), 'changed')
    const due = async (id: string) => (await store.users.byId(acme, id))?.deletionDueAt ?? null
    deepEqual([await due('fay'), await due('ada')], [9, null])
    deepEqual(await store.users.owners(acme, 10), ['ada'], 'who is about to be deleted does not stay')
    equal(await disabling('ada'), 'last-owner')
    const removal = { tenant: acme, id: 'ada', version: 1, by: 'test', at: at(5), events: [] }
    equal(await store.users.remove(removal), 'last-owner')
    const named = { tenant: acme, id: 'ada', version: 1, at: at(5), administrator: 'owner' as const, disabledAt: null }
    equal(await store.users.change({ ...named, claims: { name: 'Ada' }, events: [] }), 'changed')
    equal(await disabling('fay', 2), 'changed')
  })

  storeTest(open, 'a declared change hands ownership over, and never leaves it to nobody', async ({ store }) => {
    await store.directory.apply([change()])
    await store.users.create(user('ada', { administrator: 'owner' }), [])
    await store.users.create(user('bob'), [])
    const named = (id: string, administrator: 'owner' | null) => ({ ...leaving, id, administrator })
    const leaving = { tenant: acme, version: 1, at: at(5) }
    const apply = async (...changeUsers: readonly ReturnType<typeof named>[]) => {
      const expected = (await store.directory.catalogue(acme))?.tenant.revision ?? null
      return store.directory.apply([change({ expected, changeUsers })])
    }
    equal(await apply(named('ada', null)), 'changed-meanwhile')
    deepEqual(await store.users.owners(acme, 10), ['ada'])
    equal(await apply(named('ada', null), named('bob', 'owner')), 'applied')
    deepEqual(await store.users.owners(acme, 10), ['bob'])
  })

  storeTest(open, 'neither an id nor a username is given twice', async ({ store }) => {
    await store.directory.apply([change()])
    await store.users.create(user('ada'), [])
    equal(await store.users.create(user('ada', { username: 'someone-else' }), [event('admin.user_changed')]), 'exists')
    equal(await store.users.create(user('eve', { username: 'name-OF-ada' }), [event('admin.user_changed')]), 'exists')
    equal(await store.users.byId(acme, 'eve'), null)
    deepEqual(await logged(store, acme), ['admin.tenant_changed'])
  })

  storeTest(
    open,
    'many are made in one commit, and whoever exists is passed over without an event',
    async ({ store }) => {
      await store.directory.apply([change()])
      await store.users.create(user('ada'), [])
      const many = [user('bob'), user('eve', { username: 'NAME-of-ada' }), user('ada'), user('cyd')]
      const answers = await store.users.createMany(
        many,
        many.map(({ id }) => ({ ...event('admin.user_changed'), subject: id })),
      )
      deepEqual(answers, ['created', 'exists', 'exists', 'created'])
      deepEqual(await store.users.byId(acme, 'cyd'), { ...user('cyd'), version: 1 })
      equal(await store.users.byId(acme, 'eve'), null)
      deepEqual(await logged(store, acme), ['admin.tenant_changed', 'admin.user_changed', 'admin.user_changed'])
      deepEqual(await store.users.createMany([], []), [])
    },
  )

  storeTest(open, 'of many ids and names it is said which are taken, in that tenant', async ({ store }) => {
    await store.directory.apply([change()])
    const many = Array.from({ length: 150 }, (_, at) => user(`u${at}`))
    await store.users.createMany(many, [])
    const names = { ids: ['u1', 'u149', 'gone'], usernames: ['NAME-of-U7', 'no such\0name', 'name-of-nobody'] }
    const taken = await store.users.taken(acme, names)
    deepEqual([[...taken.ids].toSorted(), [...taken.usernames]], [['u1', 'u149'], ['name-of-u7']])
    deepEqual([...(await store.users.taken(other, names)).ids], [])
    const all = await store.users.taken(acme, { ids: many.map(({ id }) => id), usernames: [] })
    equal(all.ids.size, 150)
    const byName = await store.users.taken(acme, { ids: [], usernames: many.map(({ username }) => username) })
    deepEqual([byName.ids.size, byName.usernames.size], [0, 150])
    // An id is no name, and a name no id.
    const crossed = await store.users.taken(acme, { ids: ['name-of-u7'], usernames: ['u7'] })
    deepEqual([crossed.ids.size, crossed.usernames.size], [0, 0])
  })

  storeTest(
    open,
    'people from elsewhere come with groups, app and links in one commit; what another has stays theirs',
    async ({ store }) => {
      await store.directory.apply([change()])
      await store.groups.create(group('staff'), [])
      const link = (upstreamSubject: string) => ({ provider: 'corp', issuer: 'https://corp.example', upstreamSubject })
      const bob = { ...user('bob', { groups: ['Group staff', 'gone'] }), identities: [link('b')] }
      const cyd = { ...user('cyd'), sealedTotp: Buffer.from('sealed'), identities: [link('b'), link('c')] }
      const twice = { ...user('bob'), sealedTotp: Buffer.from('never kept') }
      const events = ['bob', 'cyd', 'bob'].map((id) => ({ ...event('admin.user_changed'), subject: id }))
      deepEqual(await store.users.createMany([bob, cyd, twice], events), ['created', 'created', 'exists'])
      deepEqual((await store.users.byId(acme, 'bob'))?.groups, ['Group staff'])
      deepEqual(await store.factors.of(acme, 'bob'), { otp: false, passkey: false, recoveryCodes: 0 })
      const totp = await store.factors.totp(acme, 'cyd')
      deepEqual([Buffer.from(totp?.sealedSecret ?? []).toString(), totp?.lastStep], ['sealed', 0])
      equal((await store.identities.find(acme, link('b')))?.subject, 'bob')
      deepEqual(
        (await store.identities.of(acme, 'cyd')).map((it) => it.upstreamSubject),
        ['c'],
      )
    },
  )

  storeTest(
    open,
    'each of many who come at once holds the roles and groups that were named for them, as far as they are there',
    async ({ store }) => {
      const declared = {
        putResources: [guarded],
        putScopes: [scope('a:read')],
        putRoles: ['reader', 'writer'].map((name) => role(name, ['a:read'])),
      }
      await store.directory.apply([change(declared), change({ tenant: other, ...declared })])
      for (const tenant of [acme, other])
        for (const id of ['staff', 'crew']) await store.groups.create(group(id, { tenant }), [])
      const many = Array.from({ length: 250 }, (_, n) => {
        const held = n % 2 === 0 ? { ownRoles: ['reader', 'gone'], groups: ['group STAFF'] } : {}
        return user(`u${n}`, n === 249 ? { ownRoles: ['writer'], groups: ['Group crew', 'gone'] } : held)
      })
      await store.users.create(user('u0', { tenant: other }), [])
      await store.users.createMany(many, [])
      const found = await store.users.list(acme, { after: null, limit: 1_000 })
      const holding = (which: 'ownRoles' | 'groups', name: string) =>
        found.filter((it) => it[which]?.join() === name).map(({ id }) => id)
      const even = many.filter((_, n) => n % 2 === 0).map(({ id }) => id)
      deepEqual(holding('ownRoles', 'reader'), even.toSorted())
      deepEqual(holding('groups', 'Group staff'), even.toSorted())
      deepEqual([holding('ownRoles', 'writer'), holding('groups', 'Group crew')], [['u249'], ['u249']])
      const elsewhere = await store.users.byId(other, 'u0')
      deepEqual([elsewhere?.roles, elsewhere?.groups], [undefined, undefined])
    },
  )

  storeTest(open, 'a change on the known version happens, on another it does not', async ({ store }) => {
    await store.directory.apply([change()])
    await store.users.create(user('ada'), [])
    await store.users.create(user('bob'), [])
    const base = { tenant: acme, id: 'ada', version: 1, at: at(5_000), events: [event('admin.user_changed')] }
    equal(await store.users.change({ ...base, username: 'name-of-bob' }), 'exists')
    equal(await store.users.change({ ...base, id: 'nobody' }), 'absent')
    const next = { ...base, username: 'Lovelace', claims: { name: 'Ada' }, passwordHash: null, disabledAt: at(4_000) }
    equal(await store.users.change(next), 'changed')
    equal(await store.users.change(next), 'changed-meanwhile')
    deepEqual(await store.users.byUsername(acme, 'lovelace'), {
      ...user('ada'),
      username: 'Lovelace',
      claims: { name: 'Ada' },
      passwordHash: null,
      passwordChangedAt: 5_000,
      disabledAt: 4_000,
      version: 2,
      changedAt: at(5_000),
    })
    equal(await store.users.byUsername(acme, 'name-of-ada'), null)
    equal((await logged(store, acme)).filter((name) => name === 'admin.user_changed').length, 1)
  })

  storeTest(open, 'a change may end the sessions of that person, but for one', async ({ store }) => {
    await store.directory.apply([change()])
    await store.users.create(user('ada'), [])
    for (const id of ['s1', 's2']) await store.sessions.start(session(id), null, [])
    await store.sessions.start(session('s3', { authentication: authentication('bob', 's3') }), null, [])
    const base = { tenant: acme, id: 'ada', at: at(5_000), events: [] }
    await store.users.change({ ...base, version: 1, passwordHash: 'new', endSessionsBut: 's2' })
    const ended = async () =>
      Promise.all(['s1', 's2', 's3'].map(async (id) => (await store.sessions.byId(acme, id))?.endedAt))
    deepEqual(await ended(), [5_000, null, null])
    await store.users.change({ ...base, version: 2, at: at(6_000), endSessionsBut: null })
    deepEqual(await ended(), [5_000, 6_000, null])
  })

  storeTest(open, 'people are listed by id, page by page', async ({ store }) => {
    await store.directory.apply([change()])
    for (const id of ['b', 'c', 'a']) await store.users.create(user(id), [])
    const page = async (after: string | null) => (await store.users.list(acme, { after, limit: 2 })).map(({ id }) => id)
    deepEqual([await page(null), await page('b')], [['a', 'b'], ['c']])
  })
}
