/** Where the keys of one issuer come from, as the validator asks for them. */
import type { VerificationKey } from '@grantor/protocol/jose'
import type { Result } from '@grantor/protocol/result'

/**
 * 'absent': certainly not a key of this issuer. 'no-issuer': its host says there is none, and no keys of it were ever
 * read. 'unavailable': nobody can say now.
 */
export type KeyLookup = Result<VerificationKey, 'absent' | 'no-issuer' | 'unavailable'>

export interface KeySource {
  /** From memory. A set that is too old to be trusted has no keys. */
  find(kid: string | undefined, alg: string): VerificationKey | undefined
  /** Whether this kid is known under whatever algorithm: then another algorithm is a forgery, not a new key. */
  has(kid: string): boolean
  /** Asks the issuer where memory does not do. */
  seek(kid: string | undefined, alg: string): Promise<KeyLookup>
  ready(): boolean
  /** Reads the set again; false when that failed. */
  refresh(): Promise<boolean>
  /** What is held may be out of date in a way that matters: not to be used before it was read again. */
  distrust(): void
  /** The key is dead now, whatever a cached set still says. */
  drop(kid: string): void
  close(): void
}
