/** What administrators look for, and the end of an account. */
import { deepEqual, equal } from 'node:assert/strict'
import type { Store } from '../src/contract/store.ts'
import { enrolled } from './people/factor-samples.ts'
import { race } from './races.ts'
import {
  acme,
  at,
  authentication,
  basisNow,
  change,
  client,
  consent,
  event,
  grant,
  grantId,
  opening,
  other,
  session,
  tenantWithClient,
  user,
} from './samples.ts'
import { logged, type OpenEngine, storeTest } from './store-test.ts'

const nobody = { subject: null, clientId: null, before: null, limit: 100 } as const
const idsOf = (found: readonly { readonly id: string }[]) => found.map(({ id }) => id)

/** a1, a2 are Ada's at web, a3 hers at app; b1 is Bob's at web. */
async function grantsOfTwo(store: Store): Promise<void> {
  const basis = await tenantWithClient(store)
  await store.clients.create(client('app'), [])
  const bob = { authentication: authentication('bob') }
  await store.grants.open(opening(basis, 'a1'))
  await store.grants.open(opening(basis, 'a2'))
  await store.grants.open(
    opening(await basisNow(store, acme, 'app'), 'a3', {
      grant: grant('a3', { clientId: 'app' }),
      consent: consent('a3', { clientId: 'app' }),
    }),
  )
  await store.grants.open(opening(basis, 'b1', { grant: grant('b1', bob), consent: consent('b1', { subject: 'bob' }) }))
}

