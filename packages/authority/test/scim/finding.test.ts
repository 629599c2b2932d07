/** SCIM filters over a store that is a table: which index a filter is asked of, and the bounds of what is looked at. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TenantId } from '@grantor/protocol/types'
import type { GroupSearch } from '@grantor/store'
import { findGroups } from '../../src/scim/find-groups.ts'
import { findPeople } from '../../src/scim/find-people.ts'
import { scimGroup } from '../../src/scim/group-resource.ts'
import { scimUser } from '../../src/scim/user-resource.ts'

const tenant = 'acme' as TenantId
const call = (...wanted: readonly string[]) =>
  ({ origin: { tenant }, wants: (name: string) => wanted.includes(name) }) as never
const digits = (n: number): string => String(n).padStart(5, '0')

const person = (n: number) => ({
  tenant,
  id: `u${digits(n)}`,
  username: `name${digits(n)}`,
  claims: { email: `m${n}@corp.example` },
  createdAt: 0,
  disabledAt: null,
  version: 1,
  provisioned: { externalId: `x${n}`, attributes: {} },
})
const group = (n: number) => ({
  tenant,
  id: `g${digits(n)}`,
  name: `Group ${digits(n)}`,
  externalId: `x${n}`,
  version: 1,
  createdAt: 0,
  changedAt: 0,
})

interface Window {
  readonly after: string | null
  readonly limit: number
  readonly prefix?: string
  readonly group?: string | null
}

/** So many people, who are in the first group as far as `members` says. */
function store(people: number, members = 0) {
  const all = Array.from({ length: people }, (_, n) => person(n))
  const asked: string[] = []
  const note = <T>(what: string, answer: T): Promise<T> => (asked.push(what), Promise.resolve(answer))
  const window = <T>(rows: readonly T[], keyOf: (row: T) => string, { after, limit }: Window): readonly T[] =>
    rows.filter((row) => after === null || keyOf(row) > after).slice(0, limit)
  const users = {
    byId: (_: string, id: string) => note('byId', all.find((it) => it.id === id) ?? null),
    byUsername: (_: string, name: string) => note('byUsername', all.find((it) => it.username === name) ?? null),
    byEmail: (_: string, email: string, limit: number) =>
      note(`byEmail ${limit}`, all.filter(({ claims }) => claims.email === email).slice(0, limit)),
    byExternalId: (_: string, id: string, limit: number) =>
      note(`byExternalId ${limit}`, all.filter(({ provisioned: it }) => it.externalId === id).slice(0, limit)),
    search: (_: string, by: Window) =>
      note(
        `search ${by.prefix}`,
        window(
          all.filter((it) => it.username.startsWith(by.prefix ?? '')),
          (it) => it.username,
          by,
        ),
      ),
    list: (_: string, by: Window) =>
      note(
        `list ${by.group ?? 'all'}`,
        window(all, (it) => it.id, by),
      ),
    page: (_: string, { offset, limit }: { offset: number; limit: number }) =>
      note('page', all.slice(offset, offset + limit)),
    count: () => note('count', all.length),
  }
  const memberships = (_: string, subjects: readonly string[], limit: number) =>
    note(
      `memberships ${subjects.length} ${limit}`,
      Array.from({ length: members }, (_item, n) => ({ subject: subjects[0], group: `g${n}`, name: `G${n}` })).slice(
        0,
        limit,
      ),
    )
  return { users, groups: { memberships }, asked }
}

const usual = { startIndex: 1, count: 100 }
const people = async (filter: string | null, of = store(3), more: object = {}, ...wanted: string[]) => {
  const page = await findPeople(call(...wanted), { filter, ...usual, ...more }, of as never)
  return page.kind === 'ok' ? ([page.value.found.map(({ id }) => id), page.value.total] as const) : page.error.scimType
}

test('RFC 7644 §3.4.2: without a filter a page is read as such, and none where nobody is asked for', async () => {
  const of = store(5)
  assert.deepEqual(await people(null, of, { startIndex: 2, count: 2 }), [['u00001', 'u00002'], 5])
  assert.deepEqual(of.asked, ['page', 'count'])
  assert.deepEqual(await people(null, of, { count: 0 }), [[], 5])
  assert.deepEqual(of.asked.slice(2), ['count'])
})

