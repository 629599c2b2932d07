/** API keys at the SCIM service, which directories carry instead of tokens: on both databases. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { defaultTenant, type JsonObject, type TenantId } from '@grantor/protocol/types'
import { databases, machine, operator } from '../feed/feed-deployment.ts'
import { errorIn, groupUrn, type ScimDeployment, startScimDeployment } from './scim-deployment.ts'

const root = defaultTenant as TenantId
const people = 'admin:users:read admin:users:write admin:groups:read admin:groups:write admin:roles:write'
const acme = 'acme' as TenantId

for (const database of databases) {
  describe(`API keys at SCIM on ${database}`, () => {
    let deployment: ScimDeployment
    before(async () => {
      deployment = await startScimDeployment(database)
      const { declared } = deployment.it.deployment.authority.admin
      const writers = [
        machine('keys-only', 'admin:api-keys:write'),
        machine('keys-and-people', `admin:api-keys:write ${people}`),
        { ...machine('bound', 'scim:read'), dpop_bound_access_tokens: true },
      ]
      const applied = await declared.apply(operator, { clients: writers })
      assert.ok(applied.kind === 'ok', JSON.stringify(applied))
    })
    after(() => deployment[Symbol.asyncDispose]())
    const scim: ScimDeployment['scim'] = (...args) => deployment.scim(...args)

    async function keyOf(more: JsonObject = {}, tenant = root): Promise<{ readonly id: string; readonly key: string }> {
      const { admin } = deployment.it.deployment.authority
      const issuer = deployment.it.running.issuer + (tenant === root ? '' : `/t/${tenant}`)
      const input = { name: 'Entra', clientId: 'directory', resource: issuer, scope: null, addresses: [], ...more }
      const made = await admin.apiKeys.create(operator, tenant, { expiresAt: null, ...input })
      assert.ok(made.kind === 'ok', JSON.stringify(made))
      return { id: made.value.apiKey.id, key: made.value.key }
    }

    test('a key of a client that provisions reads and writes, and is refused from its revocation on', async () => {
      const { id, key } = await keyOf()
      const body = { schemas: [groupUrn], displayName: 'By key' }
      const made = await scim('/Groups', { bearer: key, body })
      assert.equal(made.status, 201, made.body)
      assert.equal((await scim('/Users', { bearer: key })).status, 200)
      const revoked = await deployment.it.deployment.authority.admin.apiKeys.revoke(operator, root, id)
      assert.equal(revoked.kind, 'ok')
      assert.deepEqual(errorIn(await scim('/Users', { bearer: key })), [401, undefined])
    })

    test('a key has no more than its scopes, nor than its client has by now', async () => {
      const { key } = await keyOf({ scope: 'scim:read' })
      assert.equal((await scim('/Groups', { bearer: key })).status, 200)
      assert.equal(
        (await scim('/Groups', { bearer: key, body: { schemas: [groupUrn], displayName: 'X' } })).status,
        403,
      )
      const { declared } = deployment.it.deployment.authority.admin
      const spare = await declared.apply(operator, { clients: [machine('spare', 'scim:read')] })
      assert.equal(spare.kind, 'ok')
      const { key: spareKey } = await keyOf({ clientId: 'spare' })
      assert.equal((await scim('/Users', { bearer: spareKey })).status, 200)
      await declared.apply(operator, { clients: [machine('spare', 'metrics:read')] })
      assert.equal((await scim('/Users', { bearer: spareKey })).status, 401)
    })

    test('a key from elsewhere, of another tenant, of another API, mistyped, or as another scheme opens nothing', async () => {
      const { key } = await keyOf()
      assert.equal((await scim('/Users', { bearer: key, tenant: '/t/acme' })).status, 401)
      const { key: theirs } = await keyOf({}, acme)
      assert.equal((await scim('/Users', { bearer: theirs })).status, 401)
      assert.equal((await scim('/Users', { bearer: theirs, tenant: '/t/acme' })).status, 200)
      const { key: far } = await keyOf({ addresses: ['192.0.2.0/24'] })
      assert.equal((await scim('/Users', { bearer: far })).status, 401)
      const { key: near } = await keyOf({ addresses: ['127.0.0.0/8', '::1'] })
      assert.equal((await scim('/Users', { bearer: near })).status, 200)
      const { key: invoices } = await keyOf({ clientId: 'svc', resource: 'https://api.example' })
      assert.equal((await scim('/Users', { bearer: invoices })).status, 401)
      const wrong = key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a')
      assert.equal((await scim('/Users', { bearer: wrong })).status, 401)
      assert.equal((await scim('/Users', { headers: { authorization: `DPoP ${key}` } })).status, 401)
    })

    test('a key of the issuer opens SCIM alone: neither the admin API nor the feed', async () => {
      const { key } = await keyOf()
      const headers = { authorization: `Bearer ${key}` }
      for (const path of ['/v1/users', '/v1/api-keys', '/revocations/changes', '/userinfo'])
        assert.equal((await deployment.it.ask(path, { headers })).status, 401, path)
    })

    test('a key holds only scopes of SCIM that the client has, and never for one whose tokens are bound', async () => {
      const { admin } = deployment.it.deployment.authority
      const resource = deployment.it.running.issuer
      for (const [clientId, scope] of [
        ['registrar', null],
        ['registrar', 'admin:clients:write'],
        ['reader', 'scim:write'],
        ['bound', null],
      ] as const) {
        const input = { name: 'x', clientId, resource, scope, addresses: [], expiresAt: null }
        assert.equal((await admin.apiKeys.create(operator, root, input)).kind, 'error', `${clientId} ${scope}`)
      }
    })

    test('nobody makes a key by the admin API that provisions more than they may themselves', async () => {
      const json = { name: 'Okta', client_id: 'directory', resource: deployment.it.running.issuer }
      const ask = async (by: string, scope: string) => {
        const token = await deployment.it.token(by, { scope })
        return deployment.it.ask('/v1/api-keys', { json, headers: { authorization: `Bearer ${token}` } })
      }
      assert.equal((await ask('keys-only', 'admin:api-keys:write')).status, 403)
      assert.equal((await ask('keys-and-people', 'admin:api-keys:write admin:users:write')).status, 403)
      const made = await ask('keys-and-people', `admin:api-keys:write ${people}`)
      assert.equal(made.status, 201, made.body)
      assert.equal((await scim('/Groups', { bearer: String(made.json()['key']) })).status, 200)
    })
  })
}
