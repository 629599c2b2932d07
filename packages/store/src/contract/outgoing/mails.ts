/** Queued mails: each is sent, by one node at a time, until it is accepted or given up. */
import type { NewEvent, SealedEvent } from '@grantor/protocol/events'
import type { Instant, TenantId } from '@grantor/protocol/types'

export interface NewMail {
  readonly tenant: TenantId
  readonly id: string
  readonly kind: string
  /** The person it is for; null if not known yet. */
  readonly subject: string | null
  /** Recipient and content; sealed, because a link in it is a secret. */
  readonly sealed: Uint8Array
  readonly madeAt: Instant
  /** When it is no longer worth sending. */
  readonly expiresAt: Instant
}

export interface MailChange {
  readonly tenant: TenantId
  readonly id: string
  readonly at: Instant
  readonly events: readonly NewEvent[]
}

export type MailChanged = 'changed' | 'under-way' | 'absent'

export interface MailRow extends NewMail {
  /** How often it was taken. */
  readonly attempts: number
}

/** As administrators see it, without content. */
export interface QueuedMail extends MailRow {
  /** The time of the next try; during a try, the time when another node may try. */
  readonly dueAt: Instant
  /** Why the last try failed; null if there was none, or one is under way. */
  readonly lastError: string | null
}

export interface MailStore {
  queue(mails: readonly NewMail[], events: readonly NewEvent[]): Promise<void>
  /** Takes a due mail, for this caller alone until `until`. Null: none is due. */
  takeDue(now: Instant, until: Instant): Promise<MailRow | null>
  /** Returns the mail, due at `dueAt`; `why` tells why it was not sent. */
  postpone(tenant: TenantId, id: string, dueAt: Instant, why?: string): Promise<void>
  /** Deletes a mail that was sent or given up. */
  settle(tenant: TenantId, id: string, events: readonly NewEvent[]): Promise<'settled' | 'absent'>
  /** The mails of a tenant, the newest first, before the id `before`. */
  search(
    tenant: TenantId,
    page: { readonly before: string | null; readonly limit: number },
  ): Promise<readonly QueuedMail[]>
  find(tenant: TenantId, id: string): Promise<QueuedMail | null>
  /** Makes it due at `at`; neither this nor `drop` disturbs a try under way. */
  retry(change: MailChange): Promise<MailChanged>
  drop(change: MailChange): Promise<MailChanged>
  /** The position up to which the log was read for notices; null: never. */
  cursor(): Promise<number | null>
  /** Sealed events that are about a person, over all tenants, in order, after `pos`. */
  news(pos: number, limit: number): Promise<readonly SealedEvent[]>
  /** Moves the cursor and queues the mails of the events, in one commit; of several nodes one succeeds. */
  derive(reading: {
    readonly from: number | null
    readonly to: number
    readonly mails: readonly NewMail[]
  }): Promise<'derived' | 'elsewhere'>
}