test('a filter that names a person is asked of the index for it, and of nothing else', async () => {
  for (const [filter, question] of [
    ['id eq "u00001"', 'byId'],
    ['userName eq "name00001"', 'byUsername'],
    ['externalId eq "x1"', 'byExternalId 5001'],
    ['emails.value eq "m1@corp.example"', 'byEmail 5001'],
    ['emails[value eq "m1@corp.example"]', 'byEmail 5001'],
    ['userName sw "name00001"', 'search name00001'],
  ] as const) {
    const of = store(3)
    assert.deepEqual(await people(filter, of), [['u00001'], 1], filter)
    assert.deepEqual(of.asked, [question], filter)
  }
  const either = store(3)
  assert.deepEqual(await people('id eq "u00002" or userName eq "name00000"', either), [['u00000', 'u00002'], 2])
  assert.deepEqual(either.asked, ['byId', 'byUsername'])
  const nobody = store(3)
  assert.deepEqual(await people('id eq "x" or userName eq "x"', nobody), [[], 0])
})

test('what is found is told once, in the order of ids, from where and as many as asked', async () => {
  const twice = 'id eq "u00002" or id eq "u00002" or id eq "u00001" or id eq "u00000"'
  assert.deepEqual(await people(twice), [['u00000', 'u00001', 'u00002'], 3])
  assert.deepEqual(await people(twice, store(3), { startIndex: 2, count: 1 }), [['u00001'], 3])
})

test('any other filter looks at everybody, page by page, up to five thousand', async () => {
  const of = store(1200)
  const every = (await people('active eq true', of, { count: 2000 })) as readonly [string[], number]
  assert.deepEqual([every[0].length, every[1], of.asked], [1200, 1200, ['list all', 'list all', 'list all']])
  assert.equal(((await people('active eq true', store(5000))) as readonly unknown[])[1], 5000)
  assert.equal(await people('active eq true', store(5001)), 'tooMany')
  assert.equal(await people('userName sw "name"', store(5001)), 'tooMany')
})

test('groups of people are looked for where they are shown or asked about, and there are not too many', async () => {
  for (const [filter, wanted, looks] of [
    ['id eq "u00001"', false, false],
    ['id eq "u00001"', true, true],
    ['id eq "u00001" and groups.display pr', false, true],
  ] as const) {
    const of = store(3, 2)
    assert.deepEqual(await people(filter, of, {}, ...(wanted ? ['groups'] : [])), [['u00001'], 1], filter)
    assert.equal(of.asked.includes('memberships 1 20001'), looks, filter)
  }
  assert.deepEqual(await people(null, store(1, 20_000), {}, 'groups'), [['u00000'], 1])
  assert.equal(await people(null, store(1, 20_001), {}, 'groups'), 'tooMany')
  assert.equal(await people('id eq "u00000"', store(1, 20_001), {}, 'groups'), 'tooMany')
})

function groupStore(count: number, { named = 0, members = 0 } = {}) {
  const all = Array.from({ length: count }, (_, n) => group(n))
  const asked: string[] = []
  const note = <T>(what: string, answer: T): Promise<T> => (asked.push(what), Promise.resolve(answer))
  return {
    asked,
    byId: (_: string, id: string) => note('byId', all.find((it) => it.id === id) ?? null),
    byName: (_: string, name: string) => note('byName', all.find((it) => it.name === name) ?? null),
    byExternalId: (_: string, id: string, limit: number) =>
      note(
        `byExternalId ${limit}`,
        all.filter(({ externalId }) => externalId === id),
      ),
    search: (_: string, { prefix, member, after, limit }: GroupSearch) =>
      note(
        `search ${prefix}${member ?? ''}`,
        all.filter(({ name }) => name.startsWith(prefix) && (after === null || name > after.name)).slice(0, limit),
      ),
    members: (_: string, id: string, { limit }: Window) =>
      note('members', Array.from({ length: members }, (_item, n) => `${id}-${n}`).slice(0, limit)),
    memberships: (_: string, subjects: readonly string[], limit: number) =>
      note(
        'memberships',
        Array.from({ length: named }, (_item, n) => ({ subject: subjects[0], group: `g${digits(n)}`, name: '' })).slice(
          0,
          limit,
        ),
      ),
    page: (_: string, { offset, limit }: { offset: number; limit: number }) =>
      note('page', all.slice(offset, offset + limit)),
    count: () => note('count', all.length),
  }
}

