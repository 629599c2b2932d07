import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiKey } from '../../src/api-keys/api-key.ts'
import { decideRevocation, type RevocationSubject } from '../../src/oauth/revocation.ts'
import { accessFacts, at, client, grant, refreshFacts, tenant } from '../samples.ts'

const token = accessFacts({ expiresAt: at(100) })
const granted = grant()
const held = refreshFacts(granted)
const alive = { revokedAt: null, grantRevokedAt: null, sessionEndedAt: null }
const apiKey: ApiKey = {
  tenant,
  id: 'k1',
  name: 'Export',
  clientId: 'web',
  resource: 'https://a.example',
  scope: null,
  addresses: [],
  createdAt: at(1),
  createdBy: { kind: 'operator', id: null },
  expiresAt: null,
  lastUsedAt: null,
  revokedAt: null,
}
const foreign = { do: 'refuse', refusal: { reason: 'token_of_another_client' } }
const nothing = { do: 'nothing' }

const table: readonly (readonly [title: string, by: string, subject: RevocationSubject, outcome: object])[] = [
  [
    'RFC 7009 §2.1: a client ends its own access token',
    'web',
    { kind: 'access', token, status: alive },
    { do: 'revoke_token', jti: 'j1', expiresAt: 100 },
  ],
  [
    'RFC 7009 §2.1: a client ends its own refresh token, and the grant dies',
    'web',
    { kind: 'refresh', refresh: held },
    { do: 'revoke_grant', grantId: 'g1' },
  ],
  [
    'a spent refresh token still ends its grant',
    'web',
    { kind: 'refresh', refresh: { ...held, spentAt: at(5) } },
    { do: 'revoke_grant', grantId: 'g1' },
  ],
  [
    'RFC 7009 §2.1: the access token of another client is refused',
    'spa',
    { kind: 'access', token, status: alive },
    foreign,
  ],
  ['RFC 7009 §2.1: the refresh token of another client is refused', 'spa', { kind: 'refresh', refresh: held }, foreign],
  ['a client ends its own API key', 'web', { kind: 'api_key', key: apiKey }, { do: 'revoke_key', id: 'k1' }],
  ['the API key of another client is refused', 'spa', { kind: 'api_key', key: apiKey }, foreign],
  ['a revoked API key is no error', 'spa', { kind: 'api_key', key: { ...apiKey, revokedAt: at(2) } }, nothing],
  ['RFC 7009 §2.2: an unknown token is no error', 'web', { kind: 'unknown' }, nothing],
  [
    'RFC 7009 §2.2: an expired token is no error',
    'web',
    { kind: 'access', token: { ...token, expiresAt: at(50) }, status: alive },
    nothing,
  ],
  [
    'RFC 7009 §2.2: a revoked token is no error',
    'web',
    { kind: 'access', token, status: { ...alive, revokedAt: at(1) } },
    nothing,
  ],
  [
    'a dead token of another client tells nothing about itself',
    'spa',
    { kind: 'access', token, status: { ...alive, grantRevokedAt: at(1), sessionEndedAt: null } },
    nothing,
  ],
  [
    'a refresh token of a dead grant tells nothing about itself',
    'spa',
    { kind: 'refresh', refresh: { ...held, grant: { ...granted, revokedAt: at(1) } } },
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
  test(title, () =>
    assert.deepEqual(decideRevocation({ subject, client: client({}, { id: by }), now: at(50) }), outcome),
  )
