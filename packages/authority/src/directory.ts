/**
 * What the authority caches of tenants and clients, so that a request costs no read. A stale cache does no harm: every
 * commit checks again what its decision rested on (Basis), and a refusal never rests on the cache alone.
 */
import type { Catalogue, Refusal } from '@grantor/protocol/oauth'
import { type Client, underTenantProfile } from '@grantor/protocol/registration'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { TenantId } from '@grantor/protocol/types'
import type { Basis, Store } from '@grantor/store'
import { BoundedCache } from './bounded-cache.ts'

const maxClientsPerTenant = 10_000

interface Memory {
  /** Changes with every change of the tenant, its keys and its clients. */
  readonly stamp: number | null
  readonly catalogue: Catalogue
  readonly clients: BoundedCache<string, Client>
}

export interface Directory {
  catalogue(tenant: TenantId): Promise<Catalogue | null> | Catalogue
  /**
   * The current state, for uses that no commit checks again: inspected tokens, documents. It costs the read of one
   * number, and the rest of the cache is dropped when that has changed; so a disabled tenant or a dropped key is
   * noticed at once.
   */
  currentCatalogue(tenant: TenantId): Promise<Catalogue | null>
  /** The same, but null where the tenant is disabled. */
  servedCatalogue(tenant: TenantId): Promise<Catalogue | null>
  /** From the cache alone. */
  cachedClient(tenant: TenantId, id: string): Client | null
  /** From the cache, or read if it is not there. */
  client(tenant: TenantId, id: string): Promise<Client | null> | Client
  /** Reads the client anew; null if it does not exist. */
  currentClient(tenant: TenantId, id: string): Promise<Client | null>
  forget(tenant: TenantId): void
  close(): void
}

export function openDirectory(store: Pick<Store, 'directory' | 'clients'>, maxTenants = 16_000): Directory {
  const memories = new BoundedCache<TenantId, Memory>(maxTenants)
  const forget = (tenant: TenantId): void => memories.delete(tenant)
  const unwatch = store.directory.watch(forget)

  async function remember(tenant: TenantId): Promise<Memory | null> {
    // The stamp is read first: a change between the two reads then makes this cache look stale, never fresh.
    const stamp = await store.directory.stamp(tenant)
    const catalogue = await store.directory.catalogue(tenant)
    if (catalogue === null) {
      forget(tenant)
      return null
    }
    const memory: Memory = { stamp, catalogue, clients: new BoundedCache(maxClientsPerTenant) }
    memories.set(tenant, memory)
    return memory
  }

  const cachedClient = (tenant: TenantId, id: string): Client | null => memories.get(tenant)?.clients.get(id) ?? null

  async function currentClient(tenant: TenantId, id: string): Promise<Client | null> {
    // The cache is opened first, for the same reason: one opened after a change must not hold a client from before it.
    const memory = memories.get(tenant) ?? (await remember(tenant))
    const found = await store.clients.find(tenant, id)
    if (found === null || memory === null) {
      memory?.clients.delete(id)
      return found
    }
    const client = underTenantProfile(found, memory.catalogue.tenant)
    memory.clients.set(id, client)
    return client
  }

  async function currentCatalogue(tenant: TenantId): Promise<Catalogue | null> {
    const memory = memories.get(tenant)
    if (memory !== undefined && memory.stamp === (await store.directory.stamp(tenant))) return memory.catalogue
    return (await remember(tenant))?.catalogue ?? null
  }

  return {
    catalogue: (tenant) => memories.get(tenant)?.catalogue ?? remember(tenant).then((m) => m?.catalogue ?? null),
    currentCatalogue,
    async servedCatalogue(tenant) {
      const catalogue = await currentCatalogue(tenant)
      return catalogue?.tenant.disabledAt === null ? catalogue : null
    },
    cachedClient,
    client: (tenant, id) => cachedClient(tenant, id) ?? currentClient(tenant, id),
    currentClient,
    forget,
    close: unwatch,
  }
}

export const basisOf = (catalogue: Catalogue, client: Client | null): Basis => ({
  tenant: catalogue.tenant.id,
  revision: catalogue.tenant.revision,
  client: client === null ? null : { id: client.id, version: client.version },
})

/** No request is refused on memory alone: another node, or a command, may have changed tenant or client meanwhile. */
export async function isCurrent(
  { tenant, revision, client }: Basis,
  directory: Pick<Directory, 'currentCatalogue' | 'currentClient'>,
): Promise<boolean> {
  if ((await directory.currentCatalogue(tenant))?.tenant.revision !== revision) return false
  return client === null || (await directory.currentClient(tenant, client.id))?.version === client.version
}

/** Refuses a client that the profile of its tenant excludes; not on memory alone. */
export async function fittingClient(
  client: Client,
  directory: Pick<Directory, 'currentCatalogue' | 'currentClient'>,
): Promise<Result<Client, Refusal>> {
  if (client.unfit === undefined) return ok(client)
  const { tenant, id } = client
  await directory.currentCatalogue(tenant)
  const current = (await directory.currentClient(tenant, id)) ?? client
  return current.unfit === undefined ? ok(current) : err({ reason: 'client_unfit', ...current.unfit })
}
