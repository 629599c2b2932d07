/** /v1/mails over HTTP: what waits, without what it says; tried again, dropped, and one to try it out. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { databases, eventually } from '../feed/feed-deployment.ts'
import { codeIn, itemsIn, startAdminDeployment } from './admin-deployment.ts'

/** Nobody answers there. */
const nowhere = { GRANTOR_MAIL_SMTP: 'smtp://127.0.0.1:1', GRANTOR_MAIL_FROM: 'login@as.example' }

for (const database of databases) {
  describe(`mails on ${database}`, () => {
    test('a mail that cannot be sent says why, is tried again and dropped by name of who did it', async () => {
      await using deployment = await startAdminDeployment(database, nowhere)
      const { call, it, as } = deployment
      assert.deepEqual(itemsIn(await call('/v1/mails')), [])
      const { id } = (await call('/v1/mails/test', { json: { to: 'ada@example.com' } })).json() as { id: string }
      const waits = async () => (await call(`/v1/mails/${id}`)).json()
      await eventually(async () => (await waits())['last_error'] !== undefined, 'the first try')
      const mail = await waits()
      assert.deepEqual(itemsIn(await call('/v1/mails')), [mail])
      assert.deepEqual(
        [mail['kind'], mail['to'], mail['attempts'], mail['state']],
        ['test', 'ada@example.com', 1, 'waiting'],
      )
      assert.match(String(mail['last_error']), /ECONNREFUSED/)
      assert.ok(String(mail['next_try_at']) > String(mail['made_at']))
      // Nothing of another tenant, and nothing without the right.
      assert.deepEqual(itemsIn(await call('/v1/mails', {}, '/t/acme')), [])
      assert.equal((await call(`/v1/mails/${id}`, { method: 'DELETE' }, '/t/acme')).status, 404)
      assert.equal((await call(`/v1/mails/${id}/retry`, { json: {} }, '/t/acme')).status, 404)
      const reader = await as('admin', 'admin:mails:read')
      assert.equal((await it.ask(`/v1/mails/${id}`, { method: 'DELETE', headers: reader })).status, 401)
      assert.equal((await it.ask('/v1/mails/test', { json: { to: 'a@b.example' }, headers: reader })).status, 401)
      assert.equal((await call(`/v1/mails/${id}/retry`, { json: {} })).status, 204)
      await eventually(
        async () => Number((await waits())['attempts']) > 1 && (await waits())['state'] === 'waiting',
        'the next try',
      )
      const stale = await call(`/v1/mails/${id}`, { method: 'DELETE', headers: { 'if-match': '"none"' } })
      assert.equal(stale.status, 412)
      assert.equal((await call(`/v1/mails/${id}`, { method: 'DELETE' })).status, 204)
      assert.equal((await call(`/v1/mails/${id}`)).status, 404)
      const names = itemsIn(await call('/v1/events?sort=seq&name[in]=admin.mail_changed,mail.failed'))
      assert.deepEqual(
        names.map(({ name, reason, actor }) => [name, reason, actor]),
        [
          ['admin.mail_changed', undefined, { kind: 'client', id: 'admin' }],
          ['admin.mail_changed', undefined, { kind: 'client', id: 'admin' }],
          ['mail.failed', 'dropped', { kind: 'client', id: 'admin' }],
        ],
      )
      assert.doesNotMatch(JSON.stringify(names), /ada@example/)
    })

    test('no mail goes where no address is, or where no mail server is named', async () => {
      await using deployment = await startAdminDeployment(database)
      const { call } = deployment
      for (const to of ['nobody', 'a@b.example\r\nBcc: c@d.example', 'ada@example.com']) {
        const answer = await call('/v1/mails/test', { json: { to } })
        assert.deepEqual([answer.status, codeIn(answer)], [400, 'validation_error'], to)
      }
      assert.deepEqual(itemsIn(await call('/v1/mails')), [])
    })
  })
}
