/** Whoever is told of events as they happen: webhooks, and streams of Shared Signals. */
import type { NewEvent } from '@grantor/protocol/events'
import type { Instant, JsonObject, TenantId } from '@grantor/protocol/types'
import type { NewEventDelivery } from './new-event-delivery.ts'

export type ReceiverKind = 'webhook' | 'stream'
/** Events for a paused one are kept until it goes on; for a disabled one there are none. Both hear of their status. */
export type ReceiverStatus = 'enabled' | 'paused' | 'disabled'

/** The order key of what a receiver is told of its own status, whatever that is. */
export const statusOrderKey = 'status'

/** What is known of a receiver, but how it fares. */
export interface NewReceiver {
  readonly tenant: TenantId
  readonly id: string
  readonly kind: ReceiverKind
  /** What the kind has to say: where to, and which events. */
  readonly config: JsonObject
  readonly sealedSecret: Uint8Array | null
  /** The one before, which signs too until then. */
  readonly previous: { readonly sealed: Uint8Array; readonly until: Instant } | null
  readonly status: ReceiverStatus
  /** Why it is not enabled, in a word or as its owner said. */
  readonly statusReason: string | null
  /** Whether a file made it. */
  readonly declared: boolean
  /** What is behind this position in the log was before its time. */
  readonly sincePos: number
  readonly createdAt: Instant
}

/** How it fares: failures in a row, since when, and until when it is left alone. */
export interface ReceiverHealth {
  readonly failures: number
  readonly failingSince: Instant | null
  readonly restUntil: Instant
}

/** So many failures in a row may be about what was sent. From then on it is asked once at a time. */
export const failuresTolerated = 3

/** Whether it fetches what is for it: nobody brings it anything. */
export const isFetching = ({ config }: Pick<NewReceiver, 'config'>): boolean => config['method'] === 'poll'

/** What is not fetched in this time is not kept for anybody. */
export const keptForFetching = 7 * 24 * 60 * 60 * 1000

export interface ReceiverRow extends NewReceiver, ReceiverHealth {
  readonly version: number
}

/** Where the reading of the log stands. */
export interface EventReading {
  readonly cursor: number
  /** The lowest position that any receiver asks for what is behind it; null where there is none. */
  readonly since: number | null
}

/** How many of its kind there may be, also where several come at once. */
export interface MostReceivers {
  readonly ofTenant: number
  readonly ofClient?: number
}

export interface ReceiverStore {
  /**
   * 'no-tenant', 'no-client' (of a stream) also where it was removed meanwhile; 'full' where there are as many as `most`
   * allows.
   */
  add(
    receiver: NewReceiver,
    events: readonly NewEvent[],
    most?: MostReceivers,
  ): Promise<'added' | 'exists' | 'no-tenant' | 'no-client' | 'full'>
  find(tenant: TenantId, id: string): Promise<ReceiverRow | null>
  /** By their ids. */
  list(
    tenant: TenantId,
    page: { readonly kind: ReceiverKind; readonly after: string | null; readonly limit: number },
  ): Promise<readonly ReceiverRow[]>
  /** All that are told of events of a tenant: enabled or paused. */
  listening(tenant: TenantId): Promise<readonly ReceiverRow[]>
  /**
   * At that version only. One that becomes enabled, or moves, begins with good health; `at` is when what waits for it is
   * due again, as if it had just been queued.
   */
  replace(change: {
    readonly receiver: NewReceiver
    readonly version: number
    readonly at: Instant
    /** What it is told of the change itself. */
    readonly notice?: NewEventDelivery
    readonly events: readonly NewEvent[]
  }): Promise<'replaced' | 'changed-meanwhile'>
  /** With everything that waits for it. */
  remove(tenant: TenantId, id: string, events: readonly NewEvent[]): Promise<'removed' | 'absent'>
  reading(): Promise<EventReading>
}
