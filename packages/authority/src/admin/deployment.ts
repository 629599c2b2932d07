/** The life of the whole deployment: what must be announced when a database was restored from a backup. */
import type { Actor } from '@grantor/protocol/events'
import type { Tenant } from '@grantor/protocol/oauth'
import { ok } from '@grantor/protocol/result'
import type { TenantId } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import { type EventDependencies, localOrigin, newEvent } from '../events.ts'
import type { AdminResult } from './result.ts'

export interface DeploymentAdmin {
  /**
   * Records that the database was restored from a backup, and begins another life, in which nothing issued before is
   * valid.
   */
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
    // Each validator follows the feed of one issuer, so every tenant needs the event.
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
