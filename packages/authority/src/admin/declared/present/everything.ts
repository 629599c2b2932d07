/** Reads all rows of a kind page by page, to compare or to export them. */
import type { Client } from '@grantor/protocol/registration'
import type { TenantId } from '@grantor/protocol/types'
import type { GroupRow, Store, UserRow } from '@grantor/store'

const pageSize = 200

export type Everything = Pick<Store, 'directory' | 'clients' | 'groups' | 'users' | 'eventReceivers'>

export async function* allClients(store: Everything, tenant: TenantId) {
  for (let after: string | null = null; ;) {
    const page: readonly Client[] = await store.clients.list(tenant, { after, limit: pageSize })
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) return
    after = last.id
  }
}

export async function* allUsers(store: Everything, tenant: TenantId) {
  for (let after: string | null = null; ;) {
    const page: readonly UserRow[] = await store.users.list(tenant, { after, limit: pageSize })
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) return
    after = last.id
  }
}

export async function* allTenants(store: Everything) {
  for (let after: TenantId | null = null; ;) {
    const page: Awaited<ReturnType<Store['directory']['tenants']>> = await store.directory.tenants({
      after,
      limit: pageSize,
    })
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) return
    after = last.id
  }
}

export async function* allGroups({ groups }: Everything, tenant: TenantId) {
  for (let after: GroupRow | null = null; ;) {
    const search = { prefix: '', member: null, role: null, externalId: null, after, limit: pageSize }
    const page: readonly GroupRow[] = await groups.search(tenant, search)
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) return
    after = last
  }
}
