/** What SCIM changes, and what the log is told of it: only what is another, and access that was taken away as such. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json, JsonObject } from '@grantor/protocol/types'
import { openScimGroups } from '../../src/scim/groups.ts'
import { openScimUsers } from '../../src/scim/users.ts'
import { bounded, declare, type Deployment, openDeployment, operator, root } from '../support/deployment.ts'

const call = { by: operator, origin: { tenant: root, ip: null, traceId: null }, wants: () => true } as never
const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User'
const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const replaces = (value: JsonObject): Json => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: [{ op: 'replace', value }],
})
const operation = (op: string, path: string, value: Json): Json => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: [{ op, path, value }],
})

type Answer = { readonly kind: string; readonly error?: { readonly status: number; readonly detail: string } }
const statusOf = ({ kind, error }: Answer) => (kind === 'ok' ? 200 : error?.status)

/** What was told since it was last asked. */
function news({ store }: Deployment) {
  let seen = 0
  return async () => {
    await store.events.position()
    const events = await store.events.after(root, seen, 100)
    seen = events.at(-1)?.seq ?? seen
    return events.map(({ data }) => data)
  }
}

test('a person: what each change is called, and what changes nothing is not told', bounded, async () => {
  const deployment = await openDeployment()
  await declare(deployment, { users: [{ username: 'root', password: 'correct-horse', administrator: 'owner' }] })
  const users = openScimUsers(deployment.ports)
  const told = news(deployment)
  await told()
  const first = { schemas: [userSchema], userName: 'carol', password: 'battery-staple' }
  const made = await users.create(call, first)
  assert.ok(made.kind === 'ok')
  const id = made.value.id
  assert.deepEqual(await told(), [{ created: true, provisioned: true }])
  const carol = await deployment.store.users.byId(root, id)
  assert.deepEqual([carol?.passwordChangedAt, typeof carol?.passwordHash], [deployment.clock, 'string'])
  const bare = await users.create(call, { schemas: [userSchema], userName: 'bare' })
  assert.ok(bare.kind === 'ok')
  const nobody = await deployment.store.users.byId(root, bare.value.id)
  assert.deepEqual([nobody?.passwordChangedAt, nobody?.passwordHash], [null, null])
  await told()
  const taken = await users.create(call, first)
  assert.ok(taken.kind === 'error' && taken.error.status === 409 && taken.error.detail.includes('userName carol'))
  assert.deepEqual(await told(), [])
  const any = { id, isMeant: null }
  const kept = { disabled: false, cutoff: false, provisioned: true }
  const table: readonly (readonly [Json, readonly JsonObject[]])[] = [
    [replaces({ userName: 'caroline' }), [{ ...kept, renamed: true }]],
    [replaces({ userName: 'caroline' }), []],
    [replaces({ password: 'battery-staple' }), []],
    [replaces({ password: 'another-staple' }), [{ ...kept, cutoff: true, password_reset: true }]],
    [replaces({ displayName: 'Carol' }), [kept]],
    [replaces({ active: false }), [{ ...kept, disabled: true, cutoff: true }]],
    [replaces({ active: false, displayName: 'C' }), [{ ...kept, disabled: true }]],
    [replaces({ active: true }), [kept]],
  ]
  for (const [body, expected] of table) {
    assert.equal((await users.patch(call, any, body)).kind, 'ok', JSON.stringify(body))
    assert.deepEqual(await told(), expected, JSON.stringify(body))
  }
  const off = { ...first, userName: 'dora', active: false }
  assert.equal((await users.create(call, off)).kind, 'ok')
  assert.deepEqual(await told(), [{ created: true, disabled: true, provisioned: true }])
  assert.equal(statusOf(await users.patch(call, any, replaces({ userName: 'dora' }))), 409)
  assert.equal(statusOf(await users.patch(call, { id, isMeant: () => false }, replaces({ userName: 'x' }))), 412)
  assert.equal(statusOf(await users.patch(call, { id: 'nobody', isMeant: null }, replaces({ userName: 'x' }))), 404)
  const owner = await deployment.store.users.byUsername(root, 'root')
  const administrator = { id: owner?.id ?? '', isMeant: null }
  for (const body of [
    replaces({ userName: 'x' }),
    replaces({ password: 'another-staple' }),
    replaces({ active: false }),
  ])
    assert.equal(statusOf(await users.patch(call, administrator, body)), 403)
  assert.equal(statusOf(await users.remove(call, administrator)), 403, 'the last owner')
  assert.deepEqual(await told(), [])
  assert.equal((await users.remove(call, any)).kind, 'ok')
  assert.deepEqual(await told(), [{ removed: true, cutoff: true, provisioned: true }])
  assert.equal(statusOf(await users.remove(call, any)), 404)
})

