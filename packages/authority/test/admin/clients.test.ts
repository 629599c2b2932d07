/** Administration of clients: what nothing serves cannot be written, and what was written before can be read. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { err, ok } from '@grantor/protocol/result'
import type { JsonObject } from '@grantor/protocol/types'
import { asking, databases, declare, openDeployment, operator, root, secret } from '../support/deployment.ts'

const unserved = 'urn:ietf:params:oauth:grant-type:saml2-bearer'
const metadata = {
  redirect_uris: [],
  grant_types: [unserved],
  response_types: [],
  token_endpoint_auth_method: 'client_secret_jwt',
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

    test('no client is made under the id of a person or the shape of a pairwise subject, by any way', async () => {
      const deployment = await openDeployment(database)
      await declare(deployment, { users: [{ username: 'alice', password: 'correct-horse' }] })
      const { authority, store } = deployment
      const alice = (await store.users.byUsername(root, 'alice'))?.id ?? ''
      const { clients, declared } = authority.admin
      for (const id of [alice, 'x'.repeat(43)]) {
        const metadata = { grant_types: ['client_credentials'] }
        const refusals = [
          await clients.create(operator, root, { id, metadata, secret }),
          await declared.apply(operator, { clients: [{ client_id: id, client_secret: secret, ...metadata }] }),
        ]
        for (const refused of refusals) {
          assert.ok(refused.kind === 'error' && refused.error.reason === 'invalid')
          assert.match(refused.error.problems[0]?.field ?? '', /client_id$/)
        }
        assert.equal(await store.clients.find(root, id), null)
      }
    })

    test('a client of an older database that has the id of a person is disabled, and cannot be enabled again', async () => {
      const deployment = await openDeployment(database)
      await declare(deployment)
      const { authority, tamper } = deployment
      await declare(deployment, { users: [{ username: 'alice', password: 'correct-horse' }] })
      await tamper("update users set id = 'svc' where username = 'alice'")
      const { clients } = authority.admin
      const disabled = await clients.disableNamedAsPeople(operator)
      assert.deepEqual(disabled.kind === 'ok' && disabled.value.map(({ id }) => id), ['svc'])
      const answer = await authority.token(asking('grant_type=client_credentials'))
      assert.equal(answer.kind === 'error' && answer.error.reason, 'client_unauthenticated')
      const held = await clients.find(root, 'svc')
      assert.ok(held.kind === 'ok' && held.value.disabledAt !== null)
      const { version, metadata } = held.value
      const change = { id: 'svc', version, metadata: metadata as unknown as JsonObject, disabled: false }
      const enabled = await clients.replace(operator, root, change)
      assert.ok(enabled.kind === 'error' && enabled.error.reason === 'invalid')
      assert.deepEqual(await clients.disableNamedAsPeople(operator), ok([]))
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
