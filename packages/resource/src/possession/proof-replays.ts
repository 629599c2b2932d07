/** Used DPoP proofs (RFC 9449 §11.1): each is accepted once, by this process or by all that share a store. */
import type { Instant } from '@grantor/protocol/types'
import type { Time } from '../time.ts'

export interface ProofReplays {
  /**
   * True for the first use of an id, false for every later one; the id is remembered until `until`. Atomic where
   * several processes share the store. A rejected promise refuses the request with 503.
   */
  use(proofId: string, until: Instant): boolean | Promise<boolean>
}

/** Milliseconds. No proof is accepted for longer: a minute on either side of its `iat`. */
const keep = 120_000

/** In the memory of one process. Two sets take turns: a proof older than both cannot be replayed any more. */
export class MemoryProofReplays implements ProofReplays {
  readonly #time: Pick<Time, 'monotonic'>
  readonly #capacity: number
  #newer = new Set<string>()
  #older = new Set<string>()
  #turnedAt: number

  constructor(time: Pick<Time, 'monotonic'>, capacity: number) {
    this.#time = time
    this.#capacity = capacity
    this.#turnedAt = time.monotonic()
  }

  /** Throws when the memory is full: a proof that cannot be remembered is not accepted. */
  use(proofId: string): boolean {
    const now = this.#time.monotonic()
    if (now - this.#turnedAt > keep) {
      this.#older = now - this.#turnedAt > 2 * keep ? new Set() : this.#newer
      this.#newer = new Set()
      this.#turnedAt = now
    }
    if (this.#newer.has(proofId) || this.#older.has(proofId)) return false
    if (this.#newer.size >= this.#capacity) throw new Error('Too many proofs of possession to remember')
    this.#newer.add(proofId)
    return true
  }
}
