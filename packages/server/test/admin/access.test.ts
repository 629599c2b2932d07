/** Who may call the admin API, and what it says to the others. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databases, operator } from '../feed/feed-deployment.ts'
import { startAdminDeployment, codeIn } from './admin-deployment.ts'

test('RFC 6750 §3, RFC 9728 §5.1: no token, a wrong scope or audience are 401 with a challenge', async () => {
  await using deployment = await startAdminDeployment()
  const { it, as } = deployment
  const cases = [
    [{}, 'token_missing', /^Bearer realm="Administration", resource_metadata="/],
    [{ authorization: 'Bearer x.y.z' }, 'invalid_token', /error="invalid_token"/],
    [{ authorization: 'Bearer' }, 'invalid_request', /error="invalid_request"/],
    [await as('svc', 'invoices:read'), 'audience_mismatch', /error="invalid_token"/],
    [await as('api', 'events:report'), 'insufficient_scope', /error="insufficient_scope".*scope="admin:clients:read"/],
  ] as const
  for (const [headers, code, challenge] of cases) {
    const answer = await it.ask('/v1/clients', { headers })
    assert.equal(answer.status, code === 'invalid_request' ? 400 : 401, answer.body)
    assert.equal(answer.headers['content-type'], 'application/problem+json')
    assert.equal(codeIn(answer), code)
    assert.match(String(answer.headers['www-authenticate']), challenge)
    assert.equal(answer.headers['cache-control'], code === 'invalid_request' ? undefined : 'no-store')
  }
  const reading = await as('admin', 'admin:clients:read')
  const written = await it.ask('/v1/clients', { headers: reading, json: { client_name: 'x' } })
  assert.deepEqual([written.status, codeIn(written)], [401, 'insufficient_scope'])
})

for (const database of databases) {
  test(`${database}: a token is refused with the first call after it was revoked, or its tenant disabled`, async () => {
    await using deployment = await startAdminDeployment(database)
    const { it, call } = deployment
    const token = await it.token('admin', { scope: 'admin:clients:read' })
    const ask = () => it.ask('/v1/clients', { headers: { authorization: `Bearer ${token}` } })
    assert.equal((await ask()).status, 200)
    assert.equal((await it.post('/revoke', 'admin', { token })).status, 200)
    assert.deepEqual([(await ask()).status, codeIn(await ask())], [401, 'token_revoked'])
    assert.equal((await call('/v1/clients', {}, '/t/acme')).status, 200)
    await it.deployment.authority.admin.tenants.setDisabled(operator, 'acme' as never, true)
    assert.equal((await call('/v1/clients', {}, '/t/acme')).status, 404)
  })
}

test('a tenant has its own API: its address, its audience, its description, and nothing of the others', async () => {
  await using deployment = await startAdminDeployment()
  const { it, call } = deployment
  const ofRoot = await it.token('admin', { scope: 'admin:clients:read' })
  const foreign = await it.ask('/t/acme/v1/clients', { headers: { authorization: `Bearer ${ofRoot}` } })
  assert.deepEqual([foreign.status, codeIn(foreign)], [401, 'invalid_token'])
  const { issuer } = it.running
  const metadata = await it.ask('/.well-known/oauth-protected-resource/t/acme')
  assert.equal(metadata.json()['resource'], `${issuer}/t/acme`)
  assert.match(String(foreign.headers['www-authenticate']), /oauth-protected-resource\/t\/acme"/)
  const made = await call('/v1/clients', { json: { redirect_uris: ['https://a.example/cb'] } }, '/t/acme')
  assert.equal(made.status, 201)
  assert.match(String(made.headers['location']), /^\/t\/acme\/v1\/clients\//)
  const path = `/v1/clients/${String(made.json()['id'])}`
  assert.equal((await call(path, {}, '/t/acme')).status, 200)
  for (const method of ['GET', 'DELETE']) assert.equal((await call(path, { method })).status, 404)
  const patch = { method: 'PATCH', json: { client_name: 'stolen' } }
  assert.equal((await call(path, patch)).status, 404)
  const seen = await call('/v1/events?name=client.registered&limit=200', {}, '/t/acme')
  assert.ok((seen.json()['items'] as { tenant: string }[]).every(({ tenant }) => tenant === 'acme'))
  const [event] = seen.json()['items'] as { id: string }[]
  assert.equal((await call(`/v1/events/${event?.id}`, {}, '/t/acme')).status, 200)
  assert.equal((await call(`/v1/events/${event?.id}`)).status, 404)
})

test('/.well-known/grantor announces the API, its description and where reports go', async () => {
  await using deployment = await startAdminDeployment()
  const { it } = deployment
  const announced = (await it.ask('/t/acme/.well-known/grantor')).json()
  const { issuer } = it.running
  assert.equal(announced['admin_api'], `${issuer}/t/acme/v1`)
  assert.equal(announced['event_reports_endpoint'], `${issuer}/t/acme/v1/events/reports`)
  const description = await it.ask(String(announced['api_description']).slice(issuer.length))
  const { servers, paths } = description.json() as { servers: { url: string }[]; paths: Record<string, object> }
  assert.equal(servers[0]?.url, `${issuer}/t/acme`)
  for (const noun of ['clients', 'consents', 'events', 'grants', 'sessions', 'users'])
    for (const path of [`/v1/${noun}`, `/v1/${noun}/{id}`]) assert.ok(Object.hasOwn(paths, path), path)
  const page = await it.ask('/t/acme/docs')
  assert.deepEqual([page.status, page.headers['content-type']], [200, 'text/html; charset=utf-8'])
  assert.match(String(page.headers['content-security-policy']), /^default-src 'none'; style-src 'sha256-/)
  assert.match(page.body, /href="\/t\/acme\/openapi\.json"/)
  for (const path of ['openapi.json', 'docs']) assert.equal((await it.ask(`/t/nobody/${path}`)).status, 404)
})

test('bad requests are 4xx with a problem: unknown paths, methods, sizes, types, broken JSON', async () => {
  await using deployment = await startAdminDeployment()
  const { call } = deployment
  const json = { 'content-type': 'application/json' }
  const cases = [
    ['/v1/nothing', {}, 404],
    ['/v1/clients/', {}, 404],
    ['/v1/clients', { method: 'DELETE' }, 405],
    ['/v1/events', { json: {} }, 405],
    ['/v1/clients', { body: '{', headers: json }, 400],
    ['/v1/clients', { body: '[]', headers: json }, 400],
    ['/v1/clients', { body: '{"client_name":"a","client_name":"b"}', headers: json }, 400],
    ['/v1/clients', { body: '{"__proto__":{"x":1}}', headers: json }, 400],
    ['/v1/clients', { form: { client_name: 'x' } }, 415],
    ['/v1/clients', { body: JSON.stringify({ client_name: 'x'.repeat(1_100_000) }), headers: json }, 413],
    ['/v1/clients?nonsense=1', {}, 400],
    ['/v1/clients?limit=-1', {}, 400],
    ['/v1/clients?cursor=made-up', {}, 400],
    ['/v1/clients/%zz', {}, 404],
  ] as const
  for (const [path, question, status] of cases) {
    const answer = await call(path, question)
    assert.equal(answer.status, status, `${path} ${JSON.stringify(question).slice(0, 80)}: ${answer.body}`)
  }
})
