/** /v1/settings over HTTP: what counts and where it came from, no secret, and the findings of the quick checks. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { databases } from '../feed/feed-deployment.ts'
import { everyPage, itemsIn, startAdminDeployment } from './admin-deployment.ts'

const secret = 'smtp://user:hunter2-hunter2@127.0.0.1:1'

for (const database of databases) {
  describe(`settings on ${database}`, () => {
    test('every setting is shown with its source, a secret only as set, to the deployment alone', async () => {
      await using deployment = await startAdminDeployment(database, {
        GRANTOR_MAIL_SMTP: secret,
        GRANTOR_MAIL_FROM: 'login@as.example',
        GRANTOR_LEEWAY: '7s',
      })
      const { call, it, as } = deployment
      const all = itemsIn(await call('/v1/settings'))
      assert.deepEqual(await everyPage(deployment, '/v1/settings?limit=7'), all)
      const one = (id: string) => all.find((item) => item.id === id)
      assert.deepEqual(one('leeway')?.['source'], { kind: 'variable', where: 'GRANTOR_LEEWAY' })
      assert.deepEqual([one('mail.smtp')?.['value'], one('mail.smtp')?.['secret']], ['(set)', true])
      assert.partialDeepStrictEqual(one('limit.token')?.['section'], { id: 'limits', title: { en: 'Limits' } })
      assert.deepEqual(one('key.rotation')?.['source'], { kind: 'default', where: 'default' })
      assert.doesNotMatch(
        JSON.stringify(all.map(({ value, source }) => [value, source])),
        /hunter2|postgres:\/\/|[0-9a-f]{64}/,
      )
      assert.deepEqual((await call('/v1/settings/leeway')).json(), one('leeway'))
      assert.equal((await call('/v1/settings/no.such')).status, 404)
      for (const method of ['PUT', 'PATCH', 'DELETE'])
        assert.equal((await call('/v1/settings/leeway', { method })).status, 405)
      assert.deepEqual(itemsIn(await call('/v1/settings', {}, '/t/acme')), [])
      assert.equal((await call('/v1/settings/leeway', {}, '/t/acme')).status, 404)
      assert.equal((await call('/v1/settings/check', { json: {} }, '/t/acme')).status, 403)
      const other = await as('admin', 'admin:users:read')
      assert.equal((await it.ask('/v1/settings', { headers: other })).status, 401)
      assert.equal((await it.ask('/v1/settings/check', { json: {}, headers: other })).status, 401)
      const checked = (await call('/v1/settings/check', { json: {} })).json() as unknown as {
        ok: boolean
        findings: { check: string; state: string; says: string; fix: string | null }[]
        node: { token_p95_seconds: number | null }
      }
      assert.equal(checked.ok, true, JSON.stringify(checked))
      const names = new Set(checked.findings.map(({ check }) => check))
      for (const name of ['data folder', 'certificate', 'database', 'master key', 'signing keys', 'clock'])
        assert.ok(names.has(name), name)
      assert.ok(checked.findings.every(({ state, fix }) => state === 'ok' || fix !== null))
      assert.ok(Number(checked.node.token_p95_seconds) > 0)
    })
  })
}
