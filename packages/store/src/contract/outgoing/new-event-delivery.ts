/** A new delivery of one event to one receiver. */
import type { Instant, TenantId } from '@grantor/protocol/types'

export interface NewEventDelivery {
  readonly tenant: TenantId
  readonly receiver: string
  /** The same for every try of the same event. */
  readonly id: string
  /** The position of the event in the log; 0 for an event that is not in it. */
  readonly pos: number
  readonly type: string
  /** Deliveries of one receiver with the same key arrive in the order of the log. */
  readonly orderKey: string
  readonly payload: string
  readonly madeAt: Instant
}
