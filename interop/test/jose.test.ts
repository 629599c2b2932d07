/** `jose`, unmodified: a resource server that verifies our tokens with nothing but the published key set. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRemoteJWKSet, customFetch, errors, jwtVerify } from 'jose'
import { ClientSecretBasic, clientCredentialsGrant, customFetch as clientFetch, discovery } from 'openid-client'
import { api, deployments, secret } from '../deployments.ts'

for (const { on, open } of deployments) {
  test(`jose verifies a token of ${on} from /jwks, and refuses it for another audience, and when a byte is changed`, async () => {
    await using deployment = await open()
    const { issuer } = deployment.server
    const config = await discovery(deployment.issuer, 'basic', undefined, ClientSecretBasic(secret('basic')), {
      [clientFetch]: deployment.fetch,
    })
    const { jwks_uri: uri = '' } = config.serverMetadata()
    const keys = createRemoteJWKSet(new URL(uri), { [customFetch]: deployment.fetch })
    const { access_token: token } = await clientCredentialsGrant(config, { scope: 'invoices:read' })

    const expected = { issuer, audience: api, typ: 'at+jwt', algorithms: ['ES256'] }
    const { payload, protectedHeader } = await jwtVerify(token, keys, expected)
    assert.equal(payload['client_id'], 'basic')
    assert.equal(payload['tenant'], undefined)
    assert.equal((payload.exp ?? 0) - (payload.iat ?? 0), 600)
    assert.ok(keys.jwks()?.keys.some((key) => key.kid === protectedHeader.kid))

    await assert.rejects(
      jwtVerify(token, keys, { ...expected, audience: 'https://other.example' }),
      errors.JWTClaimValidationFailed,
    )
    const [head = '', body = '', signature = ''] = token.split('.')
    const changed = body.replace(/^(.{8})./, (_, kept: string) => `${kept}${body[8] === 'A' ? 'B' : 'A'}`)
    await assert.rejects(jwtVerify([head, changed, signature].join('.'), keys, expected), errors.JOSEError)
  })
}
