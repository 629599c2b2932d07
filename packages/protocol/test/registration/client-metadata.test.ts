import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { err } from '../../src/result.ts'
import { served, servedBy } from '../../src/documents/served.ts'
import { clientFieldNames } from '../../src/registration/client-fields.ts'
import * as registration from '../../src/registration/client-metadata.ts'
import {
  clientIdProblem,
  declaredSecretProblem,
  metadataDocument,
  newClientIdProblem,
} from '../../src/registration/client-metadata.ts'

const web = { redirect_uris: ['https://client.example/cb'] }
const grantList =
  'authorization_code, refresh_token, client_credentials, urn:ietf:params:oauth:grant-type:device_code, urn:openid:params:grant-type:ciba, ' +
  'urn:ietf:params:oauth:grant-type:token-exchange, urn:ietf:params:oauth:grant-type:jwt-bearer'
const service = { grant_types: ['client_credentials'] }

const clientMetadata = (input: unknown) => registration.clientMetadata(input, served)

const problemsOf = (input: unknown) => {
  const checked = clientMetadata(input)
  return checked.kind === 'ok' ? [] : checked.error.map((it) => it.field)
}

test('RFC 7591 §2: what is not said has its default', () => {
  assert.deepEqual(clientMetadata(web), {
    kind: 'ok',
    value: {
      redirect_uris: ['https://client.example/cb'],
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_basic',
      scope: '',
    },
  })
  const checked = clientMetadata(service)
  assert.deepEqual(checked.kind === 'ok' && checked.value.response_types, [])
})

test('RFC 7591 §2: null means omitted', () => {
  assert.deepEqual(clientMetadata({ ...web, client_name: null }), clientMetadata(web))
})

test('the client of a declared file is one', () => {
  assert.deepEqual(
    problemsOf({
      client_name: 'Web shop',
      redirect_uris: ['https://client.example/cb'],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'client_secret_basic',
      scope: 'openid profile invoices:read offline_access',
    }),
    [],
  )
})

