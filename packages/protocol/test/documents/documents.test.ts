import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { proofAlgorithms } from '../../src/dpop/proof.ts'
import { type Capabilities, endpointPath, type EndpointName } from '../../src/documents/capabilities.ts'
import { grantorDocument } from '../../src/documents/grantor.ts'
import { keySet } from '../../src/documents/jwks.ts'
import { serverMetadata } from '../../src/documents/metadata.ts'
import type { Instant, JsonObject } from '../../src/types.ts'

const services: Capabilities = {
  endpoints: new Set(['token', 'revocation', 'introspection', 'jwks', 'revocationStream']),
  grantTypes: ['authorization_code', 'refresh_token', 'client_credentials'],
  metadataDocuments: false,
  certificates: false,
  mtlsIssuer: null,
  assertionAlgs: [],
  introspectionAlgs: ['ES256'],
  clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
  scopes: ['orders:read'],
  authorization: null,
}
const people: Capabilities = {
  ...services,
  endpoints: new Set(['token', 'jwks', 'authorization', 'userinfo']),
  authorization: {
    responseModes: ['query', 'form_post'],
    requestObjectAlgs: ['RS256', 'ES256'],
    responseAlgs: ['RS256'],
    requirePushed: false,
    prompts: ['none', 'login', 'consent', 'select_account'],
    idTokenAlgs: ['RS256', 'ES256'],
    userinfoAlgs: [],
    acrValues: ['urn:grantor:pwd'],
    claims: ['sub'],
    uiLocales: ['en', 'de'],
    subjectTypes: ['public'],
  },
}

test('RFC 8414 §2: the document names what is there, and only that', () => {
  assert.deepEqual(serverMetadata('https://as.example/t/acme', services), {
    issuer: 'https://as.example/t/acme',
    token_endpoint: 'https://as.example/t/acme/token',
    revocation_endpoint: 'https://as.example/t/acme/revoke',
    introspection_endpoint: 'https://as.example/t/acme/introspect',
    jwks_uri: 'https://as.example/t/acme/jwks',
    scopes_supported: ['orders:read'],
    grant_types_supported: ['client_credentials'],
    response_types_supported: [],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    introspection_signing_alg_values_supported: ['ES256'],
    dpop_signing_alg_values_supported: [...proofAlgorithms],
  })
})

/** Names of the IANA registry of authorization server metadata that this product can ever write. */
const registry = new Set(
  `issuer authorization_endpoint token_endpoint jwks_uri registration_endpoint scopes_supported response_types_supported
   response_modes_supported grant_types_supported token_endpoint_auth_methods_supported service_documentation
   ui_locales_supported revocation_endpoint revocation_endpoint_auth_methods_supported introspection_endpoint
   introspection_endpoint_auth_methods_supported introspection_signing_alg_values_supported authorization_details_types_supported code_challenge_methods_supported dpop_signing_alg_values_supported userinfo_endpoint acr_values_supported
   subject_types_supported id_token_signing_alg_values_supported userinfo_signing_alg_values_supported
   claim_types_supported claims_supported claims_parameter_supported request_parameter_supported
   request_uri_parameter_supported require_request_uri_registration request_object_signing_alg_values_supported
   require_pushed_authorization_requests authorization_signing_alg_values_supported authorization_response_iss_parameter_supported prompt_values_supported
   client_id_metadata_document_supported device_authorization_endpoint pushed_authorization_request_endpoint end_session_endpoint`.split(
    /\s+/,
  ),
)

test('metadata holds registered names only, and never none as an algorithm', () => {
  for (const can of [services, people]) {
    const document = serverMetadata('https://as.example', can)
    assert.deepEqual(
      Object.keys(document).filter((name) => !registry.has(name)),
      [],
    )
    for (const [name, value] of Object.entries(document))
      if (name.includes('_alg_')) assert.ok(Array.isArray(value) && !value.includes('none'))
  }
})

test('OIDC Discovery §3, RFC 9207 §3: what an OpenID provider must say is said once people can authorize', () => {
  const document = serverMetadata('https://as.example', people)
  for (const name of ['issuer', 'authorization_endpoint', 'token_endpoint', 'jwks_uri', 'response_types_supported'])
    assert.ok(document[name] !== undefined, name)
  assert.deepEqual(document['response_types_supported'], ['code'])
  assert.deepEqual(document['code_challenge_methods_supported'], ['S256'])
  assert.equal(document['authorization_response_iss_parameter_supported'], true)
  assert.equal(document['request_uri_parameter_supported'], true)
  assert.equal(document['request_parameter_supported'], true)
  assert.equal(document['require_request_uri_registration'], true)
  assert.equal(document['require_pushed_authorization_requests'], false)
  assert.deepEqual(document['request_object_signing_alg_values_supported'], ['RS256', 'ES256'])
  assert.deepEqual(document['authorization_signing_alg_values_supported'], ['RS256'])
  assert.deepEqual(document['subject_types_supported'], ['public'])
})

