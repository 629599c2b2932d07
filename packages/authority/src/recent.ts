/** A memory with a bound: what was not asked for the longest goes first. */

export class Recent<K, V> {
  readonly #held = new Map<K, V>()
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  get(key: K): V | undefined {
    const value = this.#held.get(key)
    if (value === undefined) return undefined
    // A Map keeps insertion order, so the first key is the one that was not asked for the longest.
    this.#held.delete(key)
    this.#held.set(key, value)
    return value
  }

  set(key: K, value: V): void {
    this.#held.delete(key)
    this.#held.set(key, value)
    if (this.#held.size <= this.#max) return
    const oldest = this.#held.keys().next()
    if (oldest.done !== true) this.#held.delete(oldest.value)
  }

  delete(key: K): void {
    this.#held.delete(key)
  }

  keys(): readonly K[] {
    return [...this.#held.keys()]
  }
}
