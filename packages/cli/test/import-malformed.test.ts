/** Exports that hold anything at all: they are read, or it is said that they are none. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { readAuth0Export } from '../src/import/auth0.ts'
import { readCsvExport } from '../src/import/csv.ts'
import { readKeycloakExport } from '../src/import/keycloak.ts'
import { NotThatExport } from '../src/import/source.ts'
import { folder } from './grantor.ts'

/** Values that a reader may take for what it looks for. */
const word = fc.constantFrom('constructor', '__proto__', 'otp', 'password', 'saml', 'oidc', 'google', '', 'a/b', '\0')
const anything = fc.oneof(word, fc.jsonValue({ maxDepth: 3 }), fc.array(word), fc.dictionary(word, fc.array(word)))
const rowOf = (...members: string[]) =>
  fc.array(fc.record(Object.fromEntries(members.map((name) => [name, anything])), { requiredKeys: [] }), {
    maxLength: 3,
  })

function isRead(read: () => unknown): void {
  try {
    read()
  } catch (error) {
    assert.ok(error instanceof NotThatExport, String((error as Error).stack))
  }
}

test('Keycloak: whatever stands in a member of a realm, it is read or left behind', () => {
  const realm = fc.record({
    realm: fc.constant('shop'),
    users: rowOf(
      'id',
      'username',
      'credentials',
      'groups',
      'realmRoles',
      'clientRoles',
      'attributes',
      'federatedIdentities',
      'requiredActions',
    ),
    clients: rowOf('clientId', 'redirectUris', 'secret', 'publicClient', 'attributes', 'serviceAccountsEnabled'),
    roles: fc.oneof(anything, fc.record({ realm: rowOf('name', 'composites', 'description'), client: anything })),
    groups: rowOf('name', 'subGroups', 'realmRoles', 'attributes'),
    identityProviders: rowOf('alias', 'providerId', 'config', 'displayName'),
    components: anything,
    defaultRole: anything,
    defaultGroups: anything,
  })
  fc.assert(
    fc.property(realm, fc.constantFrom(null, 'https://api.example'), (it, rolesAt) =>
      isRead(() => readKeycloakExport(JSON.stringify(it), { withoutPeople: true, rolesAt })),
    ),
    { numRuns: 300 },
  )
})

test('Auth0: whatever stands in a line or in the configuration, it is read or left behind', () => {
  const people = rowOf(
    'user_id',
    'email',
    'identities',
    'app_metadata',
    'user_metadata',
    'mfa_factors',
    'roles',
    'groups',
  )
  const configuration = fc.record({
    resourceServers: rowOf('identifier', 'name', 'scopes'),
    roles: rowOf('name', 'permissions'),
    connections: rowOf('name', 'strategy', 'options'),
    clients: anything,
  })
  fc.assert(
    fc.property(people, configuration, (rows, tenant) =>
      isRead(() => readAuth0Export(JSON.stringify(rows), { hashes: null, configuration: JSON.stringify(tenant) })),
    ),
    { numRuns: 300 },
  )
})

test('CSV: a column that is named twice and a flag that is none are told', () => {
  for (const [table, why] of [
    ['username,email,email\na,b@example.com,c@example.com\n', /names email twice/],
    ['username,disabled\na,constructor\n', /row 2: disabled must be true or false/],
    ['username,disabled\na,yes\n', /row 2: disabled must be true or false/],
  ] as const)
    assert.throws(
      () => readCsvExport(table),
      (error) => error instanceof NotThatExport && why.test(error.message),
    )
})

test('an export in another encoding than UTF-8 is refused, and nobody gets another name', async () => {
  using here = folder()
  writeFileSync(join(here.path, 'people.csv'), Buffer.from('username,name\nmueller,M\u00fcller\n', 'latin1'))
  const { code, stderr } = await here.call(['import', 'csv', 'people.csv'])
  assert.deepEqual([code, /people\.csv is not UTF-8; nothing was changed/.test(stderr)], [2, true], stderr)
})
