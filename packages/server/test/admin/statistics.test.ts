/** /v1/statistics over HTTP: counts of the log, per tenant, that no reader of the log has to make. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { databases } from '../feed/feed-deployment.ts'
import { codeIn, everyPage, itemsIn, startAdminDeployment } from './admin-deployment.ts'

for (const database of databases) {
  describe(`statistics on ${database}`, () => {
    test('what happened is counted at once, by reason, and in its tenant alone', async () => {
      await using deployment = await startAdminDeployment(database)
      const { it, call } = deployment
      const totals = async (query = '', tenant = '') =>
        Object.fromEntries(
          itemsIn(await call(`/v1/statistics${query}`, {}, tenant)).map((one) => [one.id, one['total']]),
        )
      const before = await totals()
      const elsewhere = await totals('', '/t/acme')
      const token = await it.token('svc')
      await it.token('svc')
      await it.post('/revoke', 'svc', { token })
      const wrong = { grant_type: 'refresh_token', refresh_token: 'rt_none' }
      for (let n = 0; n < 3; n++) assert.equal((await it.post('/token', 'web', wrong)).status, 400)
      const after = await totals()
      assert.deepEqual([Number(after['issued']), Number(after['revoked'])], [Number(before['issued']) + 2, 1])
      assert.deepEqual(await totals('', '/t/acme'), elsewhere)
      // What is refused is written every minute, or when the node stops.
      const [refused] = itemsIn(await call('/v1/statistics?id=refused'))
      assert.deepEqual(refused?.['reasons'], {})
      for (const step of ['minute', 'hour', 'day'])
        assert.equal((await totals(`?step=${step}`))['issued'], after['issued'])
    })

    test('a range has a value for every step; a query that makes no sense is told so', async () => {
      await using deployment = await startAdminDeployment(database)
      const { call } = deployment
      const length = async (query: string) => {
        const [item] = itemsIn(await call(`/v1/statistics?id=issued&${query}`))
        const { from, to, values } = item as unknown as { from: string; to: string; values: number[] }
        return [values.length, Date.parse(to) - Date.parse(from)]
      }
      assert.deepEqual(await length('step=minute'), [1440, 86_400_000])
      assert.deepEqual(await length('step=hour'), [24, 86_400_000])
      assert.deepEqual(await length('step=day'), [30, 30 * 86_400_000])
      const ago = (ms: number) => encodeURIComponent(new Date(Date.now() - ms).toISOString())
      assert.equal((await length(`step=minute&from=${ago(600_000)}`))[0], 11)
      // No earlier than what is kept, and said so; what has not been yet is not counted.
      assert.ok(Number((await length('step=minute&from=1970-01-01T00:00:00Z'))[0]) <= 2882)
      assert.ok(Number((await length('step=day&from=1970-01-01T00:00:00Z&to=2100-01-01T00:00:00Z'))[0]) <= 402)
      for (const bad of ['step=week', 'from=yesterday', 'id=eaten', 'total=3', `from=${ago(0)}&to=${ago(7_200_000)}`])
        assert.equal((await call(`/v1/statistics?${bad}`)).status, 400, bad)
      const all = itemsIn(await call('/v1/statistics')).map(({ id }) => id)
      assert.deepEqual(
        (await everyPage(deployment, '/v1/statistics?limit=2')).map(({ id }) => id),
        all,
      )
      assert.deepEqual(
        (await everyPage(deployment, '/v1/statistics?limit=2&sort=-id')).map(({ id }) => id),
        all.toReversed(),
      )
      assert.equal((await call('/v1/statistics/issued')).json()['step'], 'hour')
      assert.equal((await call('/v1/statistics/eaten')).status, 404)
      assert.equal((await call('/v1/statistics', { method: 'POST', json: {} })).status, 405)
    })

    test('only who may read statistics does, and no token of another tenant', async () => {
      await using deployment = await startAdminDeployment(database)
      const { it, as } = deployment
      assert.equal((await it.ask('/v1/statistics')).status, 401)
      const without = await it.ask('/v1/statistics', { headers: await as('admin', 'admin:users:read') })
      assert.deepEqual([without.status, codeIn(without)], [401, 'insufficient_scope'])
      const own = await as('admin', 'admin:statistics:read')
      assert.equal((await it.ask('/v1/statistics', { headers: own })).status, 200)
      assert.equal((await it.ask('/t/acme/v1/statistics', { headers: own })).status, 401)
    })
  })
}