const tls = { token_endpoint_auth_method: 'tls_client_auth' }
const wrong: readonly (readonly [title: string, input: unknown, field: string])[] = [
  ['RFC 7591 §2: an unknown field of a file is named', { ...web, redirect_uri: 'x' }, 'redirect_uri'],
  ['RFC 7591 §2: no object', [], ''],
  ['RFC 7591 §2: no object at all', 'x', ''],
  [
    'a name of the prototype is no field',
    JSON.parse('{"__proto__":1,"redirect_uris":["https://c.example/"]}'),
    '__proto__',
  ],
  ['RFC 7591 §2: the code flow without redirect URI', {}, 'redirect_uris'],
  ['RFC 7591 §2: a redirect URI that is no text', { redirect_uris: [7] }, 'redirect_uris'],
  ['RFC 7591 §2: redirect URIs that are no list', { redirect_uris: 'https://c.example' }, 'redirect_uris'],
  [
    'RFC 7591 §2: the same redirect URI twice',
    { redirect_uris: ['https://c.example/', 'https://c.example/'] },
    'redirect_uris',
  ],
  ['RFC 6749 §3.1.2: a redirect URI with fragment', { redirect_uris: ['https://c.example/#'] }, 'redirect_uris[0]'],
  [
    'RFC 9700 §4.1: a script as redirect URI',
    { ...web, application_type: 'native', redirect_uris: ['javascript:alert(1)'] },
    'redirect_uris[0]',
  ],
  [
    'OIDC Logout §2: a script as post-logout address',
    { ...web, post_logout_redirect_uris: ['javascript:alert(1)'] },
    'post_logout_redirect_uris[0]',
  ],
  ['OAuth 2.1 §10.1: the implicit flow', { ...web, response_types: ['token'] }, 'response_types'],
  ['RFC 7591 §2.1: a grant without its response type', { ...web, response_types: [] }, 'response_types'],
  ['RFC 7591 §2.1: a response type without its grant', { ...service, response_types: ['code'] }, 'response_types'],
  ['RFC 6749 §4.3: the password grant', { grant_types: ['password'] }, 'grant_types'],
  [
    'RFC 6749 §4.4: client credentials of a public client',
    { ...service, token_endpoint_auth_method: 'none' },
    'grant_types',
  ],
  [
    'RFC 7591 §2: an unknown method',
    { ...web, token_endpoint_auth_method: 'client_secret_jwt' },
    'token_endpoint_auth_method',
  ],
  [
    'RFC 7523: a signing client without keys',
    { ...web, token_endpoint_auth_method: 'private_key_jwt' },
    'token_endpoint_auth_method',
  ],
  [
    'RFC 9101 §10.5: requests that must be signed, without keys',
    { ...web, require_signed_request_object: true },
    'require_signed_request_object',
  ],
  [
    'RFC 7591 §2: jwks beside jwks_uri',
    { ...web, jwks: { keys: [{ kty: 'EC' }] }, jwks_uri: 'https://c.example/k' },
    'jwks',
  ],
  ['RFC 7517 §4: a private key in jwks', { ...web, jwks: { keys: [{ kty: 'EC', d: 'x' }] } }, 'jwks'],
  ['RFC 7517 §4: a symmetric key in jwks', { ...web, jwks: { keys: [{ kty: 'oct' }] } }, 'jwks'],
  ['RFC 7517 §5: jwks without keys', { ...web, jwks: {} }, 'jwks'],
  ['RFC 6749 §3.3: a malformed scope', { ...web, scope: 'a  b' }, 'scope'],
  ['RFC 7591 §2: a logo by script', { ...web, logo_uri: 'javascript:alert(1)' }, 'logo_uri'],
  ['RFC 7591 §2: a key address without TLS', { ...web, jwks_uri: 'http://c.example/k' }, 'jwks_uri'],
  [
    'OIDC Core §15.1: none as algorithm',
    { ...web, id_token_signed_response_alg: 'none' },
    'id_token_signed_response_alg',
  ],
  ['OIDC Registration §2: a negative age', { ...web, default_max_age: -1 }, 'default_max_age'],
  ['OIDC Registration §2: a flag as text', { ...web, require_auth_time: 'true' }, 'require_auth_time'],
  ['RFC 7591 §2.2: a name that is too long', { ...web, client_name: 'x'.repeat(201) }, 'client_name'],
  ['a name that turns the text around', { ...web, client_name: 'Good\u202eliveE' }, 'client_name'],
  ['a name with a line break', { ...web, client_name: 'a\nb' }, 'client_name'],
  ['RFC 8707 §2: a default resource that is no URI', { ...web, default_resource: 'api' }, 'default_resource'],
  ['RFC 8705 §2.1.2: no name of a certificate', { ...web, ...tls }, 'token_endpoint_auth_method'],
  [
    'RFC 8705 §2.1.2: two names of a certificate',
    { ...web, ...tls, tls_client_auth_san_dns: 'a.example', tls_client_auth_subject_dn: 'CN=a' },
    'token_endpoint_auth_method',
  ],
  [
    'RFC 8705 §2.1.2: a subject that is no name',
    { ...web, ...tls, tls_client_auth_subject_dn: 'just a name' },
    'tls_client_auth_subject_dn',
  ],
  [
    'RFC 8705 §2.1.2: a wildcard as a host name',
    { ...web, ...tls, tls_client_auth_san_dns: '*.example' },
    'tls_client_auth_san_dns',
  ],
  [
    'RFC 8705 §2.1.2: a host name as an address',
    { ...web, ...tls, tls_client_auth_san_ip: 'a.example' },
    'tls_client_auth_san_ip',
  ],
  [
    'RFC 8705 §2.1.2: a URI that is none',
    { ...web, ...tls, tls_client_auth_san_uri: 'a b' },
    'tls_client_auth_san_uri',
  ],
  [
    'RFC 8705 §2.1.2: a mail address that is none',
    { ...web, ...tls, tls_client_auth_san_email: 'nobody' },
    'tls_client_auth_san_email',
  ],
  [
    'RFC 8705 §2.1.2: the name of a certificate for another method',
    { ...web, tls_client_auth_san_dns: 'a.example' },
    'tls_client_auth_san_dns',
  ],
  [
    'RFC 8705 §2.2.2: a self-signed certificate without keys',
    { ...web, token_endpoint_auth_method: 'self_signed_tls_client_auth' },
    'token_endpoint_auth_method',
  ],
  [
    'RFC 8705 §3.4: a flag as text',
    { ...web, tls_client_certificate_bound_access_tokens: 'true' },
    'tls_client_certificate_bound_access_tokens',
  ],
  [
    'RFC 7662 §2.1: a public resource server',
    { ...web, token_endpoint_auth_method: 'none', resource_server: 'https://api.example' },
    'resource_server',
  ],
]
for (const [title, input, field] of wrong)
  test(`${title} → ${field}`, () => assert.deepEqual(problemsOf(input), [field]))

test('all problems are told at once', () => {
  assert.deepEqual(problemsOf({ scope: 7, grant_types: 'x', contacts: [''] }), ['scope', 'grant_types', 'contacts'])
})

const unserved: readonly (readonly [input: object, field: string, problem: string])[] = [
  ...['implicit', 'urn:openid:params:grant-type:unknown'].map(
    (type) => [{ grant_types: [type] }, 'grant_types', `holds an entry that must be one of ${grantList}`] as const,
  ),
  [{ ...web, userinfo_encrypted_response_alg: 'x' }, 'userinfo_encrypted_response_alg', 'is not served here'],
]
for (const [input, field, problem] of unserved)
  test(`what nothing serves is not accepted: ${JSON.stringify(input)}`, () =>
    assert.deepEqual(clientMetadata(input), err([{ field, problem }])))

