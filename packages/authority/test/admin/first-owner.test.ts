/** The first owner: needed until there is one, made once, and asked for a password of their own. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { declare, openDeployment, operator, root } from '../support/deployment.ts'

test('there is none until one is made; then nobody makes another', async () => {
  const { authority, store } = await openDeployment()
  await declare({ authority })
  const { firstOwner } = authority.admin
  assert.deepEqual(await firstOwner.isNeeded(), { kind: 'ok', value: true })
  assert.deepEqual(await firstOwner.awaitsSignIn(), { kind: 'ok', value: false })
  const input = { password: 'correct-horse-battery', mustChangePassword: true }
  assert.deepEqual(await firstOwner.ensure(operator, input), { kind: 'ok', value: 'made' })
  assert.deepEqual(await firstOwner.isNeeded(), { kind: 'ok', value: false })
  assert.deepEqual(await firstOwner.awaitsSignIn(), { kind: 'ok', value: true })
  assert.deepEqual(await firstOwner.ensure(operator, input), { kind: 'ok', value: 'has-owner' })
  const owners = (await store.users.list(root, { after: null, limit: 10 })).filter((it) => it.administrator === 'owner')
  assert.equal(owners.length, 1)
})

test('a name that somebody else has is told', async () => {
  const { authority } = await openDeployment()
  await declare({ authority }, { users: [{ username: 'Admin' }] })
  assert.deepEqual(await authority.admin.firstOwner.awaitsSignIn(), { kind: 'ok', value: false })
  const again = await authority.admin.firstOwner.ensure(operator, {
    password: 'correct-horse-battery',
    mustChangePassword: true,
  })
  assert.deepEqual(again, { kind: 'ok', value: 'name-taken' })
})
