/** Profiles of strong clients: one word fills in what they demand, and a weaker word beside it is refused with the reason. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { served } from '../../src/documents/served.ts'
import { clientMetadata } from '../../src/registration/client-metadata.ts'
import type { JsonObject } from '../../src/types.ts'

const shop: JsonObject = { jwks_uri: 'https://client.example/jwks', redirect_uris: ['https://client.example/cb'] }
const registered = (more: JsonObject) => clientMetadata({ ...shop, ...more }, served)

test('FAPI 2.0 §5.3.2: the word fapi2-security fills in all that it demands', () => {
  const made = registered({ profile: 'fapi2-security' })
  assert.ok(made.kind === 'ok', JSON.stringify(made))
  const { value } = made
  assert.equal(value.token_endpoint_auth_method, 'private_key_jwt')
  assert.equal(value.dpop_bound_access_tokens, true)
  assert.equal(value.require_pushed_authorization_requests, true)
  assert.equal(value.require_signed_request_object, undefined)
  for (const field of [
    'id_token_signed_response_alg',
    'introspection_signed_response_alg',
    'authorization_signed_response_alg',
  ] as const)
    assert.equal(value[field], 'ES256', field)
  const again = registered({ ...value })
  assert.deepEqual(again, made, 'what it became says the same')
})

test('FAPI 2.0 Message Signing §5.3: the word fapi2-message-signing asks for signed requests too', () => {
  const made = registered({ profile: 'fapi2-message-signing', authorization_signed_response_alg: 'PS256' })
  assert.ok(made.kind === 'ok')
  assert.equal(made.value.require_signed_request_object, true)
  assert.equal(made.value.authorization_signed_response_alg, 'PS256')
})

test('a service without a browser has the profile, and nothing of the code flow', () => {
  const made = registered({ profile: 'fapi2-message-signing', grant_types: ['client_credentials'], redirect_uris: [] })
  assert.ok(made.kind === 'ok', JSON.stringify(made))
  assert.equal(made.value.require_pushed_authorization_requests, undefined)
  assert.equal(made.value.require_signed_request_object, undefined)
  assert.equal(made.value.dpop_bound_access_tokens, true)
})

test('FAPI 2.0 §5.3.2.1: tokens are bound to a certificate where the client says so', () => {
  const made = registered({ profile: 'fapi2-security', tls_client_certificate_bound_access_tokens: true })
  assert.ok(made.kind === 'ok')
  assert.equal(made.value.dpop_bound_access_tokens, undefined)
})

const weaker: readonly (readonly [string, JsonObject, RegExp])[] = [
  ['token_endpoint_auth_method', { token_endpoint_auth_method: 'client_secret_basic' }, /§5\.3\.2\.1/],
  ['token_endpoint_auth_method', { token_endpoint_auth_method: 'none' }, /§5\.3\.2\.1/],
  ['dpop_bound_access_tokens', { dpop_bound_access_tokens: false }, /every access token is bound/],
  ['require_pushed_authorization_requests', { require_pushed_authorization_requests: false }, /pushed/],
  ['pkce', { pkce: 'public_clients' }, /code_challenge/],
  ['id_token_signed_response_alg', { id_token_signed_response_alg: 'RS256' }, /PS256, ES256/],
  ['token_endpoint_auth_signing_alg', { token_endpoint_auth_signing_alg: 'RS256' }, /PS256, ES256/],
  ['userinfo_signed_response_alg', { userinfo_signed_response_alg: 'RS256' }, /PS256, ES256/],
  ['request_object_signing_alg', { request_object_signing_alg: 'RS256' }, /PS256, ES256/],
]

for (const [field, more, reason] of weaker) {
  test(`FAPI 2.0: ${JSON.stringify(more)} beside a profile is refused with the sentence that says why`, () => {
    for (const profile of ['fapi2-security', 'fapi2-message-signing']) {
      const made = registered({ profile, ...more })
      assert.ok(made.kind === 'error', profile)
      const found = made.error.find((it) => it.field === field)
      assert.match(found?.problem ?? '', reason)
      assert.match(found?.problem ?? '', new RegExp(`as the profile ${profile} demands`))
    }
    assert.ok(!JSON.stringify(registered(more)).includes('profile'))
  })
}

test('FAPI 2.0 Message Signing §5.3: unsigned requests beside it are refused', () => {
  const made = registered({ profile: 'fapi2-message-signing', require_signed_request_object: false })
  assert.ok(made.kind === 'error' && made.error[0]?.field === 'require_signed_request_object')
})

test('a profile that nobody knows is refused, and without keys there is none', () => {
  assert.equal(registered({ profile: 'fapi3' }).kind, 'error')
  assert.equal(
    clientMetadata({ redirect_uris: shop['redirect_uris'] ?? [], profile: 'fapi2-security' }, served).kind,
    'error',
  )
})
