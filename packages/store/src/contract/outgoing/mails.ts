/** Mails on their way out: what is written here is sent, by one node at a time, until it arrived or is given up. */
import type { NewEvent, SealedEvent } from '@grantor/protocol/events'
import type { Instant, TenantId } from '@grantor/protocol/types'

export interface NewMail {
  readonly tenant: TenantId
  readonly id: string
  readonly kind: string
  /** The person it is for; null where that is not known yet. */
  readonly subject: string | null
  /** Whom to, and what it says; sealed, because a link in it is a secret. */
  readonly sealed: Uint8Array
  readonly madeAt: Instant
  /** When it is no longer worth sending. */
  readonly expiresAt: Instant
}

export interface MailRow extends NewMail {
  /** How often it was taken. */
  readonly attempts: number
}

export interface MailStore {
  queue(mails: readonly NewMail[], events: readonly NewEvent[]): Promise<void>
  /** Takes a mail that is due; until `until` nobody else does. Null: nothing is due. */
  takeDue(now: Instant, until: Instant): Promise<MailRow | null>
  /** Puts it back, due at `dueAt`. */
  postpone(tenant: TenantId, id: string, dueAt: Instant): Promise<void>
  /** Forgets a mail that was sent or given up. */
  settle(tenant: TenantId, id: string, events: readonly NewEvent[]): Promise<'settled' | 'absent'>
  /** Up to which position the log was read for news; null: never. */
  cursor(): Promise<number | null>
  /** Sealed events that are about a person, over all tenants, in order, after `pos`. */
  news(pos: number, limit: number): Promise<readonly SealedEvent[]>
  /** Moves the cursor and queues what the news gave rise to, in one commit; of many nodes one does. */
  derive(reading: {
    readonly from: number | null
    readonly to: number
    readonly mails: readonly NewMail[]
  }): Promise<'derived' | 'elsewhere'>
}
