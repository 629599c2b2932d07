/** Proofs that were used (RFC 9449 §11.1): each is accepted once, here or by everybody who shares a store. */
import type { Instant } from '@grantor/protocol/types'
import type { Time } from '../time.ts'

export interface ProofReplays {
  /**
   * True for the first who names it, false for everybody after; to be remembered until `until`. Atomic where several
   * processes share it. A rejected promise refuses the request with 503.
   */
  use(proofId: string, until: Instant): boolean | Promise<boolean>
}

/** No proof is good for longer than this: a minute on either side of its own time. */
const keep = 120_000

/** Of one process. Two sets in turn: what is older than the longer of the two cannot be replayed any more. */
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

  /** Throws when it is full: a proof that cannot be remembered is not accepted. */
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
