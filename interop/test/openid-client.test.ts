/** `openid-client`, unmodified: discovery, client credentials, introspection, revocation. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as client from 'openid-client'
import { api, type Deployment, deployments, ledger, secret } from '../deployments.ts'

const configure = ({ issuer, fetch }: Deployment, id: string, auth: client.ClientAuth) =>
  client.discovery(issuer, id, undefined, auth, { [client.customFetch]: fetch })

for (const { on, open } of deployments) {
  test(`openid-client on ${on} gets a token, sees it active, revokes it, and sees it inactive`, async () => {
    await using deployment = await open()
    const config = await configure(deployment, 'basic', client.ClientSecretBasic(secret('basic')))
    assert.equal(config.serverMetadata().issuer, deployment.server.issuer)

    const tokens = await client.clientCredentialsGrant(config, { scope: 'invoices:read' })
    assert.equal(tokens.token_type, 'bearer')
    assert.equal(tokens.scope, 'invoices:read')
    assert.equal(tokens.expires_in, 600)
    assert.equal(tokens.refresh_token, undefined)

    const alive = await client.tokenIntrospection(config, tokens.access_token)
    assert.equal(alive.active, true)
    assert.equal(alive.client_id, 'basic')
    assert.equal(alive.aud, api)
    assert.equal(alive.scope, 'invoices:read')

    await client.tokenRevocation(config, tokens.access_token)
    assert.deepEqual(await client.tokenIntrospection(config, tokens.access_token), { active: false })
    // RFC 7009 §2.2: revoking it again, or something that never was one, is no error.
    await client.tokenRevocation(config, tokens.access_token)
    await client.tokenRevocation(config, 'never-issued')
  })

  test(`openid-client on ${on} authenticates by client_secret_post, and its opaque token is seen by its resource server only`, async () => {
    await using deployment = await open()
    const config = await configure(deployment, 'post', client.ClientSecretPost(secret('post')))
    const { access_token: token } = await client.clientCredentialsGrant(config, { resource: ledger })
    assert.match(token, /^ga_/)

    const owner = await configure(deployment, 'ledger', client.ClientSecretBasic(secret('ledger')))
    const seen = await client.tokenIntrospection(owner, token)
    assert.equal(seen.active, true)
    assert.equal(seen.aud, ledger)
    assert.equal(seen.scope, 'entries:read')
    const other = await configure(deployment, 'basic', client.ClientSecretBasic(secret('basic')))
    assert.deepEqual(await client.tokenIntrospection(other, token), { active: false })
  })

  test(`openid-client on ${on} reads our errors as OAuth errors`, async () => {
    await using deployment = await open()
    const config = await configure(deployment, 'basic', client.ClientSecretBasic(secret('basic')))
    await assert.rejects(client.clientCredentialsGrant(config, { scope: 'unheard:of' }), (error) => {
      assert.ok(error instanceof client.ResponseBodyError)
      assert.equal(error.status, 400)
      assert.equal(error.error, 'invalid_scope')
      return true
    })
    const wrong = await configure(deployment, 'basic', client.ClientSecretBasic(secret('another')))
    await assert.rejects(client.clientCredentialsGrant(wrong), (error) => {
      assert.ok(error instanceof client.WWWAuthenticateChallengeError || error instanceof client.ResponseBodyError)
      assert.equal(error.status, 401)
      return true
    })
  })
}
