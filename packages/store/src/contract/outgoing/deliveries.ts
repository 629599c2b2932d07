/** What clients are still to be told of sessions that ended: written with the end itself, kept until told or given up. */
import type { NewEvent } from '@grantor/protocol/events'
import type { Instant, TenantId } from '@grantor/protocol/types'

/** A client that a person signed in to in a session, and what it knows of both. */
export interface SessionParty {
  readonly clientId: string
  readonly sid: string
  readonly sub: string
}

export interface Delivery extends SessionParty {
  readonly tenant: TenantId
  readonly createdAt: Instant
  /** Which try this is, counted from 1. It also tells this taking of the row from a later one. */
  readonly tries: number
}

export interface DeliveryRequest {
  readonly now: Instant
  /** Milliseconds. Unless it is settled before, the row may be taken again after this, four times this, nine times this … */
  readonly lease: number
  /** Up to fifteen clients, as `tenant client`, whose rows are left alone for now. */
  readonly busy: readonly string[]
}

export interface DeliveryStore {
  /** Whether any row is due. */
  due(now: Instant): Promise<boolean>
  /** The row that has been due longest, for the caller alone; null where none is, or somebody took it at the same moment. */
  takeDue(request: DeliveryRequest): Promise<Delivery | null>
  /** Told, or given up for good, with the event that says so. 'taken-again': somebody else has it meanwhile. */
  settle(delivery: Delivery, events: readonly NewEvent[]): Promise<'settled' | 'taken-again'>
}
