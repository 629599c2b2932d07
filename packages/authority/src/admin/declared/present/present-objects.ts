/** The present objects among those that a file names. */
import { groupKey } from '@grantor/protocol/people'
import type { Client, TenantProfile } from '@grantor/protocol/registration'
import type { TenantId } from '@grantor/protocol/types'
import type { GroupRow, Store } from '@grantor/store'
import type { PresentObjects } from '../declaration.ts'
import type { HeldProfiles } from '../input.ts'
import { allClients, allGroups, allTenants, type Everything } from './everything.ts'

interface PresentQuery {
  readonly tenant: TenantId
  readonly declaredIds: readonly string[]
  readonly ruleIds: readonly string[]
  readonly groupNames: readonly string[]
  /** With `prune`, all clients are read, not only the declared. */
  readonly prune: boolean
}

export async function presentOf(
  store: Everything & Pick<Store, 'unreadable'>,
  { tenant, declaredIds, ruleIds, groupNames, prune }: PresentQuery,
): Promise<PresentObjects> {
  const clients = new Map<string, Client>()
  const unreadable = new Map<string, number>()
  const namedAsPeople = new Set<string>()
  if (prune) for await (const client of allClients(store, tenant)) clients.set(client.id, client)
  for (const id of declaredIds) {
    const client = clients.get(id) ?? (await store.clients.find(tenant, id))
    const version = client === null ? store.unreadable.client(tenant, id)?.version : undefined
    if (client !== null) clients.set(id, client)
    if (version !== undefined) unreadable.set(id, version)
    if ((await store.users.byId(tenant, id)) !== null) namedAsPeople.add(id)
  }
  const namedByRules = new Set<string>()
  for (const id of new Set(ruleIds)) if ((await store.clients.find(tenant, id)) !== null) namedByRules.add(id)
  const groups = new Map<string, GroupRow>()
  if (prune) for await (const group of allGroups(store, tenant)) groups.set(groupKey(group.name), group)
  for (const name of groupNames) {
    const group = await store.groups.byName(tenant, name)
    if (group !== null) groups.set(groupKey(name), group)
  }
  const catalogue = await store.directory.catalogue(tenant)
  return { catalogue, clients, unreadable, namedAsPeople, namedByRules, groups }
}

export async function heldProfiles(store: Everything): Promise<HeldProfiles> {
  const held = new Map<string, TenantProfile>()
  for await (const { id, profile } of allTenants(store)) if (profile !== undefined) held.set(id, profile)
  return held
}
