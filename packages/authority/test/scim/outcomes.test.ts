/** What SCIM asks of the store, and answers to each of its outcomes: over a store that is one row. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json, JsonObject } from '@grantor/protocol/types'
import { usualPasswords } from '@grantor/authority'
import { hashPassword } from '../../src/people/password.ts'
import { scimGroup } from '../../src/scim/group-resource.ts'
import { openScimGroups } from '../../src/scim/groups.ts'
import { scimUser } from '../../src/scim/user-resource.ts'
import { openScimUsers } from '../../src/scim/users.ts'

const call = {
  by: { kind: 'client', id: 'sync' },
  origin: { tenant: 'acme', ip: null, traceId: null },
  wants: () => false,
} as never
const now = 5_000
const userUrn = 'urn:ietf:params:scim:schemas:core:2.0:User'
const groupUrn = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const replaces = (path: string, value: Json): Json => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: [{ op: 'replace', path, value }],
})
const ada = {
  tenant: 'acme',
  id: 'u1',
  username: 'ada',
  claims: {},
  createdAt: 0,
  changedAt: 1_000,
  disabledAt: null,
  passwordHash: null,
  administrator: null,
  version: 3,
}
const team = { tenant: 'acme', id: 'g1', name: 'Team', externalId: null, createdAt: 0, changedAt: 1_000, version: 3 }
interface Asked {
  readonly version?: number | null
  readonly events: readonly { readonly name: string; readonly subject?: string | null; readonly data: JsonObject }[]
  readonly [name: string]: unknown
}
type Answer = { readonly kind: string; readonly error?: { readonly status: number; readonly detail: string } }
const told = (it: Answer) => (it.kind === 'ok' ? 'ok' : `${it.error?.status} ${it.error?.detail}`)

/** `outcome` is what the store answers to every change. */
function open(
  outcome: string,
  row: object | ((id: string) => object) | null = ada,
  group: object | null = team,
  held: readonly string[] = [],
) {
  const asked: Asked[] = []
  const answer = async (it: Asked) => {
    asked.push(it)
    return outcome
  }
  const made = async (row: object, events: Asked['events']) => {
    asked.push({ ...row, events })
    return outcome
  }
  const store = {
    users: {
      byId: async (_: string, id: string) => (typeof row === 'function' ? row(id) : row),
      change: answer,
      remove: answer,
      create: made,
    },
    groups: {
      byId: async () => group,
      change: answer,
      remove: answer,
      create: made,
      members: async () => held,
      memberships: async () => [],
    },
  }
  const deps = { clock: { now: () => now }, ids: { id: () => 'new' }, passwords: usualPasswords, store } as never
  return { asked, users: openScimUsers(deps), groups: openScimGroups(deps) }
}
const any = (id: string) => ({ id, isMeant: null })
const meant = (id: string, version: number) => ({ id, isMeant: (held: number) => held === version })
const meanwhile = '412 The resource was changed meanwhile. Read it again before trying again.'
const owner = '403 This is the last owner. Name another before this one is taken away.'

test('RFC 7644 §3.12: each outcome of a change of a person has its answer', async () => {
  const rows: readonly (readonly [string, change: string, remove: string])[] = [
    ['changed', 'ok', meanwhile],
    ['removed', meanwhile, 'ok'],
    ['exists', '409 userName eva is taken.', meanwhile],
    ['last-owner', owner, owner],
    ['absent', '404 There is no resource u1.', '404 There is no resource u1.'],
    ['changed-meanwhile', meanwhile, meanwhile],
  ]
  for (const [outcome, change, remove] of rows) {
    const { users } = open(outcome)
    assert.equal(told(await users.patch(call, any('u1'), replaces('userName', 'eva'))), change, outcome)
    assert.equal(told(await users.replace(call, any('u1'), { schemas: [userUrn], userName: 'eva' })), change, outcome)
    assert.equal(told(await users.remove(call, any('u1'))), remove, outcome)
  }
  const { users, asked } = open('changed', null)
  for (const answer of [
    await users.find(call, 'u1'),
    await users.remove(call, any('u1')),
    await users.patch(call, any('u1'), replaces('userName', 'eva')),
  ])
    assert.equal(told(answer), '404 There is no resource u1.')
  assert.deepEqual(asked, [])
})

