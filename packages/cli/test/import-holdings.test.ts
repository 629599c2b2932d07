/** `grantor import`: what people hold comes with them: roles, groups, authenticator apps, providers and links to them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { totpCode, totpStep } from '@grantor/protocol/people'
import type { Instant } from '@grantor/protocol/types'
import { readKeycloakProviders } from '../src/import/keycloak-providers.ts'
import { base32Bytes } from '../src/import/totp-secret.ts'
import { type Folder, folder } from './grantor.ts'
import { schema } from './schema.ts'

type Row = Readonly<Record<string, unknown>>
type Counted = Readonly<Record<string, number>>
interface Report extends Readonly<Record<string, unknown>> {
  readonly people: Counted
  readonly brought: Counted
  readonly left_out: readonly { readonly what: string; readonly why: string }[]
}

const app = (about: object, value = 'JBSWY3DPEHPK3PXPJBSW') => ({
  type: 'otp',
  secretData: JSON.stringify({ value }),
  credentialData: JSON.stringify({ subType: 'totp', digits: 6, period: 30, algorithm: 'HmacSHA1', ...about }),
})

const api = 'https://api.shop.example'
const realm = {
  realm: 'Shop',
  displayName: 'The shop',
  roles: {
    realm: [
      { name: 'offline_access', description: '${role_offline-access}' },
      { name: 'default-roles-shop', composite: true, composites: { realm: ['offline_access', 'customer'] } },
      { name: 'customer', description: 'Buys things' },
      { name: 'manager', composite: true, composites: { realm: ['customer'], client: { stock: ['write'] } } },
      { name: 'circle', composite: true, composites: { realm: ['circle', 'customer'] } },
      { name: 'email' },
      { name: 'head of sales' },
    ],
    client: { stock: [{ name: 'read' }, { name: 'write' }], account: [{ name: 'manage-account' }] },
  },
  groups: [
    {
      name: 'staff',
      realmRoles: ['customer'],
      attributes: { floor: ['3'] },
      subGroups: [{ name: 'buyers', clientRoles: { stock: ['write'] } }],
    },
    { name: 'x'.repeat(200) },
  ],
  identityProviders: [
    { alias: 'Google', providerId: 'google', config: { clientId: 'g', clientSecret: 'google-secret' } },
    {
      alias: 'corp_saml',
      providerId: 'saml',
      displayName: 'Corp',
      config: { idpEntityId: 'urn:corp', singleSignOnServiceUrl: 'https://corp.example/sso', entityId: 'urn:us' },
    },
    { alias: 'masked', providerId: 'oidc', config: { issuer: 'https://m.example', clientSecret: '**********' } },
    {
      alias: 'hq',
      providerId: 'keycloak-oidc',
      linkOnly: true,
      config: {
        authorizationUrl: 'https://hq.example/realms/hq/protocol/openid-connect/auth',
        clientId: 'shop',
        clientSecret: 'hq-secret',
      },
    },
    { alias: 'fb', providerId: 'facebook', config: {} },
  ],
  components: { 'org.keycloak.storage.UserStorageProvider': [{ name: 'ad' }] },
  users: [
    {
      id: 'u-ada',
      username: 'ada',
      attributes: { locale: ['en'], department: ['sales'], teams: ['a', 'b'], 'odd name': ['x'] },
      credentials: [app({}), app({})],
      realmRoles: ['default-roles-shop', 'manager'],
      clientRoles: { 'realm-management': ['realm-admin'] },
      groups: ['/staff/buyers', '/gone'],
      federatedIdentities: [
        { identityProvider: 'Google', userId: '1001', userName: 'ada' },
        { identityProvider: 'hq', userId: 'hq-ada', userName: 'ada' },
        { identityProvider: 'fb', userId: '5', userName: 'ada' },
      ],
    },
    {
      id: 'u-bob',
      username: 'bob',
      credentials: [app({ digits: 8 })],
      realmRoles: ['head of sales'],
      requiredActions: ['UPDATE_PASSWORD', 'VERIFY_EMAIL'],
      federatedIdentities: [{ identityProvider: 'Google', userId: '1001', userName: 'bob' }],
    },
    { id: 's', username: 'service-account-robot', serviceAccountClientId: 'robot', clientRoles: { stock: ['read'] } },
  ],
  clients: [
    { clientId: 'web', publicClient: true, redirectUris: ['https://shop.example/callback'] },
    {
      clientId: 'robot',
      clientAuthenticatorType: 'client-secret',
      secret: 'a-secret-that-is-long-enough-0123456789',
      standardFlowEnabled: false,
      serviceAccountsEnabled: true,
    },
  ],
}

type Here = Pick<Folder, 'json'>

const imported = async (here: Here, ...args: string[]): Promise<Report> =>
  (await here.json('import', ...args)) as unknown as Report
const rows = async (here: Here, ...args: string[]): Promise<readonly Row[]> =>
  (await here.json(...args)) as unknown as readonly Row[]

/** The same commands with the settings of a database. */
const calling = (within: Folder, env: Readonly<Record<string, string>>): Here => ({
  async json(...args) {
    const { code, stdout, stderr } = await within.call([...args, '--json'], { env })
    assert.equal(code, 0, stderr)
    return JSON.parse(stdout) as Row
  },
})

