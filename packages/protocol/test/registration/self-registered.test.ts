import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { builtInScopes } from '../../src/oauth/built-in-scopes.ts'
import { federatedMethod } from '../../src/client-auth/federated-jwt.ts'
import { served } from '../../src/documents/served.ts'
import { refusalResponse } from '../../src/oauth/refusal.ts'
import { scopeLimits } from '../../src/oauth/scope.ts'
import { defaultRegistration, type RegistrationPolicy } from '../../src/registration/policy.ts'
import { selfRegistered } from '../../src/registration/self-registered.ts'
import type { ClientMetadata } from '../../src/registration/client-fields.ts'
import { catalogue, resource, scopeEntry } from '../samples.ts'

const invoices = catalogue({
  resources: [resource('https://api.example')],
  scopes: ['invoices:read', 'invoices:write'].map((name) => scopeEntry(name, 'https://api.example')),
})
const device = 'urn:ietf:params:oauth:grant-type:device_code'
const all = 'address email invoices:read invoices:write offline_access openid phone profile'

const register = (input: unknown, policy: Partial<RegistrationPolicy> = {}) =>
  selfRegistered(input, {
    policy: { ...defaultRegistration, ...policy },
    catalogue: invoices,
    served,
    by: 'registration',
  })

function registered(input: unknown, policy: Partial<RegistrationPolicy> = {}): ClientMetadata {
  const metadata = register(input, policy)
  if (metadata.kind === 'error') throw new Error(JSON.stringify(metadata))
  return metadata.value
}

const web = { redirect_uris: ['https://client.example/cb'] }

test('RFC 7591 §2: what is not said has its default, and all scopes that people can grant', () => {
  assert.deepEqual(registered(web), {
    ...web,
    grant_types: ['authorization_code'],
    response_types: ['code'],
    token_endpoint_auth_method: 'client_secret_basic',
    scope: all,
  })
})

test('RFC 7591 §2: what is not understood is ignored, and an empty text is none', () => {
  const { client_uri, ...rest } = registered({
    ...web,
    client_uri: '',
    id_token_encrypted_response_alg: 'RSA-OAEP',
    request_object_signing_alg: 'none',
    response_modes: ['query'],
    'client_name#de': 'Laden',
    toString: 'x',
  })
  assert.equal(client_uri, undefined)
  assert.deepEqual(rest, registered(web))
})

test('a client says nothing of itself that only an administrator may: resource server, PKCE, default resource', () => {
  const said = {
    ...web,
    resource_server: 'https://api.example',
    pkce: 'public_clients',
    default_resource: 'https://x.example',
  }
  assert.deepEqual(registered(said), registered(web))
  const { default_resource } = registered(said, { defaultResource: 'https://api.example' })
  assert.equal(default_resource, 'https://api.example')
})

test('the default resource that an administrator gave a client is more than the policy’s, as long as it fits', () => {
  const policy = { ...defaultRegistration, defaultResource: 'https://api.example' }
  const updated = (default_resource: string) => {
    const administered = { default_resource }
    const found = selfRegistered(web, { policy, catalogue: invoices, served, by: 'registration', administered })
    return found.kind === 'ok' ? found.value.default_resource : found.error
  }
  assert.equal(updated('https://own.example'), 'https://own.example')
  assert.equal(updated('not an address'), 'https://api.example')
})

