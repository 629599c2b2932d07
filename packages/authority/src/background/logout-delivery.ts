/**
 * Delivers logout tokens (Back-Channel Logout 1.0 §2.5). The deliveries are stored in the commit that ends the session;
 * any node leases a row, tries, and settles it. At least once, with growing pauses, until given up.
 */
import { jwtType } from '@grantor/protocol/jose'
import { logoutTokenClaims } from '@grantor/protocol/oidc'
import type { Client } from '@grantor/protocol/registration'
import type { Delivery, Store } from '@grantor/store'
import { type EventDependencies, localOrigin, newEvent, systemActor } from '../events.ts'
import type { Directory } from '../directory.ts'
import type { Keyring } from '../keys/keyring.ts'
import type { Ids, Issuers } from '../ports/environment.ts'
import type { Outbound } from '../ports/outbound.ts'
import { type ClientTurns, type Deliveries, openClientTurns, openDeliveries } from './deliveries.ts'

export interface LogoutDeliveryDependencies extends EventDependencies {
  readonly ids: Ids
  readonly issuers: Issuers
  readonly directory: Directory
  readonly keyring: Keyring
  readonly outbound: Outbound
  readonly store: Pick<Store, 'deliveries' | 'events'>
}

/**
 * Milliseconds, longer than a try may take. The pauses are 1, 4, 9 and 16 times this: five tries in seven and a half
 * minutes.
 */
const lease = 15_000
const maxTries = 5
const atOnce = 16
/**
 * Every end of a session is an event that wakes the loop; this is for retries that come due, and for rows of a node
 * that died.
 */
const lookEvery = 2_000
/** Under load there are events all the time. */
const restBetweenRuns = 100

export function openLogoutDelivery(deps: LogoutDeliveryDependencies): Deliveries {
  const turns = openClientTurns()
  return openDeliveries<Delivery>({
    every: lookEvery,
    watch: (wake) => deps.store.events.watch(wake),
    rest: restBetweenRuns,
    atOnce,
    async take(underWay) {
      if (!(await deps.store.deliveries.due(deps.clock.now()))) return null
      return deps.store.deliveries.takeDue({ now: deps.clock.now(), lease, busy: turns.busy(underWay) })
    },
    deliver: (delivery) => deliver(delivery, turns, deps),
  })
}

async function deliver(delivery: Delivery, turns: ClientTurns, deps: LogoutDeliveryDependencies): Promise<void> {
  const { tenant, clientId, tries } = delivery
  const client = await deps.directory.currentClient(tenant, clientId)
  const uri = client?.disabledAt === null ? client.metadata.backchannel_logout_uri : undefined
  // The client is disabled or deleted, or has no address for logout tokens; it may be notified by a frame instead.
  if (client === null || uri === undefined) return settle(delivery, null, deps)
  // A node took the row for the last try, and died before it settled it.
  if (tries > maxTries) return settle(delivery, 'abandoned', deps)
  const token = await mintLogoutToken(delivery, client, deps)
  if (token === null) return settle(delivery, null, deps)
  const outcome = await deps.outbound.deliver(
    uri,
    { logout_token: token },
    { purpose: 'backchannel_logout_uri', clientId },
  )
  turns.note(delivery, outcome.kind === 'ok')
  if (outcome.kind === 'ok') return settle(delivery, null, deps)
  if (tries >= maxTries) return settle(delivery, outcome.error, deps)
}

/**
 * Made anew for each try, because the token lives for two minutes. Null where the tenant, and with it the issuer, is
 * gone.
 */
async function mintLogoutToken(
  delivery: Delivery,
  { metadata }: Client,
  deps: LogoutDeliveryDependencies,
): Promise<string | null> {
  const { tenant, clientId, sid, sub } = delivery
  const catalogue = await deps.directory.currentCatalogue(tenant)
  if (catalogue === null) return null
  // §2.6: signed as the client's ID tokens are.
  const signer = await deps.keyring.signer(catalogue, metadata.id_token_signed_response_alg ?? 'RS256')
  const jti = deps.ids.handleOf(`logout ${tenant} ${clientId} ${sid}`)
  const issuer = deps.issuers.issuerOf(tenant)
  return signer.sign(jwtType.logout, logoutTokenClaims({ issuer, clientId, sub, sid, jti, now: deps.clock.now() }))
}

async function settle(delivery: Delivery, failure: string | null, deps: LogoutDeliveryDependencies): Promise<void> {
  const { tenant, clientId, sid, tries } = delivery
  const about = { actor: systemActor, clientId, reason: failure, data: { sid, tries } }
  const events = failure === null ? [] : [newEvent(deps, localOrigin(tenant), 'logout.undelivered', about)]
  await deps.store.deliveries.settle(delivery, events)
}
