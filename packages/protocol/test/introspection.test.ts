import assert from 'node:assert/strict'
import { test } from 'node:test'
import { introspect, introspectRefresh, type IntrospectionCase, mayIntrospect } from '../src/introspection.ts'
import type {
  AccessTokenFacts,
  Client,
  ClientMetadata,
  Grant,
  GrantId,
  Instant,
  RefreshFacts,
  TenantId,
  TokenId,
} from '../src/words.ts'

const at = (n: number) => n as Instant
const client = (id: string, metadata: Partial<ClientMetadata> = {}): Client => ({
  tenant: 'default' as TenantId,
  id,
  metadata: {
    redirect_uris: [],
    grant_types: [],
    response_types: [],
    token_endpoint_auth_method: 'client_secret_basic',
    scope: '',
    ...metadata,
  },
  secrets: [],
  origin: 'declared',
  createdAt: at(0),
  updatedAt: at(0),
  disabledAt: null,
  version: 1,
})
const token: AccessTokenFacts = {
  jti: 'j' as TokenId,
  clientId: 'svc',
  subject: 'svc',
  grantId: 'g' as GrantId,
  audience: 'https://api.example',
  scope: new Set(['orders:read']),
  issuedAt: at(0),
  expiresAt: at(600_000),
  claims: {},
}
const ask = (change: Partial<IntrospectionCase>) =>
  introspect({
    token,
    standing: { revokedAt: null, grantRevokedAt: null },
    client: client('svc'),
    now: at(1000),
    issuer: 'https://as.example',
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
    jti: 'j',
    scope: 'orders:read',
    grant_id: 'g',
  })
})

test('DECISIONS §3: the resource server of that audience sees it, in any spelling of the same place', () => {
  assert.equal(ask({ client: client('rs', { resource_server: 'HTTPS://api.example/' }) })['active'], true)
})

test('RFC 9449 §6.2: a token bound to a DPoP key says DPoP; one bound to a certificate stays Bearer', () => {
  assert.equal(ask({ token: { ...token, claims: { cnf: { jkt: 'x' } } } })['token_type'], 'DPoP')
  assert.equal(ask({ token: { ...token, claims: { cnf: { 'x5t#S256': 'x' } } } })['token_type'], 'Bearer')
})

const hidden: readonly (readonly [string, Partial<IntrospectionCase>])[] = [
  ['an unknown token', { token: null }],
  ['a token of another client', { client: client('other') }],
  ['a token of another audience', { client: client('rs', { resource_server: 'https://other.example' }) }],
  ['an expired token, from its very instant', { now: at(600_000) }],
  ['a revoked token', { standing: { revokedAt: at(1), grantRevokedAt: null } }],
  ['a token of a dead grant', { standing: { revokedAt: null, grantRevokedAt: at(1) } }],
]
for (const [what, change] of hidden)
  test(`RFC 7662 §2.2: ${what} is inactive, and nothing more is said`, () =>
    assert.deepEqual(ask(change), { active: false }))

test('RFC 7662 §2.1: a public client cannot introspect', () => {
  assert.deepEqual(mayIntrospect(client('spa', { token_endpoint_auth_method: 'none' })), {
    reason: 'client_unauthenticated',
    challenge: false,
  })
  assert.equal(mayIntrospect(client('web')), null)
})

const grant: Grant = {
  id: 'g' as GrantId,
  tenant: 'default' as TenantId,
  clientId: 'web',
  authentication: { subject: 'alice', sessionId: 's', at: at(0), acr: 'pwd', amr: [] },
  scope: new Set(['a']),
  resources: [],
  claims: null,
  nonce: null,
  knownAs: null,
  createdAt: at(0),
  expiresAt: at(100_000),
  revokedAt: null,
}
const refresh: RefreshFacts = {
  grant,
  scope: new Set(['b', 'a']),
  expiresAt: at(50_000),
  spentAt: null,
  successorSpentAt: null,
  salt: new Uint8Array(),
}
const askRefresh = (change: Partial<RefreshFacts>, by = 'web', now = 1000) =>
  introspectRefresh({
    refresh: { ...refresh, ...change },
    client: client(by),
    issuer: 'https://as.example',
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
    grant_id: 'g',
  })
})

test('RFC 7662 §2.2: a refresh token that is foreign, spent, expired or of a dead grant is inactive', () => {
  const answers = [
    askRefresh({}, 'other'),
    askRefresh({ spentAt: at(1) }),
    askRefresh({}, 'web', 50_000),
    askRefresh({ grant: { ...grant, revokedAt: at(1) } }),
    askRefresh({ grant: { ...grant, expiresAt: at(1000) } }),
  ]
  for (const answer of answers) assert.deepEqual(answer, { active: false })
})