for (const [title, asked, given] of [
  ['what Claude asks', ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:jwt-bearer'], 2],
  ['what VS Code asks', ['authorization_code', 'refresh_token', device], 2],
  ['a grant nobody knows', ['authorization_code', 'x:y'], 1],
  ['client credentials', ['authorization_code', 'client_credentials'], 1],
  ['no grant at all', [], 1],
] as const)
  test(`RFC 7591 §2: of ${title}, what is not offered is dropped`, () =>
    assert.deepEqual(
      registered({ ...web, grant_types: asked }).grant_types,
      ['authorization_code', 'refresh_token'].slice(0, given),
    ))

test('client credentials are had where the policy names them, and never by who cannot authenticate', () => {
  const policy = { grants: ['authorization_code', 'client_credentials'] }
  const asked = { ...web, grant_types: ['authorization_code', 'client_credentials'] }
  assert.deepEqual(registered(asked, policy).grant_types, asked.grant_types)
  assert.deepEqual(registered({ ...asked, token_endpoint_auth_method: 'none' }, policy).grant_types, [
    'authorization_code',
  ])
  const { response_types } = registered({ grant_types: ['client_credentials'], response_types: ['code'] }, policy)
  assert.deepEqual(response_types, [])
})

test('no client that registers itself is given a right of the issuer, also not by asking or by a policy', () => {
  const names = builtInScopes.map(({ name }) => name)
  const policy = { scopes: [...names, 'openid'], defaultScope: [...names, 'openid'] }
  assert.equal(registered({ ...web, scope: `openid ${names.join(' ')}` }).scope, 'openid')
  assert.equal(registered(web, policy).scope, 'openid')
  assert.equal(register({ ...web, scope: 'admin:clients:write' }).kind, 'error')
})

test('RFC 7591 §2: a scope that is not to be had is dropped, unless nothing is left', () => {
  assert.equal(registered({ ...web, scope: 'invoices:read mcp:tools' }).scope, 'invoices:read')
  assert.equal(registered({ ...web, scope: 'openid invoices:write' }, { scopes: ['openid'] }).scope, 'openid')
  assert.equal(register({ ...web, scope: 'mcp:tools' }).kind, 'error')
  assert.equal(registered(web, { defaultScope: ['invoices:read', 'gone'] }).scope, 'invoices:read')
})

test('MCP 2026-07-28: who registers with the scopes of its first challenge may later ask for the others of that resource', () => {
  const more = { ...invoices, scopes: [...invoices.scopes, scopeEntry('files:read', 'https://files.example')] }
  const scopeOf = (asked: string, policy: Partial<RegistrationPolicy> = {}, first = true) => {
    const on = {
      policy: { ...defaultRegistration, ...policy },
      catalogue: more,
      served,
      by: 'registration' as const,
      first,
    }
    const metadata = selfRegistered({ ...web, scope: asked }, on)
    return metadata.kind === 'error' ? metadata : metadata.value.scope
  }
  assert.equal(scopeOf('openid invoices:read'), 'invoices:read invoices:write openid')
  assert.equal(scopeOf('openid invoices:read', { scopes: ['openid', 'invoices:read'] }), 'invoices:read openid')
  assert.equal(scopeOf('openid files:read'), 'files:read openid')
  assert.equal(scopeOf('openid'), 'openid')
  assert.equal(scopeOf('openid invoices:read', {}, false), 'invoices:read openid')
})

test('OIDC Core §11: who registers for refreshing may ask for what refreshing needs', () => {
  const grant_types = ['authorization_code', 'refresh_token']
  assert.equal(registered({ ...web, grant_types, scope: 'openid' }).scope, 'offline_access openid')
  assert.equal(registered({ ...web, scope: 'openid' }).scope, 'openid')
})

const cursor = {
  application_type: 'web',
  redirect_uris: [
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'https://www.cursor.com/agents/mcp/oauth/callback',
    'http://localhost:8787/callback',
  ],
}

test('RFC 8252 §7: who is called back on the device is a native client, whatever it calls itself', () => {
  const { application_type, redirect_uris } = registered(cursor)
  assert.deepEqual([application_type, redirect_uris], ['native', cursor.redirect_uris])
  assert.equal(registered({ ...web, application_type: 'native' }).application_type, 'native')
  assert.equal(registered({ ...web, application_type: 'web' }).application_type, 'web')
})

test('redirect URIs of a kind that the policy does not want are dropped, unless nothing is left', () => {
  const { redirect_uris, application_type } = registered(cursor, { redirects: ['https'] })
  assert.deepEqual([redirect_uris, application_type], [cursor.redirect_uris.slice(1, 2), 'web'])
  const refused = register({ redirect_uris: ['cursor://x/cb'] }, { redirects: ['https', 'loopback'] })
  assert.ok(refused.kind === 'error' && refused.error.reason === 'redirect_uri_refused')
})

const many = Array.from({ length: 10_000 }, (_, i) => `https://client.example/${i}`)
const refusals: readonly (readonly [title: string, input: unknown, error: string])[] = [
  ['no object', ['x'], 'invalid_client_metadata'],
  ['nothing', null, 'invalid_client_metadata'],
  ['no redirect URI', {}, 'invalid_redirect_uri'],
  ['an empty list of them', { redirect_uris: [] }, 'invalid_redirect_uri'],
  [
    'a script as redirect URI',
    { redirect_uris: ['https://c.example/', 'javascript:alert(1)'] },
    'invalid_redirect_uri',
  ],
  ['data as redirect URI', { redirect_uris: ['data:text/html,x'] }, 'invalid_redirect_uri'],
  ['plain http', { redirect_uris: ['http://client.example/cb'] }, 'invalid_redirect_uri'],
  ['a fragment', { redirect_uris: ['https://client.example/cb#x'] }, 'invalid_redirect_uri'],
  ['ten thousand redirect URIs', { redirect_uris: many }, 'invalid_redirect_uri'],
  ['redirect URIs that are no texts', { redirect_uris: [{ toString: 1 }] }, 'invalid_redirect_uri'],
  ['only the implicit flow', { ...web, response_types: ['token', 'id_token'] }, 'invalid_client_metadata'],
  ['only the password grant', { ...web, grant_types: ['password'] }, 'invalid_client_metadata'],
  ['only refreshing', { ...web, grant_types: ['refresh_token'] }, 'invalid_client_metadata'],
  ['unsigned ID tokens', { ...web, id_token_signed_response_alg: 'none' }, 'invalid_client_metadata'],
  ['ID tokens signed by secret', { ...web, id_token_signed_response_alg: 'HS256' }, 'invalid_client_metadata'],
  [
    'a method that is not offered',
    { ...web, token_endpoint_auth_method: 'tls_client_auth' },
    'invalid_client_metadata',
  ],
  ['a script as home page', { ...web, client_uri: 'javascript:alert(1)' }, 'invalid_client_metadata'],
  ['a script as logo', { ...web, logo_uri: 'data:image/svg+xml,<svg onload=x>' }, 'invalid_client_metadata'],
  ['a script as policy', { ...web, policy_uri: 'javascript:alert(1)' }, 'invalid_client_metadata'],
  ['a name that reads backwards', { ...web, client_name: 'knaB\u202e' }, 'invalid_client_metadata'],
  ['a name without end', { ...web, client_name: 'x'.repeat(201) }, 'invalid_client_metadata'],
  ['a private key', { ...web, jwks: { keys: [{ kty: 'EC', d: 'x' }] } }, 'invalid_client_metadata'],
  [
    'two key sets',
    { ...web, jwks: { keys: [{ kty: 'EC' }] }, jwks_uri: 'https://c.example/j' },
    'invalid_client_metadata',
  ],
  ['a scope that is no text', { ...web, scope: ['openid'] }, 'invalid_client_metadata'],
  ['a software statement', { ...web, software_statement: 'e.y.J' }, 'invalid_software_statement'],
]
for (const [title, input, error] of refusals)
  test(`RFC 7591 §3.2.2: ${title} is refused as ${error}`, () => {
    const refusal = register(input)
    assert.ok(refusal.kind === 'error', JSON.stringify(refusal))
    assert.equal(refusalResponse(refusal.error).error, error)
    assert.match(refusalResponse(refusal.error).error_description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
  })

const methods = served.clientAuthMethods.filter((method) => method !== federatedMethod).join(', ')
const told: readonly (readonly [
  input: unknown,
  field: string,
  problem: string,
  policy?: Partial<RegistrationPolicy>,
])[] = [
  ['x', '', 'must be an object'],
  [{ ...web, grant_types: 'code' }, 'grant_types', 'must be a list of texts'],
  [{ ...web, grant_types: ['authorization_code', 7] }, 'grant_types', 'must be a list of texts'],
  [{ ...web, grant_types: many.slice(0, 101) }, 'grant_types', 'must not hold more than 100 entries'],
  [
    { ...web, grant_types: ['password'] },
    'grant_types',
    'holds nothing that is offered to clients which register themselves',
  ],
  [{ ...web, response_types: ['token'] }, 'response_types', 'must hold code'],
  [{ ...web, response_types: 'code' }, 'response_types', 'must be a list of texts'],
  [{ redirect_uris: 'https://c.example/' }, 'redirect_uris', 'must be a list of texts'],
  [{ redirect_uris: many.slice(0, 51) }, 'redirect_uris', 'must not hold more than 50 entries'],
  [
    { redirect_uris: ['cursor://x/cb'] },
    'redirect_uris',
    'must lead to one of https, loopback',
    { redirects: ['https', 'loopback'] },
  ],
  [web, 'redirect_uris', 'must lead to one of nothing', { redirects: [] }],
  [{ ...web, scope: 'mcp:tools' }, 'scope', 'holds nothing that is offered to clients which register themselves'],
  [{ ...web, scope: 'openid  email' }, 'scope', 'must be scope names separated by single spaces'],
  [{ ...web, scope: ['openid'] }, 'scope', 'must be scope names separated by single spaces'],
  [{ ...web, token_endpoint_auth_method: 'x' }, 'token_endpoint_auth_method', `must be one of ${methods}`],
  [{ ...web, token_endpoint_auth_method: ['none'] }, 'token_endpoint_auth_method', `must be one of ${methods}`],
  [{ ...web, token_endpoint_auth_method: federatedMethod }, 'token_endpoint_auth_method', `must be one of ${methods}`],
]
for (const [input, field, problem, policy] of told)
  test(`RFC 7591 §3.2.2: whose registration is refused is told that ${field || 'it'} ${problem}: ${JSON.stringify(input).slice(0, 80)}`, () => {
    const refusal = register(input, policy)
    assert.ok(refusal.kind === 'error', JSON.stringify(refusal))
    const { reason, ...rest } = refusal.error
    assert.equal(reason, field === 'redirect_uris' ? 'redirect_uri_refused' : 'client_metadata_invalid')
    assert.deepEqual(rest, { field, problem })
  })

test('RFC 7591 §3.2.2: of several redirect URIs the one that is wrong is named', () => {
  const refusal = register({ redirect_uris: ['https://c.example/', 'https://c.example/#x'] })
  assert.equal(refusal.kind === 'error' && 'field' in refusal.error && refusal.error.field, 'redirect_uris[1]')
})

test('as many as are allowed are taken: 50 redirect URIs, 100 words in other lists', () => {
  assert.equal(registered({ redirect_uris: many.slice(0, 50) }).redirect_uris.length, 50)
  const grant_types = ['authorization_code', ...many.slice(0, 99)]
  assert.deepEqual(registered({ ...web, grant_types }).grant_types, ['authorization_code'])
  assert.deepEqual(registered({ ...web, response_types: [] }).response_types, ['code'])
  assert.deepEqual(registered({ ...web, software_statement: '' }), registered(web))
  assert.deepEqual(registered({ ...web, software_statement: null }), registered(web))
})

test('a tenant under a profile gives keys, not secrets, to clients that name no method', () => {
  const on = { policy: defaultRegistration, catalogue: invoices, by: 'registration' as const }
  const strict = { ...served, profile: 'fapi2-security' as const }
  const input = { ...web, jwks_uri: 'https://client.example/keys', dpop_bound_access_tokens: true }
  const metadata = selfRegistered(input, { ...on, served: strict })
  assert.ok(metadata.kind === 'ok', JSON.stringify(metadata))
  assert.equal(metadata.value.token_endpoint_auth_method, 'private_key_jwt')
})

test('a registration without scope has as many of all scopes as one can hold, and no more', () => {
  const of = (names: readonly string[]) => {
    const scopes = names.map((name) => scopeEntry(name, 'https://api.example'))
    const on = {
      policy: { ...defaultRegistration, scopes: names },
      catalogue: { ...invoices, scopes },
      served,
      by: 'registration' as const,
    }
    const metadata = selfRegistered(web, on)
    assert.ok(metadata.kind === 'ok', JSON.stringify(metadata))
    return metadata.value.scope.split(' ')
  }
  const short = Array.from({ length: scopeLimits.names + 1 }, (_, n) => `s${n}`)
  assert.deepEqual(of(short.slice(0, -1)).length, scopeLimits.names)
  assert.deepEqual(of(short).length, scopeLimits.names)
  // So long that one more word would be too much for the text: every name and the space after it counts.
  const size = scopeLimits.text / 32 - 1
  const long = Array.from({ length: 33 }, (_, n) => `${n}`.padStart(size, 'x'))
  assert.equal(Number.isInteger(size), true)
  assert.equal(of(long.slice(0, 32)).length, 32)
  assert.equal(of(long).length, 32)
  assert.equal(of(long.map((name) => `${name}x`)).length, 31)
})

test('RFC 7591 §3.2.2: whatever is sent, the answer is metadata or a refusal that reflects nothing of it', () => {
  const field = fc.constantFrom('redirect_uris', 'scope', 'grant_types', 'jwks', 'client_name', 'contacts', '__proto__')
  const value = fc.oneof(fc.jsonValue(), fc.constant(['zz9-canary']), fc.constant('zz9-canary'))
  fc.assert(
    fc.property(fc.dictionary(field, value), (input) => {
      const outcome = register({ ...input })
      if (outcome.kind === 'error') assert.doesNotMatch(refusalResponse(outcome.error).error_description, /zz9/)
      else assert.ok(outcome.value.grant_types.every((type) => defaultRegistration.grants.includes(type)))
    }),
    { numRuns: 300 },
  )
})
