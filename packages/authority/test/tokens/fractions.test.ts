/** RFC 7519 §2: a NumericDate may have a fraction, and others write one. What is stored and answered here has none. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Authority } from '@grantor/authority'
import type { JsonObject } from '@grantor/protocol/types'
import { decodeJwt } from 'jose'
import { api, asking, databases, declaration, declare, machine, openDeployment } from '../support/deployment.ts'
import { KeyHolder } from '../support/dpop-client.ts'
import { OtherIssuers, signedToken, signingKey, workloadClaims } from '../support/trusted-issuer.ts'

const home = 'https://idp.acme.example'
const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange'
const bearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const objects: JsonObject = {
  ...declaration,
  clients: [
    ...declaration.clients,
    {
      ...machine('wiki', 'invoices:read'),
      grant_types: ['client_credentials', bearer, exchange],
      exchange: [{ audience: api, scopes: ['invoices:read'], as: 'delegate' }],
    },
  ],
  users: [{ username: 'alice', password: 'correct-horse' }],
  trusted_issuers: [{ issuer: home, people: { linked: [{ sub: 'u-1', username: 'alice' }] } }],
}

async function answered(
  authority: Authority,
  form: Record<string, string>,
  proof: string | null = null,
): Promise<JsonObject> {
  const answer = await authority.token({ ...asking(new URLSearchParams(form).toString(), { as: 'wiki' }), proof })
  return answer.kind === 'ok' ? answer.value : { ...answer.error }
}

for (const database of databases) {
  test(`${database}: times with a fraction are taken, in proofs and in what another issuer says`, async () => {
    const it = await openDeployment(database)
    const key = signingKey('k1')
    const others = new OtherIssuers()
    others.publish(home, [key])
    const authority = it.node({ outbound: others })
    await declare(it, objects)
    const now = it.clock / 1000
    const sign = (claims: JsonObject, typ?: string) =>
      signedToken(workloadClaims(it.clock, { iss: home, aud: 'https://as.example', sub: 'u-1', ...claims }), {
        by: key,
        ...(typ === undefined ? {} : { header: { typ } }),
      })

    const mine = new KeyHolder()
    const proof = mine.odd(it.clock, {}, { iat: now + 0.123_456 })
    const credentials = { grant_type: 'client_credentials', scope: 'invoices:read' }
    assert.equal((await answered(authority, credentials, proof))['token_type'], 'DPoP')
    assert.equal((await answered(authority, credentials, proof))['reason'], 'proof_replayed')

    const subject = {
      grant_type: exchange,
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      audience: api,
    }
    const whole = Math.floor(now)
    for (const signedIn of [now - 5.123_456, -1e300]) {
      const token = sign({ exp: whole + 100.7, auth_time: signedIn })
      const exchanged = await answered(authority, { ...subject, subject_token: token })
      assert.ok(Number.isInteger(exchanged['expires_in']), JSON.stringify(exchanged))
      const { exp, auth_time: said } = decodeJwt(exchanged['access_token'] as string)
      assert.deepEqual([exp, said], [whole + 100, Math.max(0, Math.floor(signedIn))])
    }
    const claims = { client_id: 'wiki', scope: 'invoices:read', auth_time: now - 5.123_456 }
    const assertion = sign(claims, 'oauth-id-jag+jwt')
    const granted = await answered(authority, { grant_type: bearer, assertion })
    assert.equal(granted['scope'], 'invoices:read', JSON.stringify(granted))

    // RFC 8693: what another issuer bound to a key stays bound as well.
    const bound = { ...subject, subject_token: sign({ cnf: { jkt: 'k'.repeat(43) } }) }
    assert.equal((await answered(authority, bound))['reason'], 'proof_missing')
    assert.equal((await answered(authority, bound, mine.proof(it.clock)))['token_type'], 'DPoP')
  })
}
