/**
 * A memory with a bound. Two generations: what is asked for in the old one moves to the young one, and when the young
 * one is full the old one is forgotten whole. So the half of the bound that was asked for last is always there, and
 * asking rearranges nothing, however much is remembered.
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
