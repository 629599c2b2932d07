/** The validators of the feed, and how far they have acknowledged it. Shared by all nodes. */
import type { Instant, TenantId } from '@grantor/protocol/types'

export interface ValidatorNote {
  /** The tenant whose feed it reads; the first tenant's feed has all tenants. */
  readonly tenant: TenantId
  /** The client of the validator, which alone can acknowledge for it. */
  readonly clientId: string
  readonly id: string
  readonly epoch: string
  /** Acknowledgements since the last note, the newest first. */
  readonly heard: readonly { readonly pos: number; readonly at: Instant }[]
  /** Milliseconds. */
  readonly closesAfter: number
  readonly connections: number
  readonly seenAt: Instant
}

export interface ValidatorRow extends ValidatorNote {
  /** When it was first seen. */
  readonly since: Instant
}

export interface ValidatorStore {
  /** One row per validator, merged with what was stored before. */
  note(notes: readonly ValidatorNote[]): Promise<void>
  /**
   * Deletes validators that were not seen for two days, and of a client with more than `mostOfClient` the least
   * recently seen.
   */
  forget(now: Instant, mostOfClient: number): Promise<void>
  /**
   * The validators that were present at `at` or later, with about the last twenty acknowledgements of each, the newest
   * first. A validator counts as present for `presence` milliseconds after it was last seen, or for its own bound if
   * that is longer.
   */
  known(tenants: readonly TenantId[], at: Instant, presence: number): Promise<readonly ValidatorRow[]>
}
