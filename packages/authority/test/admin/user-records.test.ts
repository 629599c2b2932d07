/** People as an administrator keeps them: found, changed as a whole, removed; each answer and each event as it is. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Actor, SealedEvent } from '@grantor/protocol/events'
import type { TenantId } from '@grantor/protocol/types'
import { declare, type Deployment, openDeployment, operator, root } from '../support/deployment.ts'
import { Enrolling } from '../support/enrolled-person.ts'
import { declarePeople } from '../support/person.ts'

const other = 'acme' as TenantId
const client: Actor = { kind: 'client', id: 'svc' }
const conflict = { reason: 'conflict', what: 'the person was changed meanwhile; look before trying again' }
const forbidden = { reason: 'forbidden', what: 'only an owner may do this to an administrator' }

async function open(): Promise<Deployment> {
  const deployment = await openDeployment()
  await declarePeople(deployment)
  return deployment
}

async function recordOf({ authority, store }: Deployment, username: string) {
  const user = await store.users.byUsername(root, username)
  assert.ok(user, username)
  const found = await authority.admin.users.find(root, user.id)
  assert.ok(found.kind === 'ok')
  return found.value
}

/** As it stands, to be changed a little. */
async function replacementOf(deployment: Deployment, username: string) {
  const { id, version, claims, administrator, disabledAt, ...record } = await recordOf(deployment, username)
  return { id, version, username: record.username, claims, administrator, disabled: disabledAt !== null }
}

async function lastEvent({ store }: Deployment): Promise<SealedEvent | undefined> {
  return (await store.events.before(root, Number.MAX_SAFE_INTEGER, 1))[0]
}

const errorOf = (result: { readonly kind: string; readonly error?: unknown }): unknown =>
  result.kind === 'error' ? result.error : 'ok'

describe('the record of a person', () => {
  test('is found by its id, in its own tenant, without anything of a password', async () => {
    const deployment = await open()
    const record = await recordOf(deployment, 'alice')
    assert.deepEqual(
      [record.username, record.claims['email'], record.disabledAt, record.administrator, typeof record.version],
      ['alice', 'alice@example.com', null, null, 'number'],
    )
    assert.deepEqual(
      Object.keys(record).filter((name) => name.startsWith('password')),
      [],
    )
    const { users } = deployment.authority.admin
    assert.deepEqual(errorOf(await users.find(root, 'nobody')), { reason: 'absent', what: 'user nobody' })
    assert.deepEqual(errorOf(await users.find(other, record.id)), { reason: 'absent', what: `user ${record.id}` })
  })

  test('that cannot be read is said to be there, and neither changed nor removed', async () => {
    const deployment = await open()
    const { authority, store } = deployment
    const [alice, bob] = [await replacementOf(deployment, 'alice'), await recordOf(deployment, 'bob')]
    await deployment.tamper(`update users set claims = '{"x' where username = 'alice'`)
    const { users } = authority.admin
    const error = errorOf(await users.find(root, alice.id)) as { reason: string; what: string }
    assert.equal(error.reason, 'unreadable')
    assert.match(error.what, new RegExp(`^user ${alice.id} cannot be read: .+`))
    assert.deepEqual(errorOf(await users.replace(operator, root, alice)), error)
    assert.deepEqual(errorOf(await users.remove(operator, root, alice)), error)
    assert.equal(store.unreadable.list().length, 1)
    assert.equal((await users.find(root, bob.id)).kind, 'ok')
    // Another's id, or the same in another tenant, is not what cannot be read.
    assert.deepEqual(errorOf(await users.find(root, 'nobody')), { reason: 'absent', what: 'user nobody' })
    assert.deepEqual(errorOf(await users.find(other, alice.id)), { reason: 'absent', what: `user ${alice.id}` })
  })
})