test('whoever extends the lists of grants and methods extends what is accepted', () => {
  const more = servedBy([{ type: 'urn:example:toy' }], [{ method: 'toy_auth' }])
  const input = { grant_types: ['urn:example:toy'], token_endpoint_auth_method: 'toy_auth' }
  assert.equal(registration.clientMetadata(input, more).kind, 'ok')
  assert.deepEqual(problemsOf(input), ['grant_types', 'token_endpoint_auth_method'])
})

test('RFC 8705: where no certificate can reach us, no client can have what needs one', () => {
  const without = servedBy([{ type: 'authorization_code' }], [{ method: 'client_secret_basic' }])
  const bound = { ...web, tls_client_certificate_bound_access_tokens: true }
  const refused = registration.clientMetadata(bound, without)
  assert.ok(refused.kind === 'error' && refused.error[0]?.field === 'tls_client_certificate_bound_access_tokens')
  assert.equal(
    registration.clientMetadata({ ...bound, tls_client_certificate_bound_access_tokens: false }, without).kind,
    'ok',
  )
  assert.equal(clientMetadata(bound).kind, 'ok')
  assert.equal(clientMetadata({ ...web, ...tls, tls_client_auth_san_uri: 'spiffe://bank.example/tpp' }).kind, 'ok')
})

test('RFC 6749 §10.1: a declared secret is long, printable and bounded', () => {
  assert.equal(declaredSecretProblem('a-secret-of-32-or-more-characters-long'), null)
  for (const secret of [7, '', 'x'.repeat(31), 'ä'.repeat(40), 'x'.repeat(2000), `${'x'.repeat(40)}\n`])
    assert.equal(typeof declaredSecretProblem(secret), 'string')
})

test('whatever comes in, it never throws; and what it accepts it accepts again, unchanged', () => {
  const value = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom('https://c.example/', 'code', ['code'], 'a b', true, ['https://c.example/cb']),
  )
  const input = fc.dictionary(fc.constantFrom(...clientFieldNames), value)
  fc.assert(
    fc.property(input, (it) => {
      const checked = clientMetadata({ ...web, ...it })
      if (checked.kind === 'ok') assert.deepEqual(clientMetadata(metadataDocument(checked.value)), checked)
      else for (const { field, problem } of checked.error) assert.ok(field !== '' && problem !== '')
    }),
    { numRuns: 1000 },
  )
})

test('RFC 6749 §2.2: an id is printable ASCII without spaces, no web address, and not of the shape of a pairwise subject', () => {
  for (const id of ['a', '~', 'x'.repeat(255), 'ftp://x', 'x'.repeat(42), 'x'.repeat(44), `${'x'.repeat(42)}.`])
    assert.deepEqual([clientIdProblem(id), newClientIdProblem(id)], [null, null], id)
  for (const id of ['', 'x'.repeat(256), 'a b', 'ä', 'a\n', 7, null, undefined])
    assert.equal(clientIdProblem(id), 'must be 1 to 255 printable ASCII characters without spaces')
  for (const id of ['https://client.example/metadata', 'http://x', 'HTTPS://x'])
    for (const problem of [clientIdProblem(id), newClientIdProblem(id)])
      assert.equal(problem, 'must not be a web address')
  const pairwise = `${'x'.repeat(41)}_-`
  assert.equal(clientIdProblem(pairwise), null, 'one that is there stays')
  assert.equal(newClientIdProblem(pairwise), 'must not have the shape of a pairwise subject')
})

test('a colour of a client is one, and nothing that a stylesheet would obey', () => {
  for (const accent of ['#0f766e', '#ABC', '#FFFFFF']) assert.deepEqual(problemsOf({ ...web, accent }), [])
  for (const background of ['teal', '#12345', '#1234567', 'url(https://evil.example)', '#fff;}', '', 7, ['#ffffff']])
    assert.deepEqual(problemsOf({ ...web, background }), ['background'], String(background))
})

test('first_party is refused where people are always asked, or never could be', () => {
  const portal = { ...web, first_party: true }
  assert.deepEqual(problemsOf(portal), [])
  assert.deepEqual(problemsOf({ ...portal, authorization_details_types: ['payment'] }), ['first_party'])
  assert.deepEqual(problemsOf({ ...service, first_party: true }), ['first_party'])
  assert.deepEqual(problemsOf({ ...service, first_party: false }), [])
  assert.deepEqual(problemsOf({ ...portal, first_party: 'yes' }), ['first_party'])
})
