/** `oauth4webapi`, unmodified: both kinds of discovery, client credentials, its own check of the token, introspection, revocation. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as oauth from 'oauth4webapi'
import { api, deployments, secret } from '../deployments.ts'

const client: oauth.Client = { client_id: 'basic' }
const authentication = oauth.ClientSecretBasic(secret('basic'))

for (const { on, open } of deployments) {
  for (const algorithm of ['oidc', 'oauth2'] as const) {
    test(`oauth4webapi on ${on} finds the server by ${algorithm} discovery and goes all the way`, async () => {
      await using deployment = await open()
      const options = { [oauth.customFetch]: deployment.fetch }
      const found = await oauth.discoveryRequest(deployment.issuer, { algorithm, ...options })
      const server = await oauth.processDiscoveryResponse(deployment.issuer, found)

      const form = new URLSearchParams({ scope: 'invoices:read invoices:write', resource: api })
      const granted = await oauth.clientCredentialsGrantRequest(server, client, authentication, form, options)
      assert.equal(granted.headers.get('cache-control'), 'no-store')
      const { access_token: token } = await oauth.processClientCredentialsResponse(server, client, granted)

      // RFC 9068, as the library reads it: typ, issuer, audience, expiry and the signature from /jwks.
      const call = new Request(api, { headers: { authorization: `Bearer ${token}` } })
      const claims = await oauth.validateJwtAccessToken(server, call, api, options)
      assert.equal(claims.client_id, 'basic')
      assert.equal(claims.sub, 'basic')
      assert.equal(claims.scope, 'invoices:read invoices:write')

      const asked = await oauth.introspectionRequest(server, client, authentication, token, options)
      const seen = await oauth.processIntrospectionResponse(server, client, asked)
      assert.equal(seen.active, true)
      assert.equal(seen.jti, claims.jti)

      const revoked = await oauth.revocationRequest(server, client, authentication, token, options)
      await oauth.processRevocationResponse(revoked)
      const again = await oauth.introspectionRequest(server, client, authentication, token, options)
      assert.deepEqual(await oauth.processIntrospectionResponse(server, client, again), { active: false })
    })
  }
}
