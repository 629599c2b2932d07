/** Declared objects: plan, apply, export; all or nothing, idempotent, and safe when two people do it at once. */
import { ok } from '@grantor/protocol/result'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
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

describe('declared objects', () => {
  test('applying twice changes nothing the second time', async () => {
    const deployment = await openDeployment()
    await declare(deployment)
    const again = await deployment.authority.admin.declared.apply(operator, declaration)
    assert.deepEqual(again, ok({ steps: [] }))
  })

  test('a change of the tenant itself is told as one, with what it is now; a change within it is not', async () => {
    const deployment = await openDeployment()
    const { store } = deployment
    const told = async () => {
      await store.events.position()
      const events = await store.events.after('acme' as TenantId, 0, 100)
      return events.filter(({ name }) => name === 'admin.tenant_changed').map(({ data }) => data)
    }
    const acme = { id: 'acme', name: 'Acme' }
    await declare(deployment, { tenants: [acme] })
    const made = { name: 'Acme', disabled: null, cutoff: false }
    assert.deepEqual(await told(), [made])
    await declare(deployment, { tenants: [{ ...acme, resources: [{ identifier: api, name: 'API' }] }] })
    assert.deepEqual(await told(), [made])
    await declare(deployment, { tenants: [{ ...acme, disabled: true }] })
    await declare(deployment, { tenants: [{ ...acme, disabled: false }] })
    const [, ...later] = await told()
    assert.deepEqual(later, [
      { name: 'Acme', disabled: true, cutoff: true },
      { name: 'Acme', disabled: false, cutoff: false },
    ])
  })

  test('plan right after export is empty, and an export holds no secret', async () => {
    const deployment = await openDeployment()
    await declare(deployment, { ...declaration, tenants: [{ id: 'acme', name: 'Acme', ...declaration }] })
    const exported = await deployment.authority.admin.declared.export()
    assert.ok(exported.kind === 'ok')
    assert.doesNotMatch(JSON.stringify(exported.value), /zz9canary|secret"/)
    const plan = await deployment.authority.admin.declared.plan(exported.value)
    assert.deepEqual(plan, ok({ steps: [] }))
  })

  test('plan shows what would change, field by field, and changes nothing', async () => {
    const deployment = await openDeployment()
    await declare(deployment)
    const wanted = {
      resources: [{ identifier: api, name: 'Bills API' }],
      clients: [{ ...machine('svc', 'invoices:read'), client_secret: 'another-secret-of-32-or-more-characters' }],
    }
    const plan = await deployment.authority.admin.declared.plan(wanted)
    assert.ok(plan.kind === 'ok')
    assert.deepEqual(
      plan.value.steps.map((step) => [step.act, step.kind, step.id, step.fields.map((it) => it.field)]),
      [
        ['change', 'resource', api, ['name']],
        ['change', 'client', 'svc', ['client_secret', 'scope']],
      ],
    )
    assert.doesNotMatch(JSON.stringify(plan.value), /another-secret/)
    await tokenFrom(deployment.authority, 'scope=invoices:write')
  })

  const bad: readonly (readonly [string, JsonObject, string])[] = [
    ['an unknown section', { clientz: [] }, 'clientz'],
    ['a section that is no list', { clients: {} }, 'clients'],
    ['an item that is no object', { clients: ['x'] }, 'clients[0]'],
    ['a relative resource', { resources: [{ identifier: 'api' }] }, 'resources[0].identifier'],
    ['a resource with a fragment', { resources: [{ identifier: 'https://a.example/#x' }] }, 'resources[0].identifier'],
    [
      'two of one resource',
      { resources: [{ identifier: 'https://a.example' }, { identifier: 'https://A.example/' }] },
      'resources[1].identifier',
    ],
    [
      'a token format nobody knows',
      { resources: [{ identifier: 'https://a.example', token_format: 'paseto' }] },
      'resources[0].token_format',
    ],
    ['a built-in scope', { scopes: [{ name: 'admin:clients:write', description: 'x' }] }, 'scopes[0].name'],
    ['a scope of OpenID Connect', { scopes: [{ name: 'openid', description: 'x' }] }, 'scopes[0].name'],
    ['a scope of two words', { scopes: [{ name: 'a b', description: 'x' }] }, 'scopes[0].name'],
    ['a scope without words', { scopes: [{ name: 'a' }] }, 'scopes[0].description'],
    [
      'a scope of nobody',
      { scopes: [{ name: 'a', description: 'x', resource: 'https://nowhere.example' }] },
      'scopes[0].resource',
    ],
    ['a short secret', { clients: [{ ...machine('x', ''), client_secret: 'short' }] }, 'clients[0].client_secret'],
    [
      'no secret at all',
      {
        clients: [
          { client_id: 'x', grant_types: ['client_credentials'], redirect_uris: [], response_types: [], scope: '' },
        ],
      },
      'clients[0].client_secret',
    ],
    ['a client without id', { clients: [{ client_secret: 'x'.repeat(40) }] }, 'clients[0].client_id'],
    ['a client with a scope of nobody', { clients: [machine('x', 'nobody:knows')] }, 'clients[0].scope'],
    [
      'a misspelt field',
      { clients: [{ ...machine('x', ''), redirect_url: 'https://a.example' }] },
      'clients[0].redirect_url',
    ],
    [
      'a script as redirect',
      { clients: [{ ...machine('x', ''), redirect_uris: ['javascript:alert(1)'] }] },
      'clients[0].redirect_uris',
    ],
    ['a tenant that is a path', { tenants: [{ id: '../x' }] }, 'tenants[0].id'],
    ['a tenant in look-alike letters', { tenants: [{ id: 'аcme' }] }, 'tenants[0].id'],
    ['a tenant called default', { tenants: [{ id: 'default' }] }, 'tenants[0].id'],
    ['a tenant that is SQL', { tenants: [{ id: "a'; drop table clients;--" }] }, 'tenants[0].id'],
    [
      'a problem inside a tenant',
      { tenants: [{ id: 'acme', clients: [{ client_id: 'x' }] }] },
      'tenants[0].clients[0]',
    ],
  ]
  test('a bad file changes nothing and names the field', async () => {
    const deployment = await openDeployment()
    await declare(deployment)
    const before = await deployment.authority.admin.declared.export()
    for (const [what, wanted, field] of bad) {
      const outcome = await deployment.authority.admin.declared.apply(operator, wanted)
      assert.ok(outcome.kind === 'error' && outcome.error.reason === 'invalid', `${what} was accepted`)
      const fields = outcome.error.problems.map((it) => it.field)
      assert.ok(
        fields.some((it) => it.startsWith(field)),
        `${what}: ${JSON.stringify(outcome.error.problems)}`,
      )
    }
    assert.deepEqual(await deployment.authority.admin.declared.export(), before)
  })

  for (const database of databases) {
    test(`two people applying at once do not mix, on ${database}`, async () => {
      const deployment = await openDeployment(database)
      await declare(deployment)
      // Each renames everything: afterwards all of it must be by one hand.
      const wanted = (by: string) => ({
        resources: [{ identifier: api, name: by }],
        scopes: ['invoices:read', 'invoices:write'].map((name) => ({ name, description: by, resource: api })),
        clients: [{ ...machine('svc', 'invoices:read'), client_name: by }],
      })
      const hands = ['anna', 'bert', 'carl', 'dora']
      const outcomes = await Promise.all(
        hands.map((by) => deployment.node().admin.declared.apply(operator, wanted(by))),
      )
      assert.ok(outcomes.some((outcome) => outcome.kind === 'ok'))
      const catalogue = await deployment.store.directory.catalogue(root)
      const client = await deployment.store.clients.find(root, 'svc')
      const names = new Set([
        catalogue?.resources.find((it) => it.identifier === api)?.name,
        ...(catalogue?.scopes ?? []).filter((it) => it.resource === api).map((it) => it.description),
        client?.metadata.client_name,
      ])
      assert.equal(names.size, 1, JSON.stringify([...names]))
    })

    test(`a client disabled by declaration stops at once on a node that remembers it, on ${database}`, async () => {
      const deployment = await openDeployment(database)
      await declare(deployment)
      const node = deployment.node()
      await tokenFrom(node, 'scope=invoices:read')
      await declare(deployment, { clients: [{ ...machine('svc', 'invoices:read'), disabled: true }] })
      assert.equal((await node.token(asking('grant_type=client_credentials'))).kind, 'error')
    })
  }
})
