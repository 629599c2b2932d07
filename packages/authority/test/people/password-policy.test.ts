/** One policy for every way in which a password is given: by its person, by an administrator, in a file, by SCIM. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDeployment, operator, root } from '../support/deployment.ts'
import { Enrolling } from '../support/enrolled-person.ts'
import { declarePeople } from '../support/person.ts'

const breached = 'known-to-everybody'
const passwords = { leastLength: 10, isBreached: async (password: string) => password === breached }
const refusals = [
  { password: 'nine-char', problem: 'too_short', text: /must have 10 characters or more/ },
  { password: breached, problem: 'breached', text: /known from a breach/ },
] as const

async function deploymentWithPolicy() {
  const deployment = await openDeployment()
  await declarePeople(deployment)
  return Object.assign(deployment, { authority: deployment.node({ passwords }) })
}

for (const { password, problem, text } of refusals) {
  test(`${problem}: refused to the person, the administrator, the file and SCIM, and nothing changes`, async () => {
    const deployment = await deploymentWithPolicy()
    const { admin, browser } = deployment.authority
    const alice = new Enrolling(deployment)
    await alice.enter()
    const account = await alice.account()
    const change = { current: 'correct-horse', next: password }
    assert.equal(await browser.account.changePassword(account, change, alice.visitor()), problem)

    const made = await admin.users.create(operator, root, { username: 'carol', password, claims: {} })
    assert.ok(made.kind === 'error' && made.error.reason === 'invalid')
    assert.match(made.error.problems[0]?.problem ?? '', text)
    const reset = await admin.users.resetPassword(operator, root, { username: 'alice', password })
    assert.ok(reset.kind === 'error' && reset.error.reason === 'invalid')
    const applied = await admin.declared.apply(operator, { users: [{ username: 'dora', password }] })
    assert.ok(applied.kind === 'error' && applied.error.reason === 'invalid')
    assert.match(applied.error.problems[0]?.problem ?? '', text)

    const origin = { tenant: root, ip: null, traceId: null }
    const schemas = ['urn:ietf:params:scim:schemas:core:2.0:User']
    const user = { schemas, userName: 'erin', password }
    const provisioned = await deployment.authority.scim.users.create({ by: operator, origin, wants: () => true }, user)
    assert.ok(provisioned.kind === 'error')

    assert.equal(await alice.elsewhere().enter(), 'signed-in', 'the old password is the password')
    for (const username of ['carol', 'dora', 'erin'])
      assert.equal(await deployment.store.users.byUsername(root, username), null, username)
  })

  test(`${problem}: refused where one must be chosen at the first sign-in`, async () => {
    const deployment = await deploymentWithPolicy()
    const { admin, browser } = deployment.authority
    const reset = { username: 'alice', password: 'made-for-alice', mustChange: true }
    assert.ok((await admin.users.resetPassword(operator, root, reset)).kind === 'ok')
    const alice = new Enrolling(deployment)
    await alice.enter('alice', 'made-for-alice')
    const account = await alice.account()
    assert.equal(await browser.account.chooseNewPassword(account, password, alice.visitor()), problem)
    assert.equal(await browser.account.chooseNewPassword(account, 'chosen-by-alice', alice.visitor()), 'changed')
  })
}
