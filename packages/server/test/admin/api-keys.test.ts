/** /v1/api-keys over HTTP, what introspection says of a key, and validators that hear of its end. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { apiKeyOf, isApiKey } from '@grantor/protocol/oauth'
import type { JsonObject } from '@grantor/protocol/types'
import {
  api,
  type Database,
  databases,
  eventually,
  type FeedDeployment,
  machine,
  operator,
  startFeedDeployment,
  verdictOf,
} from '../feed/feed-deployment.ts'
import type { CallAnswer, CallOptions } from '../feed/https-client.ts'
import { codeIn, itemsIn } from './admin-deployment.ts'

const scopes = 'admin:api-keys:read admin:api-keys:write'

interface KeyDeployment extends AsyncDisposable {
  readonly it: FeedDeployment
  /** In the name of an administrator of keys; '' is the root. */
  call(path: string, question?: CallOptions, tenant?: string): Promise<CallAnswer>
  /** A new key of svc for the API. */
  make(more?: JsonObject, tenant?: string): Promise<{ readonly id: string; readonly key: string }>
  /** What the API's own client hears of a string. */
  introspect(token: string, client?: string, tenant?: string): Promise<JsonObject>
}

async function startKeyDeployment(database: Database): Promise<KeyDeployment> {
  const it = await startFeedDeployment(database)
  const clients = [machine('keeper', scopes), machine('reader', 'admin:api-keys:read admin:clients:write')]
  const declared = { clients, tenants: [{ id: 'acme', clients }] }
  const applied = await it.deployment.authority.admin.declared.apply(operator, declared)
  assert.ok(applied.kind === 'ok', JSON.stringify(applied))
  const tokens = new Map<string, string>()
  const call: KeyDeployment['call'] = async (path, question = {}, tenant = '') => {
    const token = tokens.get(tenant) ?? (await it.token('keeper', { scope: scopes }, tenant))
    tokens.set(tenant, token)
    return it.ask(tenant + path, { ...question, headers: { authorization: `Bearer ${token}`, ...question.headers } })
  }
  return {
    it,
    call,
    async make(more = {}, tenant = '') {
      const json = { name: 'Nightly export', client_id: 'svc', resource: api, ...more }
      const made = await call('/v1/api-keys', { json }, tenant)
      assert.equal(made.status, 201, made.body)
      return made.json() as { id: string; key: string }
    },
    async introspect(token, client = 'api', tenant = '') {
      const answer = await it.post(`${tenant}/introspect`, client, { token })
      assert.equal(answer.status, 200, answer.body)
      return answer.json() as JsonObject
    },
    [Symbol.asyncDispose]: () => it[Symbol.asyncDispose](),
  }
}

const dead = { active: false }

