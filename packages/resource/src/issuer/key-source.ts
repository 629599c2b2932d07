/** The source of one issuer's keys, as the validator uses it. */
import type { VerificationKey } from '@grantor/protocol/jose'
import type { Result } from '@grantor/protocol/result'

/**
 * 'absent': certainly not a key of this issuer. 'no-issuer': its host says that there is no such issuer, and no keys of
 * it were ever read. 'unavailable': the issuer cannot be asked now.
 */
export type KeyLookup = Result<VerificationKey, 'absent' | 'no-issuer' | 'unavailable'>

export interface KeySource {
  /** From memory. A set that is too old to be trusted has no keys. */
  find(kid: string | undefined, alg: string): VerificationKey | undefined
  /** Whether this kid is known under any algorithm: then a token with another algorithm is forged, not of a new key. */
  has(kid: string): boolean
  /** Looks in memory, then asks the issuer. */
  seek(kid: string | undefined, alg: string): Promise<KeyLookup>
  ready(): boolean
  /** Reads the set again; false when that failed. */
  refresh(): Promise<boolean>
  /** The keys held may include dropped ones: they are not used before the set was read again. */
  distrust(): void
  /** The key is dead now, whatever a cached set still says. */
  drop(kid: string): void
  close(): void
}
