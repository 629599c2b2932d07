/**
 * What happens when the clock was set back. Seconds in which tokens were issued come again, so `iat` could not tell
 * which of two tokens came first: earlier tokens end together with their keys, and the server continues from the new
 * time.
 */
import { defaultTenant, type Instant, mostSkew, type TenantId } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import { localOrigin, newEvent, systemActor } from '../events.ts'
import { clockOf, type Ids } from '../ports/environment.ts'

export interface SetBackDependencies {
  readonly ids: Pick<Ids, 'id'>
  readonly store: { readonly events: Pick<Store['events'], 'latest'> } & Pick<Store, 'setBack'>
}

/** The milliseconds by which the log is ahead of `at`; null where that is within the tolerated skew. */
export async function settleSetBack(at: Instant, { ids, store }: SetBackDependencies): Promise<number | null> {
  const from = await store.events.latest()
  // Nothing was issued at a later time, or another node was here before.
  if (from === null || from - at <= mostSkew) return null
  const about = { actor: systemActor, data: { seconds: Math.round((from - at) / 1000) } }
  const origin = localOrigin(defaultTenant as TenantId)
  const event = newEvent({ clock: clockOf(() => at), ids }, origin, 'clock.set_back', about)
  await store.setBack({ from, at, event })
  return from - at
}
