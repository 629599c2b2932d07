/** Events on their way to receivers: written with how far the log was read, kept until they arrived or are given up. */
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
  /** When it is tried next; while one tries, when another would. Null: it waits for an earlier one, or is done. */
  readonly dueAt: Instant | null
  /** How often it was taken. It also tells this taking of the row from a later one. */
  readonly attempts: number
  /** How often since it was queued, or queued again. */
  readonly tries: number
  /** Of the last answer; null where there was none. */
  readonly lastStatus: number | null
  readonly lastError: string | null
  /** Milliseconds of the last try. */
  readonly latency: number | null
  readonly settledAt: Instant | null
}

export interface TakenDelivery extends EventDeliveryRow {
  readonly to: ReceiverRow
}

/** What became of a try. */
export interface DeliveryOutcome {
  readonly at: Instant
  readonly state: EventDeliveryState
  /** Where it is still waiting: when it is tried next. */
  readonly dueAt: Instant | null
  /** Where it is done: how long the record of it is kept. */
  readonly keepUntil: Instant | null
  readonly status: number | null
  readonly error: string | null
  readonly latency: number | null
  readonly health: ReceiverHealth
  /** Where the receiver is to be told no more: why. */
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
  /** Moves the cursor and queues what the events gave rise to, in one commit; of many nodes one does. */
  derive(reading: {
    readonly from: number
    readonly to: number
    readonly deliveries: readonly NewEventDelivery[]
    /** People who are no more: what streams called them is forgotten. */
    readonly removed?: readonly Pick<StreamSubject, 'tenant' | 'subject'>[]
  }): Promise<'derived' | 'elsewhere'>
  /** What is not in the log: a test, a verification. 'absent': there is no such receiver. */
  queue(delivery: NewEventDelivery, events: readonly NewEvent[]): Promise<'queued' | 'absent'>
  /** Whether any receiver may have something due. */
  due(now: Instant): Promise<boolean>
  /**
   * The row that has been due longest of the receiver that has waited longest, for the caller alone until `now + lease`;
   * null where none is, or somebody took it at the same moment. A receiver that failed gets one at a time.
   */
  take(request: {
    readonly now: Instant
    readonly lease: number
    /** Up to four receivers, as `tenant id`, whose rows are left alone for now. */
    readonly busy: readonly string[]
  }): Promise<TakenDelivery | null>
  /**
   * 'taken-again': somebody else has it meanwhile, or it is gone with its receiver. 'receiver-changed': the receiver that
   * was to be disabled is not the one that was tried (`to`) any more, and nothing is done.
   */
  settle(
    delivery: EventDeliveryRow & { readonly to?: Pick<ReceiverRow, 'version'> },
    outcome: DeliveryOutcome,
    events: readonly NewEvent[],
  ): Promise<'settled' | 'taken-again' | 'receiver-changed'>
  /** Of one receiver, the newest first, before the id `before`. */
  search(tenant: TenantId, search: EventDeliverySearch): Promise<readonly EventDeliveryRow[]>
  find(tenant: TenantId, receiver: string, id: string): Promise<EventDeliveryRow | null>
  /** Of one who fetches them: those that wait and may be told, the oldest first. */
  waiting(to: Pick<ReceiverRow, 'tenant' | 'id' | 'status'>, limit: number): Promise<readonly EventDeliveryRow[]>
  /** What they say of those that they fetched; anything else is passed over. How many are done by it. */
  acknowledge(answer: {
    readonly tenant: TenantId
    readonly receiver: string
    readonly arrived: readonly string[]
    readonly failed: readonly { readonly id: string; readonly error: string }[]
    readonly at: Instant
    readonly keepUntil: Instant
    readonly events: readonly NewEvent[]
  }): Promise<number>
  /** Queues again one that is done, or (null) all that were given up; in the order of the log. How many. */
  replay(which: {
    readonly tenant: TenantId
    readonly receiver: string
    readonly id: string | null
    readonly at: Instant
    readonly events: readonly NewEvent[]
  }): Promise<number>
}
