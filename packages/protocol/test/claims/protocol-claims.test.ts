import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { claimSources, type ClaimMapping } from '../../src/claims/claim-mapping.ts'
import { claimsForClient, claimsForResource } from '../../src/claims/mapped-claims.ts'
import { accessTokenClaims, accessTokenFacts } from '../../src/oauth/access-token.ts'
import { introspect } from '../../src/oauth/introspection.ts'
import { idTokenClaims } from '../../src/oidc/id-token.ts'
import { userinfo } from '../../src/oidc/userinfo.ts'
import type { JsonObject } from '../../src/types.ts'
import { accessFacts, at, catalogue, client, grant, issuer, person, resource, tenant } from '../samples.ts'

const scope = new Set(['openid', 'profile', 'email', 'a:read'])
const protocolNames =
  'iss sub aud exp nbf iat jti azp nonce auth_time acr amr at_hash sid cnf act may_act client_id scope tenant grant_id status authorization_details active token_type events token_introspection'.split(
    ' ',
  )
/** As a damaged row or a careless program might have stored them: no check has seen them. */
const mappings: fc.Arbitrary<readonly ClaimMapping[]> = fc.array(
  fc.record(
    {
      claim: fc.oneof(
        fc.constantFrom(...protocolNames, 'department', 'https://example.com/x', '__proto__'),
        fc.string(),
      ),
      from: fc.constantFrom(...Object.keys(claimSources), 'name', 'email', 'attributes.sub', 'attributes.x'),
      value: fc.oneof(fc.jsonValue(), fc.constant('forged')) as fc.Arbitrary<never>,
      scope: fc.constantFrom('openid', 'profile', 'a:read', 'nobody'),
    },
    { requiredKeys: ['claim'] },
  ),
  { maxLength: 12 },
)

const eve = person({ id: 'eve', attributes: { sub: 'forged', x: 'y' }, groups: ['forged'], roles: ['forged'] })
const plain = (metadata: JsonObject = {}) => client({ scope: [...scope].join(' '), ...metadata })
const only = (it: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(it).filter(([name]) => protocolNames.includes(name)))

test('RFC 9068 §2.2: whatever is declared, an access token says of the protocol what it says without', () => {
  fc.assert(
    fc.property(mappings, (rows) => {
      const api = { ...resource('https://a.example'), claimMappings: rows }
      const mapped = claimsForResource(api, { person: eve, scope, catalogue: catalogue() })
      const facts = accessFacts({ claims: { auth_time: 1, sid: 's1', cnf: { jkt: 'k' } } })
      const token = { ...facts, claims: { ...mapped, ...facts.claims } }
      const said = accessTokenClaims(token, { issuer, tenant })
      assert.deepEqual(only(said), accessTokenClaims(facts, { issuer, tenant }))
      assert.notEqual(accessTokenFacts(said, { issuer, tenant }), null, 'it is still read as an access token')
      const status = { revokedAt: null, grantRevokedAt: null, sessionEndedAt: null }
      const asked = { status, client: plain(), now: at(facts.issuedAt), issuer, tenant }
      assert.deepEqual(only(introspect({ ...asked, token })), only(introspect({ ...asked, token: facts })))
    }),
  )
})

test('OIDC Core §2: whatever is declared, an ID token and userinfo say of the protocol what they say without', () => {
  const idToken = (it: ReturnType<typeof client>) =>
    idTokenClaims({
      issuer,
      grant: grant(),
      client: it,
      scope,
      person: eve,
      subject: 'eve',
      nonce: null,
      accessToken: null,
      alg: 'RS256',
      jti: 'g1.x',
      now: at(1000),
      ttl: 600,
    })
  fc.assert(
    fc.property(mappings, (rows) => {
      const declared = plain({ claim_mappings: rows as never })
      assert.deepEqual(only(idToken(declared)), only(idToken(plain())))
      const mapped = claimsForClient(declared, { person: eve, scope, into: 'userinfo' })
      const told = userinfo({ person: eve, subject: 'eve', scope, claims: null, registered: scope, mapped })
      assert.deepEqual(only(told), { sub: 'eve' })
    }),
  )
})
