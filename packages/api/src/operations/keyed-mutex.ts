/** A mutex for each resource: requests that lost a race for it retry one after the other, so that each succeeds. */

export class KeyedMutex {
  readonly #last = new Map<string, Promise<void>>()

  /**
   * Runs `run` when all earlier calls for the same resource are done. Without callers, nothing is kept of a resource.
   */
  async runExclusive<T>(thing: string, run: () => Promise<T>): Promise<T> {
    const before = this.#last.get(thing) ?? Promise.resolve()
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last.set(thing, promise)
    await before
    try {
      return await run()
    } finally {
      resolve()
      if (this.#last.get(thing) === promise) this.#last.delete(thing)
    }
  }
}
