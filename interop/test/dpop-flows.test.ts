/** DPoP together with everything else, by `openid-client` and `oauth4webapi`, unmodified: pushed and signed requests, details, exchange, workloads, devices. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import * as oauth from 'oauth4webapi'
import * as client from 'openid-client'
import { alice, api, deployments, redirectUri, secret, signerKey, signerKid } from '../deployments.ts'
import { ScriptedPerson } from '../person.ts'

const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange'
const bearerGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
const accessToken = 'urn:ietf:params:oauth:token-type:access_token'
const workloads = 'https://token.workloads.example'

const workload = await generateKeyPair('RS256')
const payment = { type: 'payment', amount: '12.50', creditor: 'Acme' }

const seed = {
  authorization_details_types: [
    {
      type: 'payment',
      resources: [api],
      schema: {
        type: 'object',
        required: ['amount', 'creditor'],
        properties: { amount: { type: 'string' }, creditor: { type: 'string' } },
      },
      description: { en: 'Pay {amount} to {creditor}' },
    },
  ],
  trusted_issuers: [
    {
      issuer: workloads,
      audience: 'https://auth.example',
      jwks: { keys: [{ ...(await exportJWK(workload.publicKey)), kid: 'w1', alg: 'RS256', use: 'sig' }] },
      rules: [{ claims: { sub: 'repo:acme/shop' }, client: 'builder' }],
    },
  ],
  clients: [
    {
      client_id: 'strong',
      client_secret: secret('strong'),
      grant_types: ['authorization_code', 'refresh_token', exchangeGrant],
      response_types: ['code'],
      redirect_uris: [redirectUri],
      scope: 'openid offline_access invoices:read',
      jwks: { keys: [{ ...(await crypto.subtle.exportKey('jwk', signerKey.publicKey)), kid: signerKid }] },
      authorization_signed_response_alg: 'ES256',
      introspection_signed_response_alg: 'ES256',
      require_signed_request_object: true,
      require_pushed_authorization_requests: true,
      dpop_bound_access_tokens: true,
      authorization_details_types: ['payment'],
      exchange: [{ audience: api, scopes: ['invoices:read'], as: 'delegate' }],
    },
    {
      client_id: 'builder',
      token_endpoint_auth_method: 'federated_jwt',
      grant_types: [bearerGrant],
      scope: 'invoices:read',
      dpop_bound_access_tokens: true,
    },
    {
      client_id: 'set-top',
      token_endpoint_auth_method: 'none',
      grant_types: [deviceGrant, 'refresh_token'],
      scope: 'openid offline_access invoices:read',
      dpop_bound_access_tokens: true,
    },
  ],
}

const env = { GRANTOR_DPOP_NONCE: 'required', GRANTOR_DEVICE_INTERVAL: '1s' }

for (const { on, open } of deployments) {
  test(`openid-client on ${on}: DPoP with a pushed, signed request, authorization details, a signed response, and an exchange`, async () => {
    await using deployment = await open(env, seed)
    const { issuer, fetch } = deployment
    const told = { authorization_signed_response_alg: 'ES256', introspection_signed_response_alg: 'ES256' }
    const auth = client.ClientSecretBasic(secret('strong'))
    const config = await client.discovery(issuer, 'strong', told, auth, {
      [client.customFetch]: fetch,
      execute: [client.useJwtResponseMode],
    })
    const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'))
    const other = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'))
    const verifier = client.randomPKCECodeVerifier()
    const state = client.randomState()
    const asked = {
      redirect_uri: redirectUri,
      scope: 'openid offline_access invoices:read',
      state,
      resource: api,
      authorization_details: JSON.stringify([payment]),
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }
    const signed = await client.buildAuthorizationUrlWithJAR(config, asked, {
      key: signerKey.privateKey,
      kid: signerKid,
    })
    // The push proves the key, and so binds the code to it.
    const address = await client.buildAuthorizationUrlWithPAR(config, signed.searchParams, { DPoP })
    const answer = await new ScriptedPerson(fetch, alice).follow(address)
    assert.deepEqual([...answer.searchParams.keys()], ['response'])
    const checks = { pkceCodeVerifier: verifier, expectedState: state }
    await assert.rejects(client.authorizationCodeGrant(config, answer, checks, undefined, { DPoP: other }), {
      error: 'invalid_grant',
    })
    const tokens = await client.authorizationCodeGrant(config, answer, checks, undefined, { DPoP })
    assert.equal(tokens.token_type, 'dpop')
    assert.deepEqual(tokens.authorization_details, [payment])
    const cnf = { jkt: await DPoP.calculateThumbprint() }
    const seen = await client.tokenIntrospection(config, tokens.access_token)
    assert.deepEqual([seen.active, seen['cnf'], seen.authorization_details], [true, cnf, [payment]])

    const trade = { subject_token: tokens.access_token, subject_token_type: accessToken, audience: api }
    await assert.rejects(client.genericGrantRequest(config, exchangeGrant, trade), { error: 'invalid_dpop_proof' })
    const exchanged = await client.genericGrantRequest(config, exchangeGrant, trade, { DPoP: other })
    assert.equal(exchanged.token_type, 'dpop')
    const handed = await client.tokenIntrospection(config, exchanged.access_token)
    assert.deepEqual(handed['cnf'], { jkt: await other.calculateThumbprint() })
    assert.deepEqual(handed['act'], { sub: 'strong' })
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '', undefined, { DPoP })
    assert.deepEqual(refreshed.authorization_details, [payment])
  })

  test(`oauth4webapi on ${on}: DPoP with a signed introspection answer, which it verifies`, async () => {
    await using deployment = await open(env, seed)
    const { issuer, fetch } = deployment
    const web = { [oauth.customFetch]: fetch }
    const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, web))
    const service: oauth.Client = { client_id: 'basic' }
    const DPoP = oauth.DPoP(service, await oauth.generateKeyPair('ES256'))
    const form = new URLSearchParams({ scope: 'invoices:read', resource: api })
    const basic = oauth.ClientSecretBasic(secret('basic'))
    const ask = async () =>
      oauth.processClientCredentialsResponse(
        as,
        service,
        await oauth.clientCredentialsGrantRequest(as, service, basic, form, { ...web, DPoP }),
      )
    const { access_token: token } = await ask().catch((error: unknown) => {
      if (oauth.isDPoPNonceError(error)) return ask()
      throw error
    })
    const self: oauth.Client = { ...service, introspection_signed_response_alg: 'RS256' }
    const response = await oauth.introspectionRequest(as, self, basic, token, { ...web, requestJwtResponse: true })
    assert.match(response.headers.get('content-type') ?? '', /^application\/token-introspection\+jwt/)
    const seen = await oauth.processIntrospectionResponse(as, self, response)
    await oauth.validateApplicationLevelSignature(as, response, web)
    assert.deepEqual([seen.active, seen['cnf']], [true, { jkt: await DPoP.calculateThumbprint() }])
  })

  test(`openid-client on ${on}: DPoP for a workload's assertion, and for a device`, async () => {
    await using deployment = await open(env, seed)
    const { issuer, fetch } = deployment
    const by = { [client.customFetch]: fetch }
    const builder = await client.discovery(issuer, 'builder', undefined, client.None(), by)
    const assertion = await new SignJWT({})
      .setProtectedHeader({ alg: 'RS256', kid: 'w1', typ: 'JWT' })
      .setIssuer(workloads)
      .setSubject('repo:acme/shop')
      .setAudience('https://auth.example')
      .setJti(crypto.randomUUID())
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(workload.privateKey)
    await assert.rejects(client.genericGrantRequest(builder, bearerGrant, { assertion }), {
      error: 'invalid_dpop_proof',
    })
    const key = client.getDPoPHandle(builder, await client.randomDPoPKeyPair('ES256'))
    const got = await client.genericGrantRequest(builder, bearerGrant, { assertion }, { DPoP: key })
    assert.deepEqual([got.token_type, got.scope], ['dpop', 'invoices:read'])

    const config = await client.discovery(issuer, 'set-top', undefined, client.None(), by)
    const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'))
    const device = await client.initiateDeviceAuthorization(config, { scope: 'openid offline_access invoices:read' })
    const polling = client.pollDeviceAuthorizationGrant(config, device, undefined, { DPoP })
    assert.equal(await new ScriptedPerson(fetch, alice).answerDevice(device, 'allow'), 'approved')
    const tokens = await polling
    assert.equal(tokens.token_type, 'dpop')
    const other = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'))
    await assert.rejects(client.refreshTokenGrant(config, tokens.refresh_token ?? '', undefined, { DPoP: other }), {
      error: 'invalid_grant',
    })
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '', undefined, { DPoP })
    assert.equal(refreshed.token_type, 'dpop')
  })
}
