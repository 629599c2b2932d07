/** The key that seals the log. It is random, made once, and lies in the database sealed under the master key. */

export interface AuditKey {
  readonly key: Uint8Array
  /** As it lies in the database. */
  readonly sealed: Uint8Array
}

/**
 * Opens the sealed key, or makes the first one (null: there is none yet). Of several nodes that start together on a new
 * database, the first one's is kept. Throws StoreRefused when it cannot open what is there.
 */
export type AuditKeySource = (sealed: Uint8Array | null) => AuditKey
