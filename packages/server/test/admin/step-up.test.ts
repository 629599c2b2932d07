/** RFC 9470: what is dangerous asks people for a fresh sign-in with two factors; and who is demoted is out at once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { builtInScopes } from '@grantor/protocol/oauth'
import type { TenantId } from '@grantor/protocol/types'
import { dangerousActs } from '../../src/admin/rights/dangerous-acts.ts'
import { machine, operator, startFeedDeployment } from '../feed/feed-deployment.ts'
import type { CallOptions } from '../feed/https-client.ts'
import { consoleSession, type SignIn } from './console-session.ts'

const password = 'battery-horse-staple'
const scope = builtInScopes
  .map(({ name }) => name)
  .filter((name) => name.startsWith('admin:'))
  .join(' ')
const root = 'default' as TenantId
const registered = { client_id: 'us', client_secret: 'a secret of ours there' }

test('RFC 9470 §3: every act of the table is challenged until its person has just shown two factors', async () => {
  await using it = await startFeedDeployment()
  const { admin } = it.deployment.authority
  const applied = await admin.declared.apply(operator, {
    users: [
      { username: 'olga', password, administrator: 'owner' },
      { username: 'eve', password },
    ],
    clients: [machine('robot', 'admin:keys:read'), machine('directory', 'scim:read')],
    providers: [{ id: 'held', kind: 'gitlab', ...registered }],
    tenants: [{ id: 'unused', disabled: true }],
  })
  assert.ok(applied.kind === 'ok', JSON.stringify(applied))
  const who: SignIn = { username: 'olga', password, scope }
  const weak = await consoleSession(it, who)
  const idOf = async (username: string) => {
    const found = await weak.call(`/v1/users?username=${username}`)
    return String((found.json()['items'] as { id: string }[])[0]?.id)
  }
  const [eve, alice] = [await idOf('eve'), await idOf('alice')]
  const { kid } = await firstKey()
  const acts: Readonly<Record<string, readonly [path: string, how: CallOptions]>> = {
    'users.create': ['/v1/users', { json: { username: 'new', administrator: 'auditor' } }],
    'users.update': [`/v1/users/${eve}`, { method: 'PATCH', json: { administrator: 'support' } }],
    'users.reset-factors': [`/v1/users/${alice}/reset-factors`, { json: {} }],
    'users.remove-sign-in-method': [`/v1/users/${alice}/remove-sign-in-method`, { json: { method: 'password' } }],
    'users.reset-password': [`/v1/users/${alice}/reset-password`, { json: { password: 'another-horse-battery' } }],
    'users.remove': [`/v1/users/${eve}`, { method: 'DELETE' }],
    'clients.create': ['/v1/clients', { json: { grant_types: ['client_credentials'], scope: 'admin:keys:read' } }],
    'clients.insert': [
      '/v1/clients/mine',
      { method: 'PUT', json: { grant_types: ['client_credentials'], scope: 'admin:keys:read' } },
    ],
    'clients.update': ['/v1/clients/robot', { method: 'PATCH', json: { client_name: 'Robot' } }],
    'clients.rotate-secret': ['/v1/clients/robot/rotate-secret', { json: {} }],
    'api-keys.create': [
      '/v1/api-keys',
      { json: { name: 'Entra', client_id: 'directory', resource: it.running.issuer, scope: 'scim:read' } },
    ],
    'providers.create': ['/v1/providers', { json: { kind: 'github', ...registered } }],
    'providers.insert': ['/v1/providers/put', { method: 'PUT', json: { kind: 'google', ...registered } }],
    'providers.update': ['/v1/providers/held', { method: 'PATCH', json: { trust_email: true } }],
    'tenants.update': ['/v1/tenants/globex', { method: 'PATCH', json: { disabled: true } }],
    'tenants.remove': ['/v1/tenants/unused', { method: 'DELETE' }],
    'keys.remove': [`/v1/keys/${kid}`, { method: 'DELETE' }],
  }
  assert.deepEqual(
    Object.keys(acts).toSorted(),
    dangerousActs.map(({ noun, act }) => `${noun}.${act}`).toSorted(),
    'every row of the table is tried here',
  )
  const strong = await consoleSession(it, { ...who, strong: true })
  const harmless = await weak.call('/v1/users', { json: { username: 'plain' } })
  assert.equal(harmless.status, 201, harmless.body)
  for (const [name, [path, how]] of Object.entries(acts)) {
    const answer = await weak.call(path, how)
    assert.equal(answer.status, 401, `${name}: ${answer.body}`)
    const { code, acr_values: acr, max_age: age } = answer.json()
    assert.deepEqual([code, acr, age], ['insufficient_user_authentication', 'urn:grantor:acr:2fa', 300])
    const header = String(answer.headers['www-authenticate'])
    assert.match(
      header,
      /^DPoP .*error="insufficient_user_authentication".*acr_values="urn:grantor:acr:2fa", max_age="300"/,
    )
  }
  const grantTypes = ['client_credentials', 'urn:ietf:params:oauth:grant-type:token-exchange']
  const exchange = [{ audience: it.running.issuer, scopes: ['admin:keys:read'], as: 'delegate' }]
  const exchanging = await weak.call('/v1/clients', { json: { grant_types: grantTypes, exchange } })
  assert.equal(exchanging.status, 401, 'it may administer by an exchange')
  for (const provisioning of ['scim:write', 'ssf.manage']) {
    const made = await weak.call('/v1/clients', { json: { grant_types: ['client_credentials'], scope: provisioning } })
    assert.equal(made.status, 401, `${provisioning} allows what rights to administer do`)
  }
  const addressed = await weak.call(`/v1/users/${eve}`, { method: 'PATCH', json: { email: 'mallory@example.com' } })
  assert.equal(addressed.status, 401, 'links that set a password would go there')
  const named = await weak.call(`/v1/users/${eve}`, { method: 'PATCH', json: { name: 'Eve' } })
  assert.equal(named.status, 200, named.body)
  for (const [name, [path, how]] of Object.entries(acts)) {
    const answer = await strong.call(path, how)
    assert.ok(answer.status < 300, `${name}: ${answer.status} ${answer.body}`)
  }

  async function firstKey(): Promise<{ readonly kid: string }> {
    const keys = await admin.keys.list(root)
    assert.ok(keys.kind === 'ok' && keys.value[0] !== undefined)
    return keys.value[0]
  }
})

test('strong is not enough when it was long ago; a client that acts for itself has nobody to ask', async () => {
  await using it = await startFeedDeployment()
  const { admin } = it.deployment.authority
  const users = [
    { username: 'olga', password, administrator: 'owner' },
    { username: 'oscar', password, administrator: 'owner' },
  ]
  const clients = [machine('robot', 'admin:tenants:write admin:tenants:read')]
  assert.ok(
    (await admin.declared.apply(operator, { users, clients, tenants: [{ id: 'unused', disabled: true }] })).kind ===
      'ok',
  )
  const olga = await consoleSession(it, { username: 'olga', password, scope, strong: true })
  const stale = await consoleSession(it, { username: 'olga', password, scope, strong: true, ago: 301 })
  const late = await stale.call('/v1/tenants/unused', { method: 'DELETE' })
  assert.deepEqual([late.status, late.json()['code']], [401, 'insufficient_user_authentication'])
  const token = await it.token('robot', { scope: 'admin:tenants:write admin:tenants:read' })
  const headers = { authorization: `Bearer ${token}` }
  assert.equal((await it.ask('/v1/tenants/unused', { method: 'DELETE', headers })).status, 204)

  assert.equal((await olga.call('/v1/clients')).status, 200)
  const demoted = await admin.users.setAdministrator(operator, root, { username: 'olga', administrator: 'auditor' })
  assert.ok(demoted.kind === 'ok')
  const wrote = await olga.call('/v1/clients', { json: { redirect_uris: ['https://a.example/cb'] } })
  assert.deepEqual([wrote.status, wrote.json()['code']], [401, 'insufficient_scope'])
  assert.equal((await olga.call('/v1/clients')).status, 200)
  await admin.users.setAdministrator(operator, root, { username: 'olga', administrator: null })
  assert.equal((await olga.call('/v1/clients')).status, 401)
})
