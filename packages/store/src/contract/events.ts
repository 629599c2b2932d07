/** The event log: audit trail, outbox and source of the revocation feed at once. Readers see sealed events only. */
import type { NewEvent, SealedEvent } from '@grantor/protocol/events'
import type { Instant, TenantId } from '@grantor/protocol/types'

/** The end of a tenant's chain (chain.ts). */
export interface LogHead {
  readonly tenant: TenantId
  readonly seq: number
  readonly hash: Uint8Array
}

/** Where a tenant's log begins after older events were dropped: the last dropped link, vouched for by the authority. */
export interface Checkpoint extends LogHead {
  readonly at: Instant
  readonly signature: Uint8Array
}

/** A range of the log, of all tenants, that is dropped whole. */
export interface LogPart {
  readonly first: number
  /** The first position behind it. */
  readonly past: number
  /** The last link of each tenant in it. */
  readonly heads: readonly LogHead[]
}

/** A row as it lies in the log, for verification. `body` is the exact text that was hashed. */
export interface LogRow {
  readonly pos: number
  readonly seq: number
  readonly body: string
  readonly hash: Uint8Array
  /** The seal: over the head that this event made, with a key that is not in the database. Ends each batch of a tenant. */
  readonly mac: Uint8Array | null
  /** Whether readers of the feed find it: 0 or 1. */
  readonly feed: number
  readonly columns: Readonly<Record<string, string | number | null>>
}

export interface EventStore {
  /** Events that come with no other change (token.rejected, login.failed). */
  append(events: readonly NewEvent[]): Promise<void>
  /** Sealed events of one tenant, in order, after `seq`. */
  after(tenant: TenantId, seq: number, limit: number): Promise<readonly SealedEvent[]>
  /** The same, newest first, before `seq`. */
  before(tenant: TenantId, seq: number, limit: number): Promise<readonly SealedEvent[]>
  /** Sealed events that feed validators, over all tenants (or one), in order, after `pos`. */
  feed(after: {
    readonly pos: number
    readonly tenant: TenantId | null
    readonly limit: number
  }): Promise<readonly SealedEvent[]>
  /** The same over all tenants, newest first, at or before `pos`: what a snapshot is gathered from. */
  feedBefore(at: { readonly pos: number; readonly limit: number }): Promise<readonly SealedEvent[]>
  /** Sealed events that belong to a person's recent activity, newest first, before `seq` (null: from the newest). */
  ofSubject(
    tenant: TenantId,
    subject: string,
    page: { readonly before: number | null; readonly limit: number },
  ): Promise<readonly SealedEvent[]>
  /** The last sealed position. Everything committed before this call is at or below it (what is not yet sealed, is now). */
  position(): Promise<number>
  /** When the last event says that it was, of all that were committed before this call; null where there is none. */
  latest(): Promise<Instant | null>
  head(tenant: TenantId): Promise<LogHead | null>
  rows(tenant: TenantId, afterSeq: number, limit: number): Promise<readonly LogRow[]>
  /** How many events are gone from the ends of logs: all that were ever sealed, less what the heads of all tenants count. */
  lost(): Promise<number>
  /** Every tenant that has a log, removed ones included, ascending. */
  tenants(page: { readonly after: TenantId | null; readonly limit: number }): Promise<readonly TenantId[]>
  checkpoint(tenant: TenantId): Promise<Checkpoint | null>
  /** The last of the first `limit` events when all of those are older than `before`, else the last that is; null: none. */
  prunable(tenant: TenantId, before: Instant, limit: number): Promise<LogHead | null>
  /**
   * Drops the events up to the checkpoint, in one commit with it; those that lie in parts stay, until their part goes.
   * 'stale': the log does not hold that link.
   */
  prune(checkpoint: Checkpoint, events: readonly NewEvent[]): Promise<'pruned' | 'stale'>
  /** The oldest part, once its last event says that it is older than `before`; null: there is none, or it is young. */
  oldestPart(before: Instant): Promise<LogPart | null>
  /** Drops a part, of whose events each is behind a checkpoint. False: the log is too busy; it is there still. */
  dropPart(part: LogPart): Promise<boolean>
  /** Makes the next part before it is needed, where the log is long enough to have parts. */
  keepPartsAhead(now: Instant): Promise<void>
  /**
   * The mac this service would put over that head: what verification compares with. The purpose is part of the mac, so
   * that a seal lying in the database cannot be passed off as a checkpoint (whose `signature` is macOf(it, 'checkpoint')).
   */
  macOf(head: LogHead, purpose: 'seal' | 'checkpoint'): Uint8Array
  /** Calls back after events were sealed, by whomever; at least once, possibly spuriously. Returns the unsubscriber. */
  watch(wake: () => void): () => void
}
