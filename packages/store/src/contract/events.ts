/** The event log: audit trail, outbox and source of the revocation feed at once. Readers see sealed events only. */
import type { NewEvent, SealedEvent } from '@grantor/protocol/events'
import type { Instant, TenantId } from '@grantor/protocol/types'

/** The last link of a tenant's chain (chain.ts). */
export interface LogHead {
  readonly tenant: TenantId
  readonly seq: number
  readonly hash: Uint8Array
}

/** Where a tenant's log begins after older events were dropped: the last dropped link, signed by the authority. */
export interface Checkpoint extends LogHead {
  readonly at: Instant
  readonly signature: Uint8Array
}

/** A range of positions of the log, over all tenants, that is dropped as a whole. */
export interface LogPart {
  readonly first: number
  /** The first position after the range. */
  readonly past: number
  /** The last link of each tenant in it. */
  readonly heads: readonly LogHead[]
}

/** A row as stored in the log, for verification. `body` is the exact text that was hashed. */
export interface LogRow {
  readonly pos: number
  readonly seq: number
  readonly body: string
  readonly hash: Uint8Array
  /**
   * The seal: a MAC over the head that this event made, with a key that is not in the database. The last event of each
   * batch of a tenant has one.
   */
  readonly mac: Uint8Array | null
  /** Whether the feed contains the event: 0 or 1. */
  readonly feed: number
  readonly columns: Readonly<Record<string, string | number | null>>
}

export interface EventStore {
  /** Appends events without any other change (token.rejected, login.failed). */
  append(events: readonly NewEvent[]): Promise<void>
  /** Sealed events of one tenant, in order, after `seq`. */
  after(tenant: TenantId, seq: number, limit: number): Promise<readonly SealedEvent[]>
  /** The same before `seq`, newest first. */
  before(tenant: TenantId, seq: number, limit: number): Promise<readonly SealedEvent[]>
  /** Sealed events of the revocation feed, over all tenants (or one), in order, after `pos`. */
  feed(after: {
    readonly pos: number
    readonly tenant: TenantId | null
    readonly limit: number
  }): Promise<readonly SealedEvent[]>
  /** The same over all tenants, newest first, at or before `pos`: used to build a snapshot. */
  feedBefore(at: { readonly pos: number; readonly limit: number }): Promise<readonly SealedEvent[]>
  /** Sealed events that belong to a person's recent activity, newest first, before `seq` (null: from the newest). */
  ofSubject(
    tenant: TenantId,
    subject: string,
    page: { readonly before: number | null; readonly limit: number },
  ): Promise<readonly SealedEvent[]>
  /**
   * The last sealed position, after sealing what was not sealed yet. Everything committed before this call is at or
   * below it.
   */
  position(): Promise<number>
  /** The time of the last event that was committed before this call; null if there is none. */
  latest(): Promise<Instant | null>
  head(tenant: TenantId): Promise<LogHead | null>
  rows(tenant: TenantId, afterSeq: number, limit: number): Promise<readonly LogRow[]>
  /**
   * How many events are missing at the ends of logs: all that were ever sealed, minus those that the heads of all
   * tenants count.
   */
  lost(): Promise<number>
  /** Every tenant with a log, removed tenants included, ascending. */
  tenants(page: { readonly after: TenantId | null; readonly limit: number }): Promise<readonly TenantId[]>
  checkpoint(tenant: TenantId): Promise<Checkpoint | null>
  /**
   * The last event older than `before` in the unbroken old beginning of the log, of at most `limit` events; null: none.
   */
  prunable(tenant: TenantId, before: Instant, limit: number): Promise<LogHead | null>
  /**
   * Drops the events up to the checkpoint, in one commit with it; those in parts stay until their part is dropped.
   * 'stale': the log does not have that link.
   */
  prune(checkpoint: Checkpoint, events: readonly NewEvent[]): Promise<'pruned' | 'stale'>
  /** The oldest part, if its last event is older than `before`; null: there is none, or it is young. */
  oldestPart(before: Instant): Promise<LogPart | null>
  /** Drops a part whose events all lie behind a checkpoint. False: the log is too busy, and the part still exists. */
  dropPart(part: LogPart): Promise<boolean>
  /** Creates the next part before it is needed, if the log is long enough to have parts. */
  keepPartsAhead(now: Instant): Promise<void>
  /**
   * The MAC of that head, with which verification compares. The purpose is part of the MAC, so that a seal in the
   * database cannot be presented as a checkpoint (whose `signature` is macOf(it, 'checkpoint')).
   */
  macOf(head: LogHead, purpose: 'seal' | 'checkpoint'): Uint8Array
  /**
   * Calls back after events were sealed by any process; at least once, possibly superfluously. Returns the function
   * that unsubscribes.
   */
  watch(wake: () => void): () => void
}