describe('a search for people', () => {
  async function found(deployment: Deployment, search: object): Promise<readonly string[]> {
    const all = { prefix: '', email: null, after: null, limit: 10 }
    const result = await deployment.authority.admin.users.search(root, { ...all, ...search })
    assert.ok(result.kind === 'ok')
    for (const record of result.value) assert.equal(typeof record.version, 'number')
    return result.value.map(({ username }) => username)
  }

  test('goes by the beginning of the name in any spelling, page by page', async () => {
    const deployment = await open()
    await declare(deployment, { users: [{ username: 'Alina', password: 'correct-horse' }] })
    assert.deepEqual(await found(deployment, {}), ['alice', 'Alina', 'bob'])
    assert.deepEqual(await found(deployment, { prefix: 'AL' }), ['alice', 'Alina'])
    assert.deepEqual(await found(deployment, { prefix: 'al', limit: 1 }), ['alice'])
    assert.deepEqual(await found(deployment, { prefix: 'al', limit: 1, after: 'alice' }), ['Alina'])
    assert.deepEqual(await found(deployment, { prefix: 'x' }), [])
    assert.deepEqual(await found(deployment, { prefix: 'no name' }), [])
  })

  test('goes by the address, of however many people, in the order of their names', async () => {
    const deployment = await open()
    const email = 'home@example.com'
    // Made in another order than that of their names, one of them in capitals.
    for (const username of ['dora', 'Carol', 'erik'])
      await declare(deployment, { users: [{ username, password: 'correct-horse', email }] })
    assert.deepEqual(await found(deployment, { email }), ['Carol', 'dora', 'erik'])
    assert.deepEqual(await found(deployment, { email: 'alice@example.com' }), ['alice'])
    assert.deepEqual(await found(deployment, { email, limit: 2 }), ['Carol', 'dora'])
    assert.deepEqual(await found(deployment, { email, after: 'CAROL' }), ['dora', 'erik'])
    assert.deepEqual(await found(deployment, { email, after: 'dora' }), ['erik'])
    assert.deepEqual(await found(deployment, { email, prefix: 'D' }), ['dora'])
    assert.deepEqual(await found(deployment, { email, prefix: 'no name' }), [])
    assert.deepEqual(await found(deployment, { email: 'nobody@example.com' }), [])
  })
})

describe('a search for one name', () => {
  test('finds nobody but them, and only where all else fits too', async () => {
    const deployment = await open()
    await declare(deployment, { users: [{ username: 'al', password: 'correct-horse', email: 'al@example.com' }] })
    const { users } = deployment.authority.admin
    const found = async (search: object) => {
      const result = await users.search(root, { prefix: '', email: null, after: null, limit: 10, ...search })
      assert.ok(result.kind === 'ok')
      return result.value.map(({ username }) => username)
    }
    assert.deepEqual(await found({ prefix: 'al' }), ['al', 'alice'])
    assert.deepEqual(await found({ username: 'AL' }), ['al'])
    assert.deepEqual(await found({ username: 'ali' }), [])
    assert.deepEqual(await found({ username: 'no name' }), [])
    assert.deepEqual(await found({ username: 'al', email: 'AL@example.com' }), ['al'])
    assert.deepEqual(await found({ username: 'al', email: 'alice@example.com' }), [])
    assert.deepEqual(await found({ username: 'alice', prefix: 'AL' }), ['alice'])
    assert.deepEqual(await found({ username: 'al', prefix: 'ali' }), [])
  })
})

