/** Rows of the directory that cannot be read: what they would decide is decided safely, named, and the rest is served. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StoreUnreadable } from '@grantor/store'
import type { TenantId } from '@grantor/protocol/types'
import { catalogue } from '../src/verbs/directory/catalogue.ts'
import { detailTypeOf, resourceOf, scopeOf, tenantOf } from '../src/verbs/directory/directory-rows.ts'
import { SetAsideRows } from '../src/verbs/set-aside.ts'
import type { Row } from '../src/verbs/verb.ts'

const provider = { id: 'corp', kind: 'oidc', name: 'Corp', issuer: 'https://corp.example', client_id: 'us' }
const whole = {
  id: 'acme',
  name: 'Acme',
  revision: 7,
  disabled_at: null,
  registration: '{"mode":"open","metadataDocuments":true}',
  trusted_issuers: '[{"issuer":"https://other.example"}]',
  providers: JSON.stringify([provider]),
  require_pushed: 1,
  profile: 'fapi2-security',
  branding: '{}',
  accounts: '{}',
  sign_in_links: 1,
  dead_up_to: null,
}
const bare = { ...whole, registration: null, trusted_issuers: null, providers: null, require_pushed: null }
const none = { ...bare, profile: null, branding: null, accounts: null, sign_in_links: 0 }

const read = (more: Partial<Record<keyof typeof whole, unknown>>, base: object = whole) => {
  const aside = new SetAsideRows()
  const {
    id: _id,
    name: _name,
    revision: _revision,
    disabledAt: _disabledAt,
    ...told
  } = tenantOf({ ...base, ...more } as unknown as Row, aside)
  return { told, problems: aside.list().map(({ problem }) => problem) }
}

test('a tenant reads back whole, and what nothing is said of is absent', () => {
  assert.deepEqual(read({}), {
    told: {
      registration: { mode: 'open', metadataDocuments: true },
      trustedIssuers: [{ issuer: 'https://other.example' }],
      providers: [provider],
      requirePushed: true,
      profile: 'fapi2-security',
      branding: {},
      accounts: { sign_in_links: true },
    },
    problems: [],
  })
  assert.deepEqual(read({}, none), { told: {}, problems: [] })
  assert.deepEqual(read({ sign_in_links: 1 }, none).told, { accounts: { sign_in_links: true } })
  assert.deepEqual(read({ require_pushed: 0 }, none).told, { requirePushed: false })
  assert.deepEqual(read({ dead_up_to: 5 }, none).told, { tokensDeadUpTo: 5 })
})

/** Each as something that is no word of ours. */
const unreadable: readonly (readonly [keyof typeof whole, ...unknown[]])[] = [
  ['registration', '{', '[]', '7'],
  ['trusted_issuers', '{', '{}', '[7]', '[{"issuer":7}]', '[{}]', '[{"issuer":"https://a.example"},{}]'],
  [
    'providers',
    '{',
    '{}',
    '[7]',
    ...Object.keys(provider).map((name) => JSON.stringify([provider, { ...provider, [name]: 7 }])),
  ],
  ['branding', '[]', '{"colours":7,"unknown":{}}'],
  ['accounts', '[]', '{"sign_up":"of course"}'],
]
for (const [column, ...values] of unreadable)
  test(`where ${column} cannot be read nobody registers, is trusted or signs in by it`, () => {
    for (const value of values) {
      const { told, problems } = read({ [column]: value })
      const { registration, trustedIssuers, providers, accounts, branding, requirePushed, profile } = told
      assert.deepEqual(registration, { mode: 'off', metadataDocuments: false }, String(value))
      assert.deepEqual([trustedIssuers, providers, accounts, branding], [undefined, undefined, undefined, undefined])
      assert.deepEqual([requirePushed, profile], [true, 'fapi2-security'], 'what can be read holds')
      assert.equal(problems.length, 1)
    }
  })

test('where the profile is none that is known the strictest holds', () => {
  assert.equal(read({ profile: 'fapi9' }).told.profile, 'fapi2-message-signing')
})

test('an API has what its row says, and nothing where that is silent', () => {
  const row = {
    identifier: 'https://api.example',
    name: 'API',
    token_format: 'jwt',
    token_typ: 'at+jwt',
    access_ttl: null,
    status_list: 0,
    require_roles: 0,
  }
  const plain = {
    identifier: 'https://api.example',
    name: 'API',
    tokenFormat: 'jwt',
    tokenTyp: 'at+jwt',
    accessTtl: null,
  }
  const silent = { claim_mappings: null, policy_service: null, issuance_hook: null }
  const of = (more: object) => resourceOf({ ...row, ...more })
  assert.deepEqual(of(silent), plain)
  assert.deepEqual(of({ status_list: 1 }), { ...plain, statusList: true })
  assert.deepEqual(of({ require_roles: 1 }), { ...plain, requireRoles: true })
  const said = { claim_mappings: '[{"a":1}]', policy_service: '{"b":1}', issuance_hook: '{"c":1}' }
  const more = { claimMappings: [{ a: 1 }], policyService: { b: 1 }, issuanceHook: { c: 1 } }
  assert.deepEqual(of(said), { ...plain, ...more })
})

