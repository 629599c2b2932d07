/** The life of the whole deployment: what must be said when a database was put back from a backup. */
import type { Tenant } from '@grantor/protocol/oauth'
import { ok } from '@grantor/protocol/result'
import type { TenantId } from '@grantor/protocol/types'
import { newEvent, localOrigin } from '../events.ts'
import type { Admin } from './admin.ts'
import type { Hands } from '../hands.ts'

const pageSize = 500

export const deploymentAdmin = (hands: Hands): Admin['deployment'] => ({
  async restored(by, from) {
    const { store } = hands
    const events = []
    // Validators follow the feed of one issuer each, so every tenant has to be told.
    for (let after: TenantId | null = null; ;) {
      const page: readonly Tenant[] = await store.directory.tenants({ after, limit: pageSize })
      for (const { id } of page)
        events.push(newEvent(hands, localOrigin(id), 'admin.restored', { actor: by, data: { from } }))
      after = page.at(-1)?.id ?? null
      if (page.length < pageSize) break
    }
    return ok(await store.beginNewEpoch(hands.clock.now(), events))
  },
})