describe('replacing a person', () => {
  test('changes the whole of it, raises the version and tells the log what of it', async () => {
    const deployment = await open()
    const { users } = deployment.authority.admin
    const before = await replacementOf(deployment, 'alice')
    const wanted = { ...before, username: 'Alicia', claims: { name: 'Alicia Doe' } }
    const changed = await users.replace(operator, root, wanted)
    assert.ok(changed.kind === 'ok')
    assert.deepEqual(
      [changed.value.username, changed.value.claims, changed.value.version !== before.version],
      ['Alicia', { name: 'Alicia Doe' }, true],
    )
    const event = await lastEvent(deployment)
    assert.deepEqual(
      [event?.name, event?.actor, event?.subject, event?.data],
      ['admin.user_changed', operator, before.id, { disabled: false, cutoff: false, renamed: true }],
    )
    await users.replace(operator, root, { ...wanted, version: changed.value.version })
    assert.deepEqual((await lastEvent(deployment))?.data, { disabled: false, cutoff: false })
  })

  test('is refused at another version, for a name that is taken, and for somebody who is not there', async () => {
    const deployment = await open()
    const { users } = deployment.authority.admin
    const before = await replacementOf(deployment, 'alice')
    assert.deepEqual(errorOf(await users.replace(operator, root, { ...before, version: before.version + 1 })), conflict)
    assert.deepEqual(errorOf(await users.replace(operator, root, { ...before, username: 'BOB' })), {
      reason: 'exists',
      what: 'user BOB',
    })
    assert.deepEqual(errorOf(await users.replace(operator, root, { ...before, id: 'nobody' })), {
      reason: 'absent',
      what: 'user nobody',
    })
    assert.deepEqual(await replacementOf(deployment, 'alice'), before)
  })

  test('names every field that is wrong, and changes nothing', async () => {
    const deployment = await open()
    const { users } = deployment.authority.admin
    const before = await replacementOf(deployment, 'alice')
    const wrong = { ...before, username: 'a b', claims: { email_verified: 'yes', shoe: 1 }, administrator: 'emperor' }
    const refused = errorOf(await users.replace(operator, root, wrong)) as {
      reason: string
      problems: { field: string; problem: string }[]
    }
    assert.equal(refused.reason, 'invalid')
    assert.deepEqual(
      refused.problems.map(({ field }) => field),
      ['email_verified', 'shoe', 'username', 'administrator'],
    )
    assert.equal(refused.problems[2]?.problem, 'must be a name without spaces, control or look-alike characters')
    for (const field of [{ username: '' }, { claims: { shoe: 1 } }, { administrator: 'emperor' }])
      assert.equal(
        (errorOf(await users.replace(operator, root, { ...before, ...field })) as { reason: string }).reason,
        'invalid',
      )
    assert.deepEqual(await replacementOf(deployment, 'alice'), before)
  })

  test('disables at once and ends what was begun, once; enabling gives nothing back', async () => {
    const deployment = await open()
    const { users } = deployment.authority.admin
    const alice = new Enrolling(deployment)
    await alice.enter()
    const disabledAt = deployment.clock
    const before = await replacementOf(deployment, 'alice')
    const disabled = await users.replace(operator, root, { ...before, disabled: true })
    assert.ok(disabled.kind === 'ok')
    assert.equal(disabled.value.disabledAt, disabledAt)
    assert.deepEqual((await lastEvent(deployment))?.data, { disabled: true, cutoff: true })
    assert.deepEqual(await alice.authority.browser.accounts(alice.visitor()), [])
    deployment.clock += 60_000
    const again = await users.replace(operator, root, { ...before, version: disabled.value.version, disabled: true })
    assert.ok(again.kind === 'ok')
    assert.equal(again.value.disabledAt, disabledAt, 'since when stays')
    assert.deepEqual((await lastEvent(deployment))?.data, { disabled: true, cutoff: false })
    const enabled = await users.replace(operator, root, { ...before, version: again.value.version })
    assert.ok(enabled.kind === 'ok')
    assert.equal(enabled.value.disabledAt, null)
    assert.deepEqual((await lastEvent(deployment))?.data, { disabled: false, cutoff: false })
    assert.deepEqual(await alice.authority.browser.accounts(alice.visitor()), [], 'the session stays ended')
  })

  test('leaves the sessions of somebody who stays enabled', async () => {
    const deployment = await open()
    const alice = new Enrolling(deployment)
    await alice.enter()
    const before = await replacementOf(deployment, 'alice')
    await deployment.authority.admin.users.replace(operator, root, { ...before, claims: {} })
    assert.equal((await alice.authority.browser.accounts(alice.visitor())).length, 1)
  })
})