test('of a catalogue what cannot be read is left out and named, and the rest is there', () => {
  const aside = new SetAsideRows()
  const resource = { token_format: 'jwt', token_typ: 'at+jwt', access_ttl: null, status_list: 0, require_roles: 0 }
  const scope = { resource: null, sensitivity: 'normal', mode: 'default' }
  const answers: readonly (readonly object[])[] = [
    [whole],
    [
      { ...resource, identifier: 'https://a.example', name: 'A' },
      { ...resource, identifier: 'https://b.example', name: 'B', policy_service: '{' },
    ],
    [
      { ...scope, name: 'a', description: '"A"' },
      { ...scope, name: 'b', description: '7' },
    ],
    [
      { type: 'pay', resources: '[]', schema: '{}', description: '"Pay"' },
      { type: 'odd', resources: '{}', schema: '{}', description: '"Odd"' },
    ],
    [
      { name: 'reader', description: '', resource: 'https://a.example', scopes: '["a"]' },
      { name: 'writer', description: '', resource: 'https://a.example', scopes: '7' },
    ],
    [],
  ]
  const steps = catalogue(aside, 'acme' as TenantId)
  let step = steps.next()
  for (const rows of answers) step = steps.next(rows as unknown as readonly Row[])
  assert.ok(step.done === true && step.value !== null)
  const found = step.value
  assert.deepEqual(
    [found.resources, found.scopes, found.roles].map((all) => all?.map(({ name }) => name)),
    [['A'], ['a'], ['reader']],
  )
  assert.deepEqual(
    found.authorizationDetailTypes?.map(({ type }) => type),
    ['pay'],
  )
  assert.deepEqual(
    aside.list().map(({ kind, tenant, id }) => [kind, tenant, id]),
    [
      ['resource', 'acme', 'https://b.example'],
      ['scope', 'acme', 'b'],
      ['authorization details type', 'acme', 'odd'],
      ['role', 'acme', 'writer'],
    ],
  )
})

test('a description is a text, or a text in each language, and nothing else', () => {
  const row = { name: 'a', type: 'a', resource: null, sensitivity: 'normal', mode: 'default' }
  const rest = { resources: '["https://api.example"]', schema: '{}' }
  for (const readRow of [scopeOf, detailTypeOf]) {
    const described = (description: string) => readRow({ ...row, ...rest, description }).description
    assert.equal(described('"Read"'), 'Read')
    assert.deepEqual(described('{"de":"Lesen","en":"Read"}'), { de: 'Lesen', en: 'Read' })
    for (const broken of ['7', '["a"]', '{"de":"Lesen","en":7}', 'Read'])
      assert.throws(() => described(broken), StoreUnreadable, broken)
  }
})

test('what cannot be read is named once, until it can be, and a thousand at most', () => {
  const aside = new SetAsideRows()
  const seen: string[] = []
  const acme = 'acme' as TenantId
  const which = (id: string, more: object = {}) => ({ kind: 'user', tenant: acme, id, ...more }) as const
  const fails = () => {
    throw new StoreUnreadable('odd')
  }
  aside.read(which('early'), fails)
  const leave = aside.watch(({ id }) => void seen.push(id))
  assert.equal(aside.read(which('ada', { username: 'Ada' }), fails), null)
  aside.read(which('ada', { username: 'Ada' }), fails)
  assert.deepEqual(seen, ['early', 'ada'])
  assert.deepEqual(aside.user(acme, 'aDA'), { ...which('ada', { username: 'Ada' }), problem: 'odd' })
  assert.deepEqual(
    [aside.user('other' as TenantId, 'ada'), aside.user(acme, 'bob'), aside.user(acme, 'no\0name')],
    [null, null, null],
  )
  aside.add({ kind: 'client', tenant: acme, id: 'web', problem: 'odd' })
  assert.equal(aside.client(acme, 'web')?.problem, 'odd')
  assert.deepEqual([aside.client(acme, 'ada'), aside.client('other' as TenantId, 'web')], [null, null])
  assert.equal(
    aside.read(which('ada'), () => 5),
    5,
  )
  aside.forget(which('early'))
  aside.forget({ kind: 'client', tenant: acme, id: 'web' })
  assert.deepEqual(aside.list(), [])
  assert.throws(
    () =>
      aside.read(which('ada'), () => {
        throw new TypeError('a fault of ours')
      }),
    TypeError,
  )
  leave()
  for (let n = 0; n <= 1_000; n += 1) aside.read(which(`u${n}`), fails)
  assert.deepEqual([aside.list().length, aside.list().at(-1)?.id, seen.length], [1_000, 'u999', 3])
  aside.add({ ...which('u0'), problem: 'odder' })
  assert.equal(aside.list()[0]?.problem, 'odder', 'what is known is kept up')
})
