/** `openid-client`, unmodified: authorization code with PKCE, ID token, userinfo, refresh, revocation. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as client from 'openid-client'
import { alice, api, type Deployment, deployments, redirectUri, secret } from '../deployments.ts'
import { ScriptedPerson } from '../person.ts'

const configure = ({ issuer, fetch }: Deployment, id: string, auth: client.ClientAuth) =>
  client.discovery(issuer, id, undefined, auth, { [client.customFetch]: fetch })

/** What a careful client sends, and keeps for the way back. */
async function begin(config: client.Configuration, more: Record<string, string>) {
  const kept = { verifier: client.randomPKCECodeVerifier(), state: client.randomState(), nonce: client.randomNonce() }
  const address = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    state: kept.state,
    nonce: kept.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(kept.verifier),
    code_challenge_method: 'S256',
    ...more,
  })
  const checks = { expectedState: kept.state, expectedNonce: kept.nonce, pkceCodeVerifier: kept.verifier }
  return { address, checks }
}

for (const { on, open } of deployments) {
  test(`openid-client on ${on} signs somebody in, reads who it is, refreshes, and gives everything back`, async () => {
    await using deployment = await open()
    const config = await configure(deployment, 'web', client.ClientSecretBasic(secret('web')))
    const person = new ScriptedPerson(deployment.fetch, alice)
    const scope = 'openid profile email offline_access invoices:read'
    const { address, checks } = await begin(config, { scope, resource: api })
    const answer = await person.follow(address)
    const tokens = await client.authorizationCodeGrant(config, answer, { ...checks, idTokenExpected: true })

    const claims = tokens.claims()
    assert.ok(claims)
    assert.equal(claims.aud, 'web')
    assert.equal(typeof claims.auth_time, 'number')
    assert.deepEqual([claims['acr'], claims['amr']], ['urn:grantor:acr:1fa', ['pwd']])
    const who = await client.fetchUserInfo(config, tokens.access_token, claims.sub)
    assert.equal(who.name, alice.name)
    assert.deepEqual([who.email, who.email_verified], [alice.email, true])

    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
    assert.notEqual(refreshed.refresh_token, tokens.refresh_token)
    assert.equal(refreshed.claims()?.sub, claims.sub)
    const narrowed = await client.refreshTokenGrant(config, refreshed.refresh_token ?? '', { scope: 'openid' })
    assert.equal(narrowed.scope, 'openid')

    await client.tokenRevocation(config, narrowed.refresh_token ?? '')
    for (const token of [tokens.access_token, refreshed.access_token, narrowed.access_token]) {
      assert.deepEqual(await client.tokenIntrospection(config, token), { active: false })
    }
    await assert.rejects(client.refreshTokenGrant(config, narrowed.refresh_token ?? ''), { error: 'invalid_grant' })
    await assert.rejects(client.fetchUserInfo(config, narrowed.access_token, claims.sub))
  })

  test(`openid-client on ${on} is told of a refusal, of a missing session, and of a code used twice`, async () => {
    await using deployment = await open()
    const config = await configure(deployment, 'web', client.ClientSecretBasic(secret('web')))
    const person = new ScriptedPerson(deployment.fetch, alice)
    const silent = await begin(config, { scope: 'openid', prompt: 'none' })
    await assert.rejects(client.authorizationCodeGrant(config, await person.follow(silent.address), silent.checks), {
      error: 'login_required',
    })
    const denied = await begin(config, { scope: 'openid' })
    const refusal = await person.follow(denied.address, 'deny')
    await assert.rejects(client.authorizationCodeGrant(config, refusal, denied.checks), { error: 'access_denied' })

    const { address, checks } = await begin(config, { scope: 'openid' })
    const answer = await person.follow(address)
    const tokens = await client.authorizationCodeGrant(config, answer, checks)
    await assert.rejects(client.authorizationCodeGrant(config, answer, checks), { error: 'invalid_grant' })
    // RFC 6749 §4.1.2: the replay took back what the first use had brought.
    assert.deepEqual(await client.tokenIntrospection(config, tokens.access_token), { active: false })
  })

  test(`openid-client on ${on} as a public native client, at a port of its own`, async () => {
    await using deployment = await open()
    const config = await configure(deployment, 'native', client.None())
    const person = new ScriptedPerson(deployment.fetch, alice)
    const own = { redirect_uri: 'http://127.0.0.1:49152/cb', scope: 'openid offline_access invoices:read' }
    const { address, checks } = await begin(config, own)
    const tokens = await client.authorizationCodeGrant(config, await person.follow(address), checks)
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
    assert.ok(refreshed.refresh_token)
    await client.tokenRevocation(config, refreshed.refresh_token)
    await assert.rejects(client.refreshTokenGrant(config, refreshed.refresh_token), { error: 'invalid_grant' })
  })
}