export function administrationSuite(open: OpenEngine): void {
  storeTest(open, 'living grants are found by person and client, the newest first, page by page', async ({ store }) => {
    await grantsOfTwo(store)
    const find = async (more: object, now = at(2_000)) =>
      idsOf(await store.grants.search(acme, now, { ...nobody, ...more }))
    deepEqual(await find({}), ['b1', 'a3', 'a2', 'a1'])
    deepEqual(await find({ subject: 'ada' }), ['a3', 'a2', 'a1'])
    deepEqual(await find({ subject: 'ada', clientId: 'web' }), ['a2', 'a1'])
    deepEqual(await find({ clientId: 'web' }), ['b1', 'a2', 'a1'])
    for (const whose of [{}, { subject: 'ada' }, { clientId: 'web' }])
      deepEqual(await find({ ...whose, before: 'a2', limit: 1 }), ['a1'])
    deepEqual(await find({ subject: 'eve' }), [])
    await store.grants.revoke({ tenant: acme, id: grantId('a2'), at: at(2_000), events: [] })
    deepEqual(await find({ clientId: 'web' }), ['b1', 'a1'])
    deepEqual(await find({}, at(1_000_000)), [])
    deepEqual(await store.grants.findUsed(acme, grantId('a1')), { ...grant('a1'), lastUsedAt: null })
    equal(await store.grants.findUsed(other, grantId('a1')), null)
    deepEqual(await store.grants.search(other, at(2_000), nobody), [])
  })

  storeTest(open, 'consents are found the same way, and stay when they are withdrawn', async ({ store }) => {
    await grantsOfTwo(store)
    const find = async (more: object) => idsOf(await store.consents.search(acme, { ...nobody, ...more }))
    const names = (...of: string[]) => of.map((id) => `consent ${id}`)
    deepEqual(await find({}), names('b1', 'a3', 'a2', 'a1'))
    deepEqual(await find({ subject: 'ada', clientId: 'app' }), names('a3'))
    deepEqual(await find({ subject: 'ada', before: 'consent a3', limit: 1 }), names('a2'))
    deepEqual(await find({ clientId: 'web', before: 'consent b1' }), names('a2', 'a1'))
    const whole = { tenant: acme, subject: 'ada', clientId: 'app', by: 'ada', at: at(9_000) }
    await store.consents.withdraw({ ...whole, event: event('consent.withdrawn'), grantEvent: event('grant.revoked') })
    equal((await store.consents.search(acme, { ...nobody, clientId: 'app' }))[0]?.revokedAt, 9_000)
    equal((await store.consents.find(acme, 'consent b1'))?.subject, 'bob')
    equal(await store.consents.find(other, 'consent b1'), null)
    deepEqual(await store.consents.search(other, nobody), [])
  })

  storeTest(open, 'living sessions are found of everybody and of one person', async ({ store }) => {
    for (const id of ['s1', 's2', 's3']) await store.sessions.start(session(id), null, [])
    await store.sessions.start(session('s4', { authentication: authentication('bob', 's4') }), null, [])
    await store.sessions.end(acme, 's2', at(2_000), [])
    const find = async (more: object, now = at(2_000)) =>
      idsOf(await store.sessions.search(acme, now, { subject: null, before: null, limit: 100, ...more }))
    deepEqual(await find({}), ['s4', 's3', 's1'])
    deepEqual(await find({ subject: 'ada' }), ['s3', 's1'])
    deepEqual(await find({ before: 's4', limit: 1 }), ['s3'])
    deepEqual(await find({ subject: 'ada', before: 's3' }), ['s1'])
    deepEqual(await find({}, session('s1').expiresAt), [])
    deepEqual(await store.sessions.search(other, at(2_000), { subject: null, before: null, limit: 9 }), [])
  })

  storeTest(open, 'people are found by the beginning of their name, in the order of names', async ({ store }) => {
    await store.directory.apply([change()])
    const people = { u1: 'Zoe', u2: 'ada', u3: 'Ada-L', u4: 'adam', u5: 'a_d', u6: 'bob' }
    for (const [id, username] of Object.entries(people)) await store.users.create(user(id, { username }), [])
    const find = async (prefix: string, after: string | null = null, limit = 100) =>
      (await store.users.search(acme, { prefix, after, limit })).map(({ username }) => username)
    deepEqual(await find(''), ['a_d', 'ada', 'Ada-L', 'adam', 'bob', 'Zoe'])
    deepEqual(await find('ada'), ['ada', 'Ada-L', 'adam'])
    deepEqual(await find('ada', 'ADA', 1), ['Ada-L'])
    deepEqual(await find('a%'), [])
    deepEqual(await find('x'), [])
    deepEqual(await store.users.search(other, { prefix: '', after: null, limit: 9 }), [])
  })

  storeTest(open, 'with a person goes all that they could use, and nothing of anybody else’s', async ({ store }) => {
    await grantsOfTwo(store)
    for (const id of ['ada', 'bob']) await store.users.create(user(id), [])
    await enrolled(store)
    await store.sessions.start(session('s1'), null, [])
    const removal = { tenant: acme, id: 'ada', version: 1, by: 'op', at: at(9_000) }
    equal(await store.users.remove({ ...removal, version: 2, events: [] }), 'changed-meanwhile')
    equal(await store.users.remove({ ...removal, tenant: other, events: [] }), 'absent')
    equal(await store.users.remove({ ...removal, events: [event('admin.user_changed')] }), 'removed')
    equal(await store.users.remove({ ...removal, events: [event('admin.user_changed')] }), 'absent')
    equal(await store.users.byId(acme, 'ada'), null)
    deepEqual(await store.factors.of(acme, 'ada'), { otp: false, passkey: false, recoveryCodes: 0 })
    deepEqual(await store.factors.browsers(acme, 'ada'), [])
    equal((await store.sessions.byId(acme, 's1'))?.endedAt, 9_000)
    deepEqual(idsOf(await store.grants.search(acme, at(9_000), nobody)), ['b1'])
    deepEqual(
      (await store.consents.search(acme, nobody)).map(({ revokedBy }) => revokedBy),
      [null, 'op', 'op', 'op'],
    )
    const names = await logged(store, acme)
    equal(names.filter((name) => name === 'grant.revoked').length, 3)
    equal(names.filter((name) => name === 'admin.user_changed').length, 1)
  })

  storeTest(open, 'of a change and a removal at the same version one happens', async ({ store }) => {
    await store.directory.apply([change()])
    await store.users.create(user('ada'), [])
    const base = { tenant: acme, id: 'ada', version: 1, at: at(5_000), events: [event('admin.user_changed')] }
    const { changed = 0, removed = 0 } = await race<string>(8, (n) =>
      n % 2 === 0 ? store.users.change({ ...base, claims: {} }) : store.users.remove({ ...base, by: 'op' }),
    )
    equal(changed + removed, 1)
    equal((await logged(store, acme)).filter((name) => name === 'admin.user_changed').length, 1)
  })
}
