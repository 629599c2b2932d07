/**
 * Delivers events to receivers. The deliveries are stored in the commit that records how far the log was read; any node
 * leases a row, tries, and settles it. At least once, in order for each subject, until given up.
 */
import type { NewEvent } from '@grantor/protocol/events'
import { err } from '@grantor/protocol/result'
import type { DeliveryOutcome, Store, TakenDelivery } from '@grantor/store'
import { type EventDependencies, localOrigin, newEvent, systemActor } from '../events.ts'
import type { Directory } from '../directory.ts'
import type { Keyring } from '../keys/keyring.ts'
import type { Outbound } from '../ports/outbound.ts'
import { pushedSet } from '../ssf/signed-set.ts'
import { settingsOf } from '../ssf/stream-settings.ts'
import type { Vault } from '../ports/vault.ts'
import { type Attempt, judgeAttempt } from '../webhooks/judge-attempt.ts'
import { type EventQueueDependencies, tryQueueEvents } from '../webhooks/queue-events.ts'
import { configOf, webhookMessage } from '../webhooks/webhook-delivery.ts'
import { type Deliveries, openClientTurns, openDeliveries } from './deliveries.ts'

export interface EventDeliveryDependencies extends EventDependencies, EventQueueDependencies {
  readonly directory: Directory
  readonly keyring: Pick<Keyring, 'signer'>
  readonly outbound: Pick<Outbound, 'post'>
  readonly vault: Vault
  readonly store: EventQueueDependencies['store'] & Pick<Store, 'events'>
}

/** Milliseconds for which a row is leased to this node: far longer than a try may take. */
const lease = 30_000
const atOnce = 16
/** Every event wakes the loop; this is for retries that come due, and for rows of a node that died. */
const lookEvery = 2_000
/** Under load, events come all the time; the loop pauses between them. */
const restBetweenRuns = 200

export function openEventDelivery(deps: EventDeliveryDependencies): Deliveries {
  const { eventDeliveries, events } = deps.store
  // The store delays retries to a receiver that fails, so nothing is noted here.
  const turns = openClientTurns()
  return openDeliveries<TakenDelivery>({
    every: lookEvery,
    watch: (wake) => events.watch(wake),
    rest: restBetweenRuns,
    atOnce,
    async prepare() {
      await tryQueueEvents(deps)
    },
    async take(underWay) {
      const now = deps.clock.now()
      if (!(await eventDeliveries.due(now))) return null
      const busy = turns.busy(underWay.map(({ tenant, receiver }) => ({ tenant, clientId: receiver })))
      return eventDeliveries.take({ now, lease, busy })
    },
    deliver: (delivery) => deliver(delivery, deps),
  })
}

async function deliver(delivery: TakenDelivery, deps: EventDeliveryDependencies): Promise<void> {
  const { eventDeliveries } = deps.store
  const tried = await attempt(delivery, deps)
  const outcome = judgeAttempt(delivery, { ...tried, now: deps.clock.now(), random: Math.random() })
  const settled = await eventDeliveries.settle(delivery, outcome, eventsOf(delivery, outcome, deps))
  // The receiver was changed meanwhile, so it must not be disabled for its earlier state: only this try is settled.
  if (settled !== 'receiver-changed') return
  const withoutDisabling = { ...outcome, disable: null }
  await eventDeliveries.settle(delivery, withoutDisabling, eventsOf(delivery, withoutDisabling, deps))
}

async function attempt(
  delivery: TakenDelivery,
  deps: EventDeliveryDependencies,
): Promise<Pick<Attempt, 'answer' | 'latency'>> {
  const { tenant, to } = delivery
  const clientId = to.kind === 'stream' ? settingsOf(to).clientId : null
  const client = clientId === null ? null : await deps.directory.currentClient(tenant, clientId)
  if (clientId !== null && client?.disabledAt !== null) return { answer: err('client_disabled'), latency: null }
  const message =
    clientId === null ? webhookMessage(delivery, deps.vault, deps.clock.now()) : await pushedSet(delivery, deps)
  if (message === null) return { answer: err('unopened'), latency: null }
  const begun = performance.now()
  const purpose = clientId === null ? 'webhooks' : 'shared_signals'
  const answer = await deps.outbound.post(configOf(to).url, message, { purpose, clientId })
  return { answer, latency: Math.round(performance.now() - begun) }
}

/** The events of a try that was the last one, or that disables the receiver. */
function eventsOf(
  delivery: TakenDelivery,
  { disable, state, error, status }: DeliveryOutcome,
  deps: EventDeliveryDependencies,
): readonly NewEvent[] {
  const { tenant, receiver, id, type, attempts } = delivery
  const isStream = delivery.to.kind === 'stream'
  const [noun, about] = isStream
    ? (['stream', { actor: systemActor, clientId: settingsOf(delivery.to).clientId }] as const)
    : (['webhook', { actor: systemActor }] as const)
  const events: NewEvent[] = []
  if (state === 'dead') {
    const data = { [noun]: receiver, id, type, attempts }
    events.push(newEvent(deps, localOrigin(tenant), `${noun}.undelivered`, { ...about, reason: error, data }))
  }
  if (disable !== null) {
    const data = { [noun]: receiver, status }
    events.push(newEvent(deps, localOrigin(tenant), `${noun}.disabled`, { ...about, reason: disable, data }))
  }
  return events
}
