/** `openid-client` and `oauth4webapi`, unmodified: pushed requests, signed requests, and signed responses. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as oauth from 'oauth4webapi'
import * as client from 'openid-client'
import { alice, deployments, redirectUri, secret, signerKey, signerKid } from '../deployments.ts'
import { ScriptedPerson } from '../person.ts'

for (const { on, open } of deployments) {
  test(`openid-client on ${on} pushes its request, signed and not, as a confidential and as a public client`, async () => {
    await using deployment = await open()
    const options = { [client.customFetch]: deployment.fetch }
    const person = new ScriptedPerson(deployment.fetch, alice)
    for (const [id, auth, more] of [
      ['web', client.ClientSecretBasic(secret('web')), {}],
      ['signer', client.ClientSecretBasic(secret('signer')), {}],
      ['native', client.None(), { redirect_uri: 'http://127.0.0.1:49152/cb' }],
    ] as const) {
      const config = await client.discovery(deployment.issuer, id, undefined, auth, options)
      const verifier = client.randomPKCECodeVerifier()
      const asked = {
        redirect_uri: redirectUri,
        scope: 'openid',
        state: client.randomState(),
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...more,
      }
      const key = { key: signerKey.privateKey, kid: signerKid }
      const signed = id === 'signer' ? await client.buildAuthorizationUrlWithJAR(config, asked, key) : null
      const address = await client.buildAuthorizationUrlWithPAR(config, signed?.searchParams ?? asked)
      assert.deepEqual([...address.searchParams.keys()].toSorted(), ['client_id', 'request_uri'])
      const answer = await person.follow(address)
      const checks = { pkceCodeVerifier: verifier, expectedState: asked.state }
      const tokens = await client.authorizationCodeGrant(config, answer, checks)
      assert.ok(tokens.access_token)
    }
  })

  test(`openid-client on ${on} signs its request, and reads a signed response`, async () => {
    await using deployment = await open()
    const auth = client.ClientSecretBasic(secret('signer'))
    const options = { [client.customFetch]: deployment.fetch, execute: [client.useJwtResponseMode] }
    const told = { authorization_signed_response_alg: 'ES256' }
    const config = await client.discovery(deployment.issuer, 'signer', told, auth, options)
    const verifier = client.randomPKCECodeVerifier()
    const asked = {
      redirect_uri: redirectUri,
      scope: 'openid email',
      state: client.randomState(),
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }
    const key = { key: signerKey.privateKey, kid: signerKid }
    const address = await client.buildAuthorizationUrlWithJAR(config, asked, key)
    const answer = await new ScriptedPerson(deployment.fetch, alice).follow(address)
    assert.deepEqual([...answer.searchParams.keys()], ['response'])
    const checks = { pkceCodeVerifier: verifier, expectedState: asked.state }
    assert.ok((await client.authorizationCodeGrant(config, answer, checks)).access_token)

    const denied = await new ScriptedPerson(deployment.fetch, alice).follow(
      await client.buildAuthorizationUrlWithJAR(config, { ...asked, prompt: 'consent' }, key),
      'deny',
    )
    await assert.rejects(client.authorizationCodeGrant(config, denied, checks), { error: 'access_denied' })
  })

  test(`oauth4webapi on ${on} pushes a signed request and finds nothing to object to in the signed response`, async () => {
    await using deployment = await open()
    const { issuer } = deployment
    const by = { [oauth.customFetch]: deployment.fetch }
    const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, by))
    const signer: oauth.Client = { client_id: 'signer', authorization_signed_response_alg: 'ES256' }
    const auth = oauth.ClientSecretBasic(secret('signer'))
    const verifier = oauth.generateRandomCodeVerifier()
    const state = oauth.generateRandomState()
    const asked = new URLSearchParams({
      client_id: 'signer',
      redirect_uri: redirectUri,
      response_type: 'code',
      response_mode: 'jwt',
      scope: 'openid email',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
    })
    const key = { key: signerKey.privateKey, kid: signerKid }
    const request = await oauth.issueRequestObject(as, signer, asked, key)
    const pushed = await oauth.pushedAuthorizationRequest(as, signer, auth, { request }, by)
    assert.equal(pushed.status, 201)
    assert.equal(pushed.headers.get('cache-control'), 'no-store')
    const { request_uri: requestUri, expires_in: life } = await oauth.processPushedAuthorizationResponse(
      as,
      signer,
      pushed,
    )
    assert.equal(life, 60)
    const address = new URL(as.authorization_endpoint ?? '')
    address.search = new URLSearchParams({ client_id: 'signer', request_uri: requestUri }).toString()
    const person = new ScriptedPerson(deployment.fetch, alice)
    const answer = await person.follow(address)
    const params = await oauth.validateJwtAuthResponse(as, signer, answer, state, by)
    const response = await oauth.authorizationCodeGrantRequest(as, signer, auth, params, redirectUri, verifier, by)
    assert.ok((await oauth.processAuthorizationCodeResponse(as, signer, response)).access_token)

    const plain = await oauth.pushedAuthorizationRequest(as, signer, auth, asked, by)
    const refused = oauth.processPushedAuthorizationResponse(as, signer, plain)
    await assert.rejects(refused, { error: 'invalid_request' }, 'it must sign')
  })
}
