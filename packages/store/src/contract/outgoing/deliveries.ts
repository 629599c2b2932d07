/**
 * Notifications to clients of ended sessions: written in the commit that ends the session, and kept until delivered or
 * given up.
 */
import type { NewEvent } from '@grantor/protocol/events'
import type { Instant, TenantId } from '@grantor/protocol/types'

/** A client that a person signed in to in a session, and the sid and sub that it knows. */
export interface SessionParty {
  readonly clientId: string
  readonly sid: string
  readonly sub: string
}

export interface Delivery extends SessionParty {
  readonly tenant: TenantId
  readonly createdAt: Instant
  /** The number of this try, from 1. It also distinguishes this taking of the row from a later one. */
  readonly tries: number
}

export interface DeliveryRequest {
  readonly now: Instant
  /**
   * Milliseconds. A row that is not settled may be taken again after this, then after four times this, nine times this
   * …
   */
  readonly lease: number
  /** Up to fifteen clients, as `tenant client`, whose rows are not taken now. */
  readonly busy: readonly string[]
}

export interface DeliveryStore {
  /** Whether any row is due. */
  due(now: Instant): Promise<boolean>
  /**
   * The row that has been due longest, for this caller alone; null if none is due, or another caller took it at the
   * same moment.
   */
  takeDue(request: DeliveryRequest): Promise<Delivery | null>
  /**
   * Removes a delivered or abandoned row, with the event that records it. 'taken-again': another caller has it by now.
   */
  settle(delivery: Delivery, events: readonly NewEvent[]): Promise<'settled' | 'taken-again'>
}
