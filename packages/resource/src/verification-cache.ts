/** Tokens whose signature was checked before. What can change is checked again on every hit, by the judge. */
import { hash } from 'node:crypto'
import { Lru } from './lru.ts'
import type { Verified } from './verified.ts'

export class VerificationCache {
  readonly #held: Lru<string, Verified>

  constructor(capacity: number) {
    this.#held = new Lru(capacity)
  }

  /** Tokens are not kept: the key is their digest, of the whole token, so that no two forms of one share an entry. */
  keyOf(token: string): string {
    return hash('sha256', token, 'base64')
  }

  /** Only while the key it was checked with is still published, and the set it is published in still believed. */
  get(key: string): Verified | undefined {
    const held = this.#held.get(key)
    if (held === undefined) return undefined
    if (held.key?.present === true && held.trust.keys.ready()) return held
    this.#held.delete(key)
    return undefined
  }

  set(key: string, verified: Verified): void {
    this.#held.set(key, verified)
  }

  delete(key: string): void {
    this.#held.delete(key)
  }
}
