/** Providers that are asked for security events (RFC 8936): a row for each that says where, as long as it does. */
import type { Instant, TenantId } from '@grantor/protocol/types'

export interface SignalPollName {
  readonly tenant: TenantId
  readonly provider: string
}

/** How it goes. */
export interface SignalPollHealth {
  /** When an answer was last asked for; null before the first time. */
  readonly askedAt: Instant | null
  /** When a token last came that was good. */
  readonly receivedAt: Instant | null
  /** In a row, since when. */
  readonly failures: number
  readonly failingSince: Instant | null
  /** Why nothing came, or what was last refused; in a word of our own. */
  readonly error: string | null
}

export interface SignalPoll extends SignalPollName, SignalPollHealth {
  /** Counts how often it was taken: only the latest turn is settled. */
  readonly turn: number
}

/** Rows come and go with the providers of a tenant, in the commit that changes those. */
export interface SignalPollStore {
  /** Whether one is to be asked by now. */
  due(now: Instant): Promise<boolean>
  /** The one that waits the longest, for so many milliseconds; null where there is none. Of `busy` tenants none is taken. */
  take(request: {
    readonly now: Instant
    readonly lease: number
    readonly busy: readonly TenantId[]
  }): Promise<SignalPoll | null>
  /** 'taken-again': the turn took too long, and how it went is for another to say. */
  settle(turn: SignalPoll, nextAt: Instant): Promise<'settled' | 'taken-again'>
  of(tenant: TenantId): Promise<readonly SignalPoll[]>
}
