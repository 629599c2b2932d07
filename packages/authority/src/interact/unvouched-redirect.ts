/**
 * RFC 9700 §4.11.2: a client that anybody may register could use us as an open redirector, by a request that is refused
 * or a logout with its own hint. So no browser is redirected to it until a person of that browser has consented to the
 * client.
 */
import type { Policy } from '@grantor/protocol/oauth'
import { type Client, isVouchedFor, registrationPolicy } from '@grantor/protocol/registration'
import type { Store } from '@grantor/store'
import type { Directory } from '../directory.ts'
import type { Clock, Ids } from '../ports/environment.ts'
import { isStillValid } from './earlier-consent.ts'
import type { Account } from './visitor.ts'

export interface RedirectDependencies {
  readonly clock: Clock
  readonly ids: Pick<Ids, 'handleOf'>
  readonly directory: Directory
  readonly policy: Policy
  readonly store: Pick<Store, 'consents'>
}

/** `present` returns the accounts of this browser; it is called only where the decision depends on them. */
export async function mayRedirect(
  client: Client,
  present: () => Promise<readonly Account[]>,
  { clock, ids, directory, policy, store }: RedirectDependencies,
): Promise<boolean> {
  if (isVouchedFor(client)) return true
  const catalogue = await directory.servedCatalogue(client.tenant)
  if (catalogue !== null && registrationPolicy(policy.registration, catalogue.tenant).errorRedirects === 'always')
    return true
  for (const { person } of await present()) {
    const records = await store.consents.inForce(client.tenant, person.id, client.id, clock.now())
    if (records.some((record) => isStillValid(record, client, ids))) return true
  }
  return false
}
