/** Reading declared objects: which field is wrong and why, and what a file that is right says. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { served } from '@grantor/protocol/documents'
import type { JsonObject } from '@grantor/protocol/types'
import type { Declaration } from '../../src/admin/declared/declaration.ts'
import { readDeclaration } from '../../src/admin/declared/input.ts'
import { secret } from '../support/deployment.ts'

const read = (file: unknown) => readDeclaration(file as Declaration, served, new Map())

const problemsIn = (file: JsonObject): readonly string[] => {
  const found = read(file)
  // What is known beside it may become more.
  const told = (problem: string) => problem.replace(/^is not known here; known are (?:\w+, )+\w+$/, unknown)
  return found.kind === 'ok' ? [] : found.error.map(({ field, problem }) => `${field}: ${told(problem)}`)
}
const unknown = 'is not known here'

const api = 'https://a.example'
const entry = { name: 'a', description: 'x' }
const service = { client_id: 'x', client_secret: secret, grant_types: ['client_credentials'] }
const flagProblem = 'must be true or false'
const ttlProblem = 'must be a whole number of seconds from 1 to 86400'

/** By section: what stands there beside what is right, the field that is wrong, and why. */
const resources: readonly (readonly [JsonObject, field: string, problem: string])[] = [
  [{ token_typ: 'jwt' }, 'token_typ', 'must be at+jwt or JWT'],
  [{ token_format: 'JWT' }, 'token_format', 'must be jwt or opaque'],
  [{ name: '' }, 'name', 'must not be empty'],
  [{ scope: 'x' }, 'scope', unknown],
  ...[0, 86_401, 1.5, '60', -1].map((ttl) => [{ access_token_ttl: ttl }, 'access_token_ttl', ttlProblem] as const),
]
const scopes: typeof resources = [
  [{ description: 7 }, 'description', 'must be a text, or one text per language'],
  [{ description: { en: 'x', de: 7 } }, 'description', 'must be a text, or one text per language'],
  [{ description: '' }, 'description', 'must not be empty'],
  [{ description: { en: 'x', de: '' } }, 'description', 'must not be empty'],
  [{ description: 'x'.repeat(1001) }, 'description', 'must not be longer than 1000 characters'],
  [{ resource: 7 }, 'resource', 'must be the identifier of a resource'],
  [{ sensitivity: 'secret' }, 'sensitivity', 'must be low, normal or high'],
  [{ mode: 'always' }, 'mode', 'must be default or optional'],
  [{ title: 'x' }, 'title', unknown],
]
const users: typeof resources = [
  [{ username: 'a b' }, 'username', 'must be a name without spaces, control or look-alike characters'],
  [{ username: 7 }, 'username', 'must be a name without spaces, control or look-alike characters'],
  [{ password: 7 }, 'password', 'must be a text'],
  [{ disabled: 'no' }, 'disabled', flagProblem],
  [{ administrator: 'king' }, 'administrator', 'must be one of owner, operator, support, auditor'],
  [{ email_verified: 'yes' }, 'email_verified', flagProblem],
  [{ updated_at: '7' }, 'updated_at', 'must be a number of seconds'],
  [{ updated_at: 7.5 }, 'updated_at', 'must be a number of seconds'],
  ...[7, null, []].map((address) => [{ address }, 'address', 'must be an object'] as const),
  [{ name: 7 }, 'name', 'must be a text'],
  [{ name: 'x'.repeat(1001) }, 'name', 'must not be longer than 1000 characters'],
]
const clients: typeof resources = [
  [{ client_id: 7 }, 'client_id', 'must be 1 to 255 printable ASCII characters without spaces'],
  [{ client_id: 'https://a.example/x' }, 'client_id', 'must not be a web address'],
  [{ client_secret: 7 }, 'client_secret', 'must be a text'],
  [{ disabled: 'no' }, 'disabled', flagProblem],
]
const roleNames = 'must be 1 to 64 letters, digits, dots, colons, hyphens or underscores'
const roles: typeof resources = [
  [{ title: 'x' }, 'title', unknown],
  [{ name: 'a b' }, 'name', roleNames],
  [{ description: 7 }, 'description', 'must be a text'],
  [{ resource: 7 }, 'resource', 'must be the identifier of a resource'],
  [{ scopes: 'a' }, 'scopes', 'must be a list of scopes'],
  [{ scopes: ['a', 'b c'] }, 'scopes', 'must be a list of scopes'],
  [{ scopes: ['a', 7] }, 'scopes', 'must be a list of scopes'],
]
const groups: typeof resources = [
  [{ members: [] }, 'members', unknown],
  [{ name: 7 }, 'name', 'must be a text'],
  [{ description: '' }, 'description', 'must not be empty'],
  [{ roles: 'a' }, 'roles', 'must be a list of names of roles'],
]
const whsec = 'must be whsec_ and 24 to 64 random bytes in base64'
const webhooks: typeof resources = [
  [{ secrets: 'x' }, 'secrets', unknown],
  [{ id: 'a b' }, 'id', 'must be 1 to 64 letters, digits, - or _, beginning with a letter or digit'],
  [{ secret: 'x' }, 'secret', whsec],
  [{ secret: 7 }, 'secret', whsec],
]
const identifiers = 'must list the identifiers of one resource or more'
const apis = (count: number) => Array.from({ length: count }, (_, n) => `${api}/${n}`)
const detailTypes: typeof resources = [
  [{ title: 'x' }, 'title', unknown],
  [{ resources: api }, 'resources', identifiers],
  [{ resources: [] }, 'resources', identifiers],
  [{ resources: [api, api] }, 'resources', identifiers],
  [{ resources: [api, 7] }, 'resources', identifiers],
  [{ resources: apis(21) }, 'resources', identifiers],
  [{ description: 7 }, 'description', 'must be a text'],
]
const right: Readonly<Record<string, JsonObject>> = {
  roles: { name: 'clerk', resource: api, scopes: ['a'] },
  groups: { name: 'Team' },
  authorization_details_types: {
    type: 'pay',
    resources: apis(20),
    schema: { type: 'object', properties: {} },
    description: 'Pay',
  },
  webhooks: { id: 'hook', url: 'https://hooks.example/in', events: ['*'] },
  resources: { identifier: api },
  scopes: entry,
  users: { username: 'alice' },
  clients: service,
}