for (const database of ['SQLite', 'PostgreSQL'] as const) {
  test(`Keycloak on ${database}: roles are bundles of scopes, groups are paths; app, attributes and links come along, also in two runs`, async () => {
    await using stack = new AsyncDisposableStack()
    const within = stack.use(folder())
    const env = database === 'PostgreSQL' ? stack.use(await schema()).env : {}
    const here = calling(within, env)
    within.write('realm.json', JSON.stringify(realm))
    const words = ['keycloak', 'realm.json', '--roles-at', api] as const
    const plan = await imported(here, ...words, '--plan')
    const expected = {
      people: { created: 2 },
      brought: { totp: 1, provider: 1, groups: 1, roles: 1, attributes: 1 },
      resources: { create: 1 },
      scopes: { create: 5 },
      roles: { create: 6 },
      groups: { create: 2 },
      providers: { create: 2 },
      clients: { create: 2 },
    }
    const counts = (report: Report) => Object.fromEntries(Object.keys(expected).map((name) => [name, report[name]]))
    assert.deepEqual(counts(plan), expected)
    assert.deepEqual(await rows(here, 'group', 'list'), [], 'a plan changes nothing')

    const done = await imported(here, ...words)
    assert.deepEqual(counts(done), expected)
    const left = new Map(done.left_out.map(({ what, why }) => [what, why]))
    for (const what of [
      'role email',
      'role head of sales',
      `group /${'x'.repeat(200)}`,
      'attributes of 1 groups',
      'identity provider corp_saml',
      'identity provider masked',
      'identity provider fb',
      'directory ad',
      'a second authenticator app',
      'authenticator app whose codes are not of SHA-1, six digits and half a minute',
      'attributes that have no place here',
      'administration of the realm',
      'required actions',
      'roles that are not here',
      'groups that are not here',
      'sign-in by a provider that is not here',
      // Two of one file are the same person elsewhere: the first is linked.
      'sign-in that is somebody else’s here',
    ])
      assert.ok(left.has(what), `${what} in ${[...left.keys()].join(', ')}`)

    const [ada] = await rows(here, 'user', 'list', '--username', 'ada')
    assert.deepEqual([ada?.['locale'], ada?.['attributes']], ['en', { department: 'sales', teams: ['a', 'b'] }])
    const declared = (await here.json('export')) as { roles: readonly Row[]; groups: readonly Row[]; users?: unknown }
    const scopesOf = (name: string) => declared.roles.find((role) => role['name'] === name)?.['scopes']
    assert.deepEqual(scopesOf('manager'), ['manager', 'customer', 'stock:write'])
    assert.deepEqual(scopesOf('default-roles-shop'), ['customer'])
    assert.deepEqual(scopesOf('circle'), ['circle', 'customer'])
    const groups = await rows(here, 'group', 'list')
    assert.deepEqual(
      groups.map(({ name, roles }) => [name, roles]),
      [
        ['/staff', ['customer']],
        ['/staff/buyers', ['customer', 'stock:write']],
      ],
    )
    const clients = await rows(here, 'client', 'list')
    assert.deepEqual(
      clients
        .map(({ client_id: id, scope }) => `${String(id)} ${String(scope).split(' ').toSorted().at(-1)}`)
        .toSorted(),
      ['robot stock:read', 'web stock:write'],
    )

    const again = await imported(here, ...words)
    assert.deepEqual([again.people, again.brought, again['groups']], [{ present: 2 }, {}, { present: 2 }])
    const reset = async (who: string) => (await within.call(['user', 'reset-factors', who], { env })).code
    assert.deepEqual([await reset('ada'), await reset('bob')], [0, 3], 'one had an app that we know, the other had not')
  })
}

