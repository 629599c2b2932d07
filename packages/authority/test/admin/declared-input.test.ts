/** Reading declared objects: which field is wrong and why, and what a file that is right says. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { usualPasswords } from '@grantor/authority'
import { served } from '@grantor/protocol/documents'
import type { JsonObject } from '@grantor/protocol/types'
import type { Declaration } from '../../src/admin/declared/declaration.ts'
import { accountsChange, accountsDocument } from '../../src/admin/declared/accounts-input.ts'
import { declaredResource, readDeclaration } from '../../src/admin/declared/input.ts'
import { declaredPasswordProblems } from '../../src/admin/declared/user-input.ts'
import { declaredRole, roleProblems } from '../../src/admin/declared/roles/role-input.ts'
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
  ...['x', '', 'https://a.example/#x', 7, null].map(
    (it) => [{ identifier: it }, 'identifier', 'must be an absolute URI without a fragment (RFC 8707)'] as const,
  ),
  ...['status_list', 'require_roles'].map((field) => [{ [field]: 'yes' }, field, flagProblem] as const),
  [{ claim_mappings: {} }, 'claim_mappings', 'must be a list'],
  [
    { claim_mappings: [{ claim: 'c', value: 1, in: ['id_token'] }] },
    'claim_mappings',
    'holds an entry that must hold claim, from, value, scope, nothing else',
  ],
  [{ policy_service: [] }, 'policy_service', 'must be an object'],
  [{ issuance_hook: [] }, 'issuance_hook', 'must be an object'],
  ...[0, 86_401, 1.5, '60', -1].map((ttl) => [{ access_token_ttl: ttl }, 'access_token_ttl', ttlProblem] as const),
]
const scopeNames = 'must be one scope name: printable ASCII without spaces, quotes and backslashes'
const scopes: typeof resources = [
  ...[7, '', 'a b', 'ä'].map((name) => [{ name }, 'name', scopeNames] as const),
  [{ name: 'openid' }, 'name', 'is built in and cannot be declared'],
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
  [{ roles: 'a' }, 'roles', 'must be a list of names of roles'],
  [{ roles: ['a', 'a'] }, 'roles', 'must not name a role twice'],
  ...['Team', ['Team', ''], ['', 'Team'], ['Team', 7], {}].map(
    (it) => [{ groups: it }, 'groups', 'must be a list of names of groups'] as const,
  ),
  [{ attributes: [] }, 'attributes', 'must be an object'],
]
const clients: typeof resources = [
  [{ client_id: 7 }, 'client_id', 'must be 1 to 255 printable ASCII characters without spaces'],
  [{ client_id: 'https://a.example/x' }, 'client_id', 'must not be a web address'],
  [{ client_secret: 7 }, 'client_secret', 'must be a text'],
  [{ client_secret: 'x'.repeat(31) }, 'client_secret', 'must have 32 characters or more'],
  [{ client_name: 7 }, 'client_name', 'must be a text'],
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
  [{ scopes: Array.from({ length: 201 }, (_, n) => `s${n}`) }, 'scopes', 'must not name more than 200 scopes'],
  [{ description: 'x'.repeat(1001) }, 'description', 'must not be longer than 1000 characters'],
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
  [{ url: 'http://hooks.example/' }, 'url', 'must use https'],
  [{ events: [] }, 'events', 'must hold 1 to 50 entries'],
]
const providers: typeof resources = [
  [{ kind: null }, 'kind', 'is needed'],
  [{ name: '' }, 'name', 'must not be empty'],
]
const detailNames = 'must be 1 to 200 printable ASCII characters without spaces, quotes and backslashes'
const identifiers = 'must list the identifiers of one resource or more'
const apis = (count: number) => Array.from({ length: count }, (_, n) => `${api}/${n}`)
const detailTypes: typeof resources = [
  [{ title: 'x' }, 'title', unknown],
  [{ resources: api }, 'resources', identifiers],
  [{ resources: [] }, 'resources', identifiers],
  [{ resources: [api, api] }, 'resources', identifiers],
  [{ resources: [api, 7] }, 'resources', identifiers],
  [{ resources: apis(21) }, 'resources', identifiers],
  ...[7, '', 'a b'].map((type) => [{ type }, 'type', detailNames] as const),
  [{ schema: [] }, 'schema', 'must be a JSON schema of type object'],
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
  providers: { id: 'corp', name: 'Corp', kind: 'oidc', issuer: 'https://idp.example', client_id: 'c' },
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
  providers,
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
  assert.deepEqual(problemsIn({ tenants: [{ id: 'acme', clients: [service, service] }] }), [
    `tenants[0].clients[1].client_id: ${same}`,
  ])
})

test('sections and tenants: lists of objects with what is known, and nothing else', () => {
  assert.deepEqual(problemsIn({ clients: {} }), ['clients: must be a list'])
  assert.deepEqual(problemsIn({ tenants: 'acme' }), ['tenants: must be a list'])
  assert.deepEqual(problemsIn({ client: [] }), [`client: ${unknown}`])
  assert.deepEqual(problemsIn({ tenants: [{ id: 'acme', clients: 'x' }] }), ['tenants[0].clients: must be a list'])
  for (const item of ['x', null, []])
    assert.equal(problemsIn({ groups: [{ name: 'Team' }, item] })[0], 'groups[1]: must be an object')
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
    { identifier: api, name: api, tokenFormat: 'jwt', tokenTyp: 'at+jwt', accessTtl: 1, field: 'resources[0]' },
    {
      identifier: `${api}/2`,
      name: 'Two',
      tokenFormat: 'opaque',
      tokenTyp: 'JWT',
      accessTtl: 86_400,
      field: 'resources[1]',
    },
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

test('what a file says of a tenant itself is named where it stands, at the root and below', () => {
  const profile = 'must be one of fapi2-security, fapi2-message-signing, or none'
  const rows: readonly (readonly [JsonObject, field: string, problem: string])[] = [
    [{ profile: 'fapi-ciba' }, 'profile', profile],
    [{ profile: 7 }, 'profile', profile],
    [{ branding: 'x' }, 'branding', 'must be an object'],
    [{ branding: { accent: 'red' } }, 'branding.accent', 'must be a colour as #rrggbb'],
    [{ accounts: 'x' }, 'accounts', 'must be an object'],
    [{ accounts: { sign_up: 'yes' } }, 'accounts.sign_up', flagProblem],
  ]
  for (const [more, field, problem] of rows) {
    assert.deepEqual(problemsIn(more), [`${field}: ${problem}`])
    assert.deepEqual(problemsIn({ tenants: [{ id: 'acme', ...more }] }), [`tenants[0].${field}: ${problem}`])
  }
  const named = 'must be 1 to 40 of a-z, 0-9 and inner hyphens, and not the reserved name default'
  for (const id of ['default', 'Acme', '-a', '', 'x'.repeat(41), 7, null])
    assert.deepEqual(problemsIn({ tenants: [{ id }] }), [`tenants[0].id: ${named}`], String(id))
  const push = 'require_pushed_authorization_requests'
  assert.deepEqual(problemsIn({ tenants: [{ id: 'acme', [push]: 'yes' }] }), [`tenants[0].${push}: ${flagProblem}`])
})

test('FAPI 2.0 §5.3.2.2: a tenant under a profile has all requests pushed, whether the file says so or it was so before', () => {
  const push = 'require_pushed_authorization_requests'
  const problem = 'must be true or left out: the profile fapi2-security has all requests pushed (FAPI 2.0 §5.3.2.2)'
  const fields = (tenant: JsonObject, held: ReadonlyMap<string, 'fapi2-security'> = new Map()) => {
    const found = readDeclaration({ tenants: [{ id: 'acme', ...tenant }] }, served, held)
    return found.kind === 'ok' ? [] : found.error
  }
  const refused = [{ field: `tenants[0].${push}`, problem }]
  const before = new Map([['acme', 'fapi2-security']] as const)
  assert.deepEqual(fields({ profile: 'fapi2-security', [push]: false }), refused)
  assert.deepEqual(fields({ [push]: false }, before), refused)
  assert.deepEqual(fields({ profile: 'none', [push]: false }, before), [])
  assert.deepEqual(fields({ [push]: false }, new Map([['other', 'fapi2-security']] as const)), [])
  assert.deepEqual(fields({ profile: 'fapi2-security', [push]: true }), [])
  assert.deepEqual(fields({ profile: 'fapi2-security' }), [])
  assert.deepEqual(fields({ [push]: false }), [])
})

test('what is said of a tenant is read as it is meant', () => {
  const found = read({
    profile: 'none',
    branding: { name: 'Root' },
    accounts: { sign_up: true },
    tenants: [
      {
        id: 'acme',
        profile: 'fapi2-message-signing',
        require_pushed_authorization_requests: true,
        registration: { mode: 'off' },
        branding: { accent: '#123456' },
        accounts: { sign_in_links: true },
      },
    ],
  })
  assert.ok(found.kind === 'ok', JSON.stringify(found))
  const [root, acme] = found.value
  assert.deepEqual(
    [root?.profile, root?.branding?.branding, root?.accounts],
    ['none', { name: 'Root' }, { sign_up: true }],
  )
  assert.deepEqual(
    [acme?.profile, acme?.requirePushed, acme?.registration],
    ['fapi2-message-signing', true, { mode: 'off' }],
  )
  assert.deepEqual([acme?.branding?.branding, acme?.accounts], [{ accent: '#123456' }, { sign_in_links: true }])
})

test('a resource and a role are written back as a file says them, without what is as it is anyway', () => {
  const whole: JsonObject = {
    identifier: api,
    name: 'A',
    token_format: 'jwt',
    token_typ: 'JWT',
    access_token_ttl: 60,
    status_list: true,
    require_roles: true,
    claim_mappings: [{ claim: 'c', value: 1 }],
    policy_service: { url: 'https://policy.example/' },
    issuance_hook: { url: 'https://hook.example/' },
  }
  const plain: JsonObject = { identifier: `${api}/2`, name: 'B', token_format: 'opaque' }
  const said = {
    status_list: false,
    require_roles: false,
    claim_mappings: [],
    policy_service: null,
    issuance_hook: null,
  }
  const clerk: JsonObject = { name: 'clerk', description: 'x', resource: api, scopes: ['a', 'b'] }
  const bare: JsonObject = { name: 'bare', resource: api, scopes: [] }
  const found = read({
    resources: [whole, { ...plain, ...said }],
    roles: [
      { ...clerk, scopes: ['a', 'b', 'a'] },
      { ...bare, description: '' },
    ],
  })
  assert.ok(found.kind === 'ok', JSON.stringify(found))
  const [root] = found.value
  assert.deepEqual(root?.resources?.map(declaredResource), [whole, plain])
  assert.deepEqual([root.resources?.[0]?.statusList, root.resources?.[0]?.requireRoles], [true, true])
  assert.deepEqual(root.roles?.map(declaredRole), [clerk, bare])
  assert.equal(Object.values(root.resources?.[1] ?? {}).includes(undefined), false)
  const most = { ...bare, scopes: Array.from({ length: 200 }, (_, n) => `s${n}`) }
  assert.equal(read({ roles: [most] }).kind, 'ok')
})

test('a role names scopes of one API of its tenant', () => {
  const catalogue = {
    resources: [{ identifier: api }, { identifier: 'https://b.example' }],
    scopes: [
      { name: 'a:read', resource: 'https://A.example/' },
      { name: 'b:read', resource: 'https://b.example' },
      { name: 'nobodys', resource: null },
    ],
  } as never
  const problems = (resource: string, ...names: readonly string[]) =>
    roleProblems({ name: 'r', description: '', resource, scopes: names }, catalogue)
  assert.deepEqual(problems(api, 'a:read'), [])
  assert.deepEqual(problems(api), [])
  assert.deepEqual(problems('https://c.example', 'a:read'), [
    { field: 'resource', problem: 'names a resource that is not declared' },
  ])
  assert.deepEqual(
    problems(api, 'a:read', 'b:read', 'nobodys').map(({ field, problem }) => `${field} ${problem}`),
    ['b:read', 'nobodys'].map((name) => `scopes names ${name}, which is no scope of that resource`),
  )
})

test('what is said of accounts is kept as said, and nothing said is no word at all', () => {
  assert.deepEqual(accountsDocument(undefined), {})
  assert.deepEqual(accountsDocument({}), {})
  assert.deepEqual(accountsDocument({ sign_up: true }), { accounts: { sign_up: true } })
  assert.equal(accountsChange({}), null)
  assert.deepEqual(accountsChange({ sign_up: true }), { sign_up: true })
})

test('what is said of people is read as it is meant, and passwords obey what people must obey', async () => {
  const ada = { username: 'ada', roles: ['clerk'], groups: ['Team', 'Other'], attributes: { level: 3 }, name: 'Ada' }
  const found = read({
    users: [ada],
    groups: [
      { name: 'Team', roles: ['b', 'a'] },
      { name: 'Other', description: 'x' },
    ],
  })
  assert.ok(found.kind === 'ok', JSON.stringify(found))
  const [user] = found.value[0]?.users ?? []
  assert.deepEqual(
    [user?.roles, user?.groups, user?.attributes, user?.claims],
    [ada.roles, ada.groups, ada.attributes, { name: 'Ada' }],
  )
  const people = ['short', 'correct-horse-battery', null].map((password, n) => ({
    ...user,
    password,
    field: `users[${n}]`,
  }))
  const problems = await declaredPasswordProblems(people as never, usualPasswords)
  assert.deepEqual(
    problems.map(({ field }) => field),
    ['users[0].password'],
  )
  assert.deepEqual(problemsIn({ users: [{ ...ada, shoe: 1, name: 7 }] }).length, 2, 'all that is wrong at once')
})
