/** Nobody takes the last owner of a tenant away, by whatever request: nobody would be left who could name one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { builtInScopes } from '@grantor/protocol/oauth'
import type { Instant, TenantId } from '@grantor/protocol/types'
import { operator, startFeedDeployment } from '../feed/feed-deployment.ts'
import type { CallOptions } from '../feed/https-client.ts'
import { consoleSession } from './console-session.ts'

const password = 'battery-horse-staple'
const scope = builtInScopes
  .map(({ name }) => name)
  .filter((name) => name.startsWith('admin:'))
  .join(' ')
const root = 'default' as TenantId

test('the last owner is neither deleted, demoted nor disabled; of two who are at once, one is not', async () => {
  await using it = await startFeedDeployment()
  const { admin } = it.deployment.authority
  const applied = await admin.declared.apply(operator, {
    users: [
      { username: 'olga', password, administrator: 'owner' },
      { username: 'oscar', password },
    ],
  })
  assert.ok(applied.kind === 'ok', JSON.stringify(applied))
  const person = async (username: string) => {
    const found = await admin.users.search(root, { prefix: username, email: null, after: null, limit: 1 })
    assert.ok(found.kind === 'ok' && found.value[0] !== undefined)
    return found.value[0]
  }
  const olga = (await person('olga')).id
  const session = await consoleSession(it, { username: 'olga', password, scope, strong: true })
  const acts: readonly CallOptions[] = [
    { method: 'DELETE' },
    { method: 'PATCH', json: { administrator: null } },
    { method: 'PATCH', json: { administrator: 'operator' } },
    { method: 'PATCH', json: { disabled: true } },
    { method: 'PUT', json: { username: 'olga' } },
    { method: 'PUT', json: { username: 'olga', administrator: 'owner', disabled: true } },
  ]
  const before = await person('olga')
  for (const how of acts) {
    const answer = await session.call(`/v1/users/${olga}`, how)
    const { code, detail } = answer.json()
    assert.deepEqual(
      [answer.status, code, detail],
      [409, 'last_owner', 'This is the last owner. Make somebody else an owner first.'],
      JSON.stringify(how),
    )
  }
  assert.deepEqual(await person('olga'), before, 'nothing of them was changed')
  const renamed = await session.call(`/v1/users/${olga}`, { method: 'PATCH', json: { name: 'Olga' } })
  assert.equal(renamed.status, 200, renamed.body)

  for (const act of [
    () => admin.users.setDisabled(operator, root, { username: 'olga', disabled: true }),
    () => admin.users.setAdministrator(operator, root, { username: 'olga', administrator: null }),
  ])
    assert.deepEqual(await act(), { kind: 'error', error: { reason: 'last-owner' } })

  const oscar = (await person('oscar')).id
  const named = await session.call(`/v1/users/${oscar}`, { method: 'PATCH', json: { administrator: 'owner' } })
  assert.equal(named.status, 200, named.body)
  const raced = await Promise.all([
    session.call(`/v1/users/${olga}`, { method: 'PATCH', json: { administrator: null } }),
    session.call(`/v1/users/${oscar}`, { method: 'DELETE' }),
  ])
  assert.equal(raced.filter(({ status }) => status < 300).length, 1)
  const left = await admin.users.search(root, { prefix: 'o', email: null, after: null, limit: 5 })
  assert.ok(left.kind === 'ok')
  assert.equal(left.value.filter(({ administrator }) => administrator === 'owner').length, 1)
})

test('a file that would leave a tenant without an owner is refused when it is planned, and names the field', async () => {
  await using it = await startFeedDeployment()
  const { declared } = it.deployment.authority.admin
  const owner = (username: string) => ({ username, password, administrator: 'owner' })
  assert.ok((await declared.apply(operator, { users: [owner('olga'), { username: 'oscar' }] })).kind === 'ok')
  const problem = 'would leave the tenant without an owner; name another one'
  const refused = [
    [[{ username: 'olga' }], 'users[0].administrator'],
    [[{ username: 'oscar' }, { ...owner('olga'), disabled: true }], 'users[1].disabled'],
    [[{ ...owner('olga'), administrator: 'auditor' }], 'users[0].administrator'],
  ] as const
  for (const [users, field] of refused) {
    const error = { reason: 'invalid', problems: [{ field, problem }] }
    assert.deepEqual(await declared.plan({ users }), { kind: 'error', error })
    assert.deepEqual(await declared.apply(operator, { users }), { kind: 'error', error })
  }
  const { store } = it.deployment
  const found = await store.users.byUsername(root, 'oscar')
  assert.ok(found !== null)
  const due = async (deletionDueAt: Instant | null, version: number) => {
    const change = { tenant: root, id: found.id, version, deletionDueAt, at: Date.now() as Instant, events: [] }
    assert.equal(await store.users.change(change), 'changed')
  }
  await due((Date.now() + 86_400_000) as Instant, found.version)
  const leaving = await declared.plan({ users: [{ username: 'olga' }, owner('oscar')] })
  const error = { reason: 'invalid', problems: [{ field: 'users[0].administrator', problem }] }
  assert.deepEqual(leaving, { kind: 'error', error }, 'whoever is about to be deleted is no owner to stay')
  await due(null, found.version + 1)
  const handed = await declared.apply(operator, { users: [{ username: 'olga' }, owner('oscar')] })
  assert.ok(handed.kind === 'ok', JSON.stringify(handed))
  const both = await declared.apply(operator, { users: [owner('olga'), owner('oscar')] })
  assert.ok(both.kind === 'ok')
  assert.ok((await declared.apply(operator, { users: [{ username: 'olga' }] })).kind === 'ok')
})
