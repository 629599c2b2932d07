/** Removes clients that registered themselves and were never used; a client that was used once stays. */
import { registrationPolicy } from '@grantor/protocol/registration'
import type { Policy } from '@grantor/protocol/oauth'
import type { Instant } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import { type EventDependencies, localOrigin, newEvent, systemActor } from '../events.ts'
import type { Directory } from '../directory.ts'

const batch = 100
/**
 * Batches of one tenant in one run: mass registrations are removed in bulk, with the other tenants served in between.
 */
const maxBatches = 20

export interface ReapDependencies extends EventDependencies {
  readonly directory: Directory
  readonly policy: Policy
  readonly store: Pick<Store, 'registrations'>
}

export async function reapUnused(deps: ReapDependencies): Promise<void> {
  const { store, directory, policy } = deps
  for (const { tenant, since } of await store.registrations.unused()) {
    const catalogue = await directory.currentCatalogue(tenant)
    if (catalogue === null) continue
    const at = deps.clock.now()
    const { unusedLife } = registrationPolicy(policy.registration, catalogue.tenant)
    const before = (at - unusedLife * 1000) as Instant
    const pattern = newEvent(deps, localOrigin(tenant), 'client.deleted', { actor: systemActor, reason: 'unused' })
    if (since > before) continue
    for (let done = 0; done < maxBatches; done++) {
      if ((await store.registrations.reap({ tenant, before, limit: batch, at, event: pattern })) < batch) break
    }
  }
}
