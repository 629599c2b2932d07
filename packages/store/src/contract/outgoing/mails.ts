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

/** As administrators see it: no content. */
export interface QueuedMail extends MailRow {
  /** When it is tried next; while one tries, when another would. */
  readonly dueAt: Instant
  /** Why the last try failed; null where there was none, or where one is under way. */
  readonly lastError: string | null
}

export interface MailStore {
  queue(mails: readonly NewMail[], events: readonly NewEvent[]): Promise<void>
  /** Takes a mail that is due; until `until` nobody else does. Null: nothing is due. */
  takeDue(now: Instant, until: Instant): Promise<MailRow | null>
  /** Puts it back, due at `dueAt`; `why` it was not sent. */
  postpone(tenant: TenantId, id: string, dueAt: Instant, why?: string): Promise<void>
  /** Forgets a mail that was sent or given up. */
  settle(tenant: TenantId, id: string, events: readonly NewEvent[]): Promise<'settled' | 'absent'>
  /** Those of a tenant, the newest first, before the id `before`. */
  search(
    tenant: TenantId,
    page: { readonly before: string | null; readonly limit: number },
  ): Promise<readonly QueuedMail[]>
  find(tenant: TenantId, id: string): Promise<QueuedMail | null>
  /** Makes it due at `at`; neither this nor `drop` disturbs a try that is under way. */
  retry(change: MailChange): Promise<MailChanged>
  drop(change: MailChange): Promise<MailChanged>
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