test('roles without an API are looked for among those that are here, and the report says what to do of the others', async () => {
  using here = folder()
  here.write(
    'roles.yaml',
    `resources: [{ identifier: '${api}', name: Stock, require_roles: true }]
scopes: [{ name: stock, description: Everything, resource: '${api}' }]
roles: [{ name: manager, resource: '${api}', scopes: [stock] }]
`,
  )
  await here.json('apply', 'roles.yaml')
  here.write('realm.json', JSON.stringify(realm))
  const done = await imported(here, 'keycloak', 'realm.json')
  assert.deepEqual(done.brought['roles'], 1)
  const why = done.left_out.find(({ what }) => what.startsWith('roles customer'))?.why
  assert.match(why ?? '', /--roles-at/)
  // What every realm gives everybody is not worth a word.
  const staying = done.left_out.find(({ what }) => what === 'roles that are not here')?.why
  assert.equal(staying, 'not carried over, of 1 people')
})

test('an API that is no address, or a provider that would not do, is named and ends the command with 4; everything else is there', async () => {
  using here = folder()
  const identityProviders = [
    { alias: 'bad', providerId: 'oidc', config: { issuer: 'ldap://x', clientId: 'a', clientSecret: 'b' } },
  ]
  here.write('realm.json', JSON.stringify({ ...realm, identityProviders }))
  const { code, stdout, stderr } = await here.call(['import', 'keycloak', 'realm.json', '--roles-at', 'no address'])
  assert.equal(code, 4)
  assert.match(stderr, /provider bad: .*issuer/)
  assert.match(stderr, /resource no address: .*absolute URI/)
  assert.doesNotMatch(stdout + stderr, /JBSWY3DP|google-secret|hq-secret/)
  assert.match(stdout, /People: 2 new/)
})