test('RFC 7644 §3.14: a change is tried five times where no version is named, and once where one is', async () => {
  for (const [target, times] of [
    [any('u1'), 5],
    [meant('u1', 3), 1],
    [meant('u1', 2), 0],
  ] as const) {
    const { users, asked } = open('changed-meanwhile')
    assert.equal(told(await users.patch(call, target, replaces('userName', 'eva'))), meanwhile)
    assert.equal(asked.length, times)
  }
  const { users, asked } = open('exists')
  await users.patch(call, any('u1'), replaces('userName', 'eva'))
  assert.equal(asked.length, 1, 'what another try would not change is not tried again')
})

test('what a change of a person asks of the store: its fields, whether sessions end, and what the log is told', async () => {
  const asks = async (body: Json, row: object = ada) => {
    const { users, asked } = open('changed', row)
    assert.equal(told(await users.patch(call, any('u1'), body)), 'ok')
    const [only, ...more] = asked
    assert.deepEqual(more, [])
    return only ?? null
  }
  const renamed = await asks(replaces('userName', 'eva'))
  assert.deepEqual(
    [renamed?.['username'], renamed?.['disabledAt'], renamed?.version, renamed?.['at']],
    ['eva', null, 3, now],
  )
  assert.equal('endSessionsBut' in (renamed ?? {}), false)
  assert.equal('passwordHash' in (renamed ?? {}), false)
  const data = { disabled: false, cutoff: false, provisioned: true }
  assert.deepEqual(
    renamed?.events.map(({ name, subject, data: it }) => [name, subject, it]),
    [['admin.user_changed', 'u1', { ...data, renamed: true }]],
  )
  const off = await asks(replaces('active', false))
  assert.deepEqual([off?.['disabledAt'], off?.['endSessionsBut']], [now, null])
  assert.deepEqual(off?.events[0]?.data, { ...data, disabled: true, cutoff: true })
  const still = await asks(replaces('displayName', 'Ada'), { ...ada, disabledAt: 7 })
  assert.deepEqual([still?.['disabledAt'], 'endSessionsBut' in (still ?? {})], [7, false])
  const secret = await asks(replaces('password', 'correct-horse-battery'))
  assert.deepEqual([typeof secret?.['passwordHash'], secret?.['endSessionsBut']], ['string', null])
  assert.deepEqual(secret?.events[0]?.data, { ...data, cutoff: true, password_reset: true })
  assert.equal(await asks(replaces('active', true)), null, 'what changes nothing is not asked for')
})

test('RFC 7644 §3.5.1: a replacement that does not say so leaves somebody off who is off', async () => {
  const row = { ...ada, disabledAt: 7 }
  for (const [more, disabledAt] of [
    [{}, 7],
    [{ active: true }, null],
  ] as const) {
    const { users, asked } = open('changed', row)
    await users.replace(call, any('u1'), { schemas: [userUrn], userName: 'eva', ...more })
    assert.equal(asked[0]?.['disabledAt'], disabledAt)
  }
})

test('an administrator is taken away by SCIM, and not changed', async () => {
  const row = { ...ada, administrator: 'owner' }
  const elsewhere = '403 An administrator is not changed here, only taken away.'
  for (const [path, value, expected] of [
    ['userName', 'eva', elsewhere],
    ['active', false, 'ok'],
    ['title', 'x', elsewhere],
  ] as const) {
    const { users, asked } = open('changed', row)
    assert.equal(told(await users.patch(call, any('u1'), replaces(path, value))), expected, path)
    assert.equal(asked.length, expected === 'ok' ? 1 : 0)
  }
})

