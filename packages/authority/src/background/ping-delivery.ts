/**
 * Notifies clients in ping mode that a CIBA request was decided (CIBA §10.2). The notification is due from the commit
 * that decided it; any node leases it, tries, and settles it. The client may poll as well.
 */
import type { BackchannelNotification, Store } from '@grantor/store'
import { openNotification } from '../backchannel/notification.ts'
import type { Directory } from '../directory.ts'
import { type EventDependencies, localOrigin, newEvent, systemActor } from '../events.ts'
import type { Outbound } from '../ports/outbound.ts'
import type { Vault } from '../ports/vault.ts'
import { type ClientTurns, type Deliveries, openClientTurns, openDeliveries } from './deliveries.ts'

export interface PingDeliveryDependencies extends EventDependencies {
  readonly directory: Directory
  readonly outbound: Outbound
  readonly vault: Vault
  readonly store: Pick<Store, 'backchannel' | 'events'>
}

/** Milliseconds, longer than a try may take. The pauses are 1, 4, 9 and 16 times this: five tries in five minutes. */
const lease = 10_000
const maxTries = 5
const atOnce = 16
/**
 * Every decision is an event that wakes the loop; this is for retries that come due, and for rows of a node that died.
 */
const lookEvery = 2_000
/** Under load there are events all the time. */
const restBetweenRuns = 500

export function openPingDelivery(deps: PingDeliveryDependencies): Deliveries {
  const turns = openClientTurns()
  return openDeliveries<BackchannelNotification>({
    every: lookEvery,
    watch: (wake) => deps.store.events.watch(wake),
    rest: restBetweenRuns,
    atOnce,
    async take(underWay) {
      const now = deps.clock.now()
      if (!(await deps.store.backchannel.notificationsDue(now))) return null
      return deps.store.backchannel.takeNotification({ now, lease, busy: turns.busy(underWay) })
    },
    deliver: (due) => deliver(due, turns, deps),
  })
}

async function deliver(
  due: BackchannelNotification,
  turns: ClientTurns,
  deps: PingDeliveryDependencies,
): Promise<void> {
  const { tenant, clientId, tries } = due
  const client = await deps.directory.currentClient(tenant, clientId)
  const uri = client?.disabledAt === null ? client.metadata.backchannel_client_notification_endpoint : undefined
  // The client is disabled or deleted, or no longer has an address for pings.
  if (uri === undefined) return settle(due, null, deps)
  // The tokens can no longer be fetched, or a node took the row for the last try and died before it settled it.
  if (due.expiresAt <= deps.clock.now() || tries > maxTries) return settle(due, 'abandoned', deps)
  const notification = openNotification(due.sealed, due, deps.vault)
  if (notification === null) return settle(due, 'unopened', deps)
  const message = { bearer: notification.token, body: { auth_req_id: notification.authReqId } }
  const cause = { purpose: 'backchannel_client_notification_endpoint', clientId } as const
  const outcome = await deps.outbound.notify(uri, message, cause)
  turns.note(due, outcome.kind === 'ok')
  if (outcome.kind === 'ok') return settle(due, null, deps)
  // A client that refused once will refuse again.
  if (outcome.error === 'refused' || tries >= maxTries) return settle(due, outcome.error, deps)
}

async function settle(
  due: BackchannelNotification,
  failure: string | null,
  deps: PingDeliveryDependencies,
): Promise<void> {
  const { tenant, clientId, tries } = due
  const about = { actor: systemActor, clientId, reason: failure, data: { tries } }
  const events = failure === null ? [] : [newEvent(deps, localOrigin(tenant), 'backchannel.undelivered', about)]
  await deps.store.backchannel.settleNotification(due, events)
}
