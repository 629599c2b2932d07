/** Rows that are there and cannot be read: altered by hand, damaged, or written by a program that knows more. */
import type { TenantId } from '@grantor/protocol/types'

/** One that is set aside: it counts as absent, and the rest is served. */
export interface UnreadableRow {
  readonly kind: 'client' | 'resource' | 'scope' | 'role' | 'authorization details type' | 'tenant' | 'user'
  readonly tenant: TenantId
  readonly id: string
  /** The name of a person, whose id nobody knows by heart. */
  readonly username?: string
  /** At which it was found, so that whoever puts it in order replaces this and no other. */
  readonly version?: number
  readonly problem: string
}

export interface UnreadableRows {
  /** Those that the last read of them found unreadable. */
  list(): readonly UnreadableRow[]
  /** Whether the last read of it failed. Whoever asks reads it first. */
  client(tenant: TenantId, id: string): UnreadableRow | null
  user(tenant: TenantId, username: string): UnreadableRow | null
  /** Calls back with each that is found, once; first with those that were found before. */
  watch(found: (row: UnreadableRow) => void): () => void
}
