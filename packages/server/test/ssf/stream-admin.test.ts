/** Streams as whoever runs the service sees them: stopped with a word to their client, looked into, deleted; on both databases. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { defaultTenant, type Json, type JsonObject, type TenantId } from '@grantor/protocol/types'
import { databases, eventually, machine, operator } from '../feed/feed-deployment.ts'
import { readSet, type SsfDeployment, sessionRevoked, startSsfDeployment, verification } from './ssf-deployment.ts'

const updated = 'https://schemas.openid.net/secevent/ssf/event-type/stream-updated'
const rights = 'admin:webhooks:read admin:webhooks:write'
const root = defaultTenant as TenantId

for (const database of databases) {
  describe(`the administration of streams on ${database}`, () => {
    let ssf: SsfDeployment
    before(async () => {
      ssf = await startSsfDeployment(database)
      const { declared } = ssf.it.deployment.authority.admin
      const applied = await declared.apply(operator, {
        clients: [machine('robot', rights), machine('auditor', 'admin:webhooks:read')],
        tenants: [{ id: 'acme', clients: [machine('robot', rights)] }],
      })
      assert.ok(applied.kind === 'ok', JSON.stringify(applied))
    })
    after(() => ssf[Symbol.asyncDispose]())

    interface Call {
      readonly method?: string
      readonly json?: Json
      readonly by?: string
      readonly scope?: string
      readonly tenant?: string
      readonly version?: string
    }
    async function call(path: string, options: Call = {}) {
      const { method, json, by = 'robot', scope = rights, tenant = '', version } = options
      return ssf.it.ask(`${tenant}/v1/streams${path}`, {
        ...(method === undefined ? {} : { method }),
        ...(json === undefined ? {} : { json }),
        headers: {
          authorization: `Bearer ${await ssf.it.token(by, { scope }, tenant)}`,
          ...(method === 'PATCH' ? { 'content-type': 'application/merge-patch+json' } : {}),
          ...(version === undefined ? {} : { 'if-match': version }),
        },
      })
    }
    const put = (id: string, json: JsonObject, more: Call = {}) => call(`/${id}`, { method: 'PATCH', json, ...more })
    const pushStream = (path?: string): Promise<string> =>
      ssf.made({
        delivery: {
          method: 'urn:ietf:rfc:8935',
          endpoint_url: ssf.inbox(path),
          authorization_header: 'Bearer zz9canary-header',
        },
        events_requested: [sessionRevoked],
      })
    const eventsOf = async (set: string): Promise<JsonObject> =>
      (await readSet(set, ssf.it)).claims['events'] as JsonObject
    const pushedSince = (from: number): Promise<readonly JsonObject[]> =>
      Promise.all(ssf.pushed.slice(from).map(({ set }) => eventsOf(set)))

    test('SSF 1.0 §8.1.5: who stops a stream tells its receiver, who cannot undo it', async () => {
      const id = await pushStream()
      const shown = (await call(`/${id}`)).json()
      assert.deepEqual(
        [shown['client_id'], shown['delivery'], shown['endpoint_url'], shown['status'], shown['held']],
        ['web', 'push', ssf.inbox(), 'enabled', false],
      )
      assert.ok(!JSON.stringify(shown).includes('zz9canary'))
      const from = ssf.pushed.length
      const paused = await put(id, { status: 'paused', status_reason: 'Too much' })
      assert.equal(paused.status, 200, paused.body)
      assert.deepEqual([paused.json()['status'], paused.json()['held']], ['paused', true])
      await eventually(async () => ssf.pushed.length > from, 'the notice')
      assert.deepEqual(await pushedSince(from), [{ [updated]: { status: 'paused', reason: 'Too much' } }])
      assert.deepEqual((await ssf.ssf(`/status?stream_id=${id}`)).json(), {
        stream_id: id,
        status: 'paused',
        reason: 'Too much',
      })

      const undone = await ssf.ssf('/status', { body: { stream_id: id, status: 'enabled' } })
      assert.deepEqual([undone.status, undone.json()['err']], [403, 'access_denied'])
      await ssf.ssf('/streams', {
        method: 'PUT',
        body: { stream_id: id, delivery: { method: 'urn:ietf:rfc:8935', endpoint_url: ssf.inbox() } },
      })
      assert.equal((await ssf.ssf('/status', { body: { stream_id: id, status: 'enabled' } })).status, 403)

      // What waits comes when it goes on, after the word that it does.
      await ssf.ssf('/verification', { body: { stream_id: id } })
      assert.equal((await put(id, { status: 'enabled', status_reason: null })).status, 200)
      await eventually(async () => ssf.pushed.length >= from + 3, 'both')
      const told = (await pushedSince(from + 1)).map((it) => Object.entries(it)[0])
      assert.deepEqual(
        new Map(told as [string, Json][]),
        new Map([
          [updated, { status: 'enabled' }],
          [verification, {}],
        ]),
      )
      assert.equal(
        (await ssf.ssf('/status', { body: { stream_id: id, status: 'paused' } })).status,
        200,
        'its own again',
      )
      assert.equal((await call(`/${id}`, { method: 'DELETE' })).status, 204)
      assert.equal((await ssf.ssf(`/streams?stream_id=${id}`)).status, 404)
    })

    test('RFC 8936: who fetches is told, too, while their stream is disabled', async () => {
      const id = await ssf.made({ delivery: { method: 'urn:ietf:rfc:8936' }, events_requested: [sessionRevoked] })
      await ssf.ssf('/verification', { body: { stream_id: id } })
      assert.equal((await put(id, { status: 'disabled' })).status, 200)
      const fetched = async (ack: readonly string[] = []) => {
        const answer = await ssf.ssf(`/poll?stream_id=${id}`, { body: { returnImmediately: true, ack } })
        return (answer.json() as { readonly sets: Record<string, string> }).sets
      }
      const sets = await fetched()
      assert.deepEqual(await Promise.all(Object.values(sets).map(eventsOf)), [{ [updated]: { status: 'disabled' } }])
      assert.deepEqual(await fetched(Object.keys(sets)), {}, 'what else waits is kept from them')
      await call(`/${id}`, { method: 'DELETE' })
    })

    test('what its receiver refused is listed and sent again', async () => {
      const id = await pushStream('/wrong')
      await ssf.ssf('/verification', { body: { stream_id: id } })
      const dead = async () =>
        (await call(`/${id}/deliveries`, { json: { state: 'dead' } })).json()['items'] as JsonObject[]
      await eventually(async () => (await dead()).length === 1, 'it is given up')
      assert.deepEqual([(await dead())[0]?.['type'], (await dead())[0]?.['last_status']], [verification, 400])
      assert.deepEqual((await call(`/${id}/replay`, { json: {} })).json(), { queued: 1 })
      await eventually(async () => (await dead())[0]?.['attempts'] === 2, 'and again')
      await call(`/${id}`, { method: 'DELETE' })
    })

    test('nobody changes one that they may not, at another version, or of another tenant', async () => {
      const id = await pushStream()
      const auditor = { by: 'auditor', scope: 'admin:webhooks:read' }
      assert.equal((await call('', auditor)).status, 200)
      assert.equal((await put(id, { status: 'disabled' }, auditor)).status, 401)
      assert.equal((await call(`/${id}`, { method: 'DELETE', ...auditor })).status, 401)
      const acme = { tenant: '/t/acme' }
      assert.deepEqual((await call('', acme)).json()['items'], [])
      assert.equal((await put(id, { status: 'disabled' }, acme)).status, 404)
      assert.equal((await call(`/${id}/replay`, { json: {}, ...acme })).status, 404)
      const version = String((await call(`/${id}`)).headers['etag'])
      assert.equal((await put(id, { status: 'paused' }, { version })).status, 200)
      assert.equal((await put(id, { status: 'enabled' }, { version })).status, 412)
      for (const wrong of [{ status: 'asleep' }, { status_reason: 'x'.repeat(501) }, { client_id: 'robot' }])
        assert.ok((await put(id, wrong)).status >= 400, JSON.stringify(wrong))
      const hook = await ssf.it.deployment.authority.admin.webhooks.create(operator, root, {
        url: 'https://hooks.example/',
        events: ['*'],
      })
      assert.ok(hook.kind === 'ok')
      assert.equal((await call(`/${hook.value.webhook.id}`)).status, 404, 'a webhook is no stream')
      assert.equal((await call(`/${id}`)).json()['status'], 'paused')
      await call(`/${id}`, { method: 'DELETE' })
    })
  })
}
