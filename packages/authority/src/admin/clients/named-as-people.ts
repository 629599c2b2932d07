/**
 * Clients of an older database whose tokens would carry the `sub` of a person: disabled before the server serves
 * requests.
 */
import type { Actor } from '@grantor/protocol/events'
import type { Client } from '@grantor/protocol/registration'
import type { Store } from '@grantor/store'
import { type EventDependencies, localOrigin, newEvent } from '../../events.ts'

export async function disableNamedAsPeople(
  by: Actor,
  deps: EventDependencies & { readonly store: Pick<Store, 'clients'> },
): Promise<readonly Client[]> {
  const found = await deps.store.clients.namedAsPeople()
  for (const { tenant, id, version, metadata } of found) {
    const at = deps.clock.now()
    const about = { actor: by, clientId: id, reason: 'subject_of_person', data: { disabled: true, cutoff: true } }
    const events = [newEvent(deps, localOrigin(tenant), 'client.updated', about)]
    // On a conflict the client was changed at the same moment: by another node that does the same, or by an
    // administrator; the next start checks again.
    await deps.store.clients.replace({ tenant, id, version, metadata, disabledAt: at, secrets: null, at, events })
  }
  return found
}
