/** Processes a polling receiver's acknowledgements and errors for the events it has fetched. */
import { shortened } from '@grantor/protocol/oauth'
import type { PollRequest } from '@grantor/protocol/ssf'
import type { Instant } from '@grantor/protocol/types'
import { keptForFetching, type Store } from '@grantor/store'
import { type EventDependencies, newEvent, systemActor } from '../events.ts'
import type { SsfCall } from './streams.ts'

interface Acknowledged {
  readonly call: SsfCall
  readonly stream: string
  readonly request: Pick<PollRequest, 'ack' | 'setErrs'>
}

export async function acknowledge(
  { call: { origin, clientId }, stream, request: { ack, setErrs } }: Acknowledged,
  deps: EventDependencies & { readonly store: Pick<Store, 'eventDeliveries'> },
): Promise<void> {
  if (ack.length === 0 && setErrs.length === 0) return
  const at = deps.clock.now()
  const events = setErrs.slice(0, 1).map((it) =>
    newEvent(deps, origin, 'stream.undelivered', {
      actor: systemActor,
      clientId,
      reason: it.error,
      data: { stream, id: shortened(it.id, 64), count: setErrs.length },
    }),
  )
  await deps.store.eventDeliveries.acknowledge({
    tenant: origin.tenant,
    receiver: stream,
    arrived: ack,
    failed: setErrs,
    at,
    keepUntil: (at + keptForFetching) as Instant,
    events,
  })
}
