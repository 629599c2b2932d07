/** Who people are elsewhere: one person for each, nobody shut out, and a way back that is gone with its first use. */
import { deepEqual, equal } from 'node:assert/strict'
import type { Store } from '../../src/contract/store.ts'
import type { Identity, ProviderVisit } from '../../src/contract/people/identities.ts'
import { passkey } from './factor-samples.ts'
import type { VerbArgs, VerbName } from '../../src/verbs/index.ts'
import { acme, at, change, entries, event, handle, other, session, user } from '../samples.ts'
import { logged, type OpenEngine, storeTest } from '../store-test.ts'

const name = { provider: 'corp', issuer: 'https://corp.example', upstreamSubject: '7' }

export const identity = (more: Partial<Identity> = {}): Identity => ({
  ...name,
  tenant: acme,
  subject: 'ada',
  createdAt: at(1_000),
  ...more,
})

export const providerVisit = (id: string, more: Partial<ProviderVisit> = {}): ProviderVisit => ({
  tenant: acme,
  handle: handle(`visit ${id}`),
  provider: 'corp',
  browser: handle('browser 1'),
  sealed: Uint8Array.from([7, 0, 255]),
  expiresAt: at(601_000),
  ...more,
})

type IdentityVerb = Extract<VerbName, `identities.${string}`>

/** Over ada, who is linked, and a browser that left. */
export const identityCalls: { readonly [N in IdentityVerb]: () => VerbArgs<N> } = {
  'identities.createUser': () => [user('cyd'), { ...name, upstreamSubject: '8' }, entries('admin.user_changed')],
  'identities.link': () => [identity({ provider: 'second' }), entries('factor.added')],
  'identities.unlink': () => [
    { tenant: acme, subject: 'ada', provider: 'corp', served: [] },
    entries('factor.removed'),
  ],
  'identities.leave': () => [providerVisit('v2')],
  'identities.comeBack': () => {
    const { sealed: _sealed, expiresAt: _end, ...visit } = providerVisit('p1')
    return [{ ...visit, now: at(2_000) }]
  },
}

async function withPeople(store: Store): Promise<void> {
  await store.directory.apply([change()])
  for (const id of ['ada', 'eve']) await store.users.create(user(id), [])
}

