/**
 * What the authority remembers of tenants and clients, so that a request costs no read. A wrong memory does no harm:
 * every commit re-checks what its decision rested on (Basis), and a refusal is never given on memory alone.
 */
import type { Catalogue, Client, TenantId } from '@grantor/protocol'
import type { Basis, Store } from '@grantor/store'

const maxTenants = 2_000
const maxClientsPerTenant = 10_000

interface Memory {
  readonly catalogue: Catalogue
  readonly clients: Map<string, Client>
}

export interface Directory {
  catalogue(tenant: TenantId): Promise<Catalogue | null> | Catalogue
  /** From memory alone. */
  known(tenant: TenantId, id: string): Client | null
  /** Reads the client anew; null when there is none. */
  clientNow(tenant: TenantId, id: string): Promise<Client | null>
  forget(tenant: TenantId): void
  close(): void
}

export function openDirectory(store: Pick<Store, 'directory' | 'clients'>): Directory {
  const memories = new Map<TenantId, Memory>()
  const forget = (tenant: TenantId): void => void memories.delete(tenant)
  const unwatch = store.directory.watch(forget)

  async function remember(tenant: TenantId): Promise<Memory | null> {
    const catalogue = await store.directory.catalogue(tenant)
    if (catalogue === null) return null
    const memory: Memory = { catalogue, clients: new Map() }
    evictOldest(memories, maxTenants)
    memories.set(tenant, memory)
    return memory
  }

  async function clientNow(tenant: TenantId, id: string): Promise<Client | null> {
    const client = await store.clients.find(tenant, id)
    const memory = memories.get(tenant) ?? (await remember(tenant))
    if (client === null) memory?.clients.delete(id)
    else if (memory !== null) {
      evictOldest(memory.clients, maxClientsPerTenant)
      memory.clients.set(id, client)
    }
    return client
  }

  return {
    catalogue: (tenant) => memories.get(tenant)?.catalogue ?? remember(tenant).then((m) => m?.catalogue ?? null),
    known: (tenant, id) => memories.get(tenant)?.clients.get(id) ?? null,
    clientNow,
    forget,
    close: unwatch,
  }
}

export const basisOf = (catalogue: Catalogue, client: Client | null): Basis => ({
  tenant: catalogue.tenant.id,
  revision: catalogue.tenant.revision,
  client: client === null ? null : { id: client.id, version: client.version },
})

/** A Map keeps insertion order, so the first key is the oldest. */
function evictOldest(map: Map<string, unknown>, max: number): void {
  if (map.size < max) return
  const oldest = map.keys().next()
  if (oldest.done !== true) map.delete(oldest.value)
}
