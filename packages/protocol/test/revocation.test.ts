import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decideRevocation, type RevocationSubject } from '../src/revocation.ts'
import type {
  AccessTokenFacts,
  Client,
  Grant,
  GrantId,
  Instant,
  RefreshFacts,
  TenantId,
  TokenId,
} from '../src/words.ts'

const at = (n: number) => n as Instant
const client = (id: string): Client => ({
  tenant: 'default' as TenantId,
  id,
  metadata: { redirect_uris: [], grant_types: [], response_types: [], token_endpoint_auth_method: 'none', scope: '' },
  secrets: [],
  origin: 'declared',
  createdAt: at(0),
  updatedAt: at(0),
  disabledAt: null,
  version: 1,
})
const token: AccessTokenFacts = {
  jti: 'j' as TokenId,
  clientId: 'web',
  subject: 'alice',
  grantId: 'g' as GrantId,
  audience: 'https://api.example',
  scope: new Set(),
  issuedAt: at(0),
  expiresAt: at(100),
  claims: {},
}
const grant: Grant = {
  id: 'g' as GrantId,
  tenant: 'default' as TenantId,
  clientId: 'web',
  authentication: { subject: 'alice', sessionId: 's', at: at(0), acr: 'pwd', amr: ['pwd'] },
  scope: new Set(),
  resources: [],
  claims: null,
  nonce: null,
  knownAs: null,
  createdAt: at(0),
  expiresAt: at(1000),
  revokedAt: null,
}
const held: RefreshFacts = {
  grant,
  scope: new Set(),
  expiresAt: at(1000),
  spentAt: null,
  successorSpentAt: null,
  salt: new Uint8Array(),
}
const alive = { revokedAt: null, grantRevokedAt: null }
const foreign = { do: 'refuse', refusal: { reason: 'token_of_another_client' } }
const nothing = { do: 'nothing' }

const table: readonly (readonly [title: string, by: string, subject: RevocationSubject, outcome: object])[] = [
  [
    'RFC 7009 §2.1: a client ends its own access token',
    'web',
    { kind: 'access', token, standing: alive },
    { do: 'revoke_token', jti: 'j', expiresAt: 100 },
  ],
  [
    'RFC 7009 §2.1: a client ends its own refresh token, and the grant dies',
    'web',
    { kind: 'refresh', refresh: held },
    { do: 'revoke_grant', grantId: 'g' },
  ],
  [
    'DECISIONS §3: a spent refresh token still ends its grant',
    'web',
    { kind: 'refresh', refresh: { ...held, spentAt: at(5) } },
    { do: 'revoke_grant', grantId: 'g' },
  ],
  [
    'RFC 7009 §2.1: the access token of another client is refused',
    'spa',
    { kind: 'access', token, standing: alive },
    foreign,
  ],
  ['RFC 7009 §2.1: the refresh token of another client is refused', 'spa', { kind: 'refresh', refresh: held }, foreign],
  ['RFC 7009 §2.2: an unknown token is no error', 'web', { kind: 'unknown' }, nothing],
  [
    'RFC 7009 §2.2: an expired token is no error',
    'web',
    { kind: 'access', token: { ...token, expiresAt: at(50) }, standing: alive },
    nothing,
  ],
  [
    'RFC 7009 §2.2: a revoked token is no error',
    'web',
    { kind: 'access', token, standing: { ...alive, revokedAt: at(1) } },
    nothing,
  ],
  [
    'a dead token of another client tells nothing about itself',
    'spa',
    { kind: 'access', token, standing: { ...alive, grantRevokedAt: at(1) } },
    nothing,
  ],
  [
    'a refresh token of a dead grant tells nothing about itself',
    'spa',
    { kind: 'refresh', refresh: { ...held, grant: { ...grant, revokedAt: at(1) } } },
    nothing,
  ],
  [
    'RFC 7009 §2.2.1: what is no token is unsupported',
    'web',
    { kind: 'unsupported' },
    { do: 'refuse', refusal: { reason: 'token_type_unsupported' } },
  ],
]
for (const [title, by, subject, outcome] of table)
  test(title, () => assert.deepEqual(decideRevocation({ subject, client: client(by), now: at(50) }), outcome))
