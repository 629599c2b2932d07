/** Tokens in the shape of Keycloak's, Auth0's and Entra's: found by discovery, read as declared, and nothing else taken for one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@grantor/protocol/types'
import { readForeignClaims } from '../../src/validate/foreign-claims.ts'
import { createValidator } from '../../src/validate/validator.ts'
import type { IssuerOptions } from '../../src/validate/validator-options.ts'
import { jws, signingKey } from '../tokens.ts'

const api = 'https://api.example'
const key = signingKey('k1', 'RS256')
const { alg: _alg, ...jwk } = key.jwk

interface Shape {
  readonly issuer: string
  readonly metadata: string
  readonly claims: NonNullable<IssuerOptions['claims']>
  /** `JWT`, unless its tokens say none. */
  readonly type?: null
  readonly token: JsonObject
  readonly caller: readonly [client: string, scope: readonly string[]]
  /** What makes another kind of token of it. */
  readonly other: JsonObject
}

const shapes: Readonly<Record<string, Shape>> = {
  Keycloak: {
    issuer: 'https://kc.example/realms/shop',
    metadata: 'https://kc.example/realms/shop/.well-known/openid-configuration',
    claims: { scope: ['scope', ['realm_access', 'roles'], ['resource_access', 'orders', 'roles']] },
    token: {
      aud: ['account', api],
      azp: 'web',
      jti: 'j1',
      typ: 'Bearer',
      scope: 'openid email',
      realm_access: { roles: ['staff'] },
      resource_access: { orders: { roles: ['orders:read'] } },
    },
    caller: ['web', ['openid', 'email', 'staff', 'orders:read']],
    other: { typ: 'ID' },
  },
  Auth0: {
    issuer: 'https://shop.auth0.example/',
    metadata: 'https://shop.auth0.example/.well-known/openid-configuration',
    claims: { scope: ['scope', 'permissions'] },
    token: { aud: [api, 'https://shop.auth0.example/userinfo'], azp: 'web', scope: 'openid', permissions: ['read'] },
    caller: ['web', ['openid', 'read']],
    other: { nonce: 'n' },
  },
  'Entra (version 1, a slash at the end)': {
    issuer: 'https://sts.entra.example/tid/',
    metadata: 'https://sts.entra.example/tid/.well-known/openid-configuration',
    claims: { scope: ['scp', 'roles'], clientId: ['azp', 'appid'] },
    token: { aud: api, appid: 'web', scp: 'Orders.Read Orders.Write', roles: ['Admin'], uti: 'u' },
    caller: ['web', ['Orders.Read', 'Orders.Write', 'Admin']],
    other: { nonce: 'n' },
  },
  'Okta (its header has no typ)': {
    issuer: 'https://shop.okta.example/oauth2/default',
    metadata: 'https://shop.okta.example/oauth2/default/.well-known/openid-configuration',
    claims: { scope: ['scp'], clientId: ['cid'] },
    type: null,
    token: { aud: api, cid: 'web', uid: 'u', jti: 'AT.1', scp: ['orders.read', 'orders.write'] },
    caller: ['web', ['orders.read', 'orders.write']],
    other: { nonce: 'n' },
  },
  'metadata of RFC 8414 alone, audience in azp': {
    issuer: 'https://as.example/t1',
    metadata: 'https://as.example/.well-known/oauth-authorization-server/t1',
    claims: { audience: 'azp', scope: ['scp'] },
    token: { azp: api, client_id: 'web', scp: ['a', 'b'] },
    caller: ['web', ['a', 'b']],
    other: { token_use: 'id' },
  },
}

