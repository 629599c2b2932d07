import assert from 'node:assert/strict'
import { test } from 'node:test'
import { documentMetadata, isDocumentId, documentLimit } from '../../src/registration/document.ts'
import { defaultRegistration } from '../../src/registration/policy.ts'
import { defaultAddressRules } from '../../src/uri/address-rules.ts'
import { catalogue } from '../samples.ts'

const id = 'https://app.example/oauth/client.json'
const on = {
  policy: { ...defaultRegistration, grants: ['authorization_code', 'refresh_token', 'client_credentials'] },
  catalogue: catalogue({ resources: [], scopes: [] }),
  served: {
    certificates: false,
    addresses: defaultAddressRules,
    clientAuthMethods: ['client_secret_basic', 'private_key_jwt', 'none'],
    grantTypes: ['authorization_code', 'refresh_token', 'client_credentials'],
  },
}
const document = {
  client_id: id,
  client_name: 'App',
  redirect_uris: ['http://127.0.0.1/cb', 'http://localhost/cb'],
  token_endpoint_auth_method: 'none',
}

for (const good of [
  id,
  'https://app.example:8443/x',
  'https://app.example/a/b?v=1',
  'https://xn--bcher-kva.example/c',
  `https://app.example/${'x'.repeat(490)}`,
])
  test(`Client ID Metadata Document §3: ${good.slice(0, 40)} can name one`, () =>
    assert.equal(isDocumentId(good), true))

for (const bad of [
  'http://app.example/client.json',
  'https://app.example',
  'https://app.example/',
  'https://app.example/#x',
  'https://app.example/x#',
  'https://user@app.example/x',
  'https://user:pw@app.example/x',
  'https://app.example/a/../x',
  'https://app.example/a/./x',
  'https://app.example/a/%2e%2e/x',
  'https://APP.example/x',
  'https://app.example:443/x',
  'https://bücher.example/x',
  'HTTPS://app.example/x',
  'https:///x',
  'https:app.example/x',
  'https://app.example\\x',
  `https://app.example/${'x'.repeat(500)}`,
  'web',
  '',
])
  test(`Client ID Metadata Document §3: ${JSON.stringify(bad.slice(0, 40))} names none`, () =>
    assert.equal(isDocumentId(bad), false))

test('Client ID Metadata Document §4: what a document says becomes a public native client', () => {
  const metadata = documentMetadata(document, id, on)
  assert.ok(metadata.kind === 'ok', JSON.stringify(metadata))
  const { value } = metadata
  assert.deepEqual(
    [value.client_name, value.application_type, value.token_endpoint_auth_method, value.grant_types],
    ['App', 'native', 'none', ['authorization_code']],
  )
})