test('RFC 8414 §2: a grant that no endpoint can begin is not offered', () => {
  const types = (can: Capabilities) => serverMetadata('https://as.example', can)['grant_types_supported']
  assert.deepEqual(types(services), ['client_credentials'])
  assert.deepEqual(types(people), ['authorization_code', 'refresh_token', 'client_credentials'])
})

test('our own endpoints stand at /.well-known/grantor', () => {
  assert.deepEqual(grantorDocument('https://as.example', services), {
    issuer: 'https://as.example',
    revocation_stream_endpoint: 'https://as.example/revocations/stream',
  })
})

test('RFC 8414 §2: every endpoint has its registered name, and our own have theirs', () => {
  const every = new Set(Object.keys(endpointPath) as EndpointName[])
  const whole = { ...people, endpoints: every }
  const named = (document: JsonObject) =>
    Object.fromEntries(
      Object.entries(document).filter(
        ([, value]) => typeof value === 'string' && value.startsWith('https://as.example/'),
      ),
    )
  assert.deepEqual(named(serverMetadata('https://as.example', whole)), {
    authorization_endpoint: 'https://as.example/authorize',
    backchannel_authentication_endpoint: 'https://as.example/backchannel_authentication',
    token_endpoint: 'https://as.example/token',
    revocation_endpoint: 'https://as.example/revoke',
    introspection_endpoint: 'https://as.example/introspect',
    jwks_uri: 'https://as.example/jwks',
    userinfo_endpoint: 'https://as.example/userinfo',
    device_authorization_endpoint: 'https://as.example/device_authorization',
    pushed_authorization_request_endpoint: 'https://as.example/par',
    registration_endpoint: 'https://as.example/register',
    end_session_endpoint: 'https://as.example/logout',
    status_list_aggregation_endpoint: 'https://as.example/status-lists',
  })
  assert.deepEqual(named(grantorDocument('https://as.example', whole)), {
    revocation_stream_endpoint: 'https://as.example/revocations/stream',
    revocation_changes_endpoint: 'https://as.example/revocations/changes',
    revocation_snapshot_endpoint: 'https://as.example/revocations/snapshot',
    event_reports_endpoint: 'https://as.example/v1/events/reports',
    admin_api: 'https://as.example/v1',
    scim_endpoint: 'https://as.example/scim/v2',
    status_list_aggregation_endpoint: 'https://as.example/status-lists',
    api_description: 'https://as.example/openapi.json',
  })
})

test('OIDC Discovery §3: what is offered of signing in is told as it is, member by member', () => {
  const { authorization } = people
  assert.ok(authorization !== null)
  const can = {
    ...people,
    serviceDocumentation: 'https://docs.example',
    authorization: { ...authorization, userinfoAlgs: ['ES256'] },
  }
  const document = serverMetadata('https://as.example', {
    ...can,
    endpoints: new Set([...people.endpoints, 'endSession'] as const),
  })
  const told: JsonObject = {
    service_documentation: 'https://docs.example',
    response_modes_supported: ['query', 'form_post'],
    id_token_signing_alg_values_supported: ['RS256', 'ES256'],
    userinfo_signing_alg_values_supported: ['ES256'],
    prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
    acr_values_supported: ['urn:grantor:pwd'],
    claim_types_supported: ['normal'],
    claims_supported: ['sub'],
    claims_parameter_supported: true,
    ui_locales_supported: ['en', 'de'],
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    frontchannel_logout_supported: true,
    frontchannel_logout_session_supported: true,
  }
  for (const [name, value] of Object.entries(told)) assert.deepEqual(document[name], value, name)
  const less = serverMetadata('https://as.example', people)
  assert.equal('userinfo_signing_alg_values_supported' in less, false)
  assert.equal('backchannel_logout_supported' in less, false)
})

test('RFC 8628 §4: where devices can ask, refresh tokens and device codes can begin without an authorization endpoint', () => {
  const device = 'urn:ietf:params:oauth:grant-type:device_code'
  const can: Capabilities = {
    ...services,
    grantTypes: ['authorization_code', 'refresh_token', device],
    endpoints: new Set(['token', 'deviceAuthorization']),
  }
  const types = (it: Capabilities) => serverMetadata('https://as.example', it)['grant_types_supported']
  assert.deepEqual(types(can), ['refresh_token', device])
  assert.deepEqual(types({ ...can, endpoints: new Set(['token', 'authorization']) }), [
    'authorization_code',
    'refresh_token',
  ])
})

