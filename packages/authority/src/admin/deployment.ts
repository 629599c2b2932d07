/** The life of the whole deployment: what must be said when a database was put back from a backup. */
import type { Actor } from '@grantor/protocol/events'
import type { Tenant } from '@grantor/protocol/oauth'
import { ok } from '@grantor/protocol/result'
import type { TenantId } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import { type EventDependencies, localOrigin, newEvent } from '../events.ts'
import type { AdminResult } from './result.ts'

export interface DeploymentAdmin {
  /** This database was put back from a backup: begins another life, in which nothing issued before is valid. */
  restored(by: Actor, from: string): Promise<AdminResult<string>>
}

export interface DeploymentAdminDependencies extends EventDependencies {
  readonly store: Pick<Store, 'directory' | 'beginNewEpoch'>
}

const pageSize = 500

export const openDeploymentAdmin = (deps: DeploymentAdminDependencies): DeploymentAdmin => ({
  async restored(by, from) {
    const { store } = deps
    const events = []
    // Validators follow the feed of one issuer each, so every tenant has to be told.
    for (let after: TenantId | null = null; ;) {
      const page: readonly Tenant[] = await store.directory.tenants({ after, limit: pageSize })
      for (const { id } of page)
        events.push(newEvent(deps, localOrigin(id), 'admin.restored', { actor: by, data: { from } }))
      after = page.at(-1)?.id ?? null
      if (page.length < pageSize) break
    }
    return ok(await store.beginNewEpoch(deps.clock.now(), events))
  },
})
