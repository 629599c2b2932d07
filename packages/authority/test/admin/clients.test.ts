/** Administration of clients: what nothing serves cannot be written, and what was written before can be read. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { err } from '@grantor/protocol/result'
import { asking, databases, declare, openDeployment, operator, root, secret } from '../support/deployment.ts'

const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange'
const metadata = {
  redirect_uris: [],
  grant_types: [exchange],
  response_types: [],
  token_endpoint_auth_method: 'tls_client_auth',
  scope: '',
}

for (const database of databases) {
  describe(`clients on ${database}`, () => {
    test('a client registered for what nothing serves is shown and listed, and changed to what is served', async () => {
      const deployment = await openDeployment(database)
      await declare(deployment, { resources: [] })
      const { authority, store, ports } = deployment
      const old = {
        tenant: root,
        id: 'old',
        metadata,
        secrets: [],
        origin: 'manual',
        createdAt: ports.clock.now(),
      } as const
      assert.equal(await store.clients.create(old, []), 'created')
      const { clients, declared } = authority.admin
      const found = await clients.find(root, 'old')
      assert.ok(found.kind === 'ok')
      assert.deepEqual(found.value.metadata, metadata)
      const listed = await clients.list(root, { after: null, limit: 10 })
      assert.deepEqual(listed.kind === 'ok' && listed.value.map(({ id }) => id), ['old'])
      assert.ok((await declared.export()).kind === 'ok')

      const change = { id: 'old', version: found.value.version, disabled: false }
      const refused = await clients.replace(operator, root, { ...change, metadata })
      assert.ok(refused.kind === 'error' && refused.error.reason === 'invalid')
      assert.deepEqual(
        refused.error.problems.map(({ field }) => field),
        ['grant_types', 'token_endpoint_auth_method'],
      )
      const served = { grant_types: ['client_credentials'] }
      assert.ok((await clients.replace(operator, root, { ...change, metadata: served })).kind === 'ok')
    })

    test('a client that is made disabled comes to be in one commit, and gets nothing until it is let in', async () => {
      const deployment = await openDeployment(database)
      await declare(deployment)
      const { authority, store } = deployment
      const metadata = { grant_types: ['client_credentials'], scope: 'invoices:read' }
      const before = await store.events.position()
      const made = await authority.admin.clients.create(operator, root, { id: 'bot', metadata, secret, disabled: true })
      assert.ok(made.kind === 'ok' && made.value.client.disabledAt !== null)
      const added = (await store.events.position()) - before
      const events = await store.events.after(root, 0, 1_000)
      assert.equal(added, 1)
      const { name, data } = events.at(-1) ?? assert.fail()
      assert.deepEqual([name, data?.['disabled']], ['client.registered', true])
      const ask = () => authority.token(asking('grant_type=client_credentials', { as: 'bot' }))
      assert.equal((await ask()).kind, 'error')
      const { version } = made.value.client
      const change = { id: 'bot', version, metadata, disabled: false }
      assert.ok((await authority.admin.clients.replace(operator, root, change)).kind === 'ok')
      assert.equal((await ask()).kind, 'ok')
    })

    test('a scope that is not declared is refused, but one that a client has from before may stay', async () => {
      const deployment = await openDeployment(database)
      await declare(deployment)
      const { authority, store, ports } = deployment
      const bot = (scope: string) => ({ grant_types: ['client_credentials'], scope })
      const refused = (name: string) =>
        err({ reason: 'invalid', problems: [{ field: 'scope', problem: `names ${name}, which is not declared` }] })
      const { clients } = authority.admin
      const wanted = { id: 'bot', metadata: bot('openid admin:clients:read invoices:read invoices:raed') }
      assert.deepEqual(await clients.create(operator, root, wanted), refused('invoices:raed'))

      const held = { ...metadata, ...bot('gone:read'), token_endpoint_auth_method: 'client_secret_basic' }
      const old = { tenant: root, id: 'old', metadata: held, secrets: [], origin: 'manual' } as const
      await store.clients.create({ ...old, createdAt: ports.clock.now() }, [])
      const found = await clients.find(root, 'old')
      assert.ok(found.kind === 'ok')
      const change = { id: 'old', version: found.value.version, disabled: false }
      const more = await clients.replace(operator, root, { ...change, metadata: bot('gone:read other:read') })
      assert.deepEqual(more, refused('other:read'))
      const kept = await clients.replace(operator, root, { ...change, metadata: bot('gone:read invoices:read') })
      assert.equal(kept.kind, 'ok', JSON.stringify(kept))
    })
  })
}