for (const [name, { issuer, metadata, claims, type = 'JWT', token, caller, other }] of Object.entries(shapes))
  test(`tokens of another issuer: ${name}`, async () => {
    const documents: Readonly<Record<string, JsonObject>> = {
      [metadata]: { issuer, jwks_uri: 'https://keys.example/jwks' },
      'https://keys.example/jwks': { keys: [jwk] },
    }
    const fetch = async (url: string | URL | Request) => {
      const document = documents[url instanceof Request ? url.url : url.toString()]
      return document === undefined ? new Response(null, { status: 404 }) : Response.json(document)
    }
    const trust: IssuerOptions = { issuer, revocation: 'none', types: [type], claims }
    const validator = createValidator({ audience: api, issuers: [trust], fetch, onTrouble: () => {} })
    const now = Math.floor(Date.now() / 1000)
    const say = async (more: JsonObject, header: JsonObject = type === null ? {} : { typ: type }) => {
      const written = { iss: issuer, sub: 'alice', iat: now, exp: now + 300, ...token, ...more }
      const signed = jws(key, { alg: 'RS256', kid: 'k1', ...header }, written)
      const verdict = await validator.validate({ authorization: `Bearer ${signed}` })
      if (verdict.kind === 'error') return verdict.error.code
      return [verdict.value.clientId, [...verdict.value.scope], verdict.value.subject]
    }
    assert.deepEqual(await say({}), [...caller, 'alice'])
    assert.equal(await say(other), 'token_malformed')
    assert.equal(await say({ [claims.audience ?? 'aud']: 'https://other.example' }), 'audience_mismatch')
    assert.equal(await say({ scope: 7, scp: 7 }), 'token_malformed')
    assert.equal(await say({ scope: ['two words'], scp: ['two words'] }), 'token_malformed')
    assert.equal(await say({ exp: now - 600 }), 'token_expired')
    assert.equal(await say({}, { typ: 'logout+jwt' }), 'token_type_invalid')
    assert.equal(await say({}, type === null ? { typ: 'JWT' } : {}), 'token_type_invalid')
    assert.equal(await say({ iss: 'https://evil.example' }), 'issuer_untrusted')
    await validator.close()
  })

test('neither claims nor tokens without a type are declared of an issuer whose feed is followed', () => {
  const credentials = { clientId: 'a', clientSecret: 'b' }
  const issuers = [{ issuer: 'https://id.example', credentials, claims: { scope: ['scp'] } }]
  assert.throws(() => createValidator({ audience: api, issuers }), /have no feed/)
  const untyped = [{ issuer: 'https://id.example', credentials, types: [null] }]
  assert.throws(() => createValidator({ audience: api, issuers: untyped }), /have a typ/)
})

test('Where nothing is declared, claims have their usual names; a token without an id has that of its text', () => {
  const usual = { aud: api, scope: 'a  b', azp: 'web', jti: 'j' }
  assert.deepEqual(readForeignClaims(usual, {}, 'x'), { ...usual, scope: 'a b', client_id: 'web' })
  assert.equal(readForeignClaims({ client_id: 'one', azp: 'two' }, {}, 'x')?.['client_id'], 'one')
  assert.deepEqual(readForeignClaims({}, {}, 'x'), { jti: 'x', scope: '' })
  assert.equal(readForeignClaims({ azp: api }, { audience: 'azp' }, 'x')?.['aud'], api)
  assert.equal(readForeignClaims({ roles: ['a', 'b'] }, { scope: ['roles'] }, 'x')?.['scope'], 'a b')
  for (const roles of [7, {}, ['a', 7], ['a b'], null])
    assert.equal(readForeignClaims({ roles }, { scope: ['roles'] }, 'x'), null, JSON.stringify(roles))
  for (const kind of [{ typ: 'ID' }, { typ: 'Refresh' }, { token_use: 'id' }])
    assert.equal(readForeignClaims(kind, {}, 'x'), null)
  for (const kind of [{ typ: 'Bearer' }, { typ: 'DPoP' }, { token_use: 'access' }])
    assert.notEqual(readForeignClaims(kind, {}, 'x'), null)
  // What every object inherits is no claim.
  assert.equal(readForeignClaims({}, { scope: [['toString', 'name']] }, 'x')?.['scope'], '')
})
