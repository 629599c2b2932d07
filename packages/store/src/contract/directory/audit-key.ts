/** The key that seals the log. It is random, made once, and stored in the database sealed under the master key. */

export interface AuditKey {
  readonly key: Uint8Array
  /** The key as stored in the database. */
  readonly sealed: Uint8Array
}

/**
 * Opens the sealed key, or makes the first one (null: there is none yet). Of several nodes that start together on a new
 * database, the first one's key is kept. Throws StoreRefused if it cannot open the stored key.
 */
export type AuditKeySource = (sealed: Uint8Array | null) => AuditKey
