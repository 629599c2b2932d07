/** What a file may say of a tenant's registration, and scopes that nobody declared. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { served } from '../../src/documents/served.ts'
import { readRegistrationPolicy, registrationDocument, registrationPolicy } from '../../src/registration/policy.ts'
import { undeclaredNames } from '../../src/registration/undeclared-names.ts'
import { initiatedLogin } from '../../src/oidc/initiated-login.ts'
import { defaultPolicy } from '../../src/oauth/policy.ts'
import type { Json } from '../../src/types.ts'
import { catalogue, client, scopeEntry } from '../samples.ts'

const whole = {
  mode: 'token',
  grants: ['authorization_code'],
  scopes: ['openid', 'a:read'],
  default_scope: ['openid'],
  default_resource: 'https://a.example',
  redirects: ['https'],
  most_clients: 0,
  unused_life: 3600,
  metadata_documents: false,
  error_redirects: 'always',
}

test('a file says each member by its name, and it is written as it was read', () => {
  const read = readRegistrationPolicy(whole, served)
  assert.ok(read.kind === 'ok', JSON.stringify(read))
  assert.deepEqual(read.value, {
    mode: 'token',
    grants: ['authorization_code'],
    scopes: ['openid', 'a:read'],
    defaultScope: ['openid'],
    defaultResource: 'https://a.example',
    redirects: ['https'],
    mostClients: 0,
    unusedLife: 3600,
    metadataDocuments: false,
    errorRedirects: 'always',
  })
  assert.deepEqual(registrationDocument(read.value), whole)
  assert.deepEqual(registrationDocument({}), {})
})

test('every mode, every kind of redirect and every way of telling errors can be said', () => {
  const said: readonly Json[] = [
    ...['open', 'token', 'off'].map((mode) => ({ mode })),
    ...['after_consent', 'always'].map((error_redirects) => ({ error_redirects })),
    { redirects: ['https', 'loopback', 'private-use'] },
  ]
  for (const input of said) assert.equal(readRegistrationPolicy(input, served).kind, 'ok', JSON.stringify(input))
})

const wrong: readonly (readonly [what: string, input: Json, field: string])[] = [
  ['no object', [], ''],
  ['a member that does not exist', { modes: 'open' }, 'modes'],
  ['a mode that does not exist', { mode: 'closed-ish' }, 'mode'],
  ['a grant that nothing serves', { grants: ['password'] }, 'grants'],
  ['two scopes in one name', { scopes: ['a b'] }, 'scopes'],
  ['an empty scope', { default_scope: [''] }, 'default_scope'],
  ['a scope that is no text', { scopes: [7] }, 'scopes'],
  ['a resource that is no address', { default_resource: 'a' }, 'default_resource'],
  ['a kind of redirect that does not exist', { redirects: ['ftp'] }, 'redirects'],
  ['fewer than no clients', { most_clients: -1 }, 'most_clients'],
  ['half a client', { most_clients: 0.5 }, 'most_clients'],
  ['more clients than can be counted', { most_clients: 2 ** 53 }, 'most_clients'],
  ['a number of clients that is a text', { most_clients: '5' }, 'most_clients'],
  ['a life that is no number', { unused_life: 'week' }, 'unused_life'],
  ['errors that are sent elsewhere', { error_redirects: 'never' }, 'error_redirects'],
  ['a flag that is a text', { metadata_documents: 'yes' }, 'metadata_documents'],
]
for (const [what, input, field] of wrong) {
  test(`a file with ${what} is refused and the member named`, () => {
    const read = readRegistrationPolicy(input, served)
    assert.deepEqual(read.kind === 'ok' ? null : read.error.map((it) => it.field), [field])
  })
}

test('who misspells a member is told all that there are', () => {
  const read = readRegistrationPolicy({ modes: 'open' }, served)
  assert.ok(read.kind === 'error')
  const names = Object.keys(whole).join(', ')
  assert.deepEqual(read.error, [{ field: 'modes', problem: `is not known here; known are ${names}` }])
})

test('the greatest number of scopes is a hundred', () => {
  const scopes = (count: number) => ({ scopes: Array.from({ length: count }, (_, n) => `s${n}`) })
  assert.equal(readRegistrationPolicy(scopes(100), served).kind, 'ok')
  assert.equal(readRegistrationPolicy(scopes(101), served).kind, 'error')
  const usual = (count: number) => ({ default_scope: scopes(count).scopes })
  assert.equal(readRegistrationPolicy(usual(100), served).kind, 'ok')
  assert.equal(readRegistrationPolicy(usual(101), served).kind, 'error')
})

test('all that is wrong is told at once', () => {
  const read = readRegistrationPolicy({ mode: 'x', grants: 'y', most_clients: 1 }, served)
  assert.deepEqual(read.kind === 'ok' ? null : read.error.map((it) => it.field), ['mode', 'grants'])
})

test('a tenant says what differs; the rest is the deployment’s', () => {
  const of = defaultPolicy.registration
  assert.deepEqual(registrationPolicy(of, {}), of)
  assert.deepEqual(registrationPolicy(of, { registration: { mostClients: 3 } }), { ...of, mostClients: 3 })
})

test('a scope that is not declared is named, unless the client had it before it left', () => {
  const known = catalogue({ scopes: [scopeEntry('a:read', 'https://a.example')] })
  const names = (scope: string, held: string | null = null) =>
    undeclaredNames({ scope }, known, held === null ? null : { scope: held }).map(({ problem }) => problem)
  assert.deepEqual(names('openid a:read'), [])
  assert.deepEqual(names(''), [])
  assert.deepEqual(names('a:read b:read c:read'), [
    'names b:read, which is not declared',
    'names c:read, which is not declared',
  ])
  assert.deepEqual(names('b:read c:read', 'b:read'), ['names c:read, which is not declared'])
})

test('OIDC Core §4: a client that wants others to begin sign-ins is told who asks; another is not asked', () => {
  const uri = 'https://client.example/begin?x=1'
  assert.equal(
    initiatedLogin(client({ initiate_login_uri: uri }), 'https://as.example'),
    `${uri}&iss=https%3A%2F%2Fas.example`,
  )
  assert.equal(initiatedLogin(client({}), 'https://as.example'), null)
})
