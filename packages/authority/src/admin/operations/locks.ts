/** Administration of locks: who has used up a limit on guessing and until when, and removing such a lock early. */
import type { Actor } from '@grantor/protocol/events'
import { err, ok } from '@grantor/protocol/result'
import type { TenantId } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import { type EventDependencies, localOrigin, newEvent } from '../../events.ts'
import type { Limiter, Lock } from '../../ports/limiter.ts'
import type { AdminResult } from '../result.ts'

export interface LockAdmin {
  /** All locks of the tenant; locks of addresses belong to the first tenant. */
  list(tenant: TenantId): Promise<AdminResult<readonly Lock[]>>
  find(tenant: TenantId, id: string): Promise<AdminResult<Lock>>
  /** Restores the whole limit, on every node. */
  remove(by: Actor, tenant: TenantId, id: string): Promise<AdminResult<null>>
}

export interface LockAdminDependencies extends EventDependencies {
  readonly limiter: Limiter
  readonly store: Pick<Store, 'events'>
}

export function openLockAdmin(deps: LockAdminDependencies): LockAdmin {
  const { limiter } = deps

  async function find(tenant: TenantId, id: string): Promise<AdminResult<Lock>> {
    const lock = (await limiter.locks(tenant)).find((it) => it.id === id)
    return lock === undefined ? err({ reason: 'absent', what: `lock ${id}` }) : ok(lock)
  }

  return {
    list: async (tenant) => ok(await limiter.locks(tenant)),
    find,
    async remove(by, tenant, id) {
      const found = await find(tenant, id)
      if (found.kind === 'error') return found
      const { limit, heldBy } = found.value
      const about = {
        actor: by,
        ...(heldBy.kind === 'user' ? { subject: heldBy.id } : {}),
        ...(heldBy.kind === 'client' ? { clientId: heldBy.id } : {}),
        data: { limit, kind: heldBy.kind, ...(heldBy.kind === 'address' ? { address: heldBy.id } : {}) },
      }
      const events = [newEvent(deps, localOrigin(tenant), 'admin.lock_removed', about)]
      const done = await limiter.unlock(tenant, id, events)
      return done === 'unlocked' ? ok(null) : err({ reason: 'absent', what: `lock ${id}` })
    },
  }
}
