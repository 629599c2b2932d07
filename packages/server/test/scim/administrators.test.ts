/** Administrators who provision with a token of their own: what they may not elsewhere they may not here. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultTenant, type JsonObject, type TenantId } from '@grantor/protocol/types'
import { consoleSession } from '../admin/console-session.ts'
import { operator } from '../feed/feed-deployment.ts'
import { errorIn, patch, type ScimDeployment, startScimDeployment, userUrn } from './scim-deployment.ts'

const root = defaultTenant as TenantId
const client = { id: 'tool', redirectUri: 'https://tool.example/cb' }
const scope = 'scim:read scim:write'
const headers = { 'content-type': 'application/scim+json' }
const bulkUrn = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest'
const tool = {
  client_id: client.id,
  redirect_uris: [client.redirectUri],
  grant_types: ['authorization_code'],
  token_endpoint_auth_method: 'none',
  scope,
}

async function declare({ it }: ScimDeployment, wanted: JsonObject): Promise<void> {
  const applied = await it.deployment.authority.admin.declared.apply(operator, wanted)
  assert.ok(applied.kind === 'ok', JSON.stringify(applied))
}

test('RFC 9470 §3: a person who writes by SCIM has just signed in with two factors; a client that acts for itself need not', async () => {
  await using deployment = await startScimDeployment('sqlite')
  const { it, made } = deployment
  await declare(deployment, { clients: [tool] })
  const { id } = await made({ userName: 'somebody' })
  const who = { username: 'root', password: 'correct-horse', scope, client }
  const setsPassword = {
    method: 'PATCH',
    headers,
    json: patch({ op: 'replace', path: 'password', value: 'battery-horse-staple' }),
  }
  const writes = [
    [`/scim/v2/Users/${String(id)}`, setsPassword],
    ['/scim/v2/Users', { headers, json: { schemas: [userUrn], userName: 'another' } }],
    ['/scim/v2/Bulk', { headers, json: { schemas: [bulkUrn], Operations: [] } }],
  ] as const
  const weak = await consoleSession(it, who)
  assert.equal((await weak.call('/scim/v2/Users')).status, 200)
  for (const [path, how] of writes) {
    const answer = await weak.call(path, how)
    assert.equal(errorIn(answer)[0], 401, path)
    assert.match(
      String(answer.headers['www-authenticate']),
      /^DPoP .*error="insufficient_user_authentication".*acr_values=/,
    )
  }
  const strong = await consoleSession(it, { ...who, strong: true })
  for (const [path, how] of writes) {
    const answer = await strong.call(path, how)
    assert.ok(answer.status < 300, `${path}: ${answer.status} ${answer.body}`)
  }
})

test('a person takes an administrator away only as an owner, as at the admin API; a directory does', async () => {
  await using deployment = await startScimDeployment('sqlite')
  const { it, scim, made } = deployment
  const password = 'correct-horse'
  const named = (username: string, administrator: string) => ({ username, password, administrator })
  const users = [named('second', 'owner'), named('oscar', 'operator'), named('sam', 'support')]
  await declare(deployment, { clients: [tool], users })
  const idOf = async (name: string) => (await it.deployment.store.users.byUsername(root, name))?.id ?? name
  const [second, sam] = [await idOf('second'), await idOf('sam')]
  const off = patch({ op: 'replace', path: 'active', value: false })
  const whole = { schemas: [userUrn], userName: 'second', active: false }
  const who = { password, scope, client, strong: true }
  const oscar = await consoleSession(it, { ...who, username: 'oscar' })
  const takesAway = [
    { method: 'PATCH', path: `/Users/${second}`, data: off },
    { method: 'PUT', path: `/Users/${second}`, data: whole },
    { method: 'DELETE', path: `/Users/${second}` },
    { method: 'DELETE', path: `/Users/${sam}` },
  ]
  for (const { method, path, data } of takesAway) {
    const answer = await oscar.call(`/scim/v2${path}`, {
      method,
      headers,
      ...(data === undefined ? {} : { json: data }),
    })
    assert.deepEqual(errorIn(answer), [403, undefined], method)
  }
  const json = { schemas: [bulkUrn], Operations: takesAway }
  const bulk = await oscar.call('/scim/v2/Bulk', { headers, json })
  const done = bulk.json()['Operations'] as readonly { readonly status: string }[]
  assert.deepEqual(
    done.map(({ status }) => status),
    ['403', '403', '403', '403'],
  )
  assert.equal((await it.deployment.store.users.byId(root, second))?.disabledAt, null)
  const { id } = await made({ userName: 'somebody' })
  assert.equal((await oscar.call(`/scim/v2/Users/${String(id)}`, { method: 'DELETE' })).status, 204)
  const owner = await consoleSession(it, { ...who, username: 'root' })
  const disabled = await owner.call(`/scim/v2/Users/${second}`, { method: 'PATCH', headers, json: off })
  assert.equal(disabled.status, 200, disabled.body)
  assert.equal((await scim(`/Users/${sam}`, { method: 'DELETE' })).status, 204)
})
