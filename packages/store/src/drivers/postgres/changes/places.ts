/**
 * Bounds how many changes are under way at once: a further change waits for a place, as long as for a connection at
 * most.
 */
import { StoreUnavailable } from '../../../contract/store.ts'

export class Places {
  readonly #patience: number
  readonly #waiting = new Set<() => void>()
  #free: number

  constructor(count: number, patience: number) {
    this.#free = count
    this.#patience = patience
  }

  /** Takes a place; the function that it resolves to gives the place back. */
  async take(): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1
    else await this.#turn()
    return () => this.#giveBack()
  }

  #turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = (): void => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        this.#waiting.delete(go)
        reject(new StoreUnavailable('PostgreSQL: too many changes wait for it'))
      }, this.#patience)
      this.#waiting.add(go)
    })
  }

  #giveBack(): void {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#free += 1
      return
    }
    this.#waiting.delete(next)
    next()
  }
}