for (const database of databases) {
  describe(`API keys on ${database}`, () => {
    test('a key is made, shown once, listed, described by introspection, used, and revoked by DELETE', async () => {
      await using deployment = await startKeyDeployment(database)
      const { it, call, make, introspect } = deployment
      const asked = { scope: 'invoices:read', addresses: ['192.0.2.0/24'], expires_at: '2030-01-01T00:00:00Z' }
      const { id, key } = await make(asked)
      assert.ok(isApiKey(key))
      const shown = await call(`/v1/api-keys/${id}`)
      assert.equal(shown.headers['cache-control'], 'no-store')
      const { created_at: at, ...rest } = shown.json()
      assert.equal(typeof at, 'string')
      assert.deepEqual(rest, {
        id,
        name: 'Nightly export',
        client_id: 'svc',
        resource: api,
        ...asked,
        expires_at: '2030-01-01T00:00:00.000Z',
        created_by: { kind: 'client', id: 'keeper' },
      })
      const second = await make({ client_id: 'other' })
      const ids = async (query: string) => itemsIn(await call(`/v1/api-keys${query}`)).map((item) => item.id)
      assert.deepEqual(await ids(''), [id, second.id])
      assert.deepEqual(await ids('?sort=-id&limit=1'), [second.id])
      assert.deepEqual(await ids(`?client_id=svc&resource=${encodeURIComponent(api)}`), [id])
      assert.deepEqual(await ids('?resource=https%3A%2F%2Fopaque.example'), [])

      const said = await introspect(key)
      const { iat, ...described } = said
      assert.equal(typeof iat, 'number')
      assert.deepEqual(described, {
        active: true,
        token_type: 'api_key',
        iss: it.running.issuer,
        sub: 'svc',
        aud: api,
        client_id: 'svc',
        scope: 'invoices:read',
        exp: Date.parse('2030-01-01T00:00:00Z') / 1000,
        jti: id,
        addresses: ['192.0.2.0/24'],
      })
      await eventually(
        async () => (await call(`/v1/api-keys/${id}`)).json()['last_used_at'] !== undefined,
        'the use is noted',
      )
      assert.equal((await introspect(key, 'svc'))['active'], true)
      assert.deepEqual(await introspect(key, 'other'), dead)

      const etag = String((await call(`/v1/api-keys/${id}`)).headers.etag)
      const stale = await call(`/v1/api-keys/${id}`, { method: 'DELETE', headers: { 'if-match': '"other"' } })
      assert.equal(stale.status, 412)
      const gone = await call(`/v1/api-keys/${id}`, { method: 'DELETE', headers: { 'if-match': etag } })
      assert.equal(gone.status, 204)
      assert.deepEqual(await introspect(key), dead)
      for (const method of ['GET', 'DELETE']) assert.equal((await call(`/v1/api-keys/${id}`, { method })).status, 404)
      assert.deepEqual(await ids(''), [second.id])
      for (const method of ['PUT', 'PATCH'])
        assert.equal((await call(`/v1/api-keys/${second.id}`, { method, json: {} })).status, 405)

      const log = JSON.stringify(await it.deployment.store.events.after('default' as never, 0, 1000))
      assert.ok(!log.includes(key.slice(3)))
      assert.match(log, /"name":"api_key\.revoked","actor":\{"kind":"client","id":"keeper"\}/)
    })

    test('what is not right about a new key is told by its member, and nothing is made', async () => {
      await using deployment = await startKeyDeployment(database)
      const { it, call } = deployment
      const good = { name: 'x', client_id: 'svc', resource: api }
      for (const [pointer, wrong] of [
        ['#/client_id', { client_id: 'nobody' }],
        ['#/resource', { resource: 'https://nowhere.example' }],
        ['#/scope', { scope: 'files:read' }],
        ['#/scope', { scope: 'admin:clients:write' }],
        ['#/addresses/0', { addresses: ['300.0.0.0/8'] }],
        ['#/expires_at', { expires_at: '2020-01-01T00:00:00Z' }],
        ['#/name', { name: '\u202e' }],
      ] as const) {
        const answer = await call('/v1/api-keys', { json: { ...good, ...wrong } })
        assert.equal(answer.status, 400, JSON.stringify(wrong))
        const [first] = answer.json()['errors'] as readonly JsonObject[]
        assert.equal(first?.['pointer'], pointer, answer.body)
        assert.ok(!answer.body.includes('gk_'))
      }
      // Who may not provision makes no key that does.
      const own = await call('/v1/api-keys', { json: { ...good, resource: it.running.issuer } })
      assert.equal(own.status, 403, own.body)
      const huge = { ...good, name: 'x'.repeat(300_000) }
      assert.equal((await call('/v1/api-keys', { json: huge })).status, 400)
      assert.deepEqual(itemsIn(await call('/v1/api-keys')), [])
      const authorization = `Bearer ${await it.token('reader', { scope: 'admin:api-keys:read admin:clients:write' })}`
      const refused = await it.ask('/v1/api-keys', { json: good, headers: { authorization } })
      assert.deepEqual([refused.status, codeIn(refused)], [401, 'insufficient_scope'])
    })

    test('a key opens its API in its tenant, and nothing else: each other place refuses it', async () => {
      await using deployment = await startKeyDeployment(database)
      const { it, call, make, introspect } = deployment
      const { id, key } = await make()
      const theirs = await make({}, '/t/acme')
      assert.deepEqual(await introspect(key, 'api', '/t/acme'), dead)
      assert.deepEqual(await introspect(theirs.key), dead)
      assert.equal((await introspect(theirs.key, 'api', '/t/acme'))['tenant'], 'acme')
      for (const method of ['GET', 'DELETE'])
        assert.equal((await call(`/v1/api-keys/${theirs.id}`, { method })).status, 404)
      const typo = `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`
      for (const text of [typo, `${key}x`, `gk_${'9'.repeat(3000)}`, apiKeyOf(new Uint8Array(32)), 'gk_é', ` ${key}`])
        assert.deepEqual(await introspect(text), dead, text.slice(0, 60))

      const headers = { authorization: `Bearer ${key}` }
      for (const path of ['/v1/clients', '/v1/api-keys', '/userinfo', '/revocations/snapshot', '/metrics'])
        assert.equal((await it.ask(path, { headers })).status, 401, path)
      const exchanged = await it.post('/token', 'svc', {
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token: key,
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      })
      assert.equal(exchanged.status, 400)
      const asSecret = { authorization: `Basic ${Buffer.from(`svc:${key}`).toString('base64')}` }
      const form = { grant_type: 'client_credentials' }
      assert.equal((await it.ask('/token', { form, headers: asSecret })).status, 401)

      // RFC 7009: its own client ends it, another does not.
      assert.equal((await it.post('/revoke', 'other', { token: key })).status, 400)
      assert.equal((await introspect(key))['active'], true)
      assert.equal((await it.post('/revoke', 'svc', { token: key })).status, 200)
      assert.deepEqual(await introspect(key), dead)
      assert.equal((await call(`/v1/api-keys/${id}`)).status, 404)
    })

    test('a key has what its client has now: scopes that go, a client disabled and enabled, a client deleted', async () => {
      await using deployment = await startKeyDeployment(database)
      const { it, make, introspect } = deployment
      const { authority } = it.deployment
      const tenant = 'default' as never
      const { key } = await make()
      const replace = async (change: { scope?: string; disabled?: boolean }) => {
        const found = await authority.admin.clients.find(tenant, 'svc')
        assert.ok(found.kind === 'ok')
        const { metadata, version } = found.value
        const next = { ...metadata, scope: change.scope ?? metadata.scope } as unknown as JsonObject
        const whole = { id: 'svc', version, metadata: next, disabled: change.disabled ?? false }
        const done = await authority.admin.clients.replace(operator, tenant, whole)
        assert.ok(done.kind === 'ok', JSON.stringify(done))
      }
      const validator = it.validator({ apiKeys: true })
      await validator.whenReady()
      assert.equal(await verdictOf(validator, key), 'accepted')
      await replace({ disabled: true })
      assert.deepEqual(await introspect(key), dead)
      await eventually(async () => (await verdictOf(validator, key)) === 'invalid_token', 'the client is disabled')
      await replace({})
      await eventually(async () => (await verdictOf(validator, key)) === 'accepted', 'the client is enabled again')
      await replace({ scope: 'files:read' })
      assert.deepEqual(await introspect(key), dead)
      await replace({ scope: 'invoices:read' })
      assert.equal((await introspect(key))['scope'], 'invoices:read')
      assert.ok((await authority.admin.clients.remove(operator, tenant, 'svc')).kind === 'ok')
      assert.deepEqual(await introspect(key), dead)
      await eventually(async () => (await verdictOf(validator, key)) !== 'accepted', 'the client is deleted')
    })

    test('revoked, a key is refused by every validator that hears of it; where keys are not asked for, always', async () => {
      await using deployment = await startKeyDeployment(database)
      const { it, call, make } = deployment
      const { id, key } = await make()
      const validators = [it.validator({ apiKeys: true }), it.validator({ apiKeys: true, feed: { transport: 'poll' } })]
      const without = it.validator()
      await Promise.all([...validators, without].map((validator) => validator.whenReady()))
      for (const validator of validators) assert.equal(await verdictOf(validator, key), 'accepted')
      assert.equal(await verdictOf(without, key), 'api_key_not_accepted')
      assert.equal((await call(`/v1/api-keys/${id}`, { method: 'DELETE' })).status, 204)
      for (const validator of validators)
        await eventually(async () => (await verdictOf(validator, key)) === 'token_revoked', 'the feed says so')
      // Who comes later hears of it by the snapshot, and by the issuer.
      const late = it.validator({ apiKeys: true })
      await late.whenReady()
      assert.equal(await verdictOf(late, key), 'invalid_token')
    })

    test('while a key is used from everywhere it is revoked: who asks after that hears of no living key', async () => {
      await using deployment = await startKeyDeployment(database)
      const { call, make, introspect } = deployment
      const { id, key } = await make()
      let told = false
      let late = 0
      const users = Array.from({ length: 6 }, async () => {
        while (late < 12) {
          const toldBefore = told
          const { active } = await introspect(key)
          if (!toldBefore) continue
          late += 1
          assert.equal(active, false)
        }
      })
      await introspect(key)
      assert.equal((await call(`/v1/api-keys/${id}`, { method: 'DELETE' })).status, 204)
      told = true
      await Promise.all(users)
    })
  })
}
