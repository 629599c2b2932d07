import assert from 'node:assert/strict'
import { test } from 'node:test'
import { halfHash, idTokenClaims, type IdTokenInput } from '../../src/oidc/id-token.ts'
import { at, client, grant, person } from '../samples.ts'

const granted = grant({
  authentication: { subject: 'alice', sessionId: 's1', at: at(5999), acr: 'urn:x:pwd', amr: ['pwd'] },
  scope: new Set(['openid', 'email']),
})
const token = (change: Partial<IdTokenInput>) =>
  idTokenClaims({
    issuer: 'https://as.example/t/acme',
    grant: granted,
    client: client({ scope: 'openid email' }),
    scope: granted.scope,
    person: person({ claims: { email: 'alice@example.com', sub: 'mallory' } }),
    subject: 'alice',
    nonce: 'n',
    accessToken: null,
    alg: 'RS256',
    jti: 'g1.1',
    now: at(10_999),
    ttl: 600,
    ...change,
  })

test('OIDC Core §2: the claims of an ID token, and nothing of ours', () => {
  assert.deepEqual(token({}), {
    iss: 'https://as.example/t/acme',
    sub: 'alice',
    aud: 'web',
    iat: 10,
    exp: 610,
    auth_time: 5,
    acr: 'urn:x:pwd',
    amr: ['pwd'],
    sid: 's1',
    jti: 'g1.1',
    nonce: 'n',
  })
})

test('OIDC Core §12.2: without nonce there is none', () => assert.ok(!('nonce' in token({ nonce: null }))))

test('OIDC Core §3.1.3.6 with the example of appendix A.3: at_hash is the left half of the hash of the algorithm', () => {
  const accessToken = 'jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y'
  assert.equal(token({ accessToken })['at_hash'], '77QmUPtjPfzWtF2AnpK9RQ')
  assert.equal(halfHash(accessToken, 'EdDSA')?.length, 43)
  assert.equal(halfHash(accessToken, 'ML-DSA-44'), null)
  assert.ok(!('at_hash' in token({ accessToken, alg: 'ML-DSA-44' })))
})

test('OIDC Core §5.5: claims asked for in the ID token are there, and can replace none of its own', () => {
  const claims = { userinfo: {}, id_token: { email: null, sub: null, nonce: null } }
  const made = token({ grant: { ...granted, claims } })
  assert.equal(made['email'], 'alice@example.com')
  assert.equal(made['sub'], 'alice')
})