describe('administrators', () => {
  test('are made, changed and removed by an owner of the same tenant or by whoever has the machine, by nobody else', async () => {
    const deployment = await open()
    const { users } = deployment.authority.admin
    await declare(deployment, { users: [{ username: 'olga', password: 'correct-horse', administrator: 'owner' }] })
    const olga = await recordOf(deployment, 'olga')
    const owner: Actor = { kind: 'user', id: olga.id }
    const bob: Actor = { kind: 'user', id: (await recordOf(deployment, 'bob')).id }
    const makes = async (by: Actor, username: string, administrator: string | null) =>
      errorOf(await users.replace(by, root, { ...(await replacementOf(deployment, username)), administrator }))
    for (const by of [client, bob, { kind: 'user', id: null } as Actor]) {
      assert.deepEqual(await makes(by, 'alice', 'owner'), forbidden)
      assert.deepEqual(await makes(by, 'olga', null), forbidden)
      assert.deepEqual(await makes(by, 'olga', 'owner'), forbidden, 'nor changed otherwise')
      assert.deepEqual(errorOf(await users.remove(by, root, await recordOf(deployment, 'olga'))), forbidden)
    }
    assert.equal(await makes(client, 'alice', null), 'ok')
    assert.equal(await makes(owner, 'alice', 'owner'), 'ok')
    assert.deepEqual((await lastEvent(deployment))?.data, { disabled: false, cutoff: false, administrator: 'owner' })
    assert.equal(await makes(operator, 'alice', null), 'ok')
    assert.deepEqual((await lastEvent(deployment))?.data, { disabled: false, cutoff: false, administrator: null })
    const removes = async () => errorOf(await users.remove(operator, root, await recordOf(deployment, 'olga')))
    assert.deepEqual(await removes(), { reason: 'last-owner' })
    assert.equal(await makes(owner, 'bob', 'owner'), 'ok')
    assert.equal(await removes(), 'ok')
    assert.deepEqual(await makes(owner, 'alice', 'owner'), forbidden, 'who is gone owns nothing')
  })

  test('that are disabled name nobody', async () => {
    const deployment = await open()
    const { users } = deployment.authority.admin
    await declare(deployment, {
      users: [{ username: 'olga', password: 'correct-horse', administrator: 'owner', disabled: true }],
    })
    const by: Actor = { kind: 'user', id: (await recordOf(deployment, 'olga')).id }
    const wanted = { ...(await replacementOf(deployment, 'alice')), administrator: 'owner' }
    assert.deepEqual(errorOf(await users.replace(by, root, wanted)), forbidden)
  })
})

test('removing a person ends what they could use, at the version that was looked at, and says who did it', async () => {
  const deployment = await open()
  const { users } = deployment.authority.admin
  const alice = new Enrolling(deployment)
  await alice.enter()
  const { id, version } = await recordOf(deployment, 'alice')
  assert.deepEqual(errorOf(await users.remove(client, root, { id, version: version + 1 })), conflict)
  assert.deepEqual(errorOf(await users.remove(client, root, { id: 'nobody', version })), {
    reason: 'absent',
    what: 'user nobody',
  })
  assert.equal(errorOf(await users.remove(client, root, { id, version })), 'ok')
  const event = await lastEvent(deployment)
  assert.deepEqual(
    [event?.name, event?.actor, event?.subject, event?.data],
    ['admin.user_changed', client, id, { removed: true, cutoff: true }],
  )
  assert.deepEqual(errorOf(await users.find(root, id)), { reason: 'absent', what: `user ${id}` })
  assert.deepEqual(await alice.authority.browser.accounts(alice.visitor()), [])
})
