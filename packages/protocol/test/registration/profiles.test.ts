/** Profiles of strong clients: one word fills in what they demand, and a weaker word beside it is refused with the reason. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { served } from '../../src/documents/served.ts'
import { clientMetadata } from '../../src/registration/client-metadata.ts'
import type { Client } from '../../src/registration/client.ts'
import { profileOf, underTenantProfile } from '../../src/registration/profiles.ts'
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

const ofTenant = (profile: 'fapi2-security' | 'fapi2-message-signing', more: JsonObject) =>
  clientMetadata({ ...shop, ...more }, { ...served, profile })

test('the profile of a tenant fills in what a client of it leaves open, and is not made its own', () => {
  const made = ofTenant('fapi2-security', {})
  assert.ok(made.kind === 'ok', JSON.stringify(made))
  const { profile, token_endpoint_auth_method: method, require_pushed_authorization_requests: pushed } = made.value
  assert.deepEqual([profile, method, pushed], [undefined, 'private_key_jwt', true])
})

for (const [field, more, reason] of weaker)
  test(`the profile of a tenant refuses ${field} as a client's own does: ${JSON.stringify(more)}`, () => {
    const made = ofTenant('fapi2-security', more)
    assert.ok(made.kind === 'error')
    const told = made.error.find((it) => it.field === field)?.problem ?? ''
    assert.match(told, reason)
    assert.match(told, /as the profile fapi2-security of the tenant demands$/)
  })

const both = ['fapi2-security', 'fapi2-message-signing'] as const
for (const own of both)
  for (const tenant of both)
    test(`a client of ${own} in a tenant of ${tenant}: the stricter of both counts, and each demand is told once`, () => {
      const made = ofTenant(tenant, { profile: own, grant_types: ['authorization_code'] })
      assert.ok(made.kind === 'ok', JSON.stringify(made))
      const signs = [own, tenant].includes('fapi2-message-signing')
      assert.equal(made.value.require_signed_request_object, signs ? true : undefined)
      assert.equal(made.value.profile, own)
      const client = { metadata: made.value, tenantProfile: tenant }
      assert.equal(profileOf(client).signedAnswers, signs)
      const weak = ofTenant(tenant, { profile: own, token_endpoint_auth_method: 'none' })
      assert.ok(weak.kind === 'error')
      assert.equal(weak.error.filter(({ field }) => field === 'token_endpoint_auth_method').length, 1)
    })

test('a tenant of fapi2-security asks of a client of fapi-ciba what that profile does not', () => {
  const given = {
    profile: 'fapi-ciba',
    require_pushed_authorization_requests: false,
    grant_types: ['authorization_code'],
  }
  const alone = registered(given)
  assert.ok(alone.kind === 'ok' || !alone.error.some(({ field }) => field.startsWith('require_pushed')))
  const made = ofTenant('fapi2-security', given)
  assert.ok(made.kind === 'error')
  assert.deepEqual(
    made.error.map(({ field }) => field),
    ['require_pushed_authorization_requests'],
  )
})

test('underTenantProfile: a registered client is filled in, or the first of what it contradicts is told', () => {
  const metadata = registered({ token_endpoint_auth_method: 'private_key_jwt' })
  assert.ok(metadata.kind === 'ok')
  const client = { id: 'web', metadata: metadata.value } as Client
  assert.equal(underTenantProfile(client, {}), client, 'without one it is the client itself')
  const held = underTenantProfile(client, { profile: 'fapi2-message-signing' })
  assert.equal(held.unfit, undefined)
  assert.equal(held.metadata.dpop_bound_access_tokens, true)
  assert.equal(held.metadata.require_signed_request_object, true)
  assert.equal(profileOf(held).codeTtl, 60)
  const secret = { ...client, metadata: { ...metadata.value, token_endpoint_auth_method: 'client_secret_basic' } }
  assert.equal(underTenantProfile(secret, { profile: 'fapi2-security' }).unfit?.field, 'token_endpoint_auth_method')
})
