/** One row that cannot be read: of the directory it is named and set aside, a key or an event is never passed over. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { StoreUnavailable } from '@grantor/store'
import { databases, declare, openDeployment, root, tokenFrom } from '../support/deployment.ts'

const broken = ['{"scope', 'null', '[]', '{}', '7', '{"redirect_uris":"x"}'] as const

for (const database of databases) {
  describe(`unreadable rows on ${database}`, () => {
    test('a client is set aside and named, the lists go on behind it, and comes back when it is put in order', async () => {
      const deployment = await openDeployment(database)
      await declare(deployment)
      const { store } = deployment
      const all = (await store.clients.list(root, { after: null, limit: 100 })).map(({ id }) => id)
      const [first = ''] = all
      const whole = JSON.stringify((await store.clients.find(root, first))?.metadata)
      for (const metadata of broken) {
        await deployment.tamper(`update clients set metadata = '${metadata}' where id = '${first}'`)
        for (const descending of [false, true]) {
          const page = await store.clients.list(root, { after: null, limit: all.length - 1, descending })
          assert.equal(page.length, all.length - 1, metadata)
        }
        assert.equal(await store.clients.find(root, first), null)
        assert.deepEqual(
          store.unreadable.list().map(({ kind, tenant, id }) => [kind, tenant, id]),
          [['client', root, first]],
        )
      }
      await deployment.tamper(`update clients set metadata = '${whole.replaceAll("'", "''")}' where id = '${first}'`)
      assert.equal((await store.clients.find(root, first))?.id, first)
      assert.deepEqual(store.unreadable.list(), [])
    })

    test('a scope and the registration of a tenant are set aside; registration is closed then', async () => {
      const deployment = await openDeployment(database)
      await declare(deployment)
      const { store } = deployment
      const count = (await store.directory.catalogue(root))?.scopes.length ?? 0
      await deployment.tamper(`update scopes set description = '{"en' where name = 'invoices:read'`)
      await deployment.tamper(`update tenants set registration = 'open' where id = '${root}'`)
      const catalogue = await store.directory.catalogue(root)
      assert.equal(catalogue?.scopes.length, count - 1)
      assert.equal(catalogue?.tenant.registration?.mode, 'off')
      assert.deepEqual(
        store.unreadable
          .list()
          .map(({ kind }) => kind)
          .toSorted(),
        ['scope', 'tenant'],
      )
      const named: string[] = []
      store.unreadable.watch(({ id }) => named.push(id))
      assert.deepEqual(named.toSorted(), [root, 'invoices:read'].toSorted())
    })

    test('a signing key and an event that cannot be read are refused, and named', async () => {
      const deployment = await openDeployment(database)
      await declare(deployment)
      await tokenFrom(deployment.authority, 'scope=invoices:read')
      const { store } = deployment
      await store.events.position()
      await deployment.tamper(`update keys set public_jwk = '{'`)
      await assert.rejects(
        store.keys.list(root),
        (error) => error instanceof StoreUnavailable && /kid/.test(error.message),
      )
      await deployment.tamper(`update events set body = 'x' where seq = 2`)
      await assert.rejects(
        store.events.after(root, 0, 100),
        (error) => error instanceof StoreUnavailable && /event 2 at position/.test(error.message),
      )
    })
  })
}
