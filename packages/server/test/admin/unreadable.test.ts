/** /v1/clients beside a row that cannot be read: the rest is listed, the broken one named, and its own address says so. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { databases, machine, operator } from '../feed/feed-deployment.ts'
import { codeIn, everyPage, itemsIn, startAdminDeployment } from './admin-deployment.ts'

for (const database of databases) {
  describe(`unreadable clients on ${database}`, () => {
    test('lists go on and name it, its own address answers 409, and a declaration puts it in order', async () => {
      await using deployment = await startAdminDeployment(database)
      const { it, call } = deployment
      const before = itemsIn(await call('/v1/clients')).map(({ id }) => id)
      assert.equal((await call('/v1/clients')).json()['unreadable'], undefined)
      await it.tamper(`update clients set metadata = '{"scope' where id = 'other' and tenant = 'default'`)
      const rest = before.filter((id) => id !== 'other')
      const listed = await call('/v1/clients')
      assert.deepEqual(
        itemsIn(listed).map(({ id }) => id),
        rest,
      )
      const named = listed.json()['unreadable'] as readonly { readonly id: string; readonly detail: string }[]
      assert.deepEqual(
        named.map(({ id }) => id),
        ['other'],
      )
      assert.match(named[0]?.detail ?? '', /metadata/)
      assert.deepEqual(
        (await everyPage(deployment, '/v1/clients?limit=2')).map(({ id }) => id),
        rest,
      )
      // Another tenant has a client of that name, and hears nothing of this one.
      const elsewhere = await call('/v1/clients', {}, '/t/acme')
      assert.ok(itemsIn(elsewhere).some(({ id }) => id === 'other'))
      assert.equal(elsewhere.json()['unreadable'], undefined)
      const json = { grant_types: ['client_credentials'], scope: 'invoices:read' }
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
        const answer = await call('/v1/clients/other', {
          method,
          ...(method === 'PUT' || method === 'PATCH' ? { json } : {}),
        })
        assert.deepEqual([answer.status, codeIn(answer)], [409, 'unreadable'], `${method} ${answer.body}`)
        assert.doesNotMatch(answer.body, /column|JSON|sql/i)
      }
      assert.equal(
        (await it.post('/token', 'other', { grant_type: 'client_credentials', scope: 'invoices:read' })).status,
        401,
      )
      assert.equal(
        (await it.post('/token', 'svc', { grant_type: 'client_credentials', scope: 'invoices:read' })).status,
        200,
      )
      const clients = [machine('other', 'invoices:read metrics:read')]
      const applied = await it.deployment.authority.admin.declared.apply(operator, { clients })
      assert.ok(applied.kind === 'ok', JSON.stringify(applied))
      assert.equal((await call('/v1/clients/other')).status, 200)
      const again = await call('/v1/clients')
      assert.equal(again.json()['unreadable'], undefined)
      assert.equal(itemsIn(again).length, before.length)
      assert.equal(
        (await it.post('/token', 'other', { grant_type: 'client_credentials', scope: 'invoices:read' })).status,
        200,
      )
    })
  })
}
