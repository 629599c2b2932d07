/** Removes clients that registered themselves and that nobody ever used; one that was used once stays. */
import { registrationPolicy } from '@grantor/protocol/registration'
import type { Instant } from '@grantor/protocol/types'
import { newEvent, localOrigin, systemActor } from '../events.ts'
import type { Hands } from '../hands.ts'

const batch = 100
/** Of one tenant in one go: whoever registers by the thousand is removed by the thousand, but others come in between. */
const maxBatches = 20

export async function reapUnused(
  hands: Pick<Hands, 'store' | 'directory' | 'policy' | 'clock' | 'ids'>,
): Promise<void> {
  const { store, directory, policy } = hands
  for (const { tenant, since } of await store.registrations.unused()) {
    const catalogue = await directory.currentCatalogue(tenant)
    if (catalogue === null) continue
    const at = hands.clock.now()
    const { unusedLife } = registrationPolicy(policy.registration, catalogue.tenant)
    const before = (at - unusedLife * 1000) as Instant
    const pattern = newEvent(hands, localOrigin(tenant), 'client.deleted', { actor: systemActor, reason: 'unused' })
    if (since > before) continue
    for (let done = 0; done < maxBatches; done++) {
      if ((await store.registrations.reap({ tenant, before, limit: batch, at, event: pattern })) < batch) break
    }
  }
}
