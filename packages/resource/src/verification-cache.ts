/** Tokens whose signature was checked before. What can change is checked again on every hit, by the judge. */
import { hash } from 'node:crypto'
import type { Verified } from './verified.ts'

/**
 * Two generations: who is met in the old one moves to the young one, and when the young one is full the old one is
 * forgotten whole. As good as forgetting the one used longest ago, and a hit costs no rearranging.
 */
export class VerificationCache {
  readonly #half: number
  #young = new Map<string, Verified>()
  #old = new Map<string, Verified>()

  constructor(capacity: number) {
    this.#half = Math.max(1, Math.floor(capacity / 2))
  }

  /** Tokens are not kept: the key is their digest, of the whole token, so that no two forms of one share an entry. */
  keyOf(token: string): string {
    return hash('sha256', token, 'base64')
  }

  /** Only while the key it was checked with is still published, and the set it is published in still believed. */
  get(key: string): Verified | undefined {
    const young = this.#young.get(key)
    const held = young ?? this.#old.get(key)
    if (held === undefined) return undefined
    if (held.key?.present !== true || !held.trust.keys.ready()) {
      this.delete(key)
      return undefined
    }
    if (young === undefined) this.set(key, held)
    return held
  }

  set(key: string, verified: Verified): void {
    if (this.#young.size >= this.#half) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(key, verified)
  }

  delete(key: string): void {
    this.#young.delete(key)
    this.#old.delete(key)
  }
}
