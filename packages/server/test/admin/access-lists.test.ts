/** /v1/sessions, /v1/grants and /v1/consents over HTTP: found by person and client, and ended everywhere. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { defaultTenant } from '../../src/issuer.ts'
import { databases, eventually, verdictOf } from '../feed/feed-deployment.ts'
import { granted } from '../feed/granted.ts'
import { type AdminDeployment, itemsIn, startAdminDeployment } from './admin-deployment.ts'

async function subjectOf({ it }: AdminDeployment, username: string): Promise<string> {
  return (await it.deployment.store.users.byUsername(defaultTenant, username))?.id ?? ''
}

const refreshed = ({ it }: AdminDeployment, refresh: string, client = 'web') =>
  it.post('/token', client, { grant_type: 'refresh_token', refresh_token: refresh })

for (const database of databases) {
  describe(`what people allowed, on ${database}`, () => {
    test('grants are found by person and client; one is revoked at every validator', async () => {
      await using deployment = await startAdminDeployment(database)
      const { call, it } = deployment
      const alice = await subjectOf(deployment, 'alice')
      const [one, two] = [await granted(it), await granted(it, 'alice', 'pairwise')]
      const three = await granted(it, 'bob')
      const clients = async (query: string) =>
        itemsIn(await call(`/v1/grants?${query}`)).map(({ client_id: client }) => client)
      assert.deepEqual(await clients(''), ['web', 'pairwise', 'web'])
      assert.deepEqual(await clients(`subject=${alice}`), ['pairwise', 'web'])
      assert.deepEqual(await clients(`subject=${alice}&client_id=web`), ['web'])
      assert.deepEqual(await clients('client_id=web&limit=1'), ['web'])
      assert.equal((await call('/v1/grants?sort=id')).status, 400)
      const validator = it.validator()
      await eventually(async () => (await verdictOf(validator, one.token)) === 'accepted', 'a living token')
      const [found] = itemsIn(await call(`/v1/grants?subject=${alice}&client_id=web`))
      assert.equal((await call(`/v1/grants/${found?.id}`)).json()['scope'], 'invoices:read offline_access openid')
      assert.equal((await call(`/v1/grants/${found?.id}`, { method: 'DELETE' }, '/t/acme')).status, 404)
      assert.equal((await call(`/v1/grants/${found?.id}`, { method: 'DELETE' })).status, 204)
      assert.equal((await call(`/v1/grants/${found?.id}`, { method: 'DELETE' })).status, 404)
      await eventually(async () => (await verdictOf(validator, one.token)) === 'token_revoked', 'its end')
      assert.equal((await refreshed(deployment, one.refresh)).status, 400)
      for (const [alive, client] of [[two, 'pairwise'] as const, [three, 'web'] as const])
        assert.equal((await refreshed(deployment, alive.refresh, client)).status, 200)
      const [event] = itemsIn(await call('/v1/events?name=grant.revoked'))
      assert.deepEqual([event?.['actor'], event?.['reason']], [{ kind: 'client', id: 'admin' }, 'administrator'])
    })

    test('all grants of a person end, or all of a client; nobody else’s do', async () => {
      await using deployment = await startAdminDeployment(database)
      const { call, it } = deployment
      const alice = await subjectOf(deployment, 'alice')
      const ended = [await granted(it), await granted(it)]
      const kept = await granted(it, 'bob')
      const nobody = await call('/v1/grants/revoke', { json: {} })
      assert.equal(nobody.status, 400)
      assert.match(nobody.body, /minProperties/)
      assert.deepEqual((await call('/v1/grants/revoke', { json: { subject: alice } })).json(), { revoked: 2 })
      for (const { refresh } of ended) assert.equal((await refreshed(deployment, refresh)).status, 400)
      assert.equal((await refreshed(deployment, kept.refresh)).status, 200)
      assert.deepEqual((await call('/v1/grants/revoke', { json: { client_id: 'web' } })).json(), { revoked: 1 })
      assert.deepEqual((await call('/v1/grants/revoke', { json: { client_id: 'web' } })).json(), { revoked: 0 })
    })

    test('a session that is deleted is signed out', async () => {
      await using deployment = await startAdminDeployment(database)
      const { call, it } = deployment
      const { person } = await granted(it)
      const alice = await subjectOf(deployment, 'alice')
      const [found] = itemsIn(await call(`/v1/sessions?subject=${alice}`))
      assert.equal(found?.['acr'], 'urn:grantor:acr:1fa')
      assert.deepEqual(itemsIn(await call('/v1/sessions', {}, '/t/acme')), [])
      assert.equal((await call(`/v1/sessions/${found?.id}`, { method: 'DELETE' }, '/t/acme')).status, 404)
      assert.equal((await person.authority.browser.accounts(person.visitor())).length, 1)
      assert.equal((await call(`/v1/sessions/${found?.id}`, { method: 'DELETE' })).status, 204)
      assert.equal((await person.authority.browser.accounts(person.visitor())).length, 0)
      assert.deepEqual(itemsIn(await call('/v1/sessions')), [])
      const [event] = itemsIn(await call('/v1/events?name=session.ended'))
      assert.deepEqual([event?.['actor'], event?.['subject']], [{ kind: 'client', id: 'admin' }, alice])
    })

    test('a consent that is deleted is withdrawn with its grants, and stays on record', async () => {
      await using deployment = await startAdminDeployment(database)
      const { call, it } = deployment
      const { refresh } = await granted(it)
      const alice = await subjectOf(deployment, 'alice')
      const [found] = itemsIn(await call(`/v1/consents?subject=${alice}&client_id=web`))
      assert.equal(found?.['how'], 'page')
      assert.equal((await call(`/v1/consents/${found?.id}`, { method: 'DELETE' }, '/t/acme')).status, 404)
      const withdrawn = await call(`/v1/consents/${found?.id}`, { method: 'DELETE' })
      assert.equal(withdrawn.status, 202, withdrawn.body)
      assert.equal((await refreshed(deployment, refresh)).status, 400)
      const record = (await call(`/v1/consents/${found?.id}`)).json()
      assert.deepEqual([record['revoked_by'], record['scope']], ['admin', found?.['scope']])
    })
  })
}
