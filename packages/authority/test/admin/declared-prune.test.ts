/** Declared objects: what a file takes away, and the round trip of every noun. */
import { ok } from '@grantor/protocol/result'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '@grantor/protocol/types'
import {
  api,
  asking,
  databases,
  declaration,
  declare,
  machine,
  openDeployment,
  operator,
  root,
  tokenFrom,
} from '../support/deployment.ts'

const prune = { prune: true }
const shrunk = {
  resources: declaration.resources.slice(0, 1),
  scopes: declaration.scopes.slice(0, 1),
  clients: [machine('svc', 'invoices:read')],
}

for (const database of databases) {
  describe(`what a file takes away, on ${database}`, () => {
    test('nothing without prune; with it what its sections no longer name, in one commit with its events', async () => {
      const deployment = await openDeployment(database)
      await declare(deployment)
      const { declared, clients } = deployment.authority.admin
      const other = deployment.node()
      assert.ok(await tokenFrom(other, 'scope=invoices:read', { as: 'other' }))
      const metadata = { grant_types: ['client_credentials'], response_types: [] }
      const made = await clients.create(operator, root, { id: 'by-hand', metadata })
      assert.ok(made.kind === 'ok', JSON.stringify(made))

      const kept = await declared.plan(shrunk)
      assert.ok(kept.kind === 'ok' && kept.value.steps.every(({ act }) => act !== 'remove'))
      const planned = await declared.plan(shrunk, prune)
      const applied = await declared.apply(operator, shrunk, prune)
      assert.ok(applied.kind === 'ok')
      assert.deepEqual(planned, applied)
      const removed = applied.value.steps.filter(({ act }) => act === 'remove').map(({ kind, id }) => `${kind} ${id}`)
      assert.deepEqual(removed.toSorted(), [
        'client api',
        'client other',
        'resource https://opaque.example',
        'scope files:read',
        'scope invoices:write',
      ])
      const gone = await other.token(asking('grant_type=client_credentials&scope=invoices:read', { as: 'other' }))
      assert.equal(gone.kind, 'error')
      assert.ok((await clients.find(root, 'by-hand')).kind === 'ok', 'made by hand, and so not the business of a file')
      await deployment.store.events.position()
      const events = await deployment.store.events.after(root, 0, 100)
      assert.equal(events.filter(({ name }) => name === 'client.deleted').length, 2)
      assert.deepEqual(await declared.apply(operator, shrunk, prune), ok({ steps: [] }))
    })

    test('a section that is not there removes nothing, and a resource in use is not removed', async () => {
      const deployment = await openDeployment(database)
      await declare(deployment)
      const { declared } = deployment.authority.admin
      assert.deepEqual(await declared.plan({}, prune), ok({ steps: [] }))
      const refused = await declared.apply(operator, { resources: [] }, prune)
      assert.ok(refused.kind === 'error' && refused.error.reason === 'invalid')
      assert.match(JSON.stringify(refused.error), /to which scope invoices:read belongs/)
    })

    test('every noun comes back from its export as it was, disabled ones too', async () => {
      const deployment = await openDeployment(database)
      const people: JsonObject[] = [
        {
          username: 'alice',
          password: 'correct-horse',
          email: 'alice@example.com',
          email_verified: true,
          name: 'Alice',
        },
        { username: 'bob', password: 'correct-horse', disabled: true },
      ]
      const objects = {
        resources: [{ identifier: api, name: 'Invoices', access_token_ttl: 120 }, ...declaration.resources.slice(1)],
        scopes: declaration.scopes.map((it) => ({ ...it, sensitivity: 'high', mode: 'optional' })),
        clients: [...declaration.clients, { ...machine('off', ''), disabled: true }],
        users: people,
      }
      await declare(deployment, {
        ...objects,
        tenants: [
          { id: 'acme', name: 'Acme', ...objects },
          { id: 'gone', name: 'Gone', disabled: true },
        ],
      })
      const { declared } = deployment.authority.admin
      const exported = await declared.export()
      assert.ok(exported.kind === 'ok')
      assert.doesNotMatch(JSON.stringify(exported.value), /zz9canary|correct-horse|argon2/)
      for (const how of [{ prune: false }, prune]) {
        assert.deepEqual(await declared.plan(exported.value, how), ok({ steps: [] }))
      }
      const text = JSON.stringify(exported.value)
      for (const word of ['alice@example.com', '"disabled":true', '"access_token_ttl":120', '"sensitivity":"high"']) {
        assert.ok(text.includes(word), word)
      }
    })
  })
}
