/** A queue of events by their time; events of the same time stay in the order in which they were added. */

interface Due {
  readonly at: number
  readonly order: number
  readonly run: (at: number) => void
}

const isBefore = (one: Due, other: Due): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order)

/** Implemented as a binary heap. */
export class EventQueue {
  readonly #heap: Due[] = []
  #order = 0

  get size(): number {
    return this.#heap.length
  }

  put(at: number, run: (at: number) => void): void {
    const heap = this.#heap
    let place = heap.push({ at, order: this.#order++, run }) - 1
    while (place > 0) {
      const parent = (place - 1) >> 1
      if (!isBefore(heap[place] as Due, heap[parent] as Due)) break
      this.#swap(place, parent)
      place = parent
    }
  }

  /** Runs all events up to and including `until`, also those that they add. */
  runUntil(until: number): void {
    for (let next = this.#heap[0]; next !== undefined && next.at <= until; next = this.#heap[0]) {
      this.#takeFirst()
      next.run(next.at)
    }
  }

  #takeFirst(): void {
    const heap = this.#heap
    const last = heap.pop() as Due
    if (heap.length === 0) return
    heap[0] = last
    for (let place = 0; ;) {
      const [left, right] = [2 * place + 1, 2 * place + 2]
      let first = place
      for (const child of [left, right])
        if (child < heap.length && isBefore(heap[child] as Due, heap[first] as Due)) first = child
      if (first === place) return
      this.#swap(place, first)
      place = first
    }
  }

  #swap(one: number, other: number): void {
    const heap = this.#heap
    const held = heap[one] as Due
    heap[one] = heap[other] as Due
    heap[other] = held
  }
}
