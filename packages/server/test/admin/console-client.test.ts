/** The console's own client: there without set-up in every tenant, bound to a key, and worth what its person holds. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { builtInScopes } from '@grantor/protocol/oauth'
import { consoleClient } from '@grantor/protocol/registration'
import type { TenantId } from '@grantor/protocol/types'
import { openConsoleClients } from '../../src/console-client.ts'
import { databases, operator, startFeedDeployment, type FeedDeployment } from '../feed/feed-deployment.ts'
import { consoleAnswer, consoleSession } from './console-session.ts'

const root = 'default' as TenantId
const password = 'battery-horse-staple'
const everything = builtInScopes.map(({ name }) => name).filter((name) => name.startsWith('admin:'))
const scope = everything.join(' ')

const withAdministrators = async (it: FeedDeployment, tenant?: string) => {
  const users = [
    { username: 'olga', password, administrator: 'owner' },
    { username: 'audrey', password, administrator: 'auditor' },
    { username: 'nobody', password },
  ]
  const declared = tenant === undefined ? { users } : { tenants: [{ id: tenant, users }] }
  const applied = await it.deployment.authority.admin.declared.apply(operator, declared)
  assert.ok(applied.kind === 'ok', JSON.stringify(applied))
}
const ensure = (it: FeedDeployment, tenant: string) => openConsoleClients(it.deployment).ensure(tenant as TenantId)

for (const database of databases) {
  describe(`the client of the console on ${database}`, () => {
    test('an administrator is not asked, gets what their kind holds, bound to a key, and reads the API', async () => {
      await using it = await startFeedDeployment(database)
      await withAdministrators(it)
      const owner = await consoleSession(it, { username: 'olga', password, scope })
      assert.equal(owner.answer['token_type'], 'DPoP')
      assert.deepEqual(String(owner.answer['scope']).split(' ').toSorted(), everything.toSorted())
      assert.equal((await owner.call('/v1/clients')).status, 200)
      const stolen = await it.ask('/v1/clients', { headers: { authorization: `Bearer ${owner.token}` } })
      assert.equal(stolen.status, 401)
      const auditor = await consoleSession(it, { username: 'audrey', password, scope })
      const held = String(auditor.answer['scope']).split(' ')
      assert.deepEqual(held.toSorted(), everything.filter((name) => name.endsWith(':read')).toSorted())
      const { address } = await consoleAnswer(it, { username: 'nobody', password, scope })
      assert.equal(address.searchParams.get('error'), 'access_denied')
      assert.match(String(owner.answer['refresh_token']), /^gr_/, 'without openid it goes on without offline_access')
    })

    test('a tenant has one once its console was opened; changes of ours are undone, the switch of an operator is not', async () => {
      await using it = await startFeedDeployment(database)
      await withAdministrators(it, 'acme')
      const { clients } = it.deployment.authority.admin
      const acme = 'acme' as TenantId
      assert.equal((await clients.find(acme, consoleClient)).kind, 'error')
      await ensure(it, 'acme')
      const owner = await consoleSession(it, { username: 'olga', password, scope, tenant: 'acme' })
      assert.equal((await owner.call('/v1/clients')).status, 200)
      const crossing = await it.ask('/v1/clients', { headers: { authorization: `DPoP ${owner.token}` } })
      assert.equal(crossing.status, 401)
      const held = await clients.find(root, consoleClient)
      assert.ok(held.kind === 'ok')
      const { version } = held.value
      const metadata = { redirect_uris: ['https://elsewhere.example/cb'], token_endpoint_auth_method: 'none' }
      const change = { id: consoleClient, version, metadata, disabled: true }
      assert.equal((await clients.replace(operator, root, change)).kind, 'ok')
      await ensure(it, 'default')
      const mended = await clients.find(root, consoleClient)
      assert.ok(mended.kind === 'ok')
      assert.deepEqual(mended.value.metadata, held.value.metadata)
      assert.notEqual(mended.value.disabledAt, null)
      await ensure(it, 'default')
      const again = await clients.find(root, consoleClient)
      assert.ok(again.kind === 'ok' && again.value.version === mended.value.version, 'nothing is written twice')
    })
  })
}