for (const [title, more, method] of [
  ['that names no method is public', { token_endpoint_auth_method: undefined }, 'none'],
  [
    'with keys proves itself by them',
    { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://app.example/jwks.json' },
    'private_key_jwt',
  ],
  [
    'that names no method proves itself by one that it offers',
    {
      token_endpoint_auth_method: undefined,
      token_endpoint_auth_methods_supported: ['future_method', 'private_key_jwt'],
      jwks_uri: 'https://app.example/jwks.json',
    },
    'private_key_jwt',
  ],
  [
    'that names no method and offers none is public',
    { token_endpoint_auth_method: undefined, token_endpoint_auth_methods_supported: [] },
    'none',
  ],
  [
    'whose method is not known here may offer another',
    {
      token_endpoint_auth_method: 'future_method',
      token_endpoint_auth_methods_supported: ['client_secret_post', 'none'],
    },
    'none',
  ],
] as const)
  test(`Client ID Metadata Document §4.1: a client ${title}`, () => {
    const metadata = documentMetadata({ ...document, ...more }, id, on)
    assert.ok(metadata.kind === 'ok', JSON.stringify(metadata))
    assert.equal(metadata.value.token_endpoint_auth_method, method)
  })

test('a document never makes a client that acts for itself', () => {
  const grant_types = ['authorization_code', 'client_credentials']
  const keys = { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://app.example/jwks.json' }
  const metadata = documentMetadata({ ...document, ...keys, grant_types }, id, on)
  assert.ok(metadata.kind === 'ok')
  assert.deepEqual(metadata.value.grant_types, ['authorization_code'])
})

for (const [title, input] of [
  ['no object', [document]],
  ['no client_id', { ...document, client_id: undefined }],
  ['another client_id', { ...document, client_id: `${id}?` }],
  ['a secret', { ...document, client_secret: 'x' }],
  ['a secret without end', { ...document, client_secret_expires_at: 0 }],
  ['a secret as method', { ...document, token_endpoint_auth_method: 'client_secret_basic' }],
  ['a method nobody knows', { ...document, token_endpoint_auth_method: 'x' }],
  [
    'only methods that do not work here',
    { ...document, token_endpoint_auth_method: undefined, token_endpoint_auth_methods_supported: ['x'] },
  ],
  ['keys that are nowhere', { ...document, token_endpoint_auth_method: 'private_key_jwt' }],
  ['no redirect URI', { ...document, redirect_uris: [] }],
  ['a script as redirect URI', { ...document, redirect_uris: ['javascript:alert(1)'] }],
  ['a software statement', { ...document, software_statement: 'x' }],
] as const)
  test(`Client ID Metadata Document §4: a document with ${title} is none`, () => {
    const refusal = documentMetadata(input, id, on)
    assert.equal(refusal.kind === 'error' && refusal.error.reason, 'client_document_invalid')
  })

test('the address of a document: its length, its one spelling, and how much is read of it', () => {
  const base = 'https://client.example/'
  assert.deepEqual(
    [512, 513].map((length) => isDocumentId(base.padEnd(length, 'x'))),
    [true, false],
  )
  for (const id of [
    'http://client.example/a',
    'https://client.example/',
    'https://client.example/a#b',
    'https://u@client.example/a',
    'https://:p@client.example/a',
    'https://client.example/a/../b',
    'https://CLIENT.example/a',
    'https://',
  ])
    assert.equal(isDocumentId(id), false, id)
  assert.equal(documentLimit, 5120)
})

const told: readonly (readonly [input: unknown, field: string, problem: string])[] = [
  [[document], '', 'must be an object'],
  ['x', '', 'must be an object'],
  [{ ...document, client_id: `${id}?` }, 'client_id', 'must be the address of the document'],
  [{ ...document, client_secret: 'x' }, 'client_secret', 'must not be there'],
  [{ ...document, client_secret_expires_at: 0 }, 'client_secret', 'must not be there'],
  ...['client_secret_basic', 'client_secret_post', 'client_secret_jwt'].flatMap((method) => [
    [
      { ...document, token_endpoint_auth_method: method },
      'token_endpoint_auth_method',
      'must not rest on a secret',
    ] as const,
    [
      { ...document, token_endpoint_auth_method: 'x', token_endpoint_auth_methods_supported: [method] },
      'token_endpoint_auth_method',
      'must be none or private_key_jwt',
    ] as const,
  ]),
  [
    { ...document, token_endpoint_auth_method: 'client_secret_jwt', token_endpoint_auth_methods_supported: ['none'] },
    'token_endpoint_auth_method',
    'must not rest on a secret',
  ],
  [
    { ...document, token_endpoint_auth_method: ['none'] },
    'token_endpoint_auth_method',
    'must be none or private_key_jwt',
  ],
  [{ ...document, grant_types: 'code' }, 'grant_types', 'must be a list of texts'],
  [{ ...document, software_statement: 'x' }, '', 'cannot be registered'],
]
for (const [input, field, problem] of told)
  test(`whoever wrote a document is told that ${field || 'it'} ${problem}: ${JSON.stringify(input).slice(-70)}`, () => {
    const secrets = {
      ...on,
      served: { ...on.served, clientAuthMethods: ['client_secret_post', 'client_secret_jwt', 'none'] },
    }
    for (const context of [on, secrets])
      assert.deepEqual(documentMetadata(input, id, context), {
        kind: 'error',
        error: { reason: 'client_document_invalid', field, problem },
      })
  })
