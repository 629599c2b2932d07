/** A key of an administrator's client at our own door: what it opens, and each of the reasons why it opens nothing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiKeyOf } from '@grantor/protocol/oauth'
import type { Instant } from '@grantor/protocol/types'
import { admitOwnKey } from '../../src/api-keys/admit-own.ts'
import { root } from '../support/deployment.ts'

const now = 1_000_000 as Instant
const issuer = 'https://as.example'

const catalogue = { tenant: { id: root, disabledAt: null }, resources: [], scopes: [] }
const owner = { id: 'scim', disabledAt: null, metadata: { scope: 'scim:read scim:write' } }
const key = {
  id: 'k1',
  tenant: root,
  clientId: 'scim',
  resource: issuer,
  scope: new Set(['scim:read']),
  addresses: [] as readonly string[],
  revokedAt: null as Instant | null,
  expiresAt: null as Instant | null,
  createdAt: now,
  lastUsedAt: null,
}

interface Facts {
  readonly catalogue?: object | null
  readonly owner?: object | null
  readonly key?: Partial<typeof key> | null
  readonly presented?: string
  readonly address?: string
}

/** What it says of its carrier, and which uses were noted. */
async function admitted(facts: Facts = {}) {
  const noted: string[] = []
  const held = facts.key === null ? null : { ...key, ...facts.key }
  const deps = {
    clock: { now: () => now },
    ids: { handleOf: (text: string) => text },
    issuers: { issuerOf: () => issuer },
    keyUses: { note: (it: { id: string }) => noted.push(it.id) },
    directory: {
      currentCatalogue: () => Promise.resolve(facts.catalogue === undefined ? catalogue : facts.catalogue),
      client: () => Promise.resolve(facts.owner === undefined ? owner : facts.owner),
    },
    store: { apiKeys: { byHandle: () => Promise.resolve(held) } },
  } as never
  const presented = {
    tenant: root,
    key: facts.presented ?? apiKeyOf(new Uint8Array(32)),
    address: facts.address ?? '192.0.2.1',
  }
  return { said: await admitOwnKey(presented, deps), noted }
}

const said = {
  token_type: 'api_key',
  sub: 'scim',
  client_id: 'scim',
  scope: 'scim:read',
  jti: 'k1',
  aud: issuer,
}

test('a key that is good says who carries it and what for, and its use is noted', async () => {
  assert.deepEqual(await admitted(), { said, noted: ['k1'] })
  const within = { key: { addresses: ['192.0.2.0/24', '2001:db8::/32'] } }
  assert.deepEqual((await admitted(within)).said, said)
  assert.deepEqual((await admitted({ ...within, address: '2001:db8::7' })).said, said)
  assert.deepEqual((await admitted({ key: { expiresAt: (now + 1) as Instant } })).said, said)
})

test('whatever is wrong, it opens nothing and no use is noted', async () => {
  const wrong: Readonly<Record<string, Facts>> = {
    'no tenant': { catalogue: null },
    'a tenant that is switched off': { catalogue: { ...catalogue, tenant: { id: root, disabledAt: now } } },
    'no key': { key: null },
    'what has not the form of one': { presented: 'gk_nothing' },
    'a key of another API': { key: { resource: 'https://api.example' } },
    'another address': { key: { addresses: ['192.0.2.0/24'] }, address: '198.51.100.1' },
    'a key that was revoked': { key: { revokedAt: now } },
    'a key at its end': { key: { expiresAt: now } },
    'nobody it belongs to': { owner: null },
    'a client that is switched off': { owner: { ...owner, disabledAt: now } },
    'a client that has lost the scope': { owner: { ...owner, metadata: { scope: 'scim:write' } } },
  }
  for (const [what, facts] of Object.entries(wrong))
    assert.deepEqual(await admitted(facts), { said: null, noted: [] }, what)
})