test('whether a password is an administrator’s is not told: the right one is refused as a wrong one is', async () => {
  const row = { ...ada, administrator: 'owner', passwordHash: await hashPassword('correct-horse-battery') }
  const elsewhere = '403 An administrator is not changed here, only taken away.'
  const off = (password: string): Json => ({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [{ op: 'replace', value: { active: false, password } }],
  })
  for (const password of ['correct-horse-battery', 'another-horse-battery']) {
    const { users, asked } = open('changed', row)
    const whole = { schemas: [userUrn], userName: 'ada', password }
    for (const answer of [
      await users.patch(call, any('u1'), replaces('password', password)),
      await users.patch(call, any('u1'), off(password)),
      await users.replace(call, any('u1'), whole),
      await users.replace(call, any('u1'), { ...whole, active: false }),
    ])
      assert.equal(told(answer), elsewhere, password)
    assert.deepEqual(asked, [])
  }
})

test('a directory takes administrators away; a person does so only as an owner, and nobody is stopped elsewhere', async () => {
  const onlyOwners = '403 Only an owner takes an administrator away.'
  const row = { ...ada, administrator: 'support' }
  const by = (actor: object) => ({ ...(call as object), by: actor }) as never
  const person = { kind: 'user', id: 'p1' }
  const asker =
    (administrator: string | null, disabledAt: number | null = null) =>
    (id: string) =>
      id === 'p1' ? { ...ada, id, administrator, disabledAt } : row
  const tries = async (actor: object, byId: (id: string) => object) => {
    const answers: string[] = []
    for (const act of ['replace', 'patch', 'remove'] as const) {
      const { users } = open(act === 'remove' ? 'removed' : 'changed', byId)
      const whole = { schemas: [userUrn], userName: 'ada', active: false }
      if (act === 'remove') answers.push(told(await users.remove(by(actor), any('u1'))))
      else if (act === 'patch') answers.push(told(await users.patch(by(actor), any('u1'), replaces('active', false))))
      else answers.push(told(await users.replace(by(actor), any('u1'), whole)))
    }
    return answers
  }
  const [allowed, refused] = [
    ['ok', 'ok', 'ok'],
    [onlyOwners, onlyOwners, onlyOwners],
  ]
  for (const kind of ['operator', 'support', null])
    assert.deepEqual(await tries(person, asker(kind)), refused, `${kind}`)
  assert.deepEqual(await tries(person, asker('owner', 7)), refused, 'an owner who is disabled')
  assert.deepEqual(await tries(person, asker('owner')), allowed)
  assert.deepEqual(await tries({ kind: 'client', id: 'sync' }, asker(null)), allowed)
  assert.deepEqual(await tries(person, (id) => ({ ...ada, id })), allowed, 'somebody who is no administrator')
})

test('what is wrong with a person is said before anything is asked of the store', async () => {
  const { users, asked } = open('created')
  const body = { schemas: [userUrn], userName: 'eva' }
  const rows: readonly (readonly [Json, RegExp])[] = [
    [{}, /^400 schemas names /],
    [{ ...body, userName: 'a b' }, /^400 username .*\.$/],
    [{ ...body, password: 'x' }, /^400 password .*\.$/],
    [{ ...body, title: 7 }, /^400 title is a text\.$/],
    [{ ...body, locale: 'x'.repeat(1001) }, /^400 locale must not be longer than 1000 characters\.$/],
  ]
  for (const [wrong, problem] of rows) {
    assert.match(told(await users.create(call, wrong)), problem)
    assert.match(told(await users.replace(call, any('u1'), wrong)), problem)
  }
  assert.match(told(await users.patch(call, any('u1'), {})), /^400 schemas names /)
  assert.match(told(await users.patch(call, any('u1'), replaces('userName', 'a b'))), /^400 username /)
  assert.match(told(await users.patch(call, any('u1'), replaces('title', 7))), /^400 title is a text/)
  assert.deepEqual(asked, [])
  assert.equal(told(await users.create(call, body)), 'ok')
  assert.equal(asked[0]?.['id'], 'new')
  assert.equal(told(await open('exists').users.create(call, body)), '409 userName eva is taken.')
})

