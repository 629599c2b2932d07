/** One row that cannot be read: of the directory it is named and set aside, a key or an event is never passed over. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TenantId } from '@grantor/protocol/types'
import { StoreUnavailable } from '@grantor/store'
import { checkPassword } from '../../src/people/password.ts'
import {
  databases,
  declaration,
  declare,
  machine,
  openDeployment,
  operator,
  root,
  tokenFrom,
} from '../support/deployment.ts'

const broken = ['{"scope', 'null', '[]', '{}', '7', '{"redirect_uris":"x"}'] as const

const people = ['alice', 'bob', 'carol'].map((username) => ({
  username,
  password: 'correct-horse',
  email: `${username}@client.example`,
}))

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

    test('an administrator is told of every client of the tenant that cannot be read, as it is now', async () => {
      const deployment = await openDeployment(database)
      await declare(deployment, { ...declaration, tenants: [{ id: 'acme', name: 'Acme', ...declaration }] })
      const { store, authority, tamper } = deployment
      const named = async (tenant: TenantId) => {
        const told = await authority.admin.clients.unreadable(tenant)
        return told.kind === 'ok' ? told.value.map(({ id }) => id).toSorted() : told.error.reason
      }
      const whole = JSON.stringify((await store.clients.find(root, 'svc'))?.metadata)
      await tamper(`update clients set metadata = '{' where tenant = '${root}' and id in ('svc', 'other')`)
      await tamper(`update clients set metadata = '{' where tenant = 'acme' and id = 'api'`)
      for (const tenant of [root, 'acme' as TenantId])
        for (const id of ['svc', 'other', 'api']) await store.clients.find(tenant, id)
      assert.deepEqual(await named(root), ['other', 'svc'])
      assert.deepEqual(await named('acme' as TenantId), ['api'])
      // Put in order by another process: nobody has read it since.
      await tamper(`update clients set metadata = '${whole}' where tenant = '${root}' and id in ('svc', 'other')`)
      assert.deepEqual(await named(root), [])
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

    test('a person is set aside and named, the list goes on behind them, and nobody takes their name', async () => {
      const deployment = await openDeployment(database)
      await declare(deployment, { ...declaration, users: people })
      const { store, authority } = deployment
      const alice = (await store.users.byUsername(root, 'alice'))?.id ?? ''
      for (const claims of ['{"email', 'null', '[]', '7', '']) {
        await deployment.tamper(`update users set claims = '${claims}' where id = '${alice}'`)
        const page = await store.users.list(root, { after: null, limit: 2 })
        assert.deepEqual(page.map(({ username }) => username).toSorted(), ['bob', 'carol'], claims)
        assert.equal(await store.users.byUsername(root, 'alice'), null)
        assert.equal(await store.users.byId(root, alice), null)
        assert.equal(store.unreadable.user(root, 'ALICE')?.id, alice)
      }
      const input = { username: 'alice', password: 'another-good-horse', claims: {} }
      const acts = authority.admin.users
      for (const outcome of [
        await acts.create(operator, root, input),
        await acts.resetPassword(operator, root, input),
        await acts.setDisabled(operator, root, { username: 'alice', disabled: true }),
      ]) {
        assert.ok(outcome.kind === 'error' && outcome.error.reason === 'unreadable', JSON.stringify(outcome))
        assert.match(outcome.error.what, /user alice cannot be read: .*claims/)
      }
    })

    test('declaring a broken client, person, scope or tenant again puts each in order, in one apply', async () => {
      const deployment = await openDeployment(database)
      const wanted = {
        ...declaration,
        users: people,
        tenants: [{ id: 'acme', name: 'Acme', registration: { mode: 'open' } }],
      }
      await declare(deployment, wanted)
      const { store, authority, tamper } = deployment
      const alice = await store.users.byUsername(root, 'alice')
      await tamper(`update clients set metadata = '{' where id = 'svc'`)
      await tamper(`update users set claims = '{' where username = 'alice'`)
      await tamper(`update scopes set description = '{' where name = 'invoices:read'`)
      await tamper(`update tenants set registration = '{' where id = 'acme'`)
      const planned = await authority.admin.declared.plan(wanted)
      assert.ok(planned.kind === 'ok', JSON.stringify(planned))
      assert.deepEqual(planned.value.steps.map(({ kind, id, act }) => `${act} ${kind} ${id}`).toSorted(), [
        'change client svc',
        'change tenant acme',
        'change user alice',
        'create scope invoices:read',
      ])
      assert.doesNotMatch(JSON.stringify(planned), /correct-horse|zz9canary/)
      await declare(deployment, wanted)
      assert.ok((await tokenFrom(authority, 'scope=invoices:read')) !== '')
      const mended = await store.users.byUsername(root, 'alice')
      assert.deepEqual([mended?.id, mended?.claims], [alice?.id, alice?.claims])
      assert.ok(await checkPassword(mended?.passwordHash ?? null, 'correct-horse'))
      assert.equal((await store.directory.catalogue('acme' as TenantId))?.tenant.registration?.mode, 'open')
      await store.directory.catalogue(root)
      assert.deepEqual(store.unreadable.list(), [])
      const again = await authority.admin.declared.plan(wanted)
      assert.deepEqual(again.kind === 'ok' && again.value.steps, [])
    })

    test('a broken client keeps its id from others, needs its secret to be declared anew, and can be removed', async () => {
      const deployment = await openDeployment(database)
      await declare(deployment)
      const { store, authority, tamper } = deployment
      await tamper(`update clients set metadata = '{' where id = 'svc'`)
      const acts = authority.admin.clients
      const { client_secret: _secret, ...withoutSecret } = machine('svc', 'invoices:read')
      const unsaid = await authority.admin.declared.apply(operator, { clients: [withoutSecret] })
      assert.ok(unsaid.kind === 'error' && unsaid.error.reason === 'invalid', JSON.stringify(unsaid))
      assert.match(JSON.stringify(unsaid), /client_secret/)
      const made = await acts.create(operator, root, { id: 'svc', metadata: { grant_types: ['client_credentials'] } })
      for (const outcome of [made, await acts.find(root, 'svc')])
        assert.ok(outcome.kind === 'error' && outcome.error.reason === 'unreadable', JSON.stringify(outcome))
      const named = await acts.unreadable(root)
      assert.deepEqual(named.kind === 'ok' && named.value.map(({ id }) => id), ['svc'])
      assert.equal((await acts.remove(operator, root, 'svc')).kind, 'ok')
      const gone = await acts.find(root, 'svc')
      assert.ok(gone.kind === 'error' && gone.error.reason === 'absent')
      assert.deepEqual(store.unreadable.list(), [])
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
