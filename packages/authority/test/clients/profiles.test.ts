/** A client of the profile fapi2-security from the push to a refresh, and what it is refused without. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { EndpointRequest } from '@grantor/authority'
import { assertionType } from '@grantor/protocol/client-auth'
import { formOf } from '@grantor/protocol/oauth'
import type { JsonObject } from '@grantor/protocol/types'
import { databases, declare, type Deployment, openDeployment, operator, root } from '../support/deployment.ts'
import {
  authorizeQuery,
  declarePeople,
  PersonAtBrowser,
  redirectUri,
  redemption,
  refreshing,
} from '../support/person.ts'
import { jws, parameters, reference, signingKey } from '../support/signing-client.ts'

const issuer = 'https://as.example'
const key = signingKey('k1')
const proofKey = signingKey('k2')

const strong: JsonObject = {
  client_id: 'web',
  profile: 'fapi2-security',
  grant_types: ['authorization_code', 'refresh_token'],
  redirect_uris: [redirectUri],
  scope: 'openid profile offline_access invoices:read',
  jwks: { keys: [key.jwk] },
}

function asking(it: Deployment, form: Readonly<Record<string, string>>, path: string | null): EndpointRequest {
  const at = Math.floor(it.clock / 1000)
  const claims = { iss: 'web', sub: 'web', aud: issuer, iat: at, exp: at + 60, jti: randomUUID() }
  const { kid: _, ...jwk } = proofKey.jwk
  const proof = { htm: 'POST', htu: `${issuer}${path ?? ''}`, iat: at, jti: randomUUID() }
  return {
    tenant: root,
    form: formOf(
      Object.entries({
        ...form,
        client_id: 'web',
        client_assertion: jws({ claims: JSON.stringify(claims), by: key }),
        client_assertion_type: assertionType,
      }),
    ),
    authorization: null,
    clientCertificate: null,
    proof:
      path === null ? null : jws({ header: { typ: 'dpop+jwt', jwk }, claims: JSON.stringify(proof), by: proofKey }),
    ip: '192.0.2.7',
    traceId: null,
  }
}

const formed = (body: string): Record<string, string> => Object.fromEntries(new URLSearchParams(body))

for (const database of databases) {
  test(`${database}: FAPI 2.0 §5.3.2: pushed, bound and refreshed without another refresh token; nothing less is served`, async () => {
    const it = await openDeployment(database)
    await declarePeople(it)
    const weak = await it.authority.admin.declared.plan({
      clients: [{ ...strong, client_id: 'weak', dpop_bound_access_tokens: false }],
    })
    assert.ok(weak.kind === 'error' && weak.error.reason === 'invalid')
    assert.match(
      weak.error.problems[0]?.problem ?? '',
      /every access token is bound.*as the profile fapi2-security demands/,
    )
    await declare(it, { clients: [strong] })
    const shown = await it.authority.admin.clients.find(root, 'web')
    assert.ok(shown.kind === 'ok' && shown.value.metadata.require_pushed_authorization_requests === true)

    const unpushed = await new PersonAtBrowser(it.authority).begin(authorizeQuery())
    assert.ok(unpushed.go === 'answer' && unpushed.response.mode === 'redirect')
    assert.equal(new URL(unpushed.response.location).searchParams.get('error'), 'invalid_request')

    const pushed = await it.authority.pushedAuthorization(asking(it, parameters(), null))
    assert.ok(pushed.kind === 'ok', JSON.stringify(pushed))
    const code = await new PersonAtBrowser(it.authority).code(reference(pushed.value['request_uri'] as string))

    const bearer = await it.authority.token(asking(it, formed(redemption(code)), null))
    assert.ok(bearer.kind === 'error' && bearer.error.reason === 'proof_missing', JSON.stringify(bearer))
    const first = await it.authority.token(asking(it, formed(redemption(code)), '/token'))
    assert.ok(first.kind === 'ok', JSON.stringify(first))
    assert.equal(first.value['token_type'], 'DPoP')
    const held = first.value['refresh_token'] as string
    for (let n = 0; n < 3; n++) {
      it.clock += 86_400_000 * 20
      const again = await it.authority.token(asking(it, formed(refreshing(held)), '/token'))
      assert.ok(again.kind === 'ok', JSON.stringify(again))
      assert.equal(again.value['refresh_token'], undefined)
      assert.equal(again.value['token_type'], 'DPoP')
    }
    const revoked = await it.authority.revoke(asking(it, { token: held }, null))
    assert.equal(revoked.kind, 'ok')
    const dead = await it.authority.token(asking(it, formed(refreshing(held)), '/token'))
    assert.ok(dead.kind === 'error' && dead.error.reason === 'grant_ended', JSON.stringify(dead))
    const removed = await it.authority.admin.clients.remove(operator, root, 'web')
    assert.equal(removed.kind, 'ok')
  })
}