test('RFC 7644 §3.12: each outcome of a change of a group has its answer', async () => {
  const nobody = '400 members names somebody who is not here.'
  const rows: readonly (readonly [string, change: string, remove: string, create: string])[] = [
    ['changed', 'ok', meanwhile, nobody],
    ['created', nobody, meanwhile, 'ok'],
    ['removed', nobody, 'ok', nobody],
    ['exists', '409 displayName Other is taken.', meanwhile, '409 displayName Other is taken.'],
    ['absent', '404 There is no resource g1.', '404 There is no resource g1.', nobody],
    ['changed-meanwhile', meanwhile, meanwhile, nobody],
    ['unknown-member', nobody, meanwhile, nobody],
  ]
  const body = { schemas: [groupUrn], displayName: 'Other' }
  for (const [outcome, change, remove, create] of rows) {
    const { groups } = open(outcome)
    assert.equal(told(await groups.patch(call, any('g1'), replaces('displayName', 'Other'))), change, outcome)
    assert.equal(told(await groups.replace(call, any('g1'), body)), change, outcome)
    assert.equal(told(await groups.remove(call, any('g1'))), remove, outcome)
    assert.equal(told(await groups.create(call, body)), create, outcome)
  }
  const { groups, asked } = open('changed', null, null)
  for (const answer of [
    await groups.find(call, 'g1'),
    await groups.remove(call, any('g1')),
    await groups.replace(call, any('g1'), body),
    await groups.patch(call, any('g1'), replaces('displayName', 'Other')),
  ])
    assert.equal(told(answer), '404 There is no resource g1.')
  assert.deepEqual(asked, [])
})

test('a group is changed at the version that is meant, or at any; and only in what is another', async () => {
  const { groups, asked } = open('changed')
  await groups.patch(call, any('g1'), replaces('displayName', 'Other'))
  await groups.patch(call, meant('g1', 3), replaces('externalId', 'e'))
  assert.equal(told(await groups.patch(call, meant('g1', 2), replaces('externalId', 'e'))), meanwhile)
  await groups.patch(call, any('g1'), replaces('displayName', 'Team'))
  await groups.replace(call, any('g1'), { schemas: [groupUrn], displayName: 'Team' })
  const parts = asked.map(({ events, at, tenant: _tenant, ...rest }) => [
    rest,
    at,
    events.map(({ name, data }) => [name, data]),
  ])
  assert.deepEqual(parts, [
    [
      { id: 'g1', version: null, name: 'Other' },
      now,
      [['admin.group_changed', { id: 'g1', name: 'Other', provisioned: true }]],
    ],
    [{ id: 'g1', version: 3, externalId: 'e' }, now, [['admin.group_changed', { id: 'g1', provisioned: true }]]],
  ])
})

test('members that a replacement does not speak of stay; those it names take their place', async () => {
  const { groups, asked } = open('changed')
  await groups.replace(call, any('g1'), { schemas: [groupUrn], displayName: 'Other' })
  await groups.replace(call, any('g1'), { schemas: [groupUrn], displayName: 'Team', MEMBERS: [{ value: 'u1' }] })
  await groups.patch(call, any('g1'), {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [
      { op: 'add', path: 'members', value: [{ value: 'u1' }] },
      { op: 'remove', path: 'members[value eq "u2"]' },
    ],
  })
  assert.deepEqual(
    asked.map(({ members, addMembers, removeMembers }) => [members, addMembers, removeMembers]),
    [
      [undefined, undefined, undefined],
      [['u1'], undefined, undefined],
      [undefined, ['u1'], ['u2']],
    ],
  )
})

