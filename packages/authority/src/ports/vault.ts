/** Seals under the master key; opens what the current or a previous one sealed. */
export interface Vault {
  /** The context is part of the seal: what was sealed for one place does not open in another. */
  seal(plain: Uint8Array, context: string): Uint8Array
  /** For what strangers can have sealed as often as they like: each under a key of its own. Opened as the others are. */
  sealShortLived(plain: Uint8Array, context: string): Uint8Array
  /** Whether the current master key sealed it, and not a previous one. */
  isCurrent(sealed: Uint8Array): boolean
  /** Null for what none of our keys sealed in this context. */
  open(sealed: Uint8Array, context: string): Uint8Array | null
}
