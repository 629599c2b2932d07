/** DPoP by `openid-client` and `oauth4webapi`, unmodified: code, refresh, client credentials, userinfo, with nonces required. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as oauth from 'oauth4webapi'
import * as client from 'openid-client'
import { alice, api, deployments, redirectUri, secret } from '../deployments.ts'
import { ScriptedPerson } from '../person.ts'

const native = 'http://127.0.0.1:49152/cb'

for (const { on, open } of deployments) {
  test(`openid-client on ${on} binds codes, tokens and refresh tokens to its key, with nonces required`, async () => {
    await using deployment = await open({ GRANTOR_DPOP_NONCE: 'required' })
    const by = { [client.customFetch]: deployment.fetch }
    const { issuer } = deployment
    for (const [id, auth, redirect_uri] of [
      ['web', client.ClientSecretBasic(secret('web')), redirectUri],
      ['native', client.None(), native],
    ] as const) {
      const config = await client.discovery(issuer, id, undefined, auth, by)
      const key = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'))
      const verifier = client.randomPKCECodeVerifier()
      const state = client.randomState()
      const address = client.buildAuthorizationUrl(config, {
        redirect_uri,
        state,
        scope: 'openid offline_access invoices:read',
        resource: api,
        dpop_jkt: await key.calculateThumbprint(),
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
      const answer = await new ScriptedPerson(deployment.fetch, alice).follow(address)
      const checks = { expectedState: state, pkceCodeVerifier: verifier }
      const other = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'))
      await assert.rejects(client.authorizationCodeGrant(config, answer, checks, undefined, { DPoP: other }), {
        error: 'invalid_grant',
      })
      const tokens = await client.authorizationCodeGrant(config, answer, checks, undefined, { DPoP: key })
      assert.equal(tokens.token_type, 'dpop')
      const sub = tokens.claims()?.sub ?? ''
      const who = await client.fetchUserInfo(config, tokens.access_token, sub, { DPoP: key })
      assert.equal(who.sub, sub)
      await assert.rejects(client.fetchUserInfo(config, tokens.access_token, sub))
      await assert.rejects(client.fetchUserInfo(config, tokens.access_token, sub, { DPoP: other }))
      const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '', undefined, { DPoP: key })
      assert.equal(refreshed.token_type, 'dpop')
      const stolen = client.refreshTokenGrant(config, refreshed.refresh_token ?? '', undefined, { DPoP: other })
      // RFC 9449 §5: the refresh token of a client that authenticates is bound by that alone.
      if (id === 'native') await assert.rejects(stolen, { error: 'invalid_grant' })
      else assert.equal((await stolen).token_type, 'dpop')
    }
    const config = await client.discovery(issuer, 'basic', undefined, client.ClientSecretBasic(secret('basic')), by)
    const key = client.getDPoPHandle(config, await client.randomDPoPKeyPair('EdDSA'))
    const own = await client.clientCredentialsGrant(config, { scope: 'invoices:read' }, { DPoP: key })
    assert.equal(own.token_type, 'dpop')
    const seen = await client.tokenIntrospection(config, own.access_token)
    assert.equal(seen.token_type, 'DPoP')
    assert.deepEqual(seen['cnf'], { jkt: await key.calculateThumbprint() })
  })

  test(`oauth4webapi on ${on} proves its key at the token endpoint and at userinfo, with nonces required`, async () => {
    await using deployment = await open({ GRANTOR_DPOP_NONCE: 'required' })
    const { issuer } = deployment
    const web = { [oauth.customFetch]: deployment.fetch }
    const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, web))
    assert.ok(as.dpop_signing_alg_values_supported?.includes('ES256'))
    const one: oauth.Client = { client_id: 'web' }
    const auth = oauth.ClientSecretBasic(secret('web'))
    const DPoP = oauth.DPoP(one, await oauth.generateKeyPair('ES256'))
    const by = { ...web, DPoP }
    const verifier = oauth.generateRandomCodeVerifier()
    const state = oauth.generateRandomState()
    const address = new URL(as.authorization_endpoint ?? '')
    address.search = new URLSearchParams({
      client_id: 'web',
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid offline_access',
      dpop_jkt: await DPoP.calculateThumbprint(),
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
    }).toString()
    const answer = await new ScriptedPerson(deployment.fetch, alice).follow(address)
    const params = oauth.validateAuthResponse(as, one, answer, state)
    const redeem = () => oauth.authorizationCodeGrantRequest(as, one, auth, params, redirectUri, verifier, by)
    const redeemed = await againWithNonce(DPoP, async () =>
      oauth.processAuthorizationCodeResponse(as, one, await redeem()),
    )
    assert.equal(redeemed.token_type, 'dpop')
    const { sub } = oauth.getValidatedIdTokenClaims(redeemed) ?? { sub: '' }
    const info = await againWithNonce(DPoP, async () => {
      const response = await oauth.userInfoRequest(as, one, redeemed.access_token, by)
      return oauth.processUserInfoResponse(as, one, sub, response)
    })
    assert.equal(info.sub, sub)
    const refreshed = await againWithNonce(DPoP, async () => {
      const response = await oauth.refreshTokenGrantRequest(as, one, auth, redeemed.refresh_token ?? '', by)
      return oauth.processRefreshTokenResponse(as, one, response)
    })
    assert.equal(refreshed.token_type, 'dpop')
  })
}

/** As its documentation has it: asked for a nonce, the same once more. */
async function againWithNonce<T>(handle: oauth.DPoPHandle, attempt: () => Promise<T>): Promise<T> {
  return attempt().catch((error: unknown) => {
    if (oauth.isDPoPNonceError(error)) return attempt()
    assert.ok(handle)
    throw error
  })
}
