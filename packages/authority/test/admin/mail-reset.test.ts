/** A link by which somebody chooses a password, mailed because an administrator wants it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Actor } from '@grantor/protocol/events'
import type { Instant } from '@grantor/protocol/types'
import { resetRequestIn, resetRequestKind } from '../../src/mail/queued-mail.ts'
import { declare, openDeployment, operator, root } from '../support/deployment.ts'
import { declarePeople } from '../support/person.ts'

async function open() {
  const deployment = await openDeployment()
  await declarePeople(deployment)
  const node = deployment.node({ mail: { send: () => Promise.resolve({ did: 'sent' }) } })
  const queued = () => deployment.store.mails.takeDue(deployment.clock as Instant, (deployment.clock + 1) as Instant)
  return { deployment, users: node.admin.users, queued }
}

const errorOf = (result: { readonly kind: string; readonly error?: unknown }): unknown =>
  result.kind === 'error' ? result.error : 'ok'
const problem = (text: string) => ({ reason: 'invalid', problems: [{ field: 'email', problem: text }] })

test('It is queued as if the person had asked for it, from nowhere, for as long as such a link lives; the log says who did', async () => {
  const { deployment, users, queued } = await open()
  assert.equal(errorOf(await users.mailReset(operator, root, 'ALICE')), 'ok')
  const row = await queued()
  assert.ok(row)
  const { tenant, kind, subject, madeAt, expiresAt } = row
  const life = 1000 * deployment.ports.policy.resetTtl
  assert.deepEqual(
    [tenant, kind, subject, madeAt, expiresAt],
    [root, resetRequestKind, null, deployment.clock, deployment.clock + life],
  )
  assert.deepEqual(resetRequestIn(row, deployment.ports.vault), {
    named: 'alice',
    browser: null,
    byAdministrator: true,
    language: null,
    where: { at: deployment.clock, ip: null, userAgent: null },
  })
  const [event] = await deployment.store.events.before(root, Number.MAX_SAFE_INTEGER, 1)
  const alice = await deployment.store.users.byUsername(root, 'alice')
  assert.deepEqual(
    [event?.name, event?.actor, event?.subject, event?.data],
    ['admin.user_changed', operator, alice?.id, { reset_mailed: true }],
  )
})

test('It is refused where no mail is sent, for who has no address or a false one, and for who is disabled', async () => {
  const { deployment, users, queued } = await open()
  const none = deployment.authority.admin.users
  assert.deepEqual(
    errorOf(await none.mailReset(operator, root, 'alice')),
    problem('cannot be used: this service sends no mail (mail.smtp)'),
  )
  const unaddressed = problem('is needed: there is no address to send a link to')
  assert.deepEqual(errorOf(await users.mailReset(operator, root, 'bob')), unaddressed)
  await declare(deployment, { users: [{ username: 'carl', password: 'correct-horse', email: 'carl at home' }] })
  assert.deepEqual(errorOf(await users.mailReset(operator, root, 'carl')), unaddressed)
  await users.setDisabled(operator, root, { username: 'alice', disabled: true })
  assert.deepEqual(errorOf(await users.mailReset(operator, root, 'alice')), problem('is of somebody who is disabled'))
  assert.deepEqual(errorOf(await users.mailReset(operator, root, 'nobody')), { reason: 'absent', what: 'user nobody' })
  assert.equal(await queued(), null)
})

test('To an administrator only an owner has it sent', async () => {
  const { deployment, users, queued } = await open()
  const email = 'olga@example.com'
  await declare(deployment, {
    users: [{ username: 'olga', password: 'correct-horse', administrator: 'owner', email }],
  })
  const client: Actor = { kind: 'client', id: 'svc' }
  const refused = { reason: 'forbidden', what: 'only an owner may do this to an administrator' }
  assert.deepEqual(errorOf(await users.mailReset(client, root, 'olga')), refused)
  assert.equal(await queued(), null)
  const olga = await deployment.store.users.byUsername(root, 'olga')
  assert.ok(olga)
  assert.equal(errorOf(await users.mailReset({ kind: 'user', id: olga.id }, root, 'olga')), 'ok')
  assert.equal(errorOf(await users.mailReset(client, root, 'alice')), 'ok')
})
