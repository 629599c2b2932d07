/** Groups and roles of people: who holds what, and that what is taken away is gone at once. */
import { deepEqual, equal, ok } from 'node:assert/strict'
import type { TenantId } from '@grantor/protocol/types'
import type { DirectoryChange } from '../../src/contract/directory/directory.ts'
import type { Store } from '../../src/contract/store.ts'
import { race } from '../races.ts'
import {
  acme,
  at,
  authentication,
  basisNow,
  change,
  event,
  grant,
  grantId,
  issuance,
  opening,
  other,
  tenantWithClient,
  user,
} from '../samples.ts'
import { logged, type OpenEngine, type StoreUnderTest, storeTest } from '../store-test.ts'
import { group, role, scope, withGroup } from './group-samples.ts'

const changed = [event('admin.group_changed')]

/** A tenant with a client, Ada in a group that reads, Bob in none, and a grant of Ada's. */
async function home(store: Store): Promise<void> {
  await tenantWithClient(store)
  for (const id of ['ada', 'bob']) await store.users.create(user(id), [])
  await withGroup(store)
  await store.grants.open(opening(await basisNow(store), 'g1'))
}

const holds = async (store: Store, id: string): Promise<readonly string[]> =>
  (await store.users.byId(acme, id))?.roles ?? []

/** Whether the tokens of Ada's from before are dead, and decisions from before to be made again. */
async function cutFor(store: Store, revision: number): Promise<{ readonly dead: boolean; readonly stale: boolean }> {
  const grant = await store.grants.find(acme, grantId('g1'))
  return {
    dead: grant?.tokensDeadUpTo !== undefined,
    stale: (await basisNow(store)).revision !== revision,
  }
}

type Act = (store: Store) => Promise<unknown>

const ofTeam = { tenant: acme, id: 'team', version: null, at: at(4_500), events: [] }

const taking: Readonly<Record<string, Act>> = {
  'a member who is removed': (store) =>
    store.groups.change({ tenant: acme, id: 'team', version: null, removeMembers: ['ada'], at: at(5_000), events: [] }),
  'members who are replaced': (store) =>
    store.groups.change({ tenant: acme, id: 'team', version: null, members: ['bob'], at: at(5_000), events: [] }),
  'a role of the group': (store) =>
    store.groups.change({ tenant: acme, id: 'team', version: null, roles: [], at: at(5_000), events: [] }),
  'the group': (store) => store.groups.remove({ tenant: acme, id: 'team', version: null, at: at(5_000), events: [] }),
  'the groups of a person': (store) =>
    store.users.change({ tenant: acme, id: 'ada', version: 1, groups: [], at: at(5_000), events: [] }),
  'the role itself': async (store) => {
    const expected = (await basisNow(store)).revision
    await store.directory.apply([change({ expected, dropRoles: ['reader'], at: at(5_000) })])
  },
  'a scope of the role': async (store) => {
    const expected = (await basisNow(store)).revision
    await store.directory.apply([change({ expected, putRoles: [role('reader', ['a:write'])], at: at(5_000) })])
  },
  'a declared end of the group': (store) => declared(store, { dropGroups: [{ id: 'team' }] }),
  'a declared change of the group': (store) =>
    declared(store, { changeGroups: [{ ...ofTeam, members: ['bob'], at: at(5_000) }] }),
  'declared groups of a person': (store) => declared(store, { changeUsers: [{ ...ada, groups: [] }] }),
  'declared roles of a person': async (store) => {
    await store.users.change({ ...ada, at: at(4_000), roles: ['writer'], events: [] })
    await declared(store, { changeUsers: [{ ...ada, version: 2, roles: [] }] })
  },
}

const ada = { tenant: acme, id: 'ada', version: 1, at: at(5_000) }

async function declared(store: Store, more: Partial<DirectoryChange>): Promise<void> {
  const expected = (await basisNow(store)).revision
  equal(await store.directory.apply([change({ expected, ...more, at: at(5_000) })]), 'applied')
}

const keeping: Readonly<Record<string, Act>> = {
  'another member who is added': (store) =>
    store.groups.change({ tenant: acme, id: 'team', version: null, addMembers: ['bob'], at: at(5_000), events: [] }),
  'a group of another person': async (store) => {
    await store.groups.create(group('more', { roles: ['writer'], members: ['bob'] }), [])
    await store.groups.remove({ tenant: acme, id: 'more', version: null, at: at(5_000), events: [] })
  },
  'a role that another one makes up for': async (store) => {
    await store.users.change({ tenant: acme, id: 'ada', version: 1, roles: ['writer'], at: at(4_000), events: [] })
    await taking['the group']?.(store)
  },
}