for (const [section, rows] of Object.entries({
  resources,
  scopes,
  users,
  clients,
  roles,
  groups,
  webhooks,
  authorization_details_types: detailTypes,
}))
  test(`what is wrong in ${section} is named by its field, at the root and in a tenant`, () => {
    const fine = right[section] ?? {}
    assert.deepEqual(problemsIn({ [section]: [fine], tenants: [{ id: 'acme', [section]: [fine] }] }), [])
    for (const [more, field, problem] of rows) {
      const items = [fine, { ...fine, ...(section === 'resources' ? { identifier: `${api}/2` } : {}), ...more }]
      const unlike = section === 'resources' ? items : [items[1] ?? {}]
      const at = unlike.length - 1
      assert.deepEqual(problemsIn({ [section]: unlike }), [`${section}[${at}].${field}: ${problem}`])
      const inside = problemsIn({ tenants: [{ id: 'acme', [section]: unlike }] })
      assert.deepEqual(inside, [`tenants[0].${section}[${at}].${field}: ${problem}`])
    }
  })

test('what is known of no person is refused with all that is', () => {
  const [problem = '', ...others] = problemsIn({ users: [{ username: 'alice', shoe_size: '43' }] })
  assert.equal(others.length, 0)
  assert.match(
    problem,
    /^users\[0\]\.shoe_size: is not known here; known are username, password, .* and .*email, .*phone_number/,
  )
})

test('names that come twice are refused where they come again, however they are written', () => {
  const twice = (section: string, items: readonly JsonObject[]) => problemsIn({ [section]: [...items] })
  const same = 'is declared twice'
  assert.deepEqual(twice('resources', [{ identifier: api }, { identifier: 'https://A.example/' }]), [
    `resources[1].identifier: ${same}`,
  ])
  assert.deepEqual(twice('scopes', [entry, { ...entry, name: 'b' }, entry]), [`scopes[2].name: ${same}`])
  assert.deepEqual(twice('clients', [service, service]), [`clients[1].client_id: ${same}`])
  const role = { name: 'clerk', resource: api, scopes: [] }
  assert.deepEqual(twice('roles', [role, role]), [`roles[1].name: ${same}`])
  assert.deepEqual(twice('groups', [{ name: 'Team' }, { name: 'TEAM' }]), [`groups[1].name: ${same}`])
  const hook = { id: 'hook', url: 'https://hooks.example/in', events: ['*'] }
  assert.deepEqual(twice('webhooks', [hook, hook]), [`webhooks[1].id: ${same}`])
  const detail = { type: 'pay', resources: [api], schema: { type: 'object', properties: {} }, description: 'Pay' }
  assert.deepEqual(twice('authorization_details_types', [detail, detail]), [
    `authorization_details_types[1].type: ${same}`,
  ])
  const issuer = { issuer: 'https://idp.example', audience: 'https://as.example', rules: [] }
  assert.deepEqual(twice('trusted_issuers', [issuer, issuer]), [`trusted_issuers[1].issuer: ${same}`])
  const provider = { id: 'corp', name: 'Corp', kind: 'oidc', issuer: 'https://idp.example', client_id: 'c' }
  assert.deepEqual(twice('providers', [provider, provider]), [`providers[1].id: ${same}`])
  assert.deepEqual(twice('users', [{ username: 'alice' }, { username: 'Alice' }]), [`users[1].username: ${same}`])
  assert.deepEqual(twice('tenants', [{ id: 'acme' }, { id: 'other' }, { id: 'acme' }]), [`tenants[2].id: ${same}`])
  assert.deepEqual(problemsIn({ clients: [service], tenants: [{ id: 'acme', clients: [service] }] }), [])
})

