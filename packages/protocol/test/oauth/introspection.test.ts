import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  introspect,
  introspectionAlg,
  introspectRefresh,
  type IntrospectionInput,
  mayIntrospect,
  signedIntrospection,
} from '../../src/oauth/introspection.ts'
import type { RefreshFacts } from '../../src/grants/grant.ts'
import type { ClientMetadata } from '../../src/registration/client-fields.ts'
import type { Person } from '../../src/people/person.ts'
import { accessFacts, at, client, grant, issuer, person, refreshFacts } from '../samples.ts'

const named = (id: string, metadata: Partial<ClientMetadata> = {}) => client(metadata, { id })
const token = accessFacts({ clientId: 'svc', subject: 'svc', scope: new Set(['orders:read']) })
const ask = (change: Partial<IntrospectionInput>) =>
  introspect({
    token,
    status: { revokedAt: null, grantRevokedAt: null, sessionEndedAt: null },
    client: named('svc'),
    now: at(1000),
    issuer,
    tenant: 'default',
    ...change,
  })

test('RFC 7662 §2.2: a living token is described to the client it was issued to', () => {
  assert.deepEqual(ask({}), {
    active: true,
    token_type: 'Bearer',
    iss: 'https://as.example',
    sub: 'svc',
    aud: 'https://api.example',
    client_id: 'svc',
    iat: 0,
    exp: 600,
    jti: 'j1',
    scope: 'orders:read',
    grant_id: 'g1',
  })
})

test('the resource server of that audience sees it, in any spelling of the same place', () => {
  assert.equal(ask({ client: named('rs', { resource_server: 'HTTPS://api.example/' }) })['active'], true)
})

test('RFC 9449 §6.2: a token bound to a DPoP key says DPoP; one bound to a certificate stays Bearer', () => {
  assert.equal(ask({ token: { ...token, claims: { cnf: { jkt: 'x' } } } })['token_type'], 'DPoP')
  assert.equal(ask({ token: { ...token, claims: { cnf: { 'x5t#S256': 'x' } } } })['token_type'], 'Bearer')
})

const hidden: readonly (readonly [string, Partial<IntrospectionInput>])[] = [
  ['an unknown token', { token: null }],
  ['a token of another client', { client: named('other') }],
  ['a token of another audience', { client: named('rs', { resource_server: 'https://other.example' }) }],
  ['an expired token, from its very instant', { now: at(600_000) }],
  ['a revoked token', { status: { revokedAt: at(1), grantRevokedAt: null, sessionEndedAt: null } }],
  ['a token of a dead grant', { status: { revokedAt: null, grantRevokedAt: at(1), sessionEndedAt: null } }],
]
for (const [what, change] of hidden)
  test(`RFC 7662 §2.2: ${what} is inactive, and nothing more is said`, () =>
    assert.deepEqual(ask(change), { active: false }))

test('RFC 7662 §2.1: a public client cannot introspect', () => {
  assert.deepEqual(mayIntrospect(named('spa', { token_endpoint_auth_method: 'none' })), {
    reason: 'client_unauthenticated',
    challenge: false,
  })
  assert.equal(mayIntrospect(named('web')), null)
})

const granted = grant({ expiresAt: at(100_000) })
const refresh = refreshFacts(granted, { scope: new Set(['b', 'a']), expiresAt: at(50_000) })
const askRefresh = (
  change: Partial<RefreshFacts>,
  by = 'web',
  now = 1000,
  it: Person | null = person({ id: 'alice' }),
) =>
  introspectRefresh({
    refresh: { ...refresh, ...change },
    details: [],
    person: it,
    client: named(by),
    issuer,
    now: at(now),
  })

test('RFC 7662 §2.2: a living refresh token is described to its client', () => {
  assert.deepEqual(askRefresh({}), {
    active: true,
    iss: 'https://as.example',
    sub: 'alice',
    client_id: 'web',
    scope: 'a b',
    exp: 50,
    grant_id: 'g1',
  })
})

test('RFC 7662 §2.2: a refresh token that is foreign, spent, expired, of a dead grant or of nobody is inactive', () => {
  const answers = [
    askRefresh({}, 'other'),
    askRefresh({ spentAt: at(1) }),
    askRefresh({}, 'web', 50_000),
    askRefresh({ grant: { ...granted, revokedAt: at(1) } }),
    askRefresh({ grant: { ...granted, expiresAt: at(1000) } }),
    askRefresh({}, 'web', 1000, null),
    askRefresh({}, 'web', 1000, person({ id: 'alice', disabledAt: at(1) })),
    askRefresh({}, 'web', 1000, person({ id: 'another' })),
  ]
  for (const answer of answers) assert.deepEqual(answer, { active: false })
})

test('RFC 9701 §6: it is signed with RS256 where the client registered no other, and for whoever asked', () => {
  assert.equal(introspectionAlg(named('rs')), 'RS256')
  assert.equal(introspectionAlg(named('rs', { introspection_signed_response_alg: 'ES256' })), 'ES256')
  const described = { active: false }
  assert.deepEqual(signedIntrospection(described, { issuer, client: named('rs'), now: at(1999) }), {
    iss: issuer,
    aud: 'rs',
    iat: 1,
    token_introspection: described,
  })
})
