/** A person who is disabled stops at once: when, what ends by it, and what does not come back. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Instant } from '@grantor/protocol/types'
import { bounded, openDeployment, operator, root } from '../support/deployment.ts'
import { Enrolling } from '../support/enrolled-person.ts'
import { declarePeople } from '../support/person.ts'

test(
  'who is disabled is signed out everywhere; who is enabled signs in anew, and stays signed in',
  bounded,
  async () => {
    const deployment = await openDeployment()
    await declarePeople(deployment)
    const { store, authority } = deployment
    const set = async (disabled: boolean) => {
      deployment.clock += 1000
      const done = await authority.admin.users.setDisabled(operator, root, { username: 'alice', disabled })
      assert.ok(done.kind === 'ok', JSON.stringify(done))
      return (await store.users.byUsername(root, 'alice'))?.disabledAt
    }
    const person = new Enrolling(deployment)
    await person.enter()
    const { session } = await person.account()
    const isLiving = async (id: string) => {
      const page = { now: deployment.clock as Instant, before: null, limit: 100 }
      const living = await store.sessions.livingOf(root, session.authentication.subject, page)
      return living.some((it) => it.id === id)
    }
    assert.equal(await isLiving(session.id), true)
    assert.equal(await set(true), deployment.clock)
    assert.equal(await isLiving(session.id), false)
    assert.equal(await set(false), null)
    assert.equal(await isLiving(session.id), false, 'it does not come back')
    const again = new Enrolling(deployment)
    await again.enter()
    const { session: fresh } = await again.account()
    assert.equal(await set(false), null)
    assert.equal(await isLiving(fresh.id), true, 'enabling ends nothing')
  },
)
