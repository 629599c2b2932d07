/** `oauth4webapi`, unmodified: authorization code with PKCE by its own strict checks, refresh, userinfo, revocation. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as oauth from 'oauth4webapi'
import { alice, deployments, redirectUri, secret } from '../deployments.ts'
import { ScriptedPerson } from '../person.ts'

for (const { on, open } of deployments) {
  test(`oauth4webapi on ${on} goes the whole way and finds nothing to object to`, async () => {
    await using deployment = await open()
    const { issuer } = deployment
    const by = { [oauth.customFetch]: deployment.fetch }
    const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, by))
    const client: oauth.Client = { client_id: 'web' }
    const auth = oauth.ClientSecretBasic(secret('web'))

    const verifier = oauth.generateRandomCodeVerifier()
    const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()]
    const address = new URL(as.authorization_endpoint ?? '')
    address.search = new URLSearchParams({
      client_id: 'web',
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid email offline_access',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    }).toString()
    const answer = await new ScriptedPerson(deployment.fetch, alice).follow(address)
    // RFC 9207: it insists on `iss`, because the metadata promise it.
    assert.equal(as.authorization_response_iss_parameter_supported, true)
    const params = oauth.validateAuthResponse(as, client, answer, state)
    const response = await oauth.authorizationCodeGrantRequest(as, client, auth, params, redirectUri, verifier, by)
    const tokens = await oauth.processAuthorizationCodeResponse(as, client, response, {
      expectedNonce: nonce,
      requireIdToken: true,
    })
    const claims = oauth.getValidatedIdTokenClaims(tokens)
    assert.ok(claims)

    const info = await oauth.userInfoRequest(as, client, tokens.access_token, by)
    const who = await oauth.processUserInfoResponse(as, client, claims.sub, info)
    assert.equal(who.email, alice.email)

    const again = await oauth.refreshTokenGrantRequest(as, client, auth, tokens.refresh_token ?? '', by)
    const refreshed = await oauth.processRefreshTokenResponse(as, client, again)
    assert.equal(oauth.getValidatedIdTokenClaims(refreshed)?.sub, claims.sub)

    const revoked = await oauth.revocationRequest(as, client, auth, refreshed.refresh_token ?? '', by)
    await oauth.processRevocationResponse(revoked)
    const dead = await oauth.introspectionRequest(as, client, auth, refreshed.access_token, by)
    assert.equal((await oauth.processIntrospectionResponse(as, client, dead)).active, false)
  })
}
