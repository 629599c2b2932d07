/**
 * Who may make a client first-party. People are not asked for consent to such a client, so one with admin scopes could
 * obtain the rights of an owner by a mere link. Therefore only owners make or change one.
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
  /** The client before the change; null where it is created. */
  readonly held: Client | null
}

/** Why the client may not be made or changed this way, or not by this caller; null where it may. */
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
