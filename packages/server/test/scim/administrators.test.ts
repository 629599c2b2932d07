/** Administrators who provision with a token of their own: what asks them for two factors elsewhere does so here. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { consoleSession } from '../admin/console-session.ts'
import { operator } from '../feed/feed-deployment.ts'
import { errorIn, patch, startScimDeployment, userUrn } from './scim-deployment.ts'

test('RFC 9470 §3: a person who writes by SCIM has just signed in with two factors; a client that acts for itself need not', async () => {
  await using deployment = await startScimDeployment('sqlite')
  const { it, made } = deployment
  const client = { id: 'tool', redirectUri: 'https://tool.example/cb' }
  const scope = 'scim:read scim:write'
  const declared = {
    client_id: client.id,
    redirect_uris: [client.redirectUri],
    grant_types: ['authorization_code'],
    token_endpoint_auth_method: 'none',
    scope,
  }
  const applied = await it.deployment.authority.admin.declared.apply(operator, { clients: [declared] })
  assert.ok(applied.kind === 'ok', JSON.stringify(applied))
  const { id } = await made({ userName: 'somebody' })
  const who = { username: 'root', password: 'correct-horse', scope, client }
  const headers = { 'content-type': 'application/scim+json' }
  const setsPassword = {
    method: 'PATCH',
    headers,
    json: patch({ op: 'replace', path: 'password', value: 'battery-horse-staple' }),
  }
  const writes = [
    [`/scim/v2/Users/${String(id)}`, setsPassword],
    ['/scim/v2/Users', { headers, json: { schemas: [userUrn], userName: 'another' } }],
    [
      '/scim/v2/Bulk',
      { headers, json: { schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'], Operations: [] } },
    ],
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