test('what is wrong with a group is said by its name there', async () => {
  const { groups, asked } = open('changed')
  const body = { schemas: [groupUrn], displayName: 'Other' }
  const rows: readonly (readonly [Json, RegExp])[] = [
    [{ ...body, displayName: ' x' }, /^400 displayName must not begin or end with a space\.$/],
    [{ ...body, externalId: 'x'.repeat(257) }, /^400 externalId must not be longer than 256 characters\.$/],
    [{ ...body, members: [{ type: 'User' }] }, /^400 A member is named by its value\.$/],
    [{ schemas: [groupUrn] }, /^400 displayName is required\.$/],
  ]
  for (const [wrong, problem] of rows) {
    assert.match(told(await groups.create(call, wrong)), problem)
    assert.match(told(await groups.replace(call, any('g1'), wrong)), problem)
  }
  assert.match(
    told(await groups.patch(call, any('g1'), replaces('displayName', ' x'))),
    /^400 displayName must not begin/,
  )
  assert.match(told(await groups.patch(call, any('g1'), replaces('externalId', 'x'.repeat(257)))), /^400 externalId /)
  assert.match(told(await groups.patch(call, any('g1'), replaces('members.value', 'x'))), /^400 A member is added/)
  assert.match(told(await groups.patch(call, any('g1'), {})), /^400 schemas names /)
  assert.deepEqual(asked, [])
})

test('RFC 7643 §3.1: a resource says what it is, since when, and by which version it is known', () => {
  const meta = (type: string, version: string) => ({
    resourceType: type,
    created: '1970-01-01T00:00:00.000Z',
    lastModified: '1970-01-01T00:00:01.000Z',
    version,
  })
  assert.deepEqual(scimUser(ada as never).resource, {
    schemas: [userUrn],
    id: 'u1',
    userName: 'ada',
    active: true,
    meta: meta('User', 'W/"3"'),
  })
  assert.deepEqual(scimGroup(team as never).resource, {
    schemas: [groupUrn],
    id: 'g1',
    displayName: 'Team',
    meta: meta('Group', 'W/"3"'),
  })
  const one = scimGroup(team as never, ['u1', 'u2'])
  assert.deepEqual(one.resource['members'], [
    { value: 'u1', type: 'User' },
    { value: 'u2', type: 'User' },
  ])
  assert.match((one.resource['meta'] as JsonObject)['version'] as string, /^W\/"3\.[\w-]{12}"$/)
  assert.equal(scimGroup(team as never, ['u2', 'u1']).elsewhere, one.elsewhere)
  assert.notEqual(scimGroup(team as never, ['u1']).elsewhere, one.elsewhere)
  const inGroup = scimUser(ada as never, [{ group: 'g1', name: 'Team' }] as never)
  assert.deepEqual(inGroup.resource['groups'], [{ value: 'g1', display: 'Team', type: 'direct' }])
  const { changedAt: _changed, ...made } = ada
  assert.equal((scimUser(made as never).resource['meta'] as JsonObject)['lastModified'], '1970-01-01T00:00:00.000Z')
})