test('sections and tenants: lists of objects with what is known, and nothing else', () => {
  assert.deepEqual(problemsIn({ clients: {} }), ['clients: must be a list'])
  assert.deepEqual(problemsIn({ tenants: 'acme' }), ['tenants: must be a list'])
  assert.deepEqual(problemsIn({ client: [] }), [`client: ${unknown}`])
  assert.deepEqual(problemsIn({ tenants: [{ id: 'acme', nam: 'x', disabled: 7, name: 7 }] }), [
    `tenants[0].nam: ${unknown}`,
    'tenants[0].name: must be a text',
    `tenants[0].disabled: ${flagProblem}`,
  ])
  const [wrong = '', ...others] = problemsIn({ tenants: [{ id: 'acme', registration: { mode: 'maybe' } }] })
  assert.ok(wrong.startsWith('tenants[0].registration.mode: ') && others.length === 0, wrong)
  const [none = ''] = problemsIn({ tenants: [{ id: 'acme', registration: 'open' }] })
  assert.ok(none.startsWith('tenants[0].registration: '), none)
})

test('a file that is right says what is wanted: what is left out has its default, or is not spoken of', () => {
  const found = read({
    resources: [
      { identifier: api, access_token_ttl: 1 },
      { identifier: `${api}/2`, name: 'Two', token_format: 'opaque', token_typ: 'JWT', access_token_ttl: 86_400 },
    ],
    scopes: [
      { ...entry, resource: api },
      { name: 'b', description: { en: 'x', de: 'y' }, sensitivity: 'high', mode: 'optional' },
      { name: 'c', description: 'x', sensitivity: 'low' },
    ],
    users: [{ username: 'alice', administrator: 'owner', email_verified: true, address: {}, updated_at: 7 }],
    clients: [
      { ...service, disabled: true },
      { client_id: 'y', redirect_uris: ['https://b.example/cb'] },
    ],
    tenants: [{ id: 'acme', name: 'Acme', disabled: true }],
  })
  assert.ok(found.kind === 'ok', JSON.stringify(found))
  const [root, acme] = found.value
  assert.deepEqual(root?.resources, [
    { identifier: api, name: api, tokenFormat: 'jwt', tokenTyp: 'at+jwt', accessTtl: 1 },
    { identifier: `${api}/2`, name: 'Two', tokenFormat: 'opaque', tokenTyp: 'JWT', accessTtl: 86_400 },
  ])
  assert.deepEqual(
    root.scopes?.map(({ sensitivity, mode, resource, field }) => [sensitivity, mode, resource, field]),
    [
      ['normal', 'default', api, 'scopes[0]'],
      ['high', 'optional', null, 'scopes[1]'],
      ['low', 'default', null, 'scopes[2]'],
    ],
  )
  assert.deepEqual(root.users, [
    {
      username: 'alice',
      password: null,
      claims: { email_verified: true, address: {}, updated_at: 7 },
      disabled: false,
      administrator: 'owner',
      roles: null,
      groups: null,
      attributes: null,
      field: 'users[0]',
    },
  ])
  assert.deepEqual(
    root.clients?.map((it) => [it.id, it.disabled, it.secret, it.field]),
    [
      ['x', true, secret, 'clients[0]'],
      ['y', false, null, 'clients[1]'],
    ],
  )
  assert.deepEqual([root.tenant, root.name, root.disabled, root.registration], ['default', null, null, null])
  const { tenant, name, disabled, ...sections } = acme ?? assert.fail()
  assert.deepEqual([tenant, name, disabled], ['acme', 'Acme', true])
  assert.deepEqual(new Set(Object.values(sections)), new Set([null]), 'of the rest nothing is said')
})