test('a group: what each change is called, and what changes nothing is not told', bounded, async () => {
  const deployment = await openDeployment()
  await declare(deployment, { users: ['a', 'b', 'c'].map((username) => ({ username })) })
  const ids: string[] = []
  for (const name of ['a', 'b', 'c']) ids.push((await deployment.store.users.byUsername(root, name))?.id ?? '')
  const members = (...at: readonly number[]) => at.map((n) => ({ value: ids[n] ?? '' }))
  const groups = openScimGroups(deployment.ports)
  const told = news(deployment)
  await told()
  const first = { schemas: [groupSchema], displayName: 'Team', members: members(0) }
  const made = await groups.create(call, first)
  assert.ok(made.kind === 'ok')
  const id = made.value.id
  assert.deepEqual(await told(), [{ id, name: 'Team', created: true, members: ids[0], provisioned: true }])
  assert.equal(statusOf(await groups.create(call, first)), 409)
  const stranger = { ...first, displayName: 'Other', members: [{ value: 'nobody' }] }
  assert.equal(statusOf(await groups.create(call, stranger)), 400)
  const any = { id, isMeant: null }
  const memberIds = async () => {
    const found = await groups.find(call, id)
    assert.ok(found.kind === 'ok')
    const listed = (found.value.resource['members'] ?? []) as readonly { value: string }[]
    return ['a', 'b', 'c'].filter((_, at) => listed.some(({ value }) => value === ids[at])).join('')
  }
  const [a = '', b = '', c = ''] = ids
  const some = { id, provisioned: true }
  const left = [b, c].toSorted().join(' ')
  const table: readonly (readonly [Json, told: readonly JsonObject[], held: string])[] = [
    [replaces({ displayName: 'Team' }), [], 'a'],
    [replaces({ displayName: 'Crew' }), [{ ...some, name: 'Crew' }], 'a'],
    [operation('add', 'members', members(1, 2)), [{ ...some, added: `${b} ${c}` }], 'abc'],
    [operation('remove', `members[value eq "${a}"]`, null), [{ ...some, removed_members: a }], 'bc'],
    [operation('replace', 'members', members(0)), [{ ...some, members: a, removed_members: left }], 'a'],
    [operation('replace', 'externalId', 'x1'), [some], 'a'],
    [operation('replace', 'externalId', 'x1'), [], 'a'],
  ]
  for (const [body, expected, held] of table) {
    assert.equal((await groups.patch(call, any, body)).kind, 'ok', JSON.stringify(body))
    assert.deepEqual([await told(), await memberIds()], [expected, held], JSON.stringify(body))
  }
  const renamed = { schemas: [groupSchema], displayName: 'Club' }
  assert.equal((await groups.replace(call, any, renamed)).kind, 'ok')
  assert.equal(await memberIds(), 'a', 'members who are not spoken of stay')
  assert.equal((await groups.replace(call, any, { ...renamed, Members: [] })).kind, 'ok')
  assert.equal(await memberIds(), '')
  await told()
  const long = await groups.patch(call, any, replaces({ displayName: '' }))
  assert.ok(long.kind === 'error' && long.error.status === 400)
  assert.equal(statusOf(await groups.replace(call, { id, isMeant: () => false }, renamed)), 412)
  assert.equal(statusOf(await groups.remove(call, { id, isMeant: () => false })), 412)
  assert.equal(statusOf(await groups.find(call, 'none')), 404)
  assert.deepEqual(await told(), [])
  assert.equal((await groups.remove(call, { id, isMeant: () => true })).kind, 'ok')
  assert.deepEqual(await told(), [{ id, removed: true, provisioned: true }])
  assert.equal(statusOf(await groups.remove(call, any)), 404)
})
