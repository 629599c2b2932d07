/** Clients of the service itself: people are not asked about them, but only where nobody else can take the answer. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Actor } from '@grantor/protocol/events'
import type { JsonObject } from '@grantor/protocol/types'
import { databases, declare, openDeployment, operator, root } from '../support/deployment.ts'
import { answerOf, authorizeQuery, declarePeople, PersonAtBrowser, redirectUri } from '../support/person.ts'

const loopback = 'http://127.0.0.1/cb'
const app = 'com.example.app:/cb'

const portal = (id: string, more: JsonObject = {}): JsonObject => ({
  client_id: id,
  client_name: 'Portal',
  token_endpoint_auth_method: 'none',
  application_type: 'native',
  grant_types: ['authorization_code', 'refresh_token'],
  redirect_uris: [redirectUri, loopback, app],
  scope: 'openid profile email admin:clients:read',
  first_party: true,
  ...more,
})

const ask = (more: Record<string, string> = {}) =>
  authorizeQuery({ client_id: 'portal', scope: 'openid profile', resource: '', ...more })

for (const database of databases) {
  describe(`first-party clients on ${database}`, async () => {
    const deployment = await openDeployment(database)
    const { authority } = deployment
    await declarePeople(deployment)
    await declare(deployment, { clients: [portal('portal')] })

    test('nobody is asked, not even for the first time or in silence; the account page names it as one', async () => {
      const person = new PersonAtBrowser(authority)
      assert.equal((await person.begin(ask())).go, 'login')
      assert.match(answerOf(await person.signIn()).get('code') ?? '', /^gc_/)
      assert.match(answerOf(await person.begin(ask({ prompt: 'none' }))).get('code') ?? '', /^gc_/)
      const [account] = await authority.browser.accounts(person.visitor())
      assert.ok(account !== undefined)
      const { apps } = await authority.browser.account.apps(account, null)
      assert.deepEqual(
        apps.map((it) => [it.clientId, it.firstParty]),
        [['portal', true]],
      )
      const consents = await authority.admin.consents.list(root, {
        subject: account.person.id,
        clientId: 'portal',
        before: null,
        limit: 10,
      })
      assert.deepEqual(consents.kind === 'ok' && consents.value, [], 'what nobody said is on no record')
      await authority.browser.account.disconnect('portal', account, person.visitor())
      assert.deepEqual((await authority.browser.account.apps(account, null)).apps, [])
    })

    for (const address of ['http://127.0.0.1:4711/cb', app]) {
      test(`RFC 8252 §8.6: at ${address} it is asked about like any other`, async () => {
        const person = new PersonAtBrowser(authority)
        await person.begin(ask({ redirect_uri: address }))
        assert.equal((await person.signIn('bob', 'battery-staple')).go, 'consent')
        const silent = await person.begin(ask({ redirect_uri: address, prompt: 'none' }))
        assert.equal(answerOf(silent).get('error'), 'consent_required')
      })
    }

    test('OIDC Core §3.1.2.1: prompt=consent asks about it, too', async () => {
      const person = new PersonAtBrowser(authority)
      await person.begin(ask({ prompt: 'consent' }))
      const shown = await person.signIn()
      assert.equal(shown.go, 'consent')
      assert.equal(answerOf(await person.deny()).get('error'), 'access_denied')
    })

    test('it gets no right to administer from who has none', async () => {
      const person = new PersonAtBrowser(authority)
      await person.begin(ask({ scope: 'admin:clients:read' }))
      assert.equal(answerOf(await person.signIn()).get('error'), 'access_denied')
    })

    test('a client that registered itself is never one, and only owners let one administer', async () => {
      const { admin } = authority
      const change = async (id: string, more: JsonObject, by: Actor = operator) => {
        const held = await admin.clients.find(root, id)
        assert.ok(held.kind === 'ok')
        const { client_id: _id, ...metadata } = portal(id, more)
        const { version } = held.value
        const changed = await admin.clients.replace(by, root, { id, version, metadata, disabled: false })
        return changed.kind === 'ok' ? 'ok' : changed.error.reason
      }
      const machine = { kind: 'client', id: 'svc' } as const
      assert.equal(await change('portal', {}, machine), 'forbidden', 'its addresses would be theirs to choose')
      assert.equal(await change('portal', { first_party: false }, machine), 'forbidden')
      const { client_id: _id, ...metadata } = portal('another')
      const made = await admin.clients.create(machine, root, { id: 'another', metadata })
      assert.deepEqual(made.kind === 'error' && made.error.reason, 'forbidden')
      const harmless = { ...metadata, scope: 'openid' }
      const openly = await admin.clients.create(machine, root, { id: 'another', metadata: harmless })
      assert.equal(openly.kind, 'ok')
      await deployment.tamper(`update clients set origin = 'dynamic' where id = 'another'`)
      assert.equal(await change('another', { scope: 'openid' }), 'invalid')
    })
  })
}
