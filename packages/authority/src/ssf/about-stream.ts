/** The events that a stream gets about itself: verification (SSF 1.0 §8.1.4.2) and a changed status (§8.1.5). */
import { signalType } from '@grantor/protocol/ssf'
import type { Instant, JsonObject } from '@grantor/protocol/types'
import { type NewEventDelivery, type ReceiverRow, statusOrderKey } from '@grantor/store'

interface NewNotice {
  readonly id: string
  readonly now: Instant
}

export const verificationOf = (stream: ReceiverRow, state: string | null, notice: NewNotice): NewEventDelivery =>
  aboutStream(
    stream,
    { ...notice, type: signalType.verification, orderKey: `event ${notice.id}` },
    state === null ? {} : { state },
  )

/** Only for changes by others: a receiver's own change is answered in its response. */
export const statusNotice = (stream: ReceiverRow, notice: NewNotice): NewEventDelivery =>
  aboutStream(
    stream,
    { ...notice, type: signalType.streamUpdated, orderKey: statusOrderKey },
    { status: stream.status, ...(stream.statusReason === null ? {} : { reason: stream.statusReason }) },
  )

function aboutStream(
  stream: ReceiverRow,
  { id, now, type, orderKey }: NewNotice & Pick<NewEventDelivery, 'type' | 'orderKey'>,
  body: JsonObject,
): NewEventDelivery {
  return {
    tenant: stream.tenant,
    receiver: stream.id,
    id,
    pos: 0,
    type,
    orderKey,
    payload: JSON.stringify({ sub_id: { format: 'opaque', id: stream.id }, events: { [type]: body } }),
    madeAt: now,
  }
}
