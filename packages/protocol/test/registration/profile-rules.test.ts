/** What each profile asks beyond fields of the client, alone and with that of the tenant; and every algorithm it leaves. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { served } from '../../src/documents/served.ts'
import { cibaGrant } from '../../src/grants/grant-types.ts'
import { clientMetadata } from '../../src/registration/client-metadata.ts'
import { maySignWith, profileAlgs, profileMethods, profileOf } from '../../src/registration/profiles.ts'
import type { ProfileRules } from '../../src/registration/profiles.ts'
import { client } from '../samples.ts'

const algs = ['PS256', 'ES256', 'EdDSA', 'Ed25519']
const none: ProfileRules = {
  issuerAsText: false,
  provenByOthers: true,
  algs: null,
  rotates: true,
  pkce: false,
  redirectUriSent: false,
  signedAnswers: false,
  codeTtl: Number.POSITIVE_INFINITY,
  clockAhead: [0, Number.POSITIVE_INFINITY],
  bindingMessage: false,
}
const security: ProfileRules = {
  issuerAsText: true,
  provenByOthers: false,
  algs,
  rotates: false,
  pkce: true,
  redirectUriSent: true,
  signedAnswers: false,
  codeTtl: 60,
  clockAhead: [10, 60],
  bindingMessage: false,
}
const signing = { ...security, signedAnswers: true }
const ciba = { ...security, issuerAsText: false, pkce: false, bindingMessage: true }

test('FAPI 2.0 §5.3, §5.4: each profile has its rules, and who has none has none', () => {
  const rules = (profile?: 'fapi2-security' | 'fapi2-message-signing' | 'fapi-ciba') =>
    profileOf(client(profile === undefined ? {} : { profile }))
  assert.deepEqual(rules(), none)
  assert.deepEqual(rules('fapi2-security'), security)
  assert.deepEqual(rules('fapi2-message-signing'), signing)
  assert.deepEqual(rules('fapi-ciba'), ciba)
})

test('with a tenant’s profile the stricter of each rule counts', () => {
  const both = (
    profile: 'fapi2-security' | 'fapi2-message-signing' | 'fapi-ciba' | undefined,
    tenantProfile: 'fapi2-security' | 'fapi2-message-signing',
  ) => profileOf(client(profile === undefined ? {} : { profile }, { tenantProfile }))
  assert.deepEqual(both(undefined, 'fapi2-security'), security)
  assert.deepEqual(both('fapi-ciba', 'fapi2-security'), { ...ciba, issuerAsText: true, pkce: true })
  assert.deepEqual(both('fapi-ciba', 'fapi2-message-signing'), {
    ...ciba,
    issuerAsText: true,
    pkce: true,
    signedAnswers: true,
  })
  assert.deepEqual(both('fapi2-security', 'fapi2-message-signing'), signing)
  assert.deepEqual(both('fapi2-message-signing', 'fapi2-security'), signing)
})

test('FAPI 2.0 §5.4.1: these algorithms and no others', () => {
  assert.deepEqual([...profileAlgs], algs)
  const strong = client({ profile: 'fapi2-security' })
  for (const alg of algs) assert.equal(maySignWith(strong, alg), true, alg)
  for (const alg of ['RS256', 'ES384', 'none', 'HS256', undefined])
    assert.equal(maySignWith(strong, alg), false, String(alg))
  assert.equal(maySignWith(client(), 'RS256'), true)
})

test('FAPI 2.0 §5.3.2.1: a client proves itself by a key or by a certificate', () => {
  assert.deepEqual([...profileMethods], ['private_key_jwt', 'tls_client_auth', 'self_signed_tls_client_auth'])
})

const fields = (profile: string, more: object) => {
  const given = {
    profile,
    jwks_uri: 'https://client.example/jwks',
    redirect_uris: ['https://client.example/cb'],
    ...more,
  }
  const made = clientMetadata(given, served)
  return made.kind === 'ok' ? [] : made.error.map(({ field }) => field)
}

test('each of the algorithms that a client signs or is answered with is held to the profile, of every profile', () => {
  const byBackChannel = {
    grant_types: [cibaGrant],
    response_types: [],
    redirect_uris: [],
    backchannel_token_delivery_mode: 'poll',
    backchannel_authentication_request_signing_alg: 'ES256',
  }
  for (const profile of ['fapi2-security', 'fapi2-message-signing', 'fapi-ciba']) {
    const more = profile === 'fapi-ciba' ? byBackChannel : {}
    assert.deepEqual(fields(profile, more), [], profile)
    for (const field of [
      'token_endpoint_auth_signing_alg',
      'id_token_signed_response_alg',
      'userinfo_signed_response_alg',
      'introspection_signed_response_alg',
      'authorization_signed_response_alg',
      'request_object_signing_alg',
    ])
      assert.deepEqual(fields(profile, { ...more, [field]: 'RS256' }), [field], `${profile} ${field}`)
    assert.deepEqual(fields(profile, { ...more, dpop_bound_access_tokens: false }), ['dpop_bound_access_tokens'])
    assert.deepEqual(
      fields(profile, { ...more, dpop_bound_access_tokens: false, tls_client_certificate_bound_access_tokens: true }),
      [],
    )
  }
})

test('FAPI-CIBA §5.2.2: requests by the back channel are signed, where there are any', () => {
  const alg = 'backchannel_authentication_request_signing_alg'
  const polling = { response_types: [], redirect_uris: [], backchannel_token_delivery_mode: 'poll' }
  assert.deepEqual(fields('fapi-ciba', { ...polling, grant_types: [cibaGrant] }), [alg])
  assert.deepEqual(fields('fapi-ciba', { ...polling, grant_types: [cibaGrant], [alg]: 'RS256' }), [alg])
  assert.deepEqual(fields('fapi-ciba', { ...polling, grant_types: [cibaGrant], [alg]: 'PS256' }), [])
  assert.deepEqual(fields('fapi-ciba', { grant_types: ['authorization_code'] }), [])
})

test('FAPI 2.0 §5.3.2.2: no answer travels in the clear, but for loopback', () => {
  const to = (uri: string) => fields('fapi2-security', { redirect_uris: [uri], application_type: 'native' })
  assert.equal(to('http://127.0.0.1/cb').includes('redirect_uris'), false)
  assert.equal(to('https://client.example/cb').includes('redirect_uris'), false)
  for (const clear of ['http://client.example/cb', 'HTTP://client.example/cb'])
    assert.equal(to(clear).includes('redirect_uris'), true, clear)
})
