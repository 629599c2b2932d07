/** Every declared noun from its beginning to its end: what a plan says of it, what is there then, and what the log is told. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import { bounded, machine, openDeployment, operator, root } from '../support/deployment.ts'

const api = 'https://api.example'
const first = {
  resources: [{ identifier: api, name: 'A', token_format: 'jwt' }],
  scopes: [{ name: 'a:read', description: 'See', resource: api }],
  authorization_details_types: [
    { type: 'pay', resources: [api], schema: { type: 'object', properties: {} }, description: 'Pay' },
  ],
  roles: [{ name: 'clerk', description: 'x', resource: api, scopes: ['a:read'] }],
  groups: [{ name: 'Team', description: 'x', roles: ['clerk'] }],
  clients: [machine('svc', 'a:read')],
  users: [{ username: 'ada', name: 'Ada' }],
  trusted_issuers: [
    { issuer: 'https://idp.example', audience: 'https://as.example', rules: [{ claims: { sub: 'x' }, client: 'svc' }] },
  ],
  webhooks: [{ id: 'hook', url: 'https://hooks.example/in', events: ['session'], secret: `whsec_${'A'.repeat(32)}` }],
  providers: [{ id: 'corp', name: 'Corp', kind: 'oidc', issuer: 'https://login.example', client_id: 'us' }],
} satisfies JsonObject
/** The same with one thing another of each. */
const second = {
  resources: [{ ...first.resources[0], name: 'B' }],
  scopes: [{ ...first.scopes[0], description: 'Look' }],
  authorization_details_types: [{ ...first.authorization_details_types[0], description: 'Spend' }],
  roles: [{ ...first.roles[0], description: 'y' }],
  groups: [{ ...first.groups[0], description: 'y' }],
  clients: [{ ...machine('svc', 'a:read'), client_name: 'Service' }],
  users: [{ username: 'ada', name: 'Ada L.' }],
  trusted_issuers: [{ ...first.trusted_issuers[0], audience: 'https://as.example/other' }],
  webhooks: [{ ...first.webhooks[0], events: ['token'] }],
  providers: [{ ...first.providers[0], name: 'Company' }],
} satisfies JsonObject
const kinds: readonly (readonly [kind: string, id: string, field: string, event: string])[] = [
  ['resource', api, 'name', 'admin.resource_changed'],
  ['scope', 'a:read', 'description', 'admin.scope_changed'],
  ['authorization details type', 'pay', 'description', 'admin.details_type_changed'],
  ['role', 'clerk', 'description', 'admin.role_changed'],
  ['group', 'Team', 'description', 'admin.group_changed'],
  ['client', 'svc', 'client_name', 'client.updated'],
  ['trusted issuer', 'https://idp.example', 'audience', 'admin.trusted_issuer_changed'],
  ['provider', 'corp', 'name', 'admin.provider_changed'],
  ['webhook', 'hook', 'events', 'admin.webhook_changed'],
  ['user', 'ada', 'name', 'admin.user_changed'],
]
const inOrder = (rows: readonly string[]): readonly string[] => rows.toSorted((a, b) => a.localeCompare(b))

for (const tenant of [root, 'acme' as TenantId])
  test(`every noun is made, changed and removed by a file, in the tenant ${tenant}`, bounded, async () => {
    const { authority, store } = await openDeployment()
    const { declared } = authority.admin
    const file = (of: JsonObject): JsonObject => (tenant === root ? of : { tenants: [{ id: tenant, ...of }] })
    const events = async () => {
      await store.events.position()
      const all = await store.events.after(tenant, 0, 500)
      return all.map(({ name }) => name)
    }
    let heard = 0
    const news = async () => {
      const all = await events()
      const fresh = all.slice(heard)
      heard = all.length
      return new Set(fresh)
    }
    /** Planned and applied alike: `act kind id fields`. */
    const step = async (wanted: JsonObject, prune = false) => {
      const planned = await declared.plan(file(wanted), { prune })
      const applied = await declared.apply(operator, file(wanted), { prune })
      assert.ok(applied.kind === 'ok', JSON.stringify(applied))
      assert.deepEqual(planned, applied)
      const again = await declared.plan(file(wanted), { prune })
      assert.deepEqual(again.kind === 'ok' && again.value.steps, [], 'the second time there is nothing to do')
      return applied.value.steps
        .filter(({ kind }) => kind !== 'tenant')
        .map((it) => `${it.tenant} ${it.act} ${it.kind} ${it.id} ${it.fields.map(({ field }) => field).join()}`)
    }
    const all = (act: string, fields: boolean) =>
      inOrder(kinds.map(([kind, id, field]) => `${tenant} ${act} ${kind} ${id} ${fields ? field : ''}`))

    assert.deepEqual(inOrder(await step(first)), all('create', false))
    const made = await news()
    for (const [kind, , , event] of kinds)
      assert.ok(made.has((kind === 'client' ? 'client.registered' : event) as never), event)

    const exported = async () => {
      const found = await declared.export()
      assert.ok(found.kind === 'ok')
      const out = found.value as JsonObject
      const whole =
        tenant === root ? out : ((out['tenants'] as readonly JsonObject[]).find(({ id }) => id === tenant) ?? {})
      return (section: string) =>
        ((whole[section] as readonly JsonObject[] | undefined) ?? []).filter(
          (it) => it['client_id'] !== 'grantor-console',
        )
    }
    const before = await exported()
    for (const section of Object.keys(first)) assert.equal(before(section).length, 1, `${section} is there`)

    assert.deepEqual(inOrder(await step(second)), all('change', true))
    const changed = await news()
    for (const [, , , event] of kinds) assert.ok(changed.has(event as never), event)
    const after = await exported()
    for (const [section, field] of [
      ['resources', 'name'],
      ['scopes', 'description'],
      ['authorization_details_types', 'description'],
      ['roles', 'description'],
      ['groups', 'description'],
      ['clients', 'client_name'],
      ['users', 'name'],
      ['trusted_issuers', 'audience'],
      ['webhooks', 'events'],
      ['providers', 'name'],
    ] as const)
      assert.deepEqual(after(section)[0]?.[field], (second[section][0] as JsonObject)[field], section)

    const nothing = Object.fromEntries(Object.keys(first).map((section) => [section, []]))
    assert.deepEqual(await step(nothing), [], 'without prune a file takes nothing away')
    const removable = kinds.filter(([kind]) => kind !== 'user')
    const gone = await step(nothing, true)
    assert.deepEqual(
      inOrder(gone.filter((it) => !it.includes(' user '))),
      inOrder(removable.map(([kind, id]) => `${tenant} remove ${kind} ${id} `)),
    )
    const left = await exported()
    for (const section of Object.keys(first).filter((it) => it !== 'users'))
      assert.deepEqual(left(section), [], section)
  })
