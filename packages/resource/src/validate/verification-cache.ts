/** Tokens whose signature was checked before. Facts that can change are checked on every hit, by judge.ts. */
import type { BearerToken } from './presented-credentials.ts'
import type { VerifiedToken } from './verified-token.ts'

/** A verified token with the header line that it came in. */
export interface CachedVerification extends BearerToken {
  readonly line: string
  readonly verified: VerifiedToken
}

/**
 * The end of a token is its signature: 72 bits of it are the key, and so short a text is hashed and compared in half
 * the time.
 */
const keyOf = (line: string): string => line.slice(-12)

/**
 * A token is found by its end and then compared as a whole header line, so that no two forms of a token share an entry
 * and a hit parses nothing. So the token itself stays in memory while it is of use, where every request puts it anyway;
 * a digest in its place would cost more than all other work of a hit.
 *
 * Two generations: a token found in the old one moves to the young one, and when the young one is full the old one is
 * dropped whole. That is as good as evicting the entry used longest ago, and a hit costs no reordering.
 */
export class VerificationCache {
  readonly #half: number
  #young = new Map<string, CachedVerification>()
  #old = new Map<string, CachedVerification>()

  constructor(capacity: number) {
    this.#half = Math.max(1, Math.floor(capacity / 2))
  }

  /** Only while the key that verified the token is still published, and the key set still trusted. */
  get(line: string): CachedVerification | undefined {
    const end = keyOf(line)
    const young = this.#young.get(end)
    const held = young ?? this.#old.get(end)
    if (held === undefined || held.line !== line) return undefined
    const { key, issuer } = held.verified
    if (key?.present !== true || !issuer.keys.ready()) {
      this.#young.delete(end)
      this.#old.delete(end)
      return undefined
    }
    if (young === undefined) this.set(held)
    return held
  }

  set(met: CachedVerification): void {
    if (this.#young.size >= this.#half) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(keyOf(met.line), met)
  }
}
