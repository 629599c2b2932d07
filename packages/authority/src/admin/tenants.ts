/** Administration of tenants: created, disabled and removed by command; the same is possible by declaration. */
import type { Actor } from '@grantor/protocol/events'
import { displayTextProblem, type Tenant } from '@grantor/protocol/oauth'
import { err, ok } from '@grantor/protocol/result'
import type { TenantId } from '@grantor/protocol/types'
import type { DirectoryChange, Store } from '@grantor/store'
import { type EventDependencies, localOrigin, newEvent } from '../events.ts'
import { isTenantName } from './declared/tenant-name.ts'
import type { AdminError, AdminResult } from './result.ts'

export interface TenantAdmin {
  find(tenant: TenantId): Promise<AdminResult<Tenant>>
  list(page: {
    readonly after: TenantId | null
    readonly limit: number
    readonly descending?: boolean
  }): Promise<AdminResult<readonly Tenant[]>>
  create(by: Actor, id: string, name: string): Promise<AdminResult<Tenant>>
  /** A disabled tenant refuses everything at once; its data stays. */
  setDisabled(by: Actor, tenant: TenantId, disabled: boolean): Promise<AdminResult<Tenant>>
  /** Removes a disabled tenant with all it holds but its log. */
  remove(by: Actor, tenant: TenantId): Promise<AdminResult<null>>
}

export interface TenantAdminDependencies extends EventDependencies {
  readonly store: Pick<Store, 'directory'>
}

const nothingElse = {
  putResources: [],
  dropResources: [],
  putScopes: [],
  dropScopes: [],
  createClients: [],
  replaceClients: [],
  dropClients: [],
} satisfies Partial<DirectoryChange>

const busy = err<AdminError>({
  reason: 'conflict',
  what: 'the tenant was changed at the same moment; look before trying again',
})

export function openTenantAdmin(deps: TenantAdminDependencies): TenantAdmin {
  const { store } = deps

  async function find(tenant: TenantId): Promise<AdminResult<Tenant>> {
    const catalogue = await store.directory.catalogue(tenant)
    return catalogue === null ? err({ reason: 'absent', what: `tenant ${tenant}` }) : ok(catalogue.tenant)
  }

  const changed = (by: Actor, tenant: TenantId, data: { readonly [name: string]: string | boolean }) =>
    newEvent(deps, localOrigin(tenant), 'admin.tenant_changed', { actor: by, data })

  return {
    find,
    list: async (page) => ok(await store.directory.tenants(page)),

    async create(by, id, name) {
      const unreadable = displayTextProblem(name)
      if (unreadable !== null) return err({ reason: 'invalid', problems: [{ field: 'name', problem: unreadable }] })
      if (!isTenantName(id)) {
        const problem = 'must be 1 to 40 of a-z, 0-9 and inner hyphens, and not the reserved name default'
        return err({ reason: 'invalid', problems: [{ field: 'id', problem }] })
      }
      const tenant = id as TenantId
      const events = [changed(by, tenant, { name, created: true })]
      const change = { ...nothingElse, tenant, expected: null, name, at: deps.clock.now(), events }
      const applied = await store.directory.apply([change])
      return applied === 'applied' ? find(tenant) : err({ reason: 'exists', what: `tenant ${id}` })
    },

    async setDisabled(by, tenant, disabled) {
      const held = await find(tenant)
      if (held.kind === 'error') return held
      const at = deps.clock.now()
      // `cutoff` tells the revocation feed that everything of this tenant is dead.
      const events = [changed(by, tenant, { disabled, cutoff: disabled })]
      const disabledAt = disabled ? at : null
      const applied = await store.directory.apply([
        { ...nothingElse, tenant, expected: held.value.revision, disabledAt, at, events },
      ])
      return applied === 'applied' ? find(tenant) : busy
    },

    async remove(by, tenant) {
      const removed = await store.directory.removeTenant(tenant, deps.clock.now(), [
        changed(by, tenant, { removed: true }),
      ])
      if (removed === 'absent') return err({ reason: 'absent', what: `tenant ${tenant}` })
      if (removed === 'not-disabled') {
        return err({ reason: 'conflict', what: `tenant ${tenant} is in use; disable it first, then remove it` })
      }
      return ok(null)
    },
  }
}
