/** Half way in: the password was right, the second factor is asked for; whose, in which browser, and for how long. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Secret, TenantId } from '@grantor/protocol/types'
import { openDeployment, operator, root } from '../support/deployment.ts'
import { Enrolling, withApp } from '../support/enrolled-person.ts'
import { declarePeople } from '../support/person.ts'

async function halfWay() {
  const deployment = await openDeployment()
  await declarePeople(deployment)
  const before = await withApp(deployment)
  const person = before.elsewhere()
  assert.equal(await person.enter(), 'second-factor-pending')
  const pending = (visitor = person.visitor()) =>
    deployment.authority.browser.accountSignIn.pendingSecondFactor(visitor)
  return { deployment, person, pending }
}

test('who is half way in is asked for what they have; nobody else is asked anything', async () => {
  const { deployment, person, pending } = await halfWay()
  const asked = await pending()
  assert.equal(asked?.account.username, 'alice')
  assert.deepEqual([asked.factors.otp, asked.factors.passkey, asked.passkeyOnly], [true, false, false])
  assert.equal(asked.rememberFor, deployment.ports.policy.rememberedBrowserTtl)
  const visitor = person.visitor()
  for (const other of [
    { pendingSecondFactor: null },
    { browser: null },
    { browser: 'gb_another' as Secret },
    { tenant: 'acme' as TenantId },
    { pendingSecondFactor: 'x' },
  ])
    assert.equal(await pending({ ...visitor, ...other }), null, JSON.stringify(other))
  const { startOver } = deployment.authority.browser.accountSignIn
  assert.deepEqual(startOver(visitor), { pendingSecondFactor: null })
  assert.deepEqual(startOver({ ...visitor, pendingSecondFactor: null }), {})
})

test('it lasts as long as an interaction, and a code in time signs in', async () => {
  const { deployment, person, pending } = await halfWay()
  deployment.clock += deployment.ports.policy.interactionTtl * 1000
  assert.ok(await pending())
  const late = person.elsewhere()
  late.browser = person.browser
  late.pendingSecondFactor = person.pendingSecondFactor
  assert.equal(await person.further({ otp: person.otp() }), 'signed-in')
  deployment.clock += 30_001
  assert.equal(await pending(late.visitor()), null)
  assert.equal(await late.further({ otp: late.otp() }), 'rejected')
})

test('another password, or a person who was disabled, ends it', async () => {
  for (const change of ['password', 'disabled'] as const) {
    const { deployment, person, pending } = await halfWay()
    const { users } = deployment.authority.admin
    const done =
      change === 'password'
        ? await users.resetPassword(operator, root, { username: 'alice', password: 'another-horse' })
        : await users.setDisabled(operator, root, { username: 'alice', disabled: true })
    assert.equal(done.kind, 'ok')
    assert.equal(await pending(), null, change)
    assert.equal(await person.further({ otp: person.otp() }), 'rejected', change)
  }
})

test('the password alone does not come half way where there is no second factor, and a wrong one nowhere', async () => {
  const deployment = await openDeployment()
  await declarePeople(deployment)
  const bob = new Enrolling(deployment)
  assert.equal(await bob.enter('bob', 'battery-staple'), 'signed-in')
  assert.equal(bob.pendingSecondFactor, null)
  const other = new Enrolling(deployment)
  assert.equal(await other.enter('bob', 'wrong-staple'), 'rejected')
  assert.deepEqual([other.pendingSecondFactor, other.sessions], [null, []])
})
