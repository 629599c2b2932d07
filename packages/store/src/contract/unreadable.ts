/** Rows that exist but cannot be read: altered by hand, damaged, or written by a later version. */
import type { TenantId } from '@grantor/protocol/types'

/** A row that is set aside: it counts as absent, and the rest is served. */
export interface UnreadableRow {
  readonly kind: 'client' | 'resource' | 'scope' | 'role' | 'authorization details type' | 'tenant' | 'user'
  readonly tenant: TenantId
  readonly id: string
  /** The username of a person, for display. */
  readonly username?: string
  /** The version of the unreadable row, so that a repair replaces exactly that one. */
  readonly version?: number
  readonly problem: string
}

export interface UnreadableRows {
  /** The rows that could not be read when last tried. */
  list(): readonly UnreadableRow[]
  /** Set if the last read of the row failed; the caller reads it first. */
  client(tenant: TenantId, id: string): UnreadableRow | null
  user(tenant: TenantId, username: string): UnreadableRow | null
  /** Calls back once with each row that is found, beginning with those found before. */
  watch(found: (row: UnreadableRow) => void): () => void
}
