/** Receivers of events: webhooks, and streams of Shared Signals. */
import type { NewEvent } from '@grantor/protocol/events'
import type { Instant, JsonObject, TenantId } from '@grantor/protocol/types'
import type { NewEventDelivery } from './new-event-delivery.ts'

export type ReceiverKind = 'webhook' | 'stream'
/**
 * Events for a paused receiver are kept until it is enabled; for a disabled one there are none. Both get events about
 * their own status.
 */
export type ReceiverStatus = 'enabled' | 'paused' | 'disabled'

/** The order key of events about a receiver's own status. */
export const statusOrderKey = 'status'

/** A receiver without its health. */
export interface NewReceiver {
  readonly tenant: TenantId
  readonly id: string
  readonly kind: ReceiverKind
  /** The settings of its kind: address, events and so on. */
  readonly config: JsonObject
  readonly sealedSecret: Uint8Array | null
  /** The previous secret, which also signs until then. */
  readonly previous: { readonly sealed: Uint8Array; readonly until: Instant } | null
  readonly status: ReceiverStatus
  /** Why it is not enabled, in one word or in the owner's words. */
  readonly statusReason: string | null
  /** Whether it was declared in a file. */
  readonly declared: boolean
  /** Only events after this position of the log are delivered. */
  readonly sincePos: number
  readonly createdAt: Instant
}

/** Failures in a row, since when, and until when the receiver is not tried. */
export interface ReceiverHealth {
  readonly failures: number
  readonly failingSince: Instant | null
  readonly restUntil: Instant
}

/** This many failures in a row may be caused by the content. From then on the receiver gets one delivery at a time. */
export const failuresTolerated = 3

/** Whether the receiver polls, so that nothing is pushed to it. */
export const isFetching = ({ config }: Pick<NewReceiver, 'config'>): boolean => config['method'] === 'poll'

/** Milliseconds for which a delivery to a polling receiver is kept. */
export const keptForFetching = 7 * 24 * 60 * 60 * 1000

export interface ReceiverRow extends NewReceiver, ReceiverHealth {
  readonly version: number
}

/** The position of the reading of the log. */
export interface EventReading {
  readonly cursor: number
  /** The lowest `sincePos` of all receivers; null if there are none. */
  readonly since: number | null
}

/** The maximum numbers of receivers of a kind, which also hold for concurrent additions. */
export interface MostReceivers {
  readonly ofTenant: number
  readonly ofClient?: number
}

export interface ReceiverStore {
  /** 'no-tenant' and 'no-client' (for a stream) also if it was removed meanwhile; 'full' if `most` is reached. */
  add(
    receiver: NewReceiver,
    events: readonly NewEvent[],
    most?: MostReceivers,
  ): Promise<'added' | 'exists' | 'no-tenant' | 'no-client' | 'full'>
  find(tenant: TenantId, id: string): Promise<ReceiverRow | null>
  /** In the order of ids. */
  list(
    tenant: TenantId,
    page: { readonly kind: ReceiverKind; readonly after: string | null; readonly limit: number },
  ): Promise<readonly ReceiverRow[]>
  /** The receivers that get events of a tenant: enabled or paused. */
  listening(tenant: TenantId): Promise<readonly ReceiverRow[]>
  /**
   * Only at that version. A receiver that becomes enabled, or whose address changes, starts with good health; its
   * waiting deliveries are due again at `at`, as if just queued.
   */
  replace(change: {
    readonly receiver: NewReceiver
    readonly version: number
    readonly at: Instant
    /** The event about the change for the receiver itself. */
    readonly notice?: NewEventDelivery
    readonly events: readonly NewEvent[]
  }): Promise<'replaced' | 'changed-meanwhile'>
  /** Removes it with all its waiting deliveries. */
  remove(tenant: TenantId, id: string, events: readonly NewEvent[]): Promise<'removed' | 'absent'>
  reading(): Promise<EventReading>
}