const privateMembers = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'k', 'priv', 'oth'])
for (const [alg, jwk] of [
  ['ES256', generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })],
  ['RS256', generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })],
  ['EdDSA', generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })],
  ['ML-DSA-44', { kty: 'AKP', alg: 'ML-DSA-44', pub: 'cHVi', priv: 'cHJpdg' }],
] as const)
  test(`RFC 7517 §5: even a whole ${alg} key pair is published by its public members only`, () => {
    const { keys } = keySet([{ kid: 'k1', alg, publicJwk: jwk as JsonObject, droppedAt: null }])
    const [key] = keys as readonly JsonObject[]
    assert.ok(key !== undefined)
    assert.deepEqual(
      Object.keys(key).filter((name) => privateMembers.has(name)),
      [],
    )
    assert.equal(key['kid'], 'k1')
    assert.equal(key['alg'], alg)
    assert.equal(key['use'], 'sig')
    const needed = { EC: ['crv', 'x', 'y'], RSA: ['n', 'e'], OKP: ['crv', 'x'], AKP: ['pub'] }[String(jwk.kty)]
    for (const name of needed ?? assert.fail('unknown key type')) assert.equal(typeof key[name], 'string', name)
  })

test('a dropped key is not published', () => {
  assert.deepEqual(keySet([{ kid: 'k', alg: 'ES256', publicJwk: { kty: 'EC' }, droppedAt: 1 as Instant }]), {
    keys: [],
  })
})

test('RFC 8414 §2: where assertions are taken their algorithms are named, at every endpoint that takes them', () => {
  const document = serverMetadata('https://as.example', { ...services, assertionAlgs: ['ES256', 'PS256'] })
  for (const endpoint of ['token', 'revocation', 'introspection']) {
    assert.deepEqual(document[`${endpoint}_endpoint_auth_signing_alg_values_supported`], ['ES256', 'PS256'])
  }
  assert.ok(!('token_endpoint_auth_signing_alg_values_supported' in serverMetadata('https://as.example', services)))
})

test('Client ID Metadata Document §5: the document says that a client_id may be an address, where it may', () => {
  const name = 'client_id_metadata_document_supported'
  assert.equal(serverMetadata('https://as.example', { ...people, metadataDocuments: true })[name], true)
  assert.equal(name in serverMetadata('https://as.example', people), false)
})

test('RFC 8705 §5: what clients call directly has an address for those with a certificate', () => {
  const endpoints: ReadonlySet<EndpointName> = new Set([
    'token',
    'revocation',
    'introspection',
    'jwks',
    'authorization',
    'userinfo',
    'deviceAuthorization',
    'pushedAuthorization',
    'backchannelAuthentication',
    'endSession',
  ])
  const document = serverMetadata('https://as.example', {
    ...people,
    endpoints,
    certificates: true,
    mtlsIssuer: 'https://mtls.as.example',
    metadataDocuments: true,
    redeemsIdJags: true,
    grantTypes: ['urn:ietf:params:oauth:grant-type:token-exchange'],
    assertionAlgs: ['ES256'],
    backchannelRequestAlgs: ['PS256'],
    detailTypes: ['pay'],
  })
  assert.deepEqual(Object.keys(document['mtls_endpoint_aliases'] as JsonObject).toSorted(), [
    'backchannel_authentication_endpoint',
    'device_authorization_endpoint',
    'introspection_endpoint',
    'pushed_authorization_request_endpoint',
    'revocation_endpoint',
    'token_endpoint',
    'userinfo_endpoint',
  ])
  const said = {
    tls_client_certificate_bound_access_tokens: true,
    client_id_metadata_document_supported: true,
    identity_chaining_requested_token_types_supported: ['urn:ietf:params:oauth:token-type:id-jag'],
    authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
    authorization_details_types_supported: ['pay'],
    backchannel_token_delivery_modes_supported: ['poll', 'ping'],
    backchannel_authentication_request_signing_alg_values_supported: ['PS256'],
    backchannel_user_code_parameter_supported: true,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    frontchannel_logout_supported: true,
    frontchannel_logout_session_supported: true,
    token_endpoint_auth_signing_alg_values_supported: ['ES256'],
    revocation_endpoint_auth_signing_alg_values_supported: ['ES256'],
    introspection_endpoint_auth_signing_alg_values_supported: ['ES256'],
  }
  for (const [name, value] of Object.entries(said)) assert.deepEqual(document[name], value, name)
  const few = serverMetadata('https://as.example', {
    ...people,
    endpoints: new Set(['token', 'jwks', 'authorization']),
    mtlsIssuer: 'https://mtls.as.example',
    assertionAlgs: ['ES256'],
  })
  assert.deepEqual(few['mtls_endpoint_aliases'], { token_endpoint: 'https://mtls.as.example/token' })
  for (const name of Object.keys(said).filter((it) => !it.startsWith('token_endpoint')))
    assert.equal(few[name], undefined, name)
})
