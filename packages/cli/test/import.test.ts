/** `grantor import`: exports of other systems as they look, what of them is carried over, and what is not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { csvRows } from '../src/import/csv.ts'
import { folder } from './grantor.ts'

const bcrypt = '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'

const password = (credentialData: object, secretData: object) => ({
  type: 'password',
  credentialData: JSON.stringify(credentialData),
  secretData: JSON.stringify(secretData),
})

const realm = {
  realm: 'shop',
  users: [
    {
      id: '4f1c9b1e-0d0c-4a51-9e0e-2f5d4c1c7a01',
      username: 'ada',
      email: 'ada@example.com',
      emailVerified: true,
      firstName: 'Ada',
      lastName: 'Lovelace',
      enabled: true,
      createdTimestamp: 1_600_000_000_000,
      credentials: [
        password(
          {
            hashIterations: 2,
            algorithm: 'argon2',
            additionalParameters: {
              hashLength: ['32'],
              memory: ['256'],
              type: ['id'],
              version: ['1.3'],
              parallelism: ['1'],
            },
          },
          { value: 'nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4=', salt: 'c29tZXNhbHQ=', additionalParameters: {} },
        ),
        { type: 'otp', secretData: '{"value":"aaaaaaaaaaaaaaaaaaaa"}', credentialData: '{"subType":"hotp"}' },
      ],
      groups: ['/staff'],
    },
    {
      id: '4f1c9b1e-0d0c-4a51-9e0e-2f5d4c1c7a02',
      username: 'bob',
      enabled: false,
      credentials: [
        password(
          { hashIterations: 20_000, algorithm: 'pbkdf2' },
          { value: '3j/kSXDCFGf+gK+IC5hDJD7B63c=', salt: 'MDEyMzQ1Njc4OWFiY2RlZg==' },
        ),
      ],
    },
    { id: 'service', username: 'service-account-robot', serviceAccountClientId: 'robot' },
  ],
  clients: [
    { clientId: 'account', publicClient: true },
    {
      clientId: 'web',
      name: 'Shop',
      publicClient: false,
      clientAuthenticatorType: 'client-secret',
      secret: 'a-secret-that-is-long-enough-0123456789',
      standardFlowEnabled: true,
      redirectUris: ['https://shop.example/callback', 'https://shop.example/*', '/relative'],
    },
    {
      clientId: 'robot',
      publicClient: false,
      clientAuthenticatorType: 'client-secret',
      secret: '**********',
      standardFlowEnabled: false,
      serviceAccountsEnabled: true,
    },
    { clientId: 'urn:saml', protocol: 'saml' },
  ],
  groups: [{ name: 'staff' }],
}

interface Report {
  readonly people: Readonly<Record<string, number>>
  readonly clients: Readonly<Record<string, number>>
  readonly plan: readonly { readonly username: string; readonly outcome: string }[] | null
  readonly left_out: readonly { readonly what: string; readonly why: string }[]
}

test('Keycloak: the plan names everybody and changes nothing; people come with their ids and hashes, clients with their secrets', async () => {
  using here = folder()
  here.write('realm.json', JSON.stringify(realm))
  const plan = (await here.json('import', 'keycloak', 'realm.json', '--plan')) as unknown as Report
  assert.deepEqual(
    plan.plan?.map(({ username, outcome }) => [username, outcome]),
    [
      ['ada', 'created'],
      ['bob', 'created'],
    ],
  )
  assert.deepEqual(await here.json('user', 'list'), [])
  const done = (await here.json('import', 'keycloak', 'realm.json')) as unknown as Report
  assert.deepEqual([done.people, done.clients, done.plan], [{ created: 2 }, { create: 1 }, null])
  const left = done.left_out.map(({ what }) => what)
  for (const what of [
    'redirect URIs of client web',
    'client robot',
    'client urn:saml',
    'authenticator app whose codes are not of SHA-1, six digits and half a minute',
  ])
    assert.ok(left.includes(what), `${what} in ${left.join(', ')}`)
  assert.ok(!left.includes('client account'), 'what every realm has for itself is not worth a word')
  // The same passwords are declared, and nothing would change: the hashes hold.
  here.write(
    'same.yaml',
    `users:
  - { username: ada, password: password, email: ada@example.com, email_verified: true, given_name: Ada, family_name: Lovelace, name: Ada Lovelace }
`,
  )
  assert.deepEqual(await here.json('plan', 'same.yaml'), { steps: [] })
  const again = (await here.json('import', 'keycloak', 'realm.json')) as unknown as Report
  assert.deepEqual([again.people, again.clients], [{ present: 2 }, { present: 1 }])
  const { stdout } = await here.call(['import', 'keycloak', 'realm.json', '--plan'])
  assert.match(stdout, /^= ada \(without authenticator app whose codes/m)
  assert.match(stdout, /^People: 2 here already$/m)
})

test('a client that is here stays as it is: a secret that was replaced is not made good again, nor is it let in', async () => {
  using here = folder()
  here.write('realm.json', JSON.stringify(realm))
  await here.json('import', 'keycloak', 'realm.json')
  const known = await here.json('client', 'show', 'web')
  await here.json('client', 'rotate-secret', 'web', '--overlap', '0')
  await here.json('client', 'update', 'web', '--set', 'disabled:=true', '--set', 'client_name=Mine')
  const left = await here.json('client', 'show', 'web')
  assert.notDeepEqual(left['secrets'], known['secrets'])
  for (const plan of [['--plan'], []]) {
    const again = (await here.json('import', 'keycloak', 'realm.json', ...plan)) as unknown as Report
    assert.deepEqual(again.clients, { present: 1 })
  }
  assert.deepEqual(await here.json('client', 'show', 'web'), left)
})

test('an export without people, of several realms, of something else, or cut in the middle changes nothing and says why', async () => {
  using here = folder()
  const { users: _users, ...partial } = realm
  const files: readonly (readonly [string, string, RegExp])[] = [
    ['keycloak', JSON.stringify(partial), /holds no people.*same_file/s],
    ['keycloak', JSON.stringify([realm, realm]), /several realms/],
    ['keycloak', '{"users": []}', /names no realm/],
    ['keycloak', JSON.stringify(realm).slice(0, 300), /no JSON.*cut off/s],
    ['auth0', '{"user_id":"auth0|1","email":"a@example.com"}\n{"user_id":"au', /line 2 of the export is no JSON/],
    ['auth0', '{"realm":"shop"}', /no export of Auth0/],
    ['csv', 'name,phone\nAda,1', /neither username nor email/],
    ['csv', 'username,name\nada', /row 2 has 1 fields/],
    ['csv', 'username,name\nada,"Ada', /never closed/],
    ['csv', 'username,disabled\nada,perhaps', /must be true or false/],
  ]
  for (const [source, content, why] of files) {
    here.write('export', content)
    const { code, stderr } = await here.call(['import', source, 'export'])
    assert.equal(code, 2, content)
    assert.match(stderr, why)
  }
  assert.deepEqual(await here.json('user', 'list'), [])
  here.write('export', JSON.stringify(partial))
  const clients = (await here.json('import', 'keycloak', 'export', '--without-people')) as unknown as Report
  assert.deepEqual(clients.clients, { create: 1 })
})

test('Auth0: people by line, their hashes from the file beside; blocked is disabled', async () => {
  using here = folder()
  here.write(
    'users.json',
    [
      {
        user_id: 'auth0|5f00',
        email: 'ada@example.com',
        email_verified: true,
        name: 'Ada',
        identities: [{ provider: 'auth0' }],
      },
      {
        user_id: 'google-oauth2|7',
        email: 'bob@example.com',
        blocked: true,
        identities: [{ provider: 'google-oauth2' }],
      },
    ]
      .map((row) => JSON.stringify(row))
      .join('\n'),
  )
  here.write(
    'hashes.json',
    `${JSON.stringify({ _id: { $oid: '5f00' }, email: 'ada@example.com', passwordHash: bcrypt })}\n`,
  )
  const done = (await here.json('import', 'auth0', 'users.json', '--hashes', 'hashes.json')) as unknown as Report
  assert.deepEqual(done.people, { created: 2 })
  assert.deepEqual(
    done.left_out.map(({ what }) => what),
    ['sign-in by a provider that is not here'],
  )
  const people = (await here.json('user', 'list')) as unknown as readonly {
    username: string
    disabled_at: string | null
  }[]
  assert.deepEqual(
    people.map(({ username, disabled_at: at }) => [username, at !== null]),
    [
      ['ada@example.com', false],
      ['bob@example.com', true],
    ],
  )
})

test('CSV: whoever is not right is named with their row and ends the command with 4; the others are there', async () => {
  using here = folder()
  here.write(
    'people.csv',
    `\uFEFFusername,email,email_verified,name,password_hash,shoe_size\r\nada,ada@example.com,true,"Lovelace, ""Ada""",${bcrypt},38\r\nno name,,,,,\r\nbob,,,,md5:1234,\r\n`,
  )
  const { code, stdout, stderr } = await here.call(['import', 'csv', 'people.csv'])
  assert.equal(code, 4)
  assert.match(stdout, /People: 1 new, 2 not valid/)
  assert.match(stdout, /column shoe_size/)
  assert.match(stderr, /row 3 \(no name\): username/)
  assert.match(stderr, /row 4 \(bob\): password_hash/)
  assert.doesNotMatch(stderr + stdout, /md5:1234|CCCC/)
  const [ada] = (await here.json('user', 'list')) as unknown as readonly { name: string }[]
  assert.equal(ada?.name, 'Lovelace, "Ada"')
})

test('RFC 4180: whatever fields hold, they read back as they were written', () => {
  const field = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r\n', ' ', 'é', '😀') })
  const rows = fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { maxLength: 5 })
  fc.assert(
    fc.property(rows, fc.constantFrom('\n', '\r\n'), (table, lineEnd) => {
      const written = table.map((row) => row.map((it) => `"${it.replaceAll('"', '""')}"`).join(',')).join(lineEnd)
      assert.deepEqual(csvRows(written), table)
    }),
  )
})
