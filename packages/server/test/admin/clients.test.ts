/** /v1/clients over HTTP: registered, read, changed, listed, removed; each with its event. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, test } from 'node:test'
import type { JsonObject } from '@grantor/protocol/types'
import { defaultTenant } from '../../src/issuer.ts'
import { databases, eventually, operator, verdictOf } from '../feed/feed-deployment.ts'
import { startAdminDeployment, codeIn, everyPage, itemsIn } from './admin-deployment.ts'

const web = { client_name: 'Web shop', redirect_uris: ['https://client.example/cb'], scope: 'openid' }
const service = { grant_types: ['client_credentials'], scope: 'invoices:read' }

for (const database of databases) {
  describe(`clients on ${database}`, () => {
    test('a secret is shown in the answer that makes the client, works, and is never shown again', async () => {
      await using deployment = await startAdminDeployment(database)
      const { it, call } = deployment
      const made = await call('/v1/clients', { json: service })
      assert.equal(made.status, 201, made.body)
      const { id, client_id: clientId, client_secret: secret } = made.json() as Record<string, string>
      assert.equal(id, clientId)
      assert.match(String(secret), /^gs_/)
      assert.equal(made.headers['location'], `/v1/clients/${id}`)
      assert.equal(made.headers['cache-control'], 'no-store')
      const basic = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
      const form = { grant_type: 'client_credentials' }
      assert.equal((await it.ask('/token', { form, headers: { authorization: basic } })).status, 200)
      const read = await call(`/v1/clients/${id}`)
      assert.equal(read.headers['etag'], made.headers['etag'])
      assert.doesNotMatch(read.body + (await call('/v1/clients')).body, /client_secret"|gs_/)
      const rotated = await call(`/v1/clients/${id}/rotate-secret`, { json: { overlap: 0 } })
      assert.equal(rotated.status, 200, rotated.body)
      assert.notEqual(rotated.json()['client_secret'], secret)
      assert.equal((await it.ask('/token', { form, headers: { authorization: basic } })).status, 401)
      const events = itemsIn(
        await call(`/v1/events?client_id=${id}&sort=seq&name[in]=client.registered,client.secret_rotated`),
      )
      assert.deepEqual(
        events.map(({ name, actor }) => [name, actor]),
        ['client.registered', 'client.secret_rotated'].map((name) => [name, { kind: 'client', id: 'admin' }]),
      )
    })

    test('nobody hands on by an exchange what they may not themselves', async () => {
      await using deployment = await startAdminDeployment(database)
      const { it, call } = deployment
      const exchange = (...names: readonly string[]) => ({
        ...service,
        grant_types: ['client_credentials', 'urn:ietf:params:oauth:grant-type:token-exchange'],
        exchange: [{ audience: it.running.issuer, scopes: names, as: 'impersonate' }],
      })
      const refused = await call('/v1/clients', { json: exchange('admin:users:read', 'admin:tenants:write') })
      assert.equal(refused.status, 403, refused.body)
      const made = await call('/v1/clients', { json: exchange('admin:users:read') })
      assert.equal(made.status, 201, made.body)
      const path = String(made.headers['location'])
      const more = { method: 'PATCH', json: { exchange: exchange('scim:write').exchange } } as const
      assert.equal((await call(path, more)).status, 403)
      const declared = { client_id: 'keeper', client_secret: 'k'.repeat(40), ...exchange('admin:keys:write') }
      const applied = await it.deployment.authority.admin.declared.apply(operator, { clients: [declared] })
      assert.ok(applied.kind === 'ok', JSON.stringify(applied))
      assert.equal((await call('/v1/clients/keeper/rotate-secret', { json: {} })).status, 403)
      assert.equal((await call('/v1/clients/keeper', { method: 'PATCH', json: { client_name: 'Mine' } })).status, 403)
      assert.equal((await call('/v1/clients/keeper', { method: 'DELETE' })).status, 403)
    })

    test('PUT on the subject of a person is refused, and makes nothing', async () => {
      await using deployment = await startAdminDeployment(database)
      const { it, call } = deployment
      const { users, clients } = it.deployment.store
      const alice = (await users.byUsername(defaultTenant, 'alice'))?.id ?? ''
      const answer = await call(`/v1/clients/${alice}`, { method: 'PUT', json: service })
      assert.equal(answer.status, 400, answer.body)
      assert.match(answer.body, /is the subject of a person/)
      assert.equal(await clients.find(defaultTenant, alice), null)
    })

    test('PUT and PATCH change it at the version they are based on; another version is 412', async () => {
      await using deployment = await startAdminDeployment(database)
      const { call } = deployment
      const made = await call('/v1/clients', { json: web })
      const path = String(made.headers['location'])
      const based = { 'if-match': String(made.headers['etag']) }
      const patched = await call(path, {
        method: 'PATCH',
        json: { client_name: null, policy_uri: 'https://p.example' },
        headers: based,
      })
      assert.equal(patched.status, 200, patched.body)
      const { client_name: name, policy_uri: policy, scope } = patched.json()
      assert.deepEqual([name, policy, scope], [undefined, 'https://p.example', 'openid'])
      const late = { ...based }
      for (const method of ['PUT', 'PATCH', 'DELETE'])
        assert.equal(
          (await call(path, { method, headers: late, ...(method === 'DELETE' ? {} : { json: web }) })).status,
          412,
        )
      // The whole thing, sent back with one change, as clients do.
      const whole = (await call(path)).json()
      const put = await call(path, { method: 'PUT', json: { ...whole, client_name: 'Another' } as never })
      assert.deepEqual([put.status, put.json()['client_name']], [200, 'Another'])
      const renamed = await call(path, { method: 'PUT', json: { ...web, client_id: 'stolen' } })
      assert.deepEqual(
        [renamed.status, (renamed.json()['errors'] as { pointer: string }[])[0]?.pointer],
        [400, '#/client_id'],
      )
      assert.equal(
        (await call(path, { method: 'DELETE', headers: { 'if-match': String(put.headers['etag']) } })).status,
        204,
      )
      assert.equal((await call(path)).status, 404)
      assert.equal((await call(path, { method: 'DELETE' })).status, 404)
    })

    test('of many changes based on one version exactly one happens', async () => {
      await using deployment = await startAdminDeployment(database)
      const { call } = deployment
      const made = await call('/v1/clients', { json: web })
      const headers = { 'if-match': String(made.headers['etag']) }
      const change = (n: number) =>
        call(String(made.headers['location']), { method: 'PATCH', json: { client_name: `${n}` }, headers })
      const statuses = (await Promise.all(Array.from({ length: 10 }, (_, n) => change(n)))).map(({ status }) => status)
      assert.deepEqual(
        statuses.toSorted((a, b) => a - b),
        [200, ...Array.from({ length: 9 }, () => 412)],
      )
    })

    test('a client that is disabled or deleted here is dead at every validator', async () => {
      await using deployment = await startAdminDeployment(database)
      const { it, call } = deployment
      const validator = it.validator()
      await validator.whenReady()
      const [one, two] = [await it.token('svc'), await it.token('other')]
      for (const token of [one, two]) assert.equal(await verdictOf(validator, token), 'accepted')
      assert.equal((await call('/v1/clients/svc', { method: 'PATCH', json: { disabled: true } })).status, 200)
      assert.equal((await call('/v1/clients/other', { method: 'DELETE' })).status, 204)
      for (const token of [one, two])
        await eventually(async () => (await verdictOf(validator, token)) === 'token_revoked', 'cutoff')
    })
  })
}

describe('clients', () => {
  test("an id of one's own comes by PUT; If-None-Match: * never replaces", async () => {
    await using deployment = await startAdminDeployment()
    const { call } = deployment
    const put = (json: object) =>
      call('/v1/clients/my-app', { method: 'PUT', json: json as never, headers: { 'if-none-match': '*' } })
    assert.equal((await put(web)).status, 201)
    assert.equal((await put(web)).status, 412)
    assert.equal((await call(`/v1/clients/${'x'.repeat(256)}`, { method: 'PUT', json: web })).status, 400)
  })

  test('lists go page by page in both directions, and a cursor serves its own list and tenant only', async () => {
    await using deployment = await startAdminDeployment()
    const { call } = deployment
    const ids = (await everyPage(deployment, '/v1/clients?limit=2')).map(({ id }) => id)
    assert.deepEqual(ids, ['admin', 'api', 'grantor-cli', 'grantor-console', 'other', 'pairwise', 'svc', 'web'])
    assert.deepEqual(
      (await everyPage(deployment, '/v1/clients?limit=2&sort=-id')).map(({ id }) => id),
      ids.toReversed(),
    )
    const cursor = String((await call('/v1/clients?limit=2')).json()['next_cursor'])
    const foreign = await call(`/v1/clients?limit=2&cursor=${cursor}`, {}, '/t/acme')
    assert.deepEqual([foreign.status, codeIn(foreign)], [400, 'cursor_mismatch'])
    assert.equal((await call(`/v1/clients?limit=2&sort=-id&cursor=${cursor}`)).status, 400)
  })

  test('what a client may not be is said field by field, and nothing is registered', async () => {
    await using deployment = await startAdminDeployment()
    const { call } = deployment
    const wrong = {
      redirect_uris: ['https://ok.example/cb', 'not an address'],
      grant_types: ['implicit'],
      client_name: 'x'.repeat(201),
      nonsense: 1,
      client_secret: 'of-my-own',
    }
    const pointers = async (json: object) => {
      const answer = await call('/v1/clients', { json: json as never })
      assert.equal(answer.status, 400, answer.body)
      return (answer.json()['errors'] as { pointer: string }[]).map(({ pointer }) => pointer).sort()
    }
    assert.deepEqual(await pointers(wrong), ['#/client_name', '#/nonsense'])
    assert.deepEqual(await pointers({ client_secret: 'of-my-own' }), ['#/client_secret'])
    assert.deepEqual(await pointers({ redirect_uris: wrong.redirect_uris }), ['#/redirect_uris/1'])
    assert.deepEqual(await pointers({ grant_types: ['implicit'] }), ['#/grant_types'])
    assert.deepEqual((await everyPage(deployment, '/v1/clients')).length, 8)
  })

  test('a change of the name leaves the algorithm that assertions are pinned to', async () => {
    await using house = await startAdminDeployment()
    const { call } = house
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const keys = { jwks: { keys: [publicKey.export({ format: 'jwk' }) as JsonObject] } }
    const pinned = { token_endpoint_auth_method: 'private_key_jwt', token_endpoint_auth_signing_alg: 'ES256' }
    const made = await call('/v1/clients', { json: { ...web, ...keys, ...pinned } })
    assert.equal(made.status, 201, made.body)
    const patched = await call(String(made.headers['location']), { method: 'PATCH', json: { client_name: 'Shop' } })
    assert.equal(patched.json()['token_endpoint_auth_signing_alg'], 'ES256', patched.body)
  })

  test('a client that comes to need a secret gets one, and one that needs none keeps none', async () => {
    await using deployment = await startAdminDeployment()
    const { call } = deployment
    const made = await call('/v1/clients', { json: { ...web, token_endpoint_auth_method: 'none' } })
    const path = String(made.headers['location'])
    assert.deepEqual([made.json()['client_secret'], made.json()['secrets']], [undefined, []])
    const confidential = await call(path, {
      method: 'PATCH',
      json: { token_endpoint_auth_method: 'client_secret_basic' },
    })
    assert.match(String(confidential.json()['client_secret']), /^gs_/)
    const again = await call(path, { method: 'PATCH', json: { token_endpoint_auth_method: 'none' } })
    assert.deepEqual(again.json()['secrets'], [])
  })
})
