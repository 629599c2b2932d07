/**
 * A cache with a bound, in two generations: an entry read from the old one moves to the young one, and when the young
 * one is full, the old one is dropped. So the most recently used half of the bound is always present, and a read costs
 * the same, however large the cache is.
 */

export class BoundedCache<K, V> {
  readonly #half: number
  #young = new Map<K, V>()
  #old = new Map<K, V>()

  constructor(max: number) {
    this.#half = Math.max(1, Math.floor(max / 2))
  }

  get(key: K): V | undefined {
    const young = this.#young.get(key)
    if (young !== undefined) return young
    const old = this.#old.get(key)
    if (old !== undefined) this.set(key, old)
    return old
  }

  set(key: K, value: V): void {
    if (this.#young.size >= this.#half && !this.#young.has(key)) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(key, value)
  }

  delete(key: K): void {
    this.#young.delete(key)
    this.#old.delete(key)
  }

  keys(): readonly K[] {
    return [...new Set([...this.#old.keys(), ...this.#young.keys()])]
  }
}
