/** The validators that read the feed, and how far they say that they have heard. Shared by all nodes. */
import type { Instant, TenantId } from '@grantor/protocol/types'

export interface ValidatorNote {
  /** Whose feed it reads; the first tenant's is everybody's. */
  readonly tenant: TenantId
  /** Nobody speaks for the validators of another client. */
  readonly clientId: string
  readonly id: string
  readonly epoch: string
  /** What was heard since the last note, the newest first. */
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
  /** One row each, whatever was written before. */
  note(notes: readonly ValidatorNote[]): Promise<void>
  /** Who was not seen for two days goes, and of a client with more than so many who was not seen for longest. */
  forget(now: Instant, mostOfClient: number): Promise<void>
  /**
   * Those that were there at `at` or later, with the last twenty or so that each heard, the newest first. Who was seen
   * last is there for `presence` milliseconds more, or for as long as its own bound is.
   */
  known(tenants: readonly TenantId[], at: Instant, presence: number): Promise<readonly ValidatorRow[]>
}