export function identitySuite(open: OpenEngine): void {
  storeTest(
    open,
    'who somebody is elsewhere reads back whole, in its own tenant and of its own issuer',
    async ({ store }) => {
      await withPeople(store)
      equal(await store.identities.link(identity(), [event('factor.added')]), 'linked')
      deepEqual(await store.identities.find(acme, name), identity())
      deepEqual(await store.identities.of(acme, 'ada'), [identity()])
      equal(await store.identities.find(other, name), null)
      equal(await store.identities.find(acme, { ...name, issuer: 'https://other.example' }), null)
      equal(await store.identities.find(acme, { ...name, provider: 'else' }), null)
      deepEqual((await logged(store, acme)).filter((it) => it === 'factor.added').length, 1)
    },
  )

  storeTest(open, 'a provider leads to an administrator where one of them is known there', async ({ store }) => {
    await withPeople(store)
    await store.users.create(user('owner', { administrator: 'owner' }), [])
    await store.users.create(user('auditor', { administrator: 'auditor' }), [])
    await store.identities.link(identity(), [])
    const leads = async () =>
      Promise.all(['corp', 'second'].map((provider) => store.identities.leadsToAdministrator(acme, provider)))
    deepEqual(await leads(), [false, false], 'ada is none')
    await store.identities.link(identity({ provider: 'second', subject: 'auditor', upstreamSubject: '8' }), [])
    deepEqual(await leads(), [false, true])
    await store.identities.link(identity({ subject: 'owner', upstreamSubject: '9' }), [])
    deepEqual(await leads(), [true, true])
    equal(await store.identities.leadsToAdministrator(other, 'corp'), false)
    const names = ['Name-of-auditor', 'auditor@example.com', 'Name-of-owner', 'owner@example.com']
    deepEqual(await store.users.administratorNames(acme), names)
    deepEqual(await store.users.administratorNames(other), [])
  })

  storeTest(
    open,
    'of fifty people who would be the same one elsewhere, one is; and nobody is two there',
    async ({ store }) => {
      await withPeople(store)
      const many = Array.from({ length: 50 }, (_, n) => `p${n}`)
      for (const id of many) await store.users.create(user(id), [])
      const answers = await Promise.all(many.map((subject) => store.identities.link(identity({ subject }), [])))
      equal(answers.filter((it) => it === 'linked').length, 1)
      equal(answers.filter((it) => it === 'taken').length, 49)
      const twice = ['8', '9'].map((upstreamSubject) =>
        store.identities.link(identity({ subject: 'eve', upstreamSubject }), []),
      )
      deepEqual((await Promise.all(twice)).toSorted(), ['another', 'linked'])
    },
  )

  storeTest(
    open,
    'a link that rests on a password from before, or on somebody disabled, is not made',
    async ({ store }) => {
      await withPeople(store)
      equal(await store.identities.link({ ...identity(), passwordSeen: at(1) }, []), 'outdated')
      await store.users.change({
        tenant: acme,
        id: 'ada',
        version: 1,
        disabledAt: at(2_000),
        at: at(2_000),
        events: [],
      })
      equal(await store.identities.link(identity(), []), 'outdated')
      deepEqual(await store.identities.of(acme, 'ada'), [])
    },
  )

  storeTest(open, 'an account and who it is elsewhere are made together, or neither', async ({ store }) => {
    await withPeople(store)
    const made = (id: string, more: Parameters<typeof user>[1] = {}) => user(id, { passwordHash: null, ...more })
    equal(await store.identities.createUser(made('new', { username: 'Name-of-ada' }), name, []), 'exists')
    equal(await store.identities.find(acme, name), null)
    const racing = Array.from({ length: 20 }, (_, n) => store.identities.createUser(made(`n${n}`), name, []))
    const answers = await Promise.all(racing)
    equal(answers.filter((it) => it === 'created').length, 1)
    const held = await store.identities.find(acme, name)
    for (let n = 0; n < 20; n++) {
      const there = (await store.users.byId(acme, `n${n}`)) !== null
      equal(there, held?.subject === `n${n}`)
    }
  })

  storeTest(
    open,
    'the last way in is not taken away: not by unlinking, not with a passkey, not by both at once',
    async ({ store }) => {
      await withPeople(store)
      const unlink = (subject: string, provider = 'corp', served = ['corp', 'second']) =>
        store.identities.unlink({ tenant: acme, subject, provider, served }, [event('factor.removed')])
      await store.identities.createUser(user('only', { passwordHash: null, passwordChangedAt: null }), name, [])
      equal(await unlink('only'), 'last')
      const second = identity({ subject: 'only', provider: 'second' })
      await store.identities.link(second, [])
      equal(await unlink('only', 'corp', ['corp']), 'last', 'the other provider is not served')
      equal(await unlink('eve'), 'absent')
      const both = await Promise.all([unlink('only'), unlink('only', 'second')])
      deepEqual(both.toSorted(), ['last', 'unlinked'])
      const [left] = await store.identities.of(acme, 'only')
      const key = { ...passkey('p1'), subject: 'only' }
      await store.factors.addPasskey(key, [handle('code')], [])
      const taking = [
        unlink('only', left?.provider),
        store.factors.remove(
          { tenant: acme, subject: 'only', what: { passkey: key.id }, served: ['corp', 'second'] },
          [],
        ),
      ]
      const answers = await Promise.all(taking)
      equal(answers.filter((it) => it === 'last').length, 1)
      await store.identities.link(identity({ upstreamSubject: '99' }), [])
      equal(await unlink('ada'), 'unlinked', 'a password is a way in')
      const keyed = user('keyed', { passwordHash: null, passwordChangedAt: null })
      await store.identities.createUser(keyed, { ...name, upstreamSubject: '100' }, [])
      await store.factors.addPasskey({ ...passkey('p2'), subject: 'keyed' }, [handle('code of keyed')], [])
      equal(await unlink('keyed'), 'unlinked', 'and so is a passkey')
    },
  )

  storeTest(open, 'what others sign in with, here or under the same id elsewhere, is no way in', async ({ store }) => {
    await withPeople(store)
    await store.directory.apply([change({ tenant: other })])
    const bare = { passwordHash: null, passwordChangedAt: null }
    // Made first and of the tenant that comes first, so that whoever asks for the id alone finds it.
    await store.users.create(user('only'), [])
    for (const id of ['only', 'one']) await store.users.create(user(id, { tenant: other, ...bare }), [])
    await store.users.create(user('bob', { tenant: other }), [])
    const [tenant, subject] = [other, 'only']
    for (const it of [identity({ tenant, subject }), identity({ tenant, subject: 'one', provider: 'second' })])
      await store.identities.link(it, [])
    const served = ['corp', 'second']
    const unlink = () => store.identities.unlink({ tenant, subject, provider: 'corp', served }, [])
    equal(await unlink(), 'last', 'others have passwords, and a second provider')
    await store.factors.addPasskey(passkey('of bob', { tenant, subject: 'bob' }), [handle('code of bob')], [])
    equal(await unlink(), 'last')
    await store.identities.link(identity({ subject, provider: 'second' }), [])
    equal(await unlink(), 'last')
    await store.factors.addPasskey(passkey('elsewhere', { subject }), [handle('code elsewhere')], [])
    equal(await unlink(), 'last')
    equal((await store.identities.of(tenant, subject)).length, 1)
  })

  storeTest(
    open,
    'a browser comes back once, and no other and to no other provider takes its way',
    async ({ store }) => {
      await withPeople(store)
      const { sealed, expiresAt: _end, ...visit } = providerVisit('v')
      await store.identities.leave(providerVisit('v'))
      const now = at(2_000)
      for (const wrong of [
        { browser: handle('browser 2') },
        { provider: 'else' },
        { tenant: other },
        { handle: handle('visit w') },
      ])
        equal(await store.identities.comeBack({ ...visit, ...wrong, now }), null)
      const back = await Promise.all(Array.from({ length: 20 }, () => store.identities.comeBack({ ...visit, now })))
      deepEqual(
        back.filter((it) => it !== null),
        [sealed],
      )
      await store.identities.leave(providerVisit('late'))
      equal(await store.identities.comeBack({ ...visit, handle: handle('visit late'), now: at(601_000) }), null)
    },
  )

  storeTest(open, 'a session remembers by whom it came, and is found by the name it has there', async ({ store }) => {
    await withPeople(store)
    const upstream = { provider: 'corp', sid: 'their-1' }
    await store.sessions.start(session('s1', { upstream }), null, [])
    await store.sessions.start(session('s2', { upstream: { provider: 'else', sid: 'their-1' } }), null, [])
    await store.sessions.start(session('s3', { upstream: { provider: 'corp', sid: null } }), null, [])
    deepEqual(await store.sessions.byUpstream(acme, 'corp', 'their-1'), [session('s1', { upstream })])
    await store.sessions.end(acme, 's1', at(3_000), [])
    deepEqual(await store.sessions.byUpstream(acme, 'corp', 'their-1'), [])
  })

  storeTest(open, 'who is deleted is nobody elsewhere, and what browsers left is swept', async ({ store }) => {
    await withPeople(store)
    await store.identities.link(identity(), [])
    await store.users.remove({ tenant: acme, id: 'ada', version: 1, by: 'op', at: at(2_000), events: [] })
    equal(await store.identities.find(acme, name), null)
    await store.identities.leave(providerVisit('v'))
    await store.sweep(at(600_000), 10)
    await store.sweep(at(601_000), 10)
    const { sealed: _sealed, expiresAt: _end, ...visit } = providerVisit('v')
    equal(await store.identities.comeBack({ ...visit, now: at(2_000) }), null)
  })
}
