/**
 * Deliveries of events to receivers: written in the commit that advances the reading of the log, and kept until
 * delivered or given up.
 */
import type { NewEvent, SealedEvent } from '@grantor/protocol/events'
import type { Instant, TenantId } from '@grantor/protocol/types'
import type { ReceiverHealth, ReceiverRow } from './event-receivers.ts'
import type { NewEventDelivery } from './new-event-delivery.ts'
import type { StreamSubject } from './stream-subjects.ts'

export type EventDeliveryState = 'waiting' | 'delivered' | 'dead'

export interface EventDeliveryRow extends NewEventDelivery {
  readonly state: EventDeliveryState
  /** When it was queued, or queued again. */
  readonly queuedAt: Instant
  /**
   * The time of the next try; during a try, the time when another node may try. Null: it waits for an earlier one, or
   * is finished.
   */
  readonly dueAt: Instant | null
  /** How often it was taken. It also distinguishes this taking of the row from a later one. */
  readonly attempts: number
  /** Tries since it was queued, or queued again. */
  readonly tries: number
  /** The status of the last answer; null if there was none. */
  readonly lastStatus: number | null
  readonly lastError: string | null
  /** Duration of the last try in milliseconds. */
  readonly latency: number | null
  readonly settledAt: Instant | null
}

export interface TakenDelivery extends EventDeliveryRow {
  readonly to: ReceiverRow
}

/** The outcome of a try. */
export interface DeliveryOutcome {
  readonly at: Instant
  readonly state: EventDeliveryState
  /** The time of the next try, if it still waits. */
  readonly dueAt: Instant | null
  /** Until when the record is kept, if it is finished. */
  readonly keepUntil: Instant | null
  readonly status: number | null
  readonly error: string | null
  readonly latency: number | null
  readonly health: ReceiverHealth
  /** Why the receiver is to be disabled; null if it is not. */
  readonly disable: string | null
}

export interface EventDeliverySearch {
  readonly receiver: string
  readonly state: EventDeliveryState | null
  readonly before: string | null
  readonly limit: number
}

export interface EventDeliveryStore {
  /** Sealed events over all tenants, in order, after `pos`. */
  news(pos: number, limit: number): Promise<readonly SealedEvent[]>
  /** Moves the cursor and queues the deliveries of the events, in one commit; of several nodes one succeeds. */
  derive(reading: {
    readonly from: number
    readonly to: number
    readonly deliveries: readonly NewEventDelivery[]
    /** Removed people, whose subjects in streams are deleted. */
    readonly removed?: readonly Pick<StreamSubject, 'tenant' | 'subject'>[]
  }): Promise<'derived' | 'elsewhere'>
  /**
   * Queues a delivery of an event that is not in the log: a test, a verification. 'absent': there is no such receiver.
   */
  queue(delivery: NewEventDelivery, events: readonly NewEvent[]): Promise<'queued' | 'absent'>
  /** Whether any receiver may have a due delivery. */
  due(now: Instant): Promise<boolean>
  /**
   * The row that has been due longest of the receiver that has waited longest, for this caller alone until `now +
   * lease`; null if none is due, or another caller took it at the same moment. A failing receiver gets one at a time.
   */
  take(request: {
    readonly now: Instant
    readonly lease: number
    /** Up to four receivers, as `tenant id`, whose rows are not taken now. */
    readonly busy: readonly string[]
  }): Promise<TakenDelivery | null>
  /**
   * 'taken-again': another caller has it by now, or it was removed with its receiver. 'receiver-changed': the receiver
   * to be disabled has changed since it was tried (`to`), and nothing is done.
   */
  settle(
    delivery: EventDeliveryRow & { readonly to?: Pick<ReceiverRow, 'version'> },
    outcome: DeliveryOutcome,
    events: readonly NewEvent[],
  ): Promise<'settled' | 'taken-again' | 'receiver-changed'>
  /** The deliveries of one receiver, the newest first, before the id `before`. */
  search(tenant: TenantId, search: EventDeliverySearch): Promise<readonly EventDeliveryRow[]>
  find(tenant: TenantId, receiver: string, id: string): Promise<EventDeliveryRow | null>
  /** The deliveries that a polling receiver may fetch now, the oldest first. */
  waiting(to: Pick<ReceiverRow, 'tenant' | 'id' | 'status'>, limit: number): Promise<readonly EventDeliveryRow[]>
  /**
   * Records which of the fetched deliveries arrived or failed; other ids are ignored. Returns how many were finished.
   */
  acknowledge(answer: {
    readonly tenant: TenantId
    readonly receiver: string
    readonly arrived: readonly string[]
    readonly failed: readonly { readonly id: string; readonly error: string }[]
    readonly at: Instant
    readonly keepUntil: Instant
    readonly events: readonly NewEvent[]
  }): Promise<number>
  /**
   * Queues again one finished delivery, or (null) all that were given up, in the order of the log. Returns how many.
   */
  replay(which: {
    readonly tenant: TenantId
    readonly receiver: string
    readonly id: string | null
    readonly at: Instant
    readonly events: readonly NewEvent[]
  }): Promise<number>
}