const groups = async (filter: string | null, of = groupStore(3), more: object = {}, ...wanted: string[]) => {
  const page = await findGroups(call(...wanted), { filter, ...usual, ...more }, of as never)
  if (page.kind === 'error') return page.error.scimType
  const members = page.value.found.map(
    ({ resource }) => (resource['members'] as readonly unknown[] | undefined)?.length ?? 0,
  )
  return [page.value.found.map(({ id }) => id), page.value.total, members] as const
}

test('groups: a filter that names one is asked of the index for it; members are shown where they are wanted', async () => {
  for (const [filter, question] of [
    ['id eq "g00001"', 'byId'],
    ['displayName eq "Group 00001"', 'byName'],
    ['externalId eq "x1"', 'byExternalId 5001'],
    ['displayName sw "Group 00001"', 'search Group 00001'],
  ] as const) {
    const of = groupStore(3, { members: 2 })
    assert.deepEqual(await groups(filter, of), [['g00001'], 1, [0]], filter)
    assert.deepEqual(
      of.asked.filter((it) => it !== 'memberships'),
      [question],
      filter,
    )
    assert.deepEqual(await groups(filter, of, {}, 'members'), [['g00001'], 1, [2]], filter)
  }
  const byMember = groupStore(3, { named: 2, members: 5 })
  // Whom the filter names are not all there are: they are not shown as if they were.
  assert.deepEqual(await groups('members.value eq "u1"', byMember), [['g00000', 'g00001'], 2, [0, 0]])
  assert.ok(byMember.asked.includes('search u1'))
  assert.deepEqual(await groups('members.value eq "u1"', byMember, {}, 'members'), [['g00000', 'g00001'], 2, [5, 5]])
})

test('groups: pages and bounds are those of people', async () => {
  assert.deepEqual(await groups(null, groupStore(5), { startIndex: 2, count: 2 }), [['g00001', 'g00002'], 5, [0, 0]])
  assert.deepEqual(await groups(null, groupStore(5), { count: 0 }), [[], 5, []])
  const all = (await groups('displayName sw "Group"', groupStore(1200), { count: 2000 })) as readonly [
    string[],
    number,
    number[],
  ]
  assert.equal(all[0].length, 1200)
  assert.equal(await groups('displayName sw "Group"', groupStore(5001)), 'tooMany')
  assert.equal(await groups('members.value eq "u1"', groupStore(3, { named: 20_001 })), 'tooMany')
  assert.notEqual(await groups('members.value eq "u1"', groupStore(3, { named: 20_000 })), 'tooMany')
  // Twenty thousand members in one answer, of all groups together.
  assert.deepEqual(await groups(null, groupStore(2, { members: 10_000 }), {}, 'members'), [
    ['g00000', 'g00001'],
    2,
    [10_000, 10_000],
  ])
  assert.equal(await groups(null, groupStore(2, { members: 10_001 }), {}, 'members'), 'tooMany')
})

test('RFC 7644 §3.14: the entity tag follows members and groups, in whatever order, and is plain where there are none', () => {
  const tagOf = (resource: ReturnType<typeof scimGroup>) => (resource.resource['meta'] as { version: string }).version
  const of = (...members: string[]) => tagOf(scimGroup(group(1) as never, members))
  assert.equal(of(), 'W/"1"')
  assert.equal(of('a', 'b'), of('b', 'a'))
  assert.match(of('a'), /^W\/"1\.[\w-]{12}"$/)
  assert.equal(new Set([of(), of('a'), of('b'), of('a', 'b')]).size, 4)
  const renamed = (name: string) => tagOf(scimUser(person(1) as never, [{ subject: 'u', group: 'g', name }] as never))
  assert.notEqual(renamed('one'), renamed('two'))
  const { resource } = scimUser({ ...person(1), createdAt: 0, changedAt: 1000 } as never)
  assert.deepEqual(resource['meta'], {
    resourceType: 'User',
    created: '1970-01-01T00:00:00.000Z',
    lastModified: '1970-01-01T00:00:01.000Z',
    version: 'W/"1"',
  })
  assert.equal('groups' in resource, false)
})