test('what is made and taken away is told to the store and to the log', async () => {
  const made = open('created')
  const body = { schemas: [userUrn], userName: 'eva', active: false }
  const answer = await made.users.create(call, body)
  assert.ok(answer.kind === 'ok')
  assert.deepEqual([answer.value.id, answer.value.version, answer.value.resource['userName']], ['new', 1, 'eva'])
  const [eva] = made.asked
  assert.deepEqual(
    [
      eva?.['disabledAt'],
      eva?.['createdAt'],
      eva?.['mustChangePassword'],
      eva?.['administrator'],
      eva?.['passwordHash'],
    ],
    [now, now, false, null, null],
  )
  assert.deepEqual(
    eva?.events.map(({ name, subject, data }) => [name, subject, data]),
    [['admin.user_changed', 'new', { created: true, disabled: true, provisioned: true }]],
  )
  const on = open('created')
  await on.users.create(call, { ...body, active: true })
  assert.deepEqual(
    [on.asked[0]?.['disabledAt'], on.asked[0]?.events[0]?.data],
    [null, { created: true, provisioned: true }],
  )
  const gone = open('removed')
  await gone.users.remove(call, any('u1'))
  assert.deepEqual(
    gone.asked.map(({ events, ...rest }) => [rest, events[0]?.data]),
    [
      [
        { tenant: 'acme', id: 'u1', version: 3, by: 'sync', at: now },
        { removed: true, cutoff: true, provisioned: true },
      ],
    ],
  )
  const group = open('created')
  await group.groups.create(call, { schemas: [groupUrn], displayName: 'Other', members: [{ value: 'u1' }] })
  const { events, ...row } = group.asked[0] ?? assert.fail()
  assert.deepEqual(
    [row['name'], row['members'], row['roles'], row['description'], row['externalId']],
    ['Other', ['u1'], [], null, null],
  )
  const data = events[0]?.data ?? {}
  assert.deepEqual([data['id'], data['name'], data['created'], data['provisioned']], ['new', 'Other', true, true])
  for (const [target, version] of [
    [any('g1'), null],
    [meant('g1', 3), 3],
  ] as const) {
    const removed = open('removed')
    await removed.groups.remove(call, target)
    assert.deepEqual(
      removed.asked.map(({ version: at, events: told }) => [at, told[0]?.data]),
      [[version, { id: 'g1', removed: true, provisioned: true }]],
    )
  }
})

test('a resource is shown as it is, with what is asked for of it', async () => {
  const { users, groups } = open('changed')
  const user = await users.find(call, 'u1')
  assert.deepEqual(user.kind === 'ok' && user.value, scimUser(ada as never))
  const group = await groups.find(call, 'g1')
  assert.deepEqual(group.kind === 'ok' && group.value, scimGroup(team as never))
})

test('RFC 7644 §3.12: a refusal says which kind it is', async () => {
  const kindOf = (it: Answer) => (it.error as { readonly scimType?: string } | undefined)?.scimType
  const { users, groups } = open('unknown-member')
  const body = { schemas: [userUrn], userName: 'eva' }
  assert.equal(kindOf(await users.create(call, { ...body, userName: 'a b' })), 'invalidValue')
  assert.equal(kindOf(await users.create(call, { ...body, password: 'x' })), 'invalidValue')
  assert.equal(kindOf(await groups.create(call, { schemas: [groupUrn], displayName: 'Other' })), 'invalidValue')
  assert.equal(kindOf(await groups.create(call, { schemas: [groupUrn], displayName: ' x' })), 'invalidValue')
  assert.match(told(await users.create(call, { ...body, password: 'x' })), /^400 password must .+\.$/)
})

test('members that are named anew: the same make no new version, and the log tells who leaves', async () => {
  const { groups, asked } = open('changed', ada, team, ['u1', 'u2'])
  const body = (...ids: readonly string[]) => ({
    schemas: [groupUrn],
    displayName: 'Team',
    members: ids.map((value) => ({ value })),
  })
  await groups.replace(call, any('g1'), body('u2', 'u1'))
  await groups.patch(call, any('g1'), replaces('members', [{ value: 'u1' }, { value: 'u2' }]))
  assert.equal(asked.length, 0)
  await groups.replace(call, any('g1'), body('u1', 'u2', 'u3'))
  await groups.replace(call, any('g1'), body('u3'))
  assert.deepEqual(
    asked.map(({ members, events: [event] }) => [members, event?.data]),
    [
      [['u1', 'u2', 'u3'], { id: 'g1', members: 'u1 u2 u3', provisioned: true }],
      [['u3'], { id: 'g1', members: 'u3', removed_members: 'u1 u2', provisioned: true }],
    ],
  )
})
