/** Declared objects that name what has left: an export is a file that can be applied, whatever was removed before. */
import { ok } from '@grantor/protocol/result'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { api, declare, type Deployment, machine, openDeployment, operator, root } from '../support/deployment.ts'

const billing = 'https://billing.example'
const scope = (name: string, resource = api) => ({ name, description: name, resource })
const objects = {
  resources: [{ identifier: api }, { identifier: billing }],
  scopes: [scope('a:read'), scope('a:write')],
  roles: [{ name: 'writer', resource: api, scopes: ['a:read', 'a:write'] }],
  groups: [{ name: 'Writers', roles: ['writer'] }],
  users: [{ username: 'ada', roles: ['writer'], groups: ['Writers'] }],
  clients: [{ ...machine('svc', 'a:read a:write'), default_resource: billing }, machine('robot', '')],
  trusted_issuers: [{ issuer: 'https://ci.example', rules: [{ claims: { sub: 'shop' }, client: 'robot' }] }],
} satisfies JsonObject

async function drop({ authority }: Deployment, kind: 'resources' | 'scopes' | 'roles', id: string): Promise<void> {
  const held = await authority.admin[kind].list(root)
  assert.ok(held.kind === 'ok')
  const all = held.value as readonly { readonly value: object; readonly version: string }[]
  const it = all.find(({ value }) => Object.values(value).includes(id))
  const gone = await authority.admin[kind].drop(operator, root, { id, expected: it?.version ?? '' })
  assert.ok(gone.kind === 'ok', JSON.stringify(gone))
}

async function planOfExport({ authority }: Deployment) {
  const exported = await authority.admin.declared.export()
  assert.ok(exported.kind === 'ok')
  return authority.admin.declared.plan(exported.value)
}

const problemsOf = (outcome: Awaited<ReturnType<Deployment['authority']['admin']['declared']['plan']>>) => {
  assert.ok(outcome.kind === 'error' && outcome.error.reason === 'invalid', JSON.stringify(outcome))
  return outcome.error.problems.map(({ field, problem }) => `${field}: ${problem}`)
}

test('plan right after export is empty when scopes, an API, a role and a client have left that others name', async () => {
  const deployment = await openDeployment()
  await declare(deployment, objects)
  const { admin } = deployment.authority
  const leaving: readonly (() => Promise<unknown>)[] = [
    () => drop(deployment, 'scopes', 'a:write'),
    () => drop(deployment, 'resources', billing),
    () => drop(deployment, 'roles', 'writer'),
    () => admin.clients.remove(operator, root, 'robot'),
  ]
  for (const leave of leaving) {
    await leave()
    assert.deepEqual(await planOfExport(deployment), ok({ steps: [] }))
  }
})

test('what is removed by the file itself, or was never there, is still a mistake where something names it', async () => {
  const deployment = await openDeployment()
  await declare(deployment, objects)
  const { declared } = deployment.authority.admin
  const { clients, roles } = objects
  const pruned = await declared.plan(
    { resources: [{ identifier: api }], scopes: [scope('a:read')], roles, clients },
    { prune: true },
  )
  assert.deepEqual(problemsOf(pruned), [
    'roles[0].scopes: names a:write, which is no scope of that resource',
    'clients[0].scope: names a:write, which is not declared',
    'clients[0].default_resource: names a resource that is not declared',
  ])
  await drop(deployment, 'scopes', 'a:write')
  const other = { ...machine('other', 'a:write'), client_secret: 'another-secret-of-32-or-more-characters' }
  assert.deepEqual(problemsOf(await declared.plan({ clients: [other] })), [
    'clients[0].scope: names a:write, which is not declared',
  ])
})

test('one API has one spelling: another one is refused where it is declared, and needs the same scopes', async () => {
  const deployment = await openDeployment()
  const respelled = 'https://API.example:443/'
  await declare(deployment, { resources: [{ identifier: api }], scopes: [scope('a:read', respelled)] })
  const { admin } = deployment.authority
  const problem = `is there already, written ${api}`
  assert.deepEqual(problemsOf(await admin.declared.plan({ resources: [{ identifier: respelled }] })), [
    `resources[0].identifier: ${problem}`,
  ])
  assert.deepEqual(await admin.resources.put(operator, root, { input: { identifier: respelled }, expected: null }), {
    kind: 'error',
    error: { reason: 'invalid', problems: [{ field: 'identifier', problem }] },
  })
  const renamed = await admin.declared.plan(
    { resources: [{ identifier: respelled }], scopes: [scope('a:read', respelled)] },
    { prune: true },
  )
  assert.ok(renamed.kind === 'ok', 'where the first spelling goes, the other one may come')
  await assert.rejects(drop(deployment, 'resources', api), /to which scope a:read belongs/)
  assert.deepEqual(await planOfExport(deployment), ok({ steps: [] }))
})

test('a database from before that has an API in two spellings takes a file that declares either', async () => {
  const deployment = await openDeployment()
  const respelled = `${api}:443`
  await declare(deployment, { resources: [{ identifier: api }, { identifier: billing }] })
  await deployment.tamper(`update resources set identifier = '${respelled}' where identifier = '${billing}'`)
  for (const identifier of [api, respelled]) await declare(deployment, { resources: [{ identifier, name: 'One' }] })
})

test('under a profile that came later, an earlier word that requests need not be pushed is not written any more', async () => {
  const deployment = await openDeployment()
  await declare(deployment, objects)
  const { tenants } = deployment.authority.admin
  const plain = { name: 'Acme', disabled: false, registration: null, branding: null, accounts: null }
  const acme = 'acme' as TenantId
  const made = await tenants.put(operator, acme, { ...plain, revision: null, profile: null, requirePushed: false })
  assert.ok(made.kind === 'ok')
  const { revision } = made.value
  const held = await tenants.put(operator, acme, { ...plain, revision, profile: 'fapi2-security', requirePushed: null })
  assert.ok(held.kind === 'ok', JSON.stringify(held))
  assert.deepEqual(await planOfExport(deployment), ok({ steps: [] }))
})
