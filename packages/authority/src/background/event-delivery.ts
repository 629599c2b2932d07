/**
 * Tells receivers of events. What is to be told lies in the store from the commit that says how far the log was read;
 * any node takes a row for a while, tries, and settles it. At least once, in order for each subject, then given up.
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
import { judgeAttempt } from '../webhooks/judge-attempt.ts'
import { type EventQueueDependencies, tryQueueEvents } from '../webhooks/queue-events.ts'
import { configOf, webhookMessage } from '../webhooks/webhook-delivery.ts'
import { busyClients, type Deliveries, openDeliveries } from './deliveries.ts'

export interface EventDeliveryDependencies extends EventDependencies, EventQueueDependencies {
  readonly directory: Directory
  readonly keyring: Pick<Keyring, 'signer'>
  readonly outbound: Pick<Outbound, 'post'>
  readonly vault: Vault
  readonly store: EventQueueDependencies['store'] & Pick<Store, 'events'>
}

/** Far longer than a try may take. */
const lease = 30_000
const atOnce = 16
/** Every event wakes; this is for tries that come due, and for a node that died. */
const lookEvery = 2_000
/** Under load there are events all the time. */
const restBetweenRuns = 200

export function openEventDelivery(deps: EventDeliveryDependencies): Deliveries {
  const { eventDeliveries, events } = deps.store
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
      const busy = busyClients(underWay.map(({ tenant, receiver }) => ({ tenant, clientId: receiver })))
      return eventDeliveries.take({ now, lease, busy })
    },
    deliver: (delivery) => deliver(delivery, deps),
  })
}

async function deliver(delivery: TakenDelivery, deps: EventDeliveryDependencies): Promise<void> {
  const { eventDeliveries } = deps.store
  const isStream = delivery.to.kind === 'stream'
  const message = isStream ? await pushedSet(delivery, deps) : webhookMessage(delivery, deps.vault, deps.clock.now())
  const begun = performance.now()
  const answer =
    message === null
      ? err('unopened' as const)
      : await deps.outbound.post(configOf(delivery.to).url, message, {
          purpose: isStream ? 'shared_signals' : 'webhooks',
          clientId: isStream ? settingsOf(delivery.to).clientId : null,
        })
  const latency = message === null ? null : Math.round(performance.now() - begun)
  const outcome = judgeAttempt(delivery, { answer, now: deps.clock.now(), latency, random: Math.random() })
  const settled = await eventDeliveries.settle(delivery, outcome, eventsOf(delivery, outcome, deps))
  // Somebody changed the receiver meanwhile: what is settled then is this one try alone.
  if (settled !== 'receiver-changed') return
  const alone = { ...outcome, disable: null }
  await eventDeliveries.settle(delivery, alone, eventsOf(delivery, alone, deps))
}

/** What is told of a try that was the last one, or ended with the receiver being told no more. */
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
  return [
    ...(state === 'dead'
      ? [
          newEvent(deps, localOrigin(tenant), `${noun}.undelivered`, {
            ...about,
            reason: error,
            data: { [noun]: receiver, id, type, attempts },
          }),
        ]
      : []),
    ...(disable === null
      ? []
      : [
          newEvent(deps, localOrigin(tenant), `${noun}.disabled`, {
            ...about,
            reason: disable,
            data: { [noun]: receiver, status },
          }),
        ]),
  ]
}
