/** Declared objects that do not fit each other: each problem is told where it stands in the file, in whichever tenant. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@grantor/protocol/types'
import { api, bounded, declaration, declare, machine, openDeployment, root } from '../support/deployment.ts'

const nothing = 'https://nothing.example'
const clerk = { name: 'clerk', resource: api, scopes: ['invoices:read'] }
const issuer = { issuer: 'https://idp.example', audience: 'https://as.example' }
const keyless = { ...machine('bare', 'invoices:read'), client_secret: undefined } as unknown as JsonObject
const provider = (id: string): JsonObject => ({
  id,
  name: 'Corp',
  kind: 'oidc',
  issuer: `https://${id}.example`,
  client_id: 'c',
  client_secret: 'of-the-provider',
})

/** A section, what is added to it, and the fields that are wrong. */
const table: readonly (readonly [section: string, added: readonly JsonObject[], ...fields: readonly string[]])[] = [
  ['scopes', [{ name: 'x', description: 'x', resource: nothing }], 'scopes[3].resource'],
  ['roles', [{ ...clerk, resource: nothing }], 'roles[0].resource'],
  ['roles', [clerk, { ...clerk, name: 'two', scopes: ['invoices:read', 'files:read'] }], 'roles[1].scopes'],
  ['groups', [{ name: 'Team', roles: ['nothing'] }], 'groups[0].roles'],
  ['users', [{ username: 'a', roles: ['nothing'] }], 'users[0].roles'],
  ['users', [{ username: 'a' }, { username: 'b', groups: ['Nobodies'] }], 'users[1].groups'],
  ['users', [{ username: 'a', password: 'short' }], 'users[0].password'],
  ['clients', [JSON.parse(JSON.stringify(keyless)) as JsonObject], 'clients[3].client_secret'],
  ['clients', [machine('x', 'nothing:such')], 'clients[3].scope'],
  ...(['default_resource', 'resource_server'] as const).map(
    (field) => ['clients', [{ ...machine('x', ''), [field]: nothing }], `clients[3].${field}`] as const,
  ),
  [
    'trusted_issuers',
    [{ ...issuer, rules: [{ claims: { sub: 'x' }, client: 'nobody' }] }],
    'trusted_issuers[0].rules[0].client',
  ],
  [
    'authorization_details_types',
    [{ type: 'pay', resources: [nothing], schema: { type: 'object', properties: {} }, description: 'Pay' }],
    'authorization_details_types[0].resources',
  ],
]

test('each problem is told where it stands', bounded, async () => {
  const { authority, store } = await openDeployment()
  const fieldsIn = async (wanted: JsonObject): Promise<readonly string[]> => {
    const plan = await authority.admin.declared.plan(wanted)
    if (plan.kind === 'ok') return []
    return 'problems' in plan.error ? plan.error.problems.map(({ field }) => field) : [plan.error.reason]
  }
  assert.deepEqual(await fieldsIn(declaration), [])
  for (const [section, added, ...fields] of table) {
    const held = (declaration as JsonObject)[section] as readonly JsonObject[] | undefined
    const wanted = { ...declaration, [section]: [...(held ?? []), ...added] } as JsonObject
    assert.deepEqual(await fieldsIn(wanted), fields, section)
    const tenants = [{ id: 'acme', name: 'Acme', ...wanted }]
    assert.deepEqual(
      await fieldsIn({ tenants }),
      fields.map((field) => `tenants[0].${field}`),
      section,
    )
  }
  const many = Array.from({ length: 101 }, (_, n) => provider(`p${n}`))
  assert.ok((await fieldsIn({ providers: many })).includes('providers'))
  await declare({ authority }, { users: [{ username: 'alice' }] })
  const alice = await store.users.byUsername(root, 'alice')
  const named = [machine('fine', ''), machine(alice?.id ?? '', '')]
  assert.deepEqual(await fieldsIn({ clients: named }), ['clients[1].client_id'], 'nobody is called as a person is')
})
