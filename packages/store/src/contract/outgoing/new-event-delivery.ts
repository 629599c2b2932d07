/** One event for one receiver, as it is queued. */
import type { Instant, TenantId } from '@grantor/protocol/types'

export interface NewEventDelivery {
  readonly tenant: TenantId
  readonly receiver: string
  /** The same for the same event, however often it is sent. */
  readonly id: string
  /** The place of the event in the log; 0 for what is not in it. */
  readonly pos: number
  readonly type: string
  /** Those of one receiver with the same key arrive in the order of the log. */
  readonly orderKey: string
  readonly payload: string
  readonly madeAt: Instant
}
