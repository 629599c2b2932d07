/** Seals under the master key; opens what the current or a previous master key sealed. */
export interface Vault {
  /** The context is part of the seal: a value sealed for one context does not open in another. */
  seal(plain: Uint8Array, context: string): Uint8Array
  /** For values that strangers can have sealed in any number: each under a key of its own. Opened like the others. */
  sealShortLived(plain: Uint8Array, context: string): Uint8Array
  /** Whether it was sealed under the current master key, and not a previous one. */
  isCurrent(sealed: Uint8Array): boolean
  /** Null for a value that none of our keys sealed in this context. */
  open(sealed: Uint8Array, context: string): Uint8Array | null
}
