/** The log over HTTP beyond its list: waited for, taken away as lines, and verified as deferred work. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '@grantor/protocol/types'
import { databases, eventually } from '../feed/feed-deployment.ts'
import { codeIn, itemsIn, startAdminDeployment } from './admin-deployment.ts'

for (const database of databases) {
  describe(`the log on ${database}`, () => {
    test('who follows hears of what happens next, of their tenant alone', async () => {
      await using deployment = await startAdminDeployment(database)
      const { it, call } = deployment
      const follow = async (after: number, wait: number, tenant = '') =>
        (await call('/v1/events/follow', { json: { after, wait } }, tenant)).json() as unknown as {
          items: { seq: number; name: string }[]
          after: number
        }
      const all = await follow(0, 0)
      assert.deepEqual(
        all.items.map(({ seq }) => seq),
        all.items.map((_, n) => n + 1),
      )
      const end = Number.MAX_SAFE_INTEGER
      assert.deepEqual(await follow(end, 1), { items: [], after: end })
      // Keys are made in the background, so other news may come first.
      const heard = async (after: number): Promise<number> => {
        const { items, after: last } = await follow(after, 25)
        assert.ok(items.length > 0, 'nothing came')
        const issued = items.find(({ name }) => name === 'token.issued')
        return issued === undefined ? heard(last) : issued.seq
      }
      const [seq] = await Promise.all([heard(all.after), it.token('svc')])
      assert.ok(seq > all.after)
      const elsewhere = await follow(0, 0, '/t/acme')
      assert.ok(elsewhere.items.every((event) => (event as { tenant?: string }).tenant === 'acme'))
      for (const json of [{}, { after: -1 }, { after: 0, wait: 99 }, { after: 'x' }])
        assert.equal((await call('/v1/events/follow', { json })).status, 400, JSON.stringify(json))
    })

    test('the log is taken away as JSON lines from any place on', async () => {
      await using deployment = await startAdminDeployment(database)
      const { it, call, as } = deployment
      await it.token('svc')
      const whole = await call('/v1/events/0/export')
      assert.equal(whole.headers['content-type'], 'application/x-ndjson')
      const lines = whole.body
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { seq: number; id: string })
      const listed = itemsIn(await call('/v1/events?sort=seq&limit=200'))
      assert.deepEqual(
        lines.map(({ id }) => id),
        listed.slice(0, lines.length).map(({ id }) => id),
      )
      const rest = await call(`/v1/events/${lines.length - 1}/export`)
      assert.deepEqual(JSON.parse(rest.body.split('\n')[0] ?? ''), lines.at(-1))
      assert.equal((await call('/v1/events/999999/export')).body, '')
      assert.equal((await call('/v1/events/x/export')).status, 404)
      const other = await as('admin', 'admin:users:read')
      assert.equal((await it.ask('/v1/events/0/export', { headers: other })).status, 401)
    })

    test('the export is asked for and described by the type it has, from a place in the log', async () => {
      await using deployment = await startAdminDeployment(database)
      const { it, call } = deployment
      const ask = (accept: string) => call('/v1/events/0/export', { headers: { accept } })
      for (const accept of ['application/x-ndjson', 'application/*;q=0.1', '*/*']) {
        const { status, headers } = await ask(accept)
        assert.deepEqual([status, headers['content-type']], [200, 'application/x-ndjson'], accept)
      }
      const refused = await ask('application/json')
      assert.deepEqual([refused.status, codeIn(refused)], [406, 'not_acceptable'])
      interface Described {
        readonly parameters: readonly { readonly schema: { readonly pattern: string; readonly format?: string } }[]
        readonly get: { readonly responses: Readonly<Record<string, { readonly content?: object }>> }
      }
      const { paths } = (await it.ask('/openapi.json')).json() as unknown as { paths: Record<string, Described> }
      const { parameters, get } = paths['/v1/events/{id}/export'] as Described
      assert.deepEqual(Object.keys(get.responses['2XX']?.content ?? {}), ['application/x-ndjson'])
      const place = new RegExp(parameters[0]?.schema.pattern ?? '^$')
      for (const id of ['0', '999999', '9'.repeat(16), 'x', '1.5', '-1', crypto.randomUUID()])
        assert.equal((await call(`/v1/events/${id}/export`)).status, place.test(id) ? 200 : 404, id)
    })

    test('verification is an operation with a result; only who asked sees it', async () => {
      await using deployment = await startAdminDeployment(database)
      const { it, call, as } = deployment
      await it.token('svc')
      assert.deepEqual(itemsIn(await call('/v1/operations')), [])
      const verify = async (json: JsonObject = {}) => {
        const begun = await call('/v1/events/verify', { json, headers: { 'idempotency-key': crypto.randomUUID() } })
        assert.equal(begun.status, 202, begun.body)
        const path = String(begun.headers['location'])
        await eventually(async () => (await call(path)).json()['status'] === 'succeeded', 'its end')
        return { path, result: (await call(`${path}/result`)).json() }
      }
      const { path, result } = await verify()
      assert.deepEqual([result['ok'], result['from'], result['damage']], [true, 1, []])
      const head = result['head'] as { seq: number; hash: string }
      assert.equal((await verify({ head })).result['ok'], true)
      const cut = (await verify({ head: { ...head, seq: head.seq + 1_000 } })).result
      assert.deepEqual([cut['ok'], (cut['damage'] as { kind: string }[])[0]?.kind], [false, 'tail_cut'])
      const reader = await as('admin', 'admin:operations:read')
      assert.equal((await it.ask(path, { headers: reader })).status, 200)
      assert.equal((await it.ask(path, { method: 'DELETE', headers: reader })).status, 401)
      assert.equal((await it.ask(path, { headers: await as('admin', 'admin:users:read') })).status, 401)
      assert.equal((await call(path, {}, '/t/acme')).status, 404)
      const ended = await call(path, { method: 'DELETE' })
      assert.deepEqual([ended.status, codeIn(ended)], [409, 'operation_ended'])
    })

    test('events are found by their reason and address', async () => {
      await using deployment = await startAdminDeployment(database)
      const { it, call } = deployment
      await it.post('/revoke', 'svc', { token: await it.token('svc') })
      const [revoked] = itemsIn(await call('/v1/events?name=token.revoked'))
      const found = itemsIn(await call(`/v1/events?name=token.revoked&ip=${String(revoked?.['ip'])}`))
      assert.deepEqual(found, [revoked])
      assert.deepEqual(itemsIn(await call('/v1/events?ip=192.0.2.1')), [])
      assert.deepEqual(itemsIn(await call('/v1/events?reason=no_such')), [])
    })
  })
}
