/** Invitations: one use, the newest only, and no account beside one that is there. */
import { deepEqual, equal, notEqual } from 'node:assert/strict'
import type { Store } from '../../src/contract/store.ts'
import {
  acme,
  at,
  basisNow,
  change,
  event,
  handle,
  invitation,
  mail,
  other,
  tenantWithClient,
  user,
} from '../samples.ts'
import { group, withGroup } from './group-samples.ts'
import { logged, type OpenEngine, storeTest } from '../store-test.ts'

const made = (store: Store, name: string, more: Parameters<typeof invitation>[1] = {}) =>
  store.invitations.make({
    invitation: invitation(name, more),
    mails: [],
    instead: null,
    events: [event('invitation.created')],
  })

const accepting = (store: Store, name: string, id: string, more: Parameters<typeof user>[1] = {}) =>
  store.invitations.accept({
    handle: handle(`invitation ${name}`),
    user: user(id, more),
    at: at(2_000),
    events: [event('admin.user_changed', { subject: id })],
  })

export function invitationSuite(open: OpenEngine): void {
  storeTest(
    open,
    'an invitation reads back whole; a newer one of its kind and address replaces it',
    async ({ store }) => {
      await store.directory.apply([change()])
      equal(await made(store, 'grace'), 'made')
      deepEqual(await store.invitations.find(acme, handle('invitation grace')), invitation('grace'))
      equal(await store.invitations.find(other, handle('invitation grace')), null)
      await made(store, 'asked', { kind: 'sign_up', email: 'GRACE@example.com', sealedReturn: null, invitedBy: null })
      notEqual(await store.invitations.byId(acme, 'grace'), null)
      await made(store, 'newer', { email: 'Grace@Example.com' })
      equal(await store.invitations.byId(acme, 'grace'), null)
      const page = { now: at(2_000), before: null, limit: 10 }
      deepEqual(
        (await store.invitations.waiting(acme, page)).map(({ id }) => id),
        ['newer'],
      )
      deepEqual(await store.invitations.waiting(acme, { ...page, now: at(900_000) }), [])
      deepEqual(await store.invitations.waiting(acme, { ...page, before: 'newer' }), [])
      equal(await store.invitations.revoke(acme, 'newer', [event('invitation.revoked')]), 'revoked')
      equal(await store.invitations.revoke(acme, 'newer', [event('invitation.revoked')]), 'absent')
    },
  )

  storeTest(open, 'of many who accept one invitation at once, one has an account', async ({ store }) => {
    await store.directory.apply([change()])
    await made(store, 'grace')
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        accepting(store, 'grace', `n${n}`, { claims: { email: 'grace@example.com' } }),
      ),
    )
    deepEqual(all.toSorted(), ['accepted', ...Array.from({ length: 19 }, () => 'gone')])
    equal((await store.users.byEmail(acme, 'grace@example.com', 30)).length, 1)
    equal((await logged(store, acme)).filter((it) => it === 'admin.user_changed').length, 1)
  })

  storeTest(open, 'of two links to one address, used at once, one makes an account', async ({ store }) => {
    await store.directory.apply([change()])
    const claims = { email: 'grace@example.com' }
    await made(store, 'grace')
    await made(store, 'asked', { kind: 'sign_up', email: 'grace@example.com' })
    const both = await Promise.all([
      accepting(store, 'grace', 'g1', { username: 'one', claims }),
      accepting(store, 'asked', 'g2', { username: 'two', claims }),
    ])
    equal(both.filter((it) => it === 'accepted').length, 1, both.join())
    equal((await store.users.byEmail(acme, 'grace@example.com', 5)).length, 1)
    equal(await store.invitations.find(acme, handle('invitation asked')), null)
  })

  storeTest(
    open,
    'whoever has the address or the name keeps it, and the invitation is not used up',
    async ({ store }) => {
      await store.directory.apply([change()])
      await made(store, 'ada')
      await store.users.create(user('ada'), [])
      equal(await accepting(store, 'ada', 'new', { username: 'Another' }), 'exists')
      await made(store, 'grace')
      await store.users.create(user('x', { username: 'Grace@example.com', claims: {} }), [])
      equal(await accepting(store, 'grace', 'new', { username: 'Another' }), 'exists')
      equal(await store.users.byId(acme, 'new'), null)
      notEqual(await store.invitations.byId(acme, 'ada'), null)
    },
  )

  storeTest(
    open,
    'whoever accepts begins with roles and groups, without those that are gone; a second use gives nothing',
    async ({ store }) => {
      await tenantWithClient(store)
      await store.users.create(user('ada'), [])
      await withGroup(store)
      for (const id of ['gone', 'renamed']) await store.groups.create(group(id, { roles: ['reader'] }), [])
      const of = { tenant: acme, version: null, at: at(1_500), events: [] }
      await store.groups.remove({ ...of, id: 'gone' })
      await store.groups.create(group('successor', { name: 'Group gone' }), [])
      await store.groups.change({ ...of, id: 'renamed', name: 'Other' })
      await made(store, 'grace')
      const { revision } = await basisNow(store)
      await store.directory.apply([change({ expected: revision, dropRoles: ['writer'], at: at(1_500) })])
      const accept = (id: string) =>
        store.invitations.accept({
          handle: handle('invitation grace'),
          user: user(id, { username: `${id}@example.com`, ownRoles: ['writer', 'none', 'reader'], claims: {} }),
          groupIds: ['gone', 'team', 'none', 'renamed'],
          at: at(2_000),
          events: [event('admin.user_changed', { subject: id })],
        })
      equal(await accept('grace'), 'accepted')
      const grace = await store.users.byId(acme, 'grace')
      deepEqual([grace?.ownRoles, grace?.roles, grace?.groups], [['reader'], ['reader'], ['Group team', 'Other']])
      equal(await accept('mallory'), 'gone')
      equal(await store.users.byId(acme, 'mallory'), null)
      deepEqual(await store.groups.members(acme, 'team', { after: null, limit: 9 }), ['ada', 'grace'])
    },
  )

  storeTest(open, 'an invitation that is over makes nothing, and is swept', async ({ store }) => {
    await store.directory.apply([change()])
    await made(store, 'grace', { expiresAt: at(2_000) })
    equal(await accepting(store, 'grace', 'grace'), 'gone')
    await store.sweep(at(2_000), 10)
    equal(await store.invitations.byId(acme, 'grace'), null)
  })

  storeTest(open, 'a request to sign up is answered once, with an invitation or without', async ({ store }) => {
    await store.directory.apply([change()])
    await store.mails.queue([mail('asked'), mail('asked too')], [])
    const answer = (id: string, name: string | null) =>
      store.invitations.make({
        invitation: name === null ? null : invitation(name),
        mails: [mail(`of ${id}`)],
        instead: { tenant: acme, id },
        events: [],
      })
    equal(await answer('asked', 'grace'), 'made')
    equal(await answer('asked', 'late'), 'gone')
    equal(await store.invitations.byId(acme, 'late'), null)
    equal(await answer('asked too', null), 'made')
  })

  storeTest(open, 'terms and a deletion stand with their person, and whoever is due is found', async ({ store }) => {
    await store.directory.apply([change()])
    await store.users.create(user('ada', { terms: { version: '1', at: at(1_000) } }), [])
    const of = { tenant: acme, id: 'ada', at: at(2_000), events: [] }
    const terms = { version: '2', at: at(2_000) }
    await store.users.change({ ...of, version: 1, terms, deletionDueAt: at(5_000) })
    const ada = await store.users.byId(acme, 'ada')
    deepEqual([ada?.terms, ada?.deletionDueAt], [terms, at(5_000)])
    deepEqual(await store.users.deletionsDue(at(4_999), 10), [])
    deepEqual(
      (await store.users.deletionsDue(at(5_000), 10)).map(({ id }) => id),
      ['ada'],
    )
    await store.users.change({ ...of, version: 2, deletionDueAt: null })
    deepEqual(await store.users.deletionsDue(at(9_000), 10), [])
  })
}
