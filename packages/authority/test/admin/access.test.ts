/** What an administrator finds and ends of other people's access: sessions, grants, consents. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Actor, SealedEvent } from '@grantor/protocol/events'
import type { TenantId } from '@grantor/protocol/types'
import { asking, type Deployment, openDeployment, operator, root } from '../support/deployment.ts'
import { Enrolling } from '../support/enrolled-person.ts'
import { authorizeQuery, declarePeople, redemption, refreshing } from '../support/person.ts'

const other = 'acme' as TenantId
const nameless: Actor = { kind: 'operator', id: null }
const anyone = { subject: null, clientId: null, before: null, limit: 100 }

async function open() {
  const deployment = await openDeployment()
  await declarePeople(deployment)
  return { deployment, alice: new Enrolling(deployment), admin: deployment.authority.admin }
}

const eventsOf = async ({ store }: Deployment, name: string): Promise<readonly SealedEvent[]> =>
  (await store.events.after(root, 0, 1000)).filter((event) => event.name === name)

const errorOf = (result: { readonly kind: string; readonly error?: unknown }): unknown =>
  result.kind === 'error' ? result.error : 'ok'

function listed<T>(result: { readonly kind: 'ok'; readonly value: T } | { readonly kind: 'error' }): T {
  assert.ok(result.kind === 'ok')
  return result.value
}

async function refreshToken({ authority }: Deployment, alice: Enrolling, clientId = 'web'): Promise<string> {
  const code = await alice.code(authorizeQuery({ client_id: clientId }))
  const issued = await authority.token(asking(redemption(code), { as: clientId }))
  assert.ok(issued.kind === 'ok')
  return issued.value['refresh_token'] as string
}

describe('sessions of others', () => {
  test('are listed and found while they live, up to their very end', async () => {
    const { deployment, alice, admin } = await open()
    await alice.enter()
    const { session, person } = await alice.account()
    const page = { subject: person.id, before: null, limit: 10 }
    assert.deepEqual(
      listed(await admin.sessions.list(root, page)).map(({ id }) => id),
      [session.id],
    )
    const absent = { reason: 'absent', what: `session ${session.id}` }
    assert.deepEqual(errorOf(await admin.sessions.find(other, session.id)), absent)
    assert.deepEqual(errorOf(await admin.sessions.find(root, 'none')), { reason: 'absent', what: 'session none' })
    deployment.clock = session.expiresAt - 1
    assert.equal(listed(await admin.sessions.find(root, session.id)).id, session.id)
    deployment.clock = session.expiresAt
    assert.deepEqual(errorOf(await admin.sessions.find(root, session.id)), absent)
    assert.deepEqual(errorOf(await admin.sessions.end(operator, root, session.id)), absent)
    assert.deepEqual(listed(await admin.sessions.list(root, page)), [])
  })

  test('are ended, told of with who did it, and their browser is no longer one that the person used', async () => {
    const { deployment, alice, admin } = await open()
    await alice.enter()
    const again = alice.elsewhere()
    await again.enter()
    const { session, person } = await again.account()
    const known = () => deployment.store.sessions.knownIn(root, deployment.ports.ids.handleOf(again.browser ?? ''))
    assert.equal((await known()).length, 1)
    assert.equal(errorOf(await admin.sessions.end(operator, root, session.id)), 'ok')
    assert.deepEqual(await known(), [])
    assert.deepEqual(await again.authority.browser.accounts(again.visitor()), [])
    assert.equal((await alice.authority.browser.accounts(alice.visitor())).length, 1, 'the other one lives')
    const [event, ...more] = await eventsOf(deployment, 'session.ended')
    assert.deepEqual(
      [event?.actor, event?.subject, event?.reason, event?.data, more],
      [operator, person.id, 'administrator', { sid: session.id }, []],
    )
    const gone = { reason: 'absent', what: `session ${session.id}` }
    assert.deepEqual(errorOf(await admin.sessions.end(operator, root, session.id)), gone, 'once')
  })
})

describe('grants of others', () => {
  test('are listed and found while they live, up to their very end', async () => {
    const { deployment, alice, admin } = await open()
    await refreshToken(deployment, alice)
    const [grant] = listed(await admin.grants.list(root, anyone))
    assert.ok(grant)
    assert.equal(grant.clientId, 'web')
    const absent = { reason: 'absent', what: `grant ${grant.id}` }
    assert.deepEqual(errorOf(await admin.grants.find(other, grant.id)), absent)
    assert.deepEqual(errorOf(await admin.grants.find(root, 'none')), { reason: 'absent', what: 'grant none' })
    deployment.clock = grant.expiresAt - 1
    assert.equal(listed(await admin.grants.find(root, grant.id)).id, grant.id)
    deployment.clock = grant.expiresAt
    assert.deepEqual(errorOf(await admin.grants.find(root, grant.id)), absent)
    assert.deepEqual(errorOf(await admin.grants.revoke(operator, root, grant.id)), absent)
  })

  test('are revoked with what was issued on them, and the log says of whom, of which and by whom', async () => {
    const { deployment, alice, admin } = await open()
    const [dies, lives] = [await refreshToken(deployment, alice), await refreshToken(deployment, alice, 'web2')]
    const grants = listed(await admin.grants.list(root, { ...anyone, clientId: 'web' }))
    assert.equal(grants.length, 1)
    const [grant] = grants
    assert.ok(grant)
    assert.equal(errorOf(await admin.grants.revoke(operator, root, grant.id)), 'ok')
    const refreshed = async (token: string, as: string) =>
      (await deployment.authority.token(asking(refreshing(token), { as }))).kind
    assert.deepEqual([await refreshed(dies, 'web'), await refreshed(lives, 'web2')], ['error', 'ok'])
    const [event] = await eventsOf(deployment, 'grant.revoked')
    assert.deepEqual(
      [event?.actor, event?.clientId, event?.subject, event?.grantId, event?.reason],
      [operator, 'web', grant.authentication.subject, grant.id, 'administrator'],
    )
    assert.deepEqual(errorOf(await admin.grants.revoke(operator, root, grant.id)), {
      reason: 'absent',
      what: `grant ${grant.id}`,
    })
  })

  test('are revoked all at once, of a person or of a client, however many they are, and counted', async () => {
    const { deployment, alice, admin } = await open()
    await refreshToken(deployment, alice)
    await refreshToken(deployment, alice, 'web2')
    const none = { subject: null, clientId: 'nobody' }
    assert.equal(listed(await admin.grants.revokeAll(operator, root, none)), 0)
    assert.equal(listed(await admin.grants.revokeAll(operator, root, { ...none, clientId: 'web2' })), 1)
    const [grant, ...more] = listed(await admin.grants.list(root, anyone))
    assert.ok(grant)
    assert.deepEqual(more, [])
    await copyGrant(deployment, grant.id, 'copy')
    const of = { subject: grant.authentication.subject, clientId: null }
    assert.equal(listed(await admin.grants.revokeAll(operator, root, of)), 101)
    assert.deepEqual(listed(await admin.grants.list(root, anyone)), [])
    assert.equal((await eventsOf(deployment, 'grant.revoked')).length, 102)
    await copyGrant(deployment, grant.id, 'again')
    assert.equal(listed(await admin.grants.revokeAll(operator, root, of)), 100, 'a whole page is not the last one')
    assert.deepEqual(listed(await admin.grants.list(root, anyone)), [])
  })
})

/** A hundred rows like one. */
const copyGrant = (deployment: Deployment, id: string, name: string): Promise<void> =>
  deployment.tamper(`
    with recursive n(n) as (select 1 union all select n + 1 from n where n < 100)
    insert into grants (tenant, id, client_id, subject, session_id, authenticated_at, acr, amr, scope, resources,
      created_at, expires_at)
    select tenant, '${name}-' || n, client_id, subject, session_id, authenticated_at, acr, amr, scope, resources,
      created_at, expires_at from grants, n where id = '${id}'`)

