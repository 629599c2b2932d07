/** Providers that are polled for security events (RFC 8936): one row for each, as long as it has a polling address. */
import type { Instant, TenantId } from '@grantor/protocol/types'

export interface SignalPollName {
  readonly tenant: TenantId
  readonly provider: string
}

/** The state of polling. */
export interface SignalPollHealth {
  /** When the provider was last polled; null before the first time. */
  readonly askedAt: Instant | null
  /** When a valid token was last received. */
  readonly receivedAt: Instant | null
  /** Failures in a row, and since when. */
  readonly failures: number
  readonly failingSince: Instant | null
  /** Why nothing was received, or the last refusal; one of our own words. */
  readonly error: string | null
}

export interface SignalPoll extends SignalPollName, SignalPollHealth {
  /** Counts how often the row was taken: only the latest turn is settled. */
  readonly turn: number
}

/** Rows are added and removed with the providers of a tenant, in the commit that changes those. */
export interface SignalPollStore {
  /** Whether a provider is due to be polled. */
  due(now: Instant): Promise<boolean>
  /**
   * The provider that has waited longest, for this caller alone for `lease` milliseconds; null if none is due.
   * Providers of `busy` tenants are not taken.
   */
  take(request: {
    readonly now: Instant
    readonly lease: number
    readonly busy: readonly TenantId[]
  }): Promise<SignalPoll | null>
  /** 'taken-again': the turn took too long, and another one has the row. */
  settle(turn: SignalPoll, nextAt: Instant): Promise<'settled' | 'taken-again'>
  of(tenant: TenantId): Promise<readonly SignalPoll[]>
}
