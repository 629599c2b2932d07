/**
 * Who may say that a client belongs to the service. People are not asked about such a client: one that may administer
 * could be handed, by an address alone, what only owners may do. So nobody below them makes or changes one.
 */
import type { Actor } from '@grantor/protocol/events'
import { type Client, type ClientMetadata, isMadeHere, reachableScope } from '@grantor/protocol/registration'
import type { TenantId } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import { mayNameAdministrators } from '../people/naming-administrators.ts'
import type { AdminError } from '../result.ts'

interface FirstPartyChange {
  readonly by: Actor
  readonly tenant: TenantId
  readonly metadata: ClientMetadata
  /** What it was before; null where it is made. */
  readonly held: Client | null
}

/** Why this client may not be made so, or not by them; null where it may. */
export async function firstPartyProblem(
  { by, tenant, metadata, held }: FirstPartyChange,
  store: Pick<Store, 'users'>,
): Promise<AdminError | null> {
  if (metadata.first_party === true && held !== null && !isMadeHere(held))
    return {
      reason: 'invalid',
      problems: [{ field: 'first_party', problem: 'is not for clients that registered themselves' }],
    }
  const administers = [metadata, held?.metadata].some(
    (it) => it?.first_party === true && reachableScope(it).some((name) => name.startsWith('admin:')),
  )
  if (!administers || (await mayNameAdministrators(by, tenant, store))) return null
  return { reason: 'forbidden', what: 'only owners make or change a first-party client that may administer' }
}
