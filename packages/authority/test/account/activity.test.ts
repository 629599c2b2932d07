/** A person's recent activity: each act once, the newest first, by pages, and nobody else's. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Activity } from '@grantor/authority'
import { asking, databases, declare, openDeployment, operator, root } from '../support/deployment.ts'
import { Enrolling } from '../support/enrolled-person.ts'
import { declarePeople, redemption } from '../support/person.ts'

const all = { before: null, group: null } as const
const kinds = (events: readonly Activity[]) => events.map(({ kind }) => kind)

for (const database of databases) {
  test(`what a person did is told with the app and from where, the newest first (${database})`, async () => {
    const deployment = await openDeployment(database)
    await declarePeople(deployment, { client_name: 'Invoices' })
    const { authority } = deployment
    const alice = new Enrolling(deployment)
    await alice.enter('alice', 'wrong-password')
    await alice.enter()
    const code = await alice.code()
    deployment.clock += 1000
    const { account: own } = authority.browser
    assert.ok((await authority.token(asking(redemption(code), { as: 'web' }))).kind === 'ok')
    assert.equal((await authority.token(asking(redemption(code), { as: 'web' }))).kind, 'error', 'a replay')
    const { events, older } = await own.activity(await alice.account(), all)
    assert.equal(older, null)
    assert.deepEqual(kinds(events), ['token.replayed', 'consent.granted', 'session.started', 'login.failed'])
    const [replayed, granted, started] = events
    assert.deepEqual([replayed?.client, replayed?.ip], ['Invoices', null], 'the address of a client says nothing')
    assert.deepEqual([granted?.client, granted?.ip], ['Invoices', '192.0.2.9'])
    assert.deepEqual([started?.client, started?.ip, started?.at], [null, '192.0.2.9', deployment.clock - 1000])
  })

  test(`what follows from an act is not told beside it, and a change of the record only as a password (${database})`, async () => {
    const deployment = await openDeployment(database)
    await declarePeople(deployment)
    const { authority } = deployment
    const alice = new Enrolling(deployment)
    await alice.enter()
    await alice.code()
    const { account: own } = authority.browser
    await own.disconnect('web', await alice.account(), alice.visitor())
    const { users } = authority.admin
    await declare(deployment, { users: [{ username: 'alice', name: 'Alice' }] })
    const account = await alice.account()
    const told = kinds((await own.activity(account, all)).events)
    assert.deepEqual(told, ['consent.withdrawn', 'consent.granted', 'session.started'])
    await users.resetPassword(operator, root, { username: 'alice', password: 'another-horse' })
    const after = kinds((await own.activity(account, all)).events)
    assert.deepEqual(after, ['password.changed', ...told], 'the sessions it ended are not told beside it')
  })

  test(`a long history comes by pages that hold each act once, and is the person's own (${database})`, async () => {
    const deployment = await openDeployment(database)
    await declarePeople(deployment)
    const own = deployment.authority.browser.account
    const alice = new Enrolling(deployment)
    await alice.enter()
    const bob = new Enrolling(deployment)
    await bob.enter('bob', 'battery-staple')
    // The event that made the account takes a place, but is not told.
    for (let n = 0; n < 23; n += 1) await alice.elsewhere().enter()
    const account = await alice.account()
    const whole = await own.activity(account, all)
    assert.deepEqual([whole.events.length, whole.older], [24, null])
    for (let n = 0; n < 2; n += 1) await alice.elsewhere().enter()
    const page = await own.activity(account, all)
    assert.equal(page.events.length, 25)
    const rest = await own.activity(account, { ...all, before: page.older })
    assert.deepEqual([kinds(rest.events), rest.older], [['session.started'], null])
    assert.equal((await own.activity(await bob.account(), all)).events.length, 1)
  })

  test(`a group is shown alone, however much lies between, with the device that was used (${database})`, async () => {
    const deployment = await openDeployment(database)
    await declarePeople(deployment)
    const own = deployment.authority.browser.account
    const alice = new Enrolling(deployment)
    await alice.enter()
    await alice.code()
    for (let n = 0; n < 105; n += 1) await alice.elsewhere().enter()
    const account = await alice.account()
    const apps = await own.activity(account, { ...all, group: 'apps' })
    assert.deepEqual([kinds(apps.events), apps.older], [['consent.granted'], null])
    assert.equal(apps.events[0]?.device, 'Firefox · Linux')
    const first = await own.activity(account, { ...all, group: 'sign_in' })
    assert.equal(first.events.length, 25)
    assert.ok(first.older !== null)
    assert.deepEqual(kinds((await own.activity(account, { ...all, group: 'account' })).events), [])
  })
}
