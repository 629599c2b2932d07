import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  maySayAccess,
  accessTokenClaims,
  accessTokenFacts,
  type AccessTokenFacts,
  isAccessTokenType,
} from '../../src/oauth/access-token.ts'
import type { GrantId, Instant, Json, JsonObject, TokenId } from '../../src/types.ts'
import { accessFacts, at } from '../samples.ts'

const from = { issuer: 'https://as.example', tenant: 'default' }
const facts = accessFacts({
  clientId: 'svc',
  scope: new Set(['b', 'a']),
  issuedAt: at(1_000_000),
  expiresAt: at(1_600_000),
  claims: { auth_time: 990, acr: 'pwd' },
})
const claims: JsonObject = {
  iss: 'https://as.example',
  sub: 'alice',
  aud: 'https://api.example',
  client_id: 'svc',
  iat: 1000,
  exp: 1600,
  jti: 'j1',
  scope: 'a b',
  grant_id: 'g1',
  auth_time: 990,
  acr: 'pwd',
}

test('RFC 9068 §2.2: the claims of an access token, in seconds', () => {
  assert.deepEqual(accessTokenClaims(facts, from), claims)
})

test('only tokens of a tenant that is not the default one carry its name', () => {
  const acme = { issuer: 'https://as.example/t/acme', tenant: 'acme' }
  const made = accessTokenClaims(facts, acme)
  assert.equal(made['tenant'], 'acme')
  assert.deepEqual(accessTokenFacts(made, acme), facts)
  assert.equal(accessTokenFacts(made, { ...acme, tenant: 'other' }), null)
  assert.equal(accessTokenFacts({ ...claims, tenant: 'acme' }, from), null)
})

test('no further claim can take the place of one of the token itself', () => {
  const made = accessTokenClaims({ ...facts, claims: { sub: 'mallory', exp: 9e9, cnf: { jkt: 'x' } } }, from)
  assert.equal(made['sub'], 'alice')
  assert.equal(made['exp'], 1600)
  assert.deepEqual(made['cnf'], { jkt: 'x' })
})

test('RFC 9068 §2.2.3: a token without scope and grant leaves them out', () => {
  const made = accessTokenClaims({ ...facts, scope: new Set(), grantId: null, claims: {} }, from)
  assert.deepEqual(Object.keys(made).toSorted(), ['aud', 'client_id', 'exp', 'iat', 'iss', 'jti', 'sub'])
  assert.deepEqual(accessTokenFacts(made, from), { ...facts, scope: new Set(), grantId: null, claims: {} })
})

const broken: readonly (readonly [string, Readonly<Record<string, Json | undefined>>])[] = [
  ['another issuer', { iss: 'https://evil.example' }],
  ['no subject', { sub: undefined }],
  ['an empty subject', { sub: '' }],
  ['a numeric subject', { sub: 7 }],
  ['several audiences', { aud: ['https://api.example'] }],
  ['an audience that is no URI', { aud: 'api' }],
  ['no client', { client_id: undefined }],
  ['a numeric client', { client_id: 7 }],
  ['no id', { jti: undefined }],
  ['an expiry as text', { exp: '1600' }],
  ['a broken expiry', { exp: 1600.5 }],
  ['an expiry before its issue', { exp: 999 }],
  ['an expiry at its issue', { exp: 1000 }],
  ['a negative time', { iat: -1 }],
  ['a scope that is a list', { scope: ['a'] }],
  ['a malformed scope', { scope: 'a  b' }],
  ['a grant that is no text', { grant_id: 1 }],
]
for (const [what, change] of broken)
  test(`RFC 9068 §4: claims with ${what} are no access token of ours`, () => {
    const changed = Object.fromEntries(
      Object.entries({ ...claims, ...change }).filter(([, value]) => value !== undefined),
    )
    assert.equal(accessTokenFacts(changed as JsonObject, from), null)
  })

test('RFC 9068 §4: only at+jwt is the type of an access token', () => {
  for (const typ of ['at+jwt', 'AT+JWT', 'application/at+jwt']) assert.ok(isAccessTokenType(typ), typ)
  for (const typ of ['JWT', 'jwt', 'at+jwt ', 'xat+jwt', 'logout+jwt', '', undefined, null, 7])
    assert.ok(!isAccessTokenType(typ))
})

test('facts in whole seconds come back from their claims unchanged', () => {
  const word = fc.stringMatching(/^[a-z:]{1,12}$/)
  const made = fc.record({
    jti: word.map((it) => it as TokenId),
    clientId: word,
    subject: word,
    grantId: fc.option(word.map((it) => it as GrantId)),
    audience: fc.constantFrom('https://api.example', 'urn:x:y', 'https://as.example'),
    scope: fc.uniqueArray(word).map((names) => new Set(names)),
    issuedAt: fc.nat().map((n) => (n * 1000) as Instant),
    claims: fc.constant({ acr: 'x' }),
  })
  fc.assert(
    fc.property(made, fc.integer({ min: 1, max: 86_400 }), (it, life) => {
      const whole: AccessTokenFacts = { ...it, expiresAt: (it.issuedAt + life * 1000) as Instant }
      assert.deepEqual(accessTokenFacts(accessTokenClaims(whole, from), from), whole)
    }),
  )
})

test('RFC 9068 §2.2: an access token says whose it is and its id, and nothing of another kind of token', () => {
  const claims = { client_id: 'web', jti: 'j' }
  assert.equal(maySayAccess(claims), true)
  assert.equal(maySayAccess({ client_id: 'web' }), false)
  assert.equal(maySayAccess({ jti: 'j' }), false)
  for (const name of ['nonce', 'at_hash', 'c_hash', 's_hash', 'events', 'token_introspection'])
    assert.equal(maySayAccess({ ...claims, [name]: 'x' }), false, name)
})
