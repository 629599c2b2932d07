/** Turns at a resource: those who lost a race for it go on one after the other, so that each of them gets through. */

export class KeyedMutex {
  readonly #last = new Map<string, Promise<void>>()

  /** Runs when everyone who asked earlier for the same thing is done. Nothing is kept of a thing nobody waits for. */
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
