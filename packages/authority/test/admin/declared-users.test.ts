/** Declared people: what each change of a file is, what the log is told of it, and when access ends by it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@grantor/protocol/types'
import { bounded, declare, openDeployment, root } from '../support/deployment.ts'

test(
  'a change of a file tells what it is about; access ends by another password or by being disabled, and only then',
  bounded,
  async () => {
    const deployment = await openDeployment()
    const { store } = deployment
    const news = async () => {
      await store.events.position()
      const [last] = await store.events.before(root, Number.MAX_SAFE_INTEGER, 1)
      return last?.name === 'admin.user_changed' ? last : null
    }
    const row = async () => (await store.users.byUsername(root, 'ada')) ?? assert.fail()
    let seen = 0
    const first: JsonObject = { username: 'ada', password: 'correct-horse', name: 'Ada' }
    const enabled = { origin: 'declared', disabled: false, cutoff: false }
    const disabled = { origin: 'declared', disabled: true, cutoff: false }
    /** The file, what the log is told (null for nothing), and whether the password is another. */
    const steps: readonly (readonly [JsonObject, JsonObject | null, boolean])[] = [
      [first, enabled, true],
      [first, null, false],
      [{ ...first, name: 'Ada L.' }, enabled, false],
      [{ ...first, password: 'battery-staple' }, { ...enabled, cutoff: true }, true],
      [{ ...first, password: 'battery-staple', disabled: true }, { ...disabled, cutoff: true }, false],
      [{ ...first, password: 'battery-staple', disabled: true, name: 'A.' }, disabled, false],
      [{ ...first, password: 'battery-staple' }, enabled, false],
      [{ username: 'ada', name: 'Ada' }, null, false],
      [{ username: 'ada', name: 'Ada', administrator: 'auditor' }, { ...enabled, administrator: 'auditor' }, false],
      [{ username: 'ada', name: 'Ada', administrator: 'auditor' }, null, false],
      [{ username: 'ada', name: 'Ada' }, { ...enabled, administrator: null }, false],
    ]
    let hash: string | null = null
    for (const [user, data, rotates] of steps) {
      deployment.clock += 1000
      await declare(deployment, { users: [user] })
      const event = await news()
      const isNew = event !== null && event.seq !== seen
      assert.deepEqual(isNew ? event.data : null, data, JSON.stringify(user))
      const held = await row()
      if (isNew) assert.equal(event.subject, held.id)
      assert.equal(held.passwordHash !== hash, rotates, JSON.stringify(user))
      assert.equal(held.disabledAt !== null, user['disabled'] === true)
      if (rotates) assert.equal(held.passwordChangedAt, deployment.clock)
      seen = event?.seq ?? seen
      hash = held.passwordHash
    }
  },
)

test('somebody who is declared disabled begins so, and loses nothing by it', bounded, async () => {
  const deployment = await openDeployment()
  await declare(deployment, { users: [{ username: 'bob', disabled: true }] })
  const held = (await deployment.store.users.byUsername(root, 'bob')) ?? assert.fail()
  assert.deepEqual([held.disabledAt, held.passwordHash, held.passwordChangedAt], [deployment.clock, null, null])
  await deployment.store.events.position()
  const [last] = await deployment.store.events.before(root, Number.MAX_SAFE_INTEGER, 1)
  assert.deepEqual(last?.data, { origin: 'declared', disabled: true, cutoff: false })
})

test(
  'what a person proved of an address stays proven while the file names it and says nothing of it',
  bounded,
  async () => {
    const deployment = await openDeployment()
    const claims = async (user: JsonObject) => {
      await declare(deployment, { users: [{ username: 'ada', ...user }] })
      const held = (await deployment.store.users.byUsername(root, 'ada')) ?? assert.fail()
      return [held.claims['email'], held.claims['email_verified']]
    }
    assert.deepEqual(await claims({ email: 'a@x.example', email_verified: true }), ['a@x.example', true])
    assert.deepEqual(await claims({ email: 'a@x.example' }), ['a@x.example', true])
    assert.deepEqual(await claims({ email: 'b@x.example' }), ['b@x.example', undefined])
    assert.deepEqual(await claims({ email: 'b@x.example', email_verified: true }), ['b@x.example', true])
    assert.deepEqual(await claims({ email: 'b@x.example', email_verified: false }), ['b@x.example', false])
  },
)
