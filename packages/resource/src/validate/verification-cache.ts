/** Tokens whose signature was checked before. What can change is checked again on every hit, by the judge. */
import type { BearerToken } from './presented-credentials.ts'
import type { VerifiedToken } from './verified-token.ts'

/** A token that was met before, by the header it came in. */
export interface CachedVerification extends BearerToken {
  readonly line: string
  readonly verified: VerifiedToken
}

/** The end of a token is its signature: 72 bits of it find the token, and a text this short is hashed and compared in half the time. */
const keyOf = (line: string): string => line.slice(-12)

/**
 * Found by its end and then compared as a whole header line, so that no two forms of a token share an entry and a hit parses nothing. That keeps
 * the token itself in memory for as long as it is of use, where every request puts it anyway; a digest in its place
 * would cost more than all the rest of a hit.
 *
 * Two generations: who is met in the old one moves to the young one, and when the young one is full the old one is
 * forgotten whole. As good as forgetting the one used longest ago, and a hit costs no rearranging.
 */
export class VerificationCache {
  readonly #half: number
  #young = new Map<string, CachedVerification>()
  #old = new Map<string, CachedVerification>()

  constructor(capacity: number) {
    this.#half = Math.max(1, Math.floor(capacity / 2))
  }

  /** Only while the key it was checked with is still published, and the set it is published in still believed. */
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