describe('consents of others', () => {
  test('are listed and found', async () => {
    const { deployment, alice, admin } = await open()
    await refreshToken(deployment, alice)
    const [record] = listed(await admin.consents.list(root, anyone))
    assert.ok(record)
    assert.equal(record.clientId, 'web')
    assert.equal(listed(await admin.consents.find(root, record.id)).id, record.id)
    const absent = { reason: 'absent', what: `consent ${record.id}` }
    assert.deepEqual(errorOf(await admin.consents.find(other, record.id)), absent)
    assert.deepEqual(errorOf(await admin.consents.withdraw(operator, other, record.id)), absent)
  })

  test('are withdrawn with the grants that rest on them; who did it is on record', async () => {
    const { deployment, alice, admin } = await open()
    const dies = await refreshToken(deployment, alice)
    await refreshToken(deployment, alice, 'web2')
    const all = listed(await admin.consents.list(root, anyone))
    for (const [clientId, by, name] of [
      ['web', operator, 'test'],
      ['web2', nameless, 'operator'],
    ] as const) {
      const record = all.find((one) => one.clientId === clientId)
      assert.ok(record)
      assert.equal(errorOf(await admin.consents.withdraw(by, root, record.id)), 'ok')
      const now = listed(await admin.consents.find(root, record.id))
      assert.deepEqual([now.revokedAt, now.revokedBy], [deployment.clock, name])
      const about = [by, record.subject, clientId, 'administrator']
      for (const event of ['consent.withdrawn', 'grant.revoked']) {
        const last = (await eventsOf(deployment, event)).at(-1)
        assert.deepEqual([last?.actor, last?.subject, last?.clientId, last?.reason], about, event)
      }
    }
    assert.equal((await deployment.authority.token(asking(refreshing(dies), { as: 'web' }))).kind, 'error')
    assert.deepEqual(listed(await admin.grants.list(root, anyone)), [])
  })
})