export function groupSuite(open: OpenEngine): void {
  storeTest(open, 'groups are counted, read by number and external id, and told of people', async ({ store }) => {
    await home(store)
    await store.groups.create(group('more', { externalId: 'x-1', members: ['ada', 'bob'] }), [])
    equal(await store.groups.count(acme), 2)
    equal(await store.groups.count(other), 0)
    const page = async (offset: number, limit: number) =>
      (await store.groups.page(acme, { offset, limit })).map(({ id }) => id)
    deepEqual(await page(0, 10), ['more', 'team'])
    deepEqual(await page(1, 1), ['team'])
    deepEqual(
      (await store.groups.byExternalId(acme, 'x-1', 5)).map(({ id }) => id),
      ['more'],
    )
    deepEqual(await store.groups.byExternalId(other, 'x-1', 5), [])
    const told = async (subjects: readonly string[], limit = 10) =>
      (await store.groups.memberships(acme, subjects, limit)).map(({ subject, group: id }) => `${subject} ${id}`)
    deepEqual((await told(['ada', 'bob', 'nobody'])).toSorted(), ['ada more', 'ada team', 'bob more'])
    equal((await told(['ada', 'bob'], 1)).length, 1)
    deepEqual(await told([]), [])
    deepEqual(await store.groups.memberships(other, ['ada'], 10), [])
  })

  storeTest(open, 'a group reads back whole, by its id, its name in any case, and in lists', async ({ store }) => {
    await home(store)
    const more = { name: 'Ärzte & Co', description: 'Who heals', externalId: 'ext-1', roles: ['writer', 'reader'] }
    equal(await store.groups.create(group('docs', { ...more, members: ['bob', 'ada'] }), changed), 'created')
    const found = await store.groups.byId(acme, 'docs')
    const { members: _members, ...whole } = group('docs', { ...more, roles: ['reader', 'writer'] })
    deepEqual(found, { ...whole, changedAt: at(1_000), version: 1 })
    deepEqual(await store.groups.byName(acme, 'ÄRZTE & CO'), found)
    equal(await store.groups.byName(other, 'Ärzte & Co'), null)
    const search = { prefix: '', member: null, role: null, externalId: null, after: null, limit: 10 }
    const names = async (more: object, tenant: TenantId = acme) =>
      (await store.groups.search(tenant, { ...search, ...more })).map(({ id }) => id)
    deepEqual(await names({}), ['team', 'docs'])
    deepEqual(await names({ limit: 1 }), ['team'])
    deepEqual(await names({ after: { id: 'team', name: 'Group team' } }), ['docs'])
    deepEqual(await names({ prefix: 'ärz' }), ['docs'])
    deepEqual(await names({ externalId: 'ext-1' }), ['docs'])
    deepEqual(await names({ member: 'bob' }), ['docs'])
    deepEqual(await names({ member: 'ada' }), ['docs', 'team'])
    deepEqual(await names({ member: 'ada', after: whole }), ['team'])
    deepEqual(await names({ role: 'reader' }), ['docs', 'team'])
    deepEqual(await names({ role: 'reader', after: whole }), ['team'])
    deepEqual(await names({ externalId: 'ext-1', after: whole }), [])
    deepEqual(await names({ externalId: 'ext-1', member: 'ada', role: 'writer' }), ['docs'])
    deepEqual(await names({ externalId: 'ext-1', member: 'cyd' }), [])
    deepEqual(await names({ role: 'writer' }), ['docs'])
    deepEqual(await names({ role: 'reader', member: 'bob' }), ['docs'])
    deepEqual(await names({ role: 'reader' }, other), [])
    deepEqual(await names({}, other), [])
    deepEqual(await store.groups.members(acme, 'docs', { after: null, limit: 1 }), ['ada'])
    deepEqual(await store.groups.members(acme, 'docs', { after: 'ada', limit: 9 }), ['bob'])
    deepEqual((await store.users.byId(acme, 'ada'))?.groups, ['Group team', 'Ärzte & Co'])
    deepEqual((await store.users.byUsername(acme, 'name-of-bob'))?.roles, ['reader', 'writer'])
  })

  storeTest(
    open,
    'people are listed by a role of their own, and with what they hold however they are listed',
    async ({ store }) => {
      await home(store)
      const provisioned = { externalId: 'E-1', attributes: {} }
      await store.users.create(user('cyd', { ownRoles: ['reader'], groups: ['Group team'], provisioned }), [])
      const ids = async (more: object, tenant: TenantId = acme) =>
        (await store.users.list(tenant, { after: null, limit: 9, ...more })).map(({ id }) => id)
      deepEqual(await ids({ role: 'reader' }), ['cyd'])
      deepEqual(await ids({ role: 'reader', after: 'cyd' }), [])
      deepEqual(await ids({ role: 'reader', group: 'team' }), ['cyd'])
      deepEqual(await ids({ role: 'reader', group: 'none' }), [])
      deepEqual(await ids({ role: 'writer' }), [])
      deepEqual(await ids({ role: 'reader' }, other), [])
      const cyd = await store.users.byId(acme, 'cyd')
      deepEqual([cyd?.ownRoles, cyd?.roles, cyd?.groups], [['reader'], ['reader'], ['Group team']])
      deepEqual(await store.users.byExternalId(acme, 'E-1', 1), [cyd])
      deepEqual(await store.users.page(acme, { offset: 2, limit: 1 }), [cyd])
    },
  )

  storeTest(open, 'two groups have no name in common, whatever the case of its letters', async ({ store }) => {
    await home(store)
    equal(await store.groups.create(group('twin', { name: 'gROUP Team' }), changed), 'exists')
    await store.groups.create(group('more'), [])
    const renaming = { tenant: acme, id: 'more', version: 1, name: 'GROUP TEAM', at: at(2_000), events: changed }
    equal(await store.groups.change(renaming), 'exists')
    equal((await store.groups.byId(acme, 'more'))?.version, 1)
    equal(await store.groups.change({ ...renaming, name: 'group MORE' }), 'changed')
    equal((await logged(store, acme)).filter((name) => name === 'admin.group_changed').length, 1)
  })

  storeTest(
    open,
    'whoever is not there is in no group, and a role that is not there is held by none',
    async ({ store }) => {
      await home(store)
      deepEqual(await store.groups.create(group('x', { members: ['ada', 'nobody'] }), changed), {
        unknown: 'member',
        id: 'nobody',
      })
      deepEqual(await store.groups.create(group('x', { roles: ['reader', 'none'] }), changed), {
        unknown: 'role',
        id: 'none',
      })
      const at5 = { tenant: acme, id: 'team', version: null, at: at(5_000), events: changed }
      deepEqual(await store.groups.change({ ...at5, name: 'Renamed', members: ['nobody'] }), {
        unknown: 'member',
        id: 'nobody',
      })
      equal((await store.groups.byName(acme, 'Group team'))?.version, 1, 'nothing was changed')
      deepEqual(await store.groups.members(acme, 'team', { after: null, limit: 10 }), ['ada'])
      // Nor somebody of another tenant.
      await store.directory.apply([change({ tenant: other })])
      await store.users.create(user('eve', { tenant: other }), [])
      deepEqual(await store.groups.change({ ...at5, addMembers: ['eve'] }), { unknown: 'member', id: 'eve' })
      equal(await store.groups.change({ ...at5, tenant: other, addMembers: ['eve'] }), 'absent')
      deepEqual((await logged(store, acme)).includes('admin.group_changed'), false)
    },
  )

  storeTest(open, 'a group is changed and removed at the version it was looked at', async ({ store }) => {
    await home(store)
    const it = { tenant: acme, id: 'team', at: at(5_000), events: changed }
    equal(await store.groups.change({ ...it, version: 7, name: 'New' }), 'changed-meanwhile')
    equal(await store.groups.remove({ ...it, version: 7 }), 'changed-meanwhile')
    equal(await store.groups.change({ ...it, id: 'none', version: 1 }), 'absent')
    equal(await store.groups.change({ ...it, version: 1, name: 'New' }), 'changed')
    equal((await store.groups.byId(acme, 'team'))?.changedAt, at(5_000))
    equal(await store.groups.remove({ ...it, version: 2 }), 'removed')
    equal(await store.groups.remove({ ...it, version: 2 }), 'absent')
    deepEqual(await holds(store, 'ada'), [])
  })

  storeTest(
    open,
    'a person holds their own roles and those of their groups, and leaves nothing behind',
    async ({ store }) => {
      await home(store)
      await store.users.create(user('cyd', { ownRoles: ['writer'], groups: ['group TEAM'] }), [])
      const cyd = await store.users.byId(acme, 'cyd')
      deepEqual([cyd?.roles, cyd?.ownRoles, cyd?.groups], [['reader', 'writer'], ['writer'], ['Group team']])
      await store.users.remove({ tenant: acme, id: 'cyd', version: 1, by: 'operator', at: at(6_000), events: [] })
      await store.users.create(user('cyd'), [])
      deepEqual(await holds(store, 'cyd'), [], 'somebody made anew by the same id inherits nothing')
      const gone = { tenant: acme, id: 'ada', version: 1, roles: ['none'], at: at(5_000), events: [] }
      equal(await store.users.change(gone), 'changed-meanwhile')
      equal((await store.users.byId(acme, 'ada'))?.version, 1)
    },
  )

  storeTest(
    open,
    'groups are declared, changed and dropped together, each by its id, or not at all',
    async ({ store }) => {
      await home(store)
      await tenantWithClient(store, other)
      for (const id of ['gone', 'stays']) await store.groups.create(group(id), [])
      await store.groups.create(group('gone', { tenant: other }), [])
      const { revision } = await basisNow(store)
      const fresh = { createGroups: [group('fresh')], dropGroups: [{ id: 'gone' }] }
      const refused = {
        'a version of before': { ...fresh, changeGroups: [{ ...ofTeam, version: 7, name: 'Crew' }] },
        'a name that is taken': { ...fresh, createGroups: [group('fresh'), group('too', { name: 'GROUP STAYS' })] },
      }
      for (const [why, plan] of Object.entries(refused))
        equal(await store.directory.apply([change({ expected: revision, ...plan })]), 'changed-meanwhile', why)
      const there = async () =>
        (await store.groups.page(acme, { offset: 0, limit: 10 })).map(({ id, name }) => `${id}: ${name}`)
      deepEqual(await there(), ['gone: Group gone', 'stays: Group stays', 'team: Group team'])
      await declared(store, { ...fresh, changeGroups: [{ ...ofTeam, version: 1, name: 'Crew' }] })
      deepEqual(await there(), ['fresh: Group fresh', 'stays: Group stays', 'team: Crew'])
      equal((await store.groups.byId(other, 'gone'))?.name, 'Group gone')
    },
  )

  for (const [what, act] of Object.entries(taking)) {
    storeTest(open, `${what}: what is lost by it is dead at once, and decisions from before are stale`, async (it) => {
      await home(it.store)
      const { revision } = await basisNow(it.store)
      deepEqual(await cutFor(it.store, revision), { dead: false, stale: false })
      await act(it.store)
      deepEqual(await cutFor(it.store, revision), { dead: true, stale: true })
      ok((await logged(it.store, acme)).includes('admin.user_changed'))
    })
  }

  storeTest(
    open,
    'where a client knows a person by another name, what they lose ends by its grant',
    async ({ store }) => {
      await home(store)
      const named = { ...grant('pairwise', { pairwiseSubject: 'x-1' }) }
      await store.grants.open(opening(await basisNow(store), 'pairwise', { grant: named }))
      await taking['the group']?.(store)
      await store.events.position()
      const ended = (await store.events.after(acme, 0, 1_000)).filter(({ name }) => name === 'token.revoked')
      deepEqual(
        ended.map((it) => [it.grantId, it.clientId, it.reason]),
        [['pairwise', 'web', 'user_changed']],
      )
    },
  )

  const nothingStands: Readonly<Record<string, Act>> = {
    'a grant that was revoked': (store) =>
      store.grants.revoke({ tenant: acme, id: grantId('g1'), at: at(4_000), events: [] }),
    'a grant that is over at that very moment': async (store) => {
      await store.grants.revoke({ tenant: acme, id: grantId('g1'), at: at(4_000), events: [] })
      const over = grant('over', { expiresAt: at(5_000) })
      await store.grants.open(opening(await basisNow(store), 'over', { grant: over }))
    },
    'a grant of another, and one of the same name elsewhere': async (store) => {
      await store.grants.revoke({ tenant: acme, id: grantId('g1'), at: at(4_000), events: [] })
      const ofBob = grant('of bob', { authentication: authentication('bob') })
      await store.grants.open(opening(await basisNow(store), 'of bob', { grant: ofBob }))
      const basis = await tenantWithClient(store, other)
      const elsewhere = { grant: grant('g1', { tenant: other }), consent: null, events: [] }
      await store.grants.open(opening(basis, 'g1', elsewhere))
    },
  }
  for (const [stands, before] of Object.entries(nothingStands)) {
    storeTest(open, `whoever has only ${stands} has nothing to lose, and nothing is logged of them`, async (it) => {
      await home(it.store)
      await before(it.store)
      const { store } = it
      for (const act of [taking['a member who is removed'], taking['a scope of the role']]) {
        await store.groups.change({ ...ofTeam, members: ['ada'] })
        await act?.(store)
      }
      await store.users.change({ tenant: acme, id: 'ada', version: 1, roles: ['reader'], at: at(5_000), events: [] })
      await store.users.change({ tenant: acme, id: 'ada', version: 2, roles: [], at: at(5_000), events: [] })
      await taking['the role itself']?.(store)
      const logged = await store.events.after(acme, 0, 1_000)
      equal(
        logged.some(({ reason }) => reason === 'role_lost'),
        false,
      )
    })
  }

  for (const [what, act] of Object.entries(keeping)) {
    storeTest(open, `${what}: nothing of those who lose nothing ends`, async ({ store }) => {
      await home(store)
      await act(store)
      equal((await cutFor(store, 0)).dead, false)
    })
  }

  storeTest(open, 'where no API asks for roles, nothing ends and nothing is stale', async ({ store }) => {
    await home(store)
    const expected = (await basisNow(store)).revision
    const { requireRoles: _off, ...open } = (await store.directory.catalogue(acme))?.resources[0] ?? ({} as never)
    await store.directory.apply([change({ expected, putResources: [open] })])
    const { revision } = await basisNow(store)
    await taking['the group']?.(store)
    deepEqual(await cutFor(store, revision), { dead: false, stale: false })
  })

  storeTest(open, 'a token that is issued while the role goes is decided again, or dead', async (it) => {
    await issuedWhileTheRoleGoes(it)
  })

  storeTest(
    open,
    'a group of many is filled, paged and emptied, and those who ask for tokens read none of it',
    async ({ store }) => {
      await home(store)
      const many = Array.from({ length: 2_345 }, (_, n) => `m${String(n).padStart(5, '0')}`)
      await store.users.createMany(
        many.map((id) => user(id)),
        [],
      )
      const it = { tenant: acme, id: 'team', version: null, at: at(5_000), events: [] }
      equal(await store.groups.change({ ...it, addMembers: many }), 'changed')
      const seen: string[] = []
      for (let after: string | null = null; ;) {
        const page: readonly string[] = await store.groups.members(acme, 'team', { after, limit: 500 })
        seen.push(...page)
        if (page.length < 500) break
        after = page.at(-1) ?? null
      }
      deepEqual(seen, ['ada', ...many])
      deepEqual(await holds(store, 'm02000'), ['reader'])
      equal(await store.groups.change({ ...it, removeMembers: many.slice(1) }), 'changed')
      deepEqual(await store.groups.members(acme, 'team', { after: null, limit: 9 }), ['ada', 'm00000'])
    },
  )

  storeTest(
    open,
    'whoever is in more groups than a token has room for is shown one more, and has all their roles',
    async ({ store }) => {
      await home(store)
      await store.directory.apply([
        change({
          expected: (await basisNow(store)).revision,
          putScopes: [scope('z')],
          putRoles: [role('last', ['z'])],
        }),
      ])
      const of = (n: number) => group(`n${n}`, { members: ['bob'], roles: n === 249 ? ['last'] : [] })
      for (let n = 0; n < 250; n++) await store.groups.create(of(n), [])
      const bob = await store.users.byId(acme, 'bob')
      equal(bob?.groups?.length, 201)
      deepEqual(bob?.roles, ['last'])
    },
  )
}

async function issuedWhileTheRoleGoes({ store }: StoreUnderTest): Promise<void> {
  await home(store)
  const basis = await basisNow(store)
  const issue = () => store.tokens.issue(issuance(basis, { grantId: grantId('g1'), at: at(4_000) }))
  const leaving = { tenant: acme, id: 'team', version: null, removeMembers: ['ada'], at: at(5_000), events: [] }
  const leave = async () => ((await store.groups.change(leaving)) === 'changed' ? 'changed' : 'refused')
  const answers = await race<string>(20, (n) => (n === 10 ? leave() : issue()))
  const { committed = 0, stale = 0, changed: left = 0, ...rest } = answers
  deepEqual([committed + stale, left, rest], [19, 1, {}])
  // Whoever committed did so before the end, and is dead by it; from here on the same decision is none any more.
  equal((await cutFor(store, basis.revision)).dead, true)
  equal(await issue(), 'stale')
}
