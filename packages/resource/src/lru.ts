/** A bounded map that forgets the entry used longest ago. Rests on Map keeping insertion order. */
export class Lru<K, V> {
  readonly #map = new Map<K, V>()
  readonly #capacity: number

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get size(): number {
    return this.#map.size
  }

  get(key: K): V | undefined {
    const value = this.#map.get(key)
    if (value === undefined) return undefined
    this.#map.delete(key)
    this.#map.set(key, value)
    return value
  }

  /** Returns the value that was evicted, if any, so that the caller can release it. */
  set(key: K, value: V): V | undefined {
    this.#map.delete(key)
    this.#map.set(key, value)
    if (this.#map.size <= this.#capacity) return undefined
    for (const [oldest, gone] of this.#map) {
      this.#map.delete(oldest)
      return gone
    }
    return undefined
  }

  delete(key: K): void {
    this.#map.delete(key)
  }

  values(): IterableIterator<V> {
    return this.#map.values()
  }
}
