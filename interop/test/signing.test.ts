/** Every signing algorithm that the metadata offers signs ID tokens and userinfo answers that `jose`, unmodified, verifies. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRemoteJWKSet, customFetch, jwtVerify } from 'jose'
import { type Client, declared, openDeployment } from '../suite/deployment.ts'
import { configure } from '../suite/relying-party.ts'

const offered = ['ES256', 'RS256', 'PS256', 'EdDSA', 'ML-DSA-44', 'ML-DSA-65', 'ML-DSA-87']

const client = (alg: string): Client => ({
  id: `signs-${alg}`,
  secret: `signs-${alg}-secret-of-32-or-more-characters`,
  by: 'client_secret_basic',
})

test('OIDC Core §5.3.2, §10.1: what a client registered for its ID tokens and userinfo answers is what signs them', async () => {
  const clients = offered.map((alg) =>
    declared(client(alg), { id_token_signed_response_alg: alg, userinfo_signed_response_alg: alg }),
  )
  await using deployment = await openDeployment({ clients, people: 1 })
  const party = await configure({ deployment })
  assert.deepEqual(party.server['id_token_signing_alg_values_supported'], offered)
  assert.deepEqual(party.server['userinfo_signing_alg_values_supported'], offered)
  const keys = createRemoteJWKSet(new URL(party.server.jwks_uri), {
    [customFetch]: deployment.fetch,
    cooldownDuration: 0,
  })
  for (const alg of offered) {
    const at = party.at(client(alg))
    const request = at.request({ scope: 'openid email' })
    const { body } = await at.redeem(at.code(await at.visit(request), request))
    const expected = { issuer: at.server.issuer, audience: client(alg).id, algorithms: [alg] }
    const { payload: id } = await jwtVerify(String(body['id_token']), keys, expected)

    const response = await deployment.fetch(at.server.userinfo_endpoint, {
      headers: { authorization: `Bearer ${String(body['access_token'])}` },
    })
    assert.equal(response.headers.get('content-type'), 'application/jwt')
    const { payload: userinfo } = await jwtVerify(await response.text(), keys, expected)
    assert.equal(userinfo.sub, id.sub)
    assert.equal(userinfo['email'], 'buffy@example.com')
  }
})
