/** Tenants, clients and keys for the suite, each whole and unlike the others. */
import { randomUUID } from 'node:crypto'
import type { KeyRecord } from '@grantor/protocol/jose'
import type { TenantId } from '@grantor/protocol/types'
import type { NewClient } from '../../src/contract/clients/clients.ts'
import type { Basis } from '../../src/contract/directory/basis.ts'
import type { DirectoryChange } from '../../src/contract/directory/directory.ts'
import type { Store } from '../../src/contract/store.ts'
import { acme, at, event, handle } from './values.ts'

export const change = (more: Partial<DirectoryChange> = {}): DirectoryChange => ({
  tenant: acme,
  expected: null,
  putResources: [],
  dropResources: [],
  putScopes: [],
  dropScopes: [],
  createClients: [],
  replaceClients: [],
  dropClients: [],
  at: at(1_000),
  events: [event('admin.tenant_changed', { tenant: more.tenant ?? acme })],
  ...more,
})

export const client = (id: string, more: Partial<NewClient> = {}): NewClient => ({
  tenant: acme,
  id,
  metadata: {
    client_name: 'Web shop ✓',
    redirect_uris: ['https://client.example/cb'],
    grant_types: ['authorization_code'],
    response_types: ['code'],
    token_endpoint_auth_method: 'client_secret_basic',
    scope: 'openid a:read',
  },
  origin: 'manual',
  secrets: [{ handle: handle(`secret of ${id}`), createdAt: at(1_000), expiresAt: null }],
  createdAt: at(1_000),
  ...more,
})

/** A tenant with one client, and the basis of a decision about that client. */
export async function tenantWithClient(store: Store, tenant: TenantId = acme, id = 'web'): Promise<Basis> {
  await store.directory.apply([change({ tenant, createClients: [client(id, { tenant })] })])
  return basisNow(store, tenant, id)
}

export async function basisNow(store: Store, tenant: TenantId = acme, id = 'web'): Promise<Basis> {
  const catalogue = await store.directory.catalogue(tenant)
  const found = await store.clients.find(tenant, id)
  if (catalogue === null || found === null) throw new Error('no such tenant or client')
  return { tenant, revision: catalogue.tenant.revision, client: { id, version: found.version } }
}

export const key = (generation: number, more: Partial<KeyRecord> = {}): KeyRecord => ({
  tenant: acme,
  kid: `kid ${randomUUID()}`,
  alg: 'ES256',
  generation,
  publishedAt: at(1_000),
  activatesAt: at(2_000),
  notedActiveAt: null,
  droppedAt: null,
  publicJwk: { kty: 'EC', crv: 'P-256' },
  sealedPrivate: Uint8Array.from([0, 1, 2, 254, 255]),
  ...more,
})