test('Auth0: permissions and roles of the configuration, connections, links, metadata and the secrets of apps', async () => {
  using here = folder()
  here.write(
    'tenant.yaml',
    `resourceServers:
  - { identifier: '${api}', name: Shop, enforce_policies: true, scopes: [{ value: 'read:orders', description: Read }, { value: 'write:orders' }] }
  - { identifier: 'https://other.example', name: Other, scopes: [{ value: 'read:orders' }] }
roles:
  - { name: clerk, permissions: [{ permission_name: 'read:orders', resource_server_identifier: '${api}' }] }
  - name: both
    permissions:
      - { permission_name: 'read:orders', resource_server_identifier: '${api}' }
      - { permission_name: 'read:orders', resource_server_identifier: 'https://other.example' }
connections:
  - { name: google-oauth2, strategy: google-oauth2, options: { client_id: g, client_secret: s } }
  - { name: hq, strategy: oidc, options: { client_id: g, client_secret: s, discovery_url: 'https://hq.example/.well-known/openid-configuration' } }
  - { name: saml, strategy: samlp, options: {} }
  - { name: toString, strategy: constructor, options: {} }
  - { name: hidden, strategy: oidc, options: { client_secret: '##HIDDEN##' } }
clients: [{ name: Web }]
`,
  )
  const people = [
    {
      user_id: 'auth0|1',
      email: 'ada@example.com',
      app_metadata: { plan: 'gold', nested: { a: 1 }, authorization: { groups: ['Sales'], roles: ['clerk', 'gone'] } },
      user_metadata: { plan: 'free', colour: 'red' },
      mfa_factors: [{ totp: { secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' } }],
      identities: [
        { provider: 'auth0', connection: 'db', user_id: '1' },
        { provider: 'oidc', connection: 'hq', user_id: 'hq|ada' },
        { provider: 'constructor', connection: 'toString', user_id: '1' },
      ],
    },
    {
      user_id: 'google-oauth2|7',
      email: 'bob@example.com',
      multifactor: ['guardian'],
      identities: [{ provider: 'google-oauth2', connection: 'google-oauth2', user_id: '7' }],
    },
    { user_id: 'auth0|3', email: 'cyd@example.com', mfa_factors: [{ totp: { secret: 'JBSWY3DP' } }] },
  ]
  here.write('users.json', people.map((row) => JSON.stringify(row)).join('\n'))
  const { code, stdout, stderr } = await here.call([
    'import',
    'auth0',
    'users.json',
    '--configuration',
    'tenant.yaml',
    '--json',
  ])
  assert.equal(code, 4)
  assert.match(stderr, /line 3 \(cyd@example.com\): totp: must have 10 to 128 bytes/)
  const done = JSON.parse(stdout) as Report
  assert.deepEqual(
    [done.people, done.brought, done['roles'], done['groups'], done['providers']],
    [
      { created: 2, invalid: 1 },
      { totp: 1, provider: 2, groups: 1, roles: 1, attributes: 1 },
      { create: 1 },
      { create: 1 },
      { create: 2 },
    ],
  )
  const left = done.left_out.map(({ what }) => what)
  for (const what of [
    'permission read:orders of https://other.example',
    'role both',
    'connection saml',
    'connection hidden',
    '1 clients',
    'metadata that is no plain value',
    'roles that are not here',
    'second factor whose secret is not in the export',
  ])
    assert.ok(left.includes(what), `${what} in ${left.join(', ')}`)
  const [ada] = await rows(here, 'user', 'list', '--username', 'ada@example.com')
  assert.deepEqual(ada?.['attributes'], { plan: 'gold', colour: 'red' })
  here.write('cut.yaml', 'connections: [{ name: secret-thing, options: {')
  const cut = await here.call(['import', 'auth0', 'users.json', '--configuration', 'cut.yaml'])
  assert.equal(cut.code, 2)
  assert.doesNotMatch(cut.stderr, /secret-thing/)
})

test('CSV: groups are made, roles that are here are given', async () => {
  using here = folder()
  here.write('people.csv', 'username,groups,roles\nada,Sales; Support,clerk\nbob,sales,\n')
  const done = await imported(here, 'csv', 'people.csv')
  assert.deepEqual(done.brought, { groups: 2 })
  const groups = await rows(here, 'group', 'list')
  assert.deepEqual(
    groups.map(({ name }) => name),
    ['Sales', 'Support'],
  )
})

test('RFC 4648 §6: the secret of an app is read in either case, with spaces, with and without padding', () => {
  const plain = Buffer.from('12345678901234567890')
  for (const written of ['GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', 'gezd gnbv gy3t qojq gezd gnbv gy3t qojq===='])
    assert.deepEqual(Buffer.from(base32Bytes(written) ?? []), plain)
  for (const written of ['', '0189', 'ä']) assert.equal(base32Bytes(written), null)
  assert.equal(totpCode(plain, totpStep(59_000 as Instant)), '287082', 'RFC 6238, appendix B')
})

test('SAML providers of Keycloak: entity ids, address, certificates and the attribute that names people; else why not', () => {
  const whole = {
    idpEntityId: 'urn:corp',
    entityId: 'urn:us',
    singleSignOnServiceUrl: 'https://corp.example/sso',
    signingCertificate: `${'A'.repeat(70)},QkJC`,
    validateSignature: 'true',
  }
  const read = (config: object) => {
    const { providers, leftOut } = readKeycloakProviders([{ alias: 'corp', providerId: 'saml', config }])
    return providers[0] ?? leftOut[0]?.why
  }
  const pem = (lines: string) => `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
  assert.deepEqual(read({ ...whole, principalType: 'ATTRIBUTE', principalAttribute: 'uid' }), {
    id: 'corp',
    kind: 'saml',
    name: 'corp',
    issuer: 'urn:corp',
    client_id: 'urn:us',
    sso_url: 'https://corp.example/sso',
    certificates: pem(`${'A'.repeat(64)}\nAAAAAA`) + pem('QkJC'),
    subject_attribute: 'uid',
    create: true,
    disabled: false,
  })
  const reasons: readonly (readonly [object, RegExp])[] = [
    [{ idpEntityId: '' }, /entity id of the provider/],
    [{ entityId: undefined }, /our own entity id/],
    [{ signingCertificate: '' }, /no certificate/],
    [{ validateSignature: 'false' }, /no certificate/],
    [{ nameIDPolicyFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' }, /subject_attribute/],
  ]
  for (const [change, why] of reasons) assert.match(JSON.stringify(read({ ...whole, ...change })), why)
})
