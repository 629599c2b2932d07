/** The notary's rounds: soon after a commit of ours, often enough for everybody else's, stepping back from a race. */
import { batchSize, type Notary } from './notary.ts'

/** Milliseconds. Soon after our own commit, so that a burst becomes one batch. */
const soon = 5
/** For commits of others: nodes that died, programs beside us. */
const idle = 40
/** Who loses the race leaves the work to the winner for a while; if that one stops, someone is back by then. */
const stepBack = 40
const afterFault = 500

export class Rounds {
  readonly #notary: Notary
  #timer: NodeJS.Timeout | null = null
  #due = Infinity
  #running: Promise<void> | null = null
  #stopped = false
  #steppedBack = false

  constructor(notary: Notary) {
    this.#notary = notary
    this.#schedule(idle)
  }

  /** Something was committed here. */
  wake(): void {
    if (this.#running === null && !this.#steppedBack) this.#schedule(soon)
  }

  #schedule(delay: number): void {
    if (this.#stopped) return
    const due = performance.now() + delay
    if (due >= this.#due) return
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#due = due
    this.#timer = setTimeout(() => {
      this.#due = Infinity
      this.#running = this.#round().finally(() => (this.#running = null))
    }, delay).unref()
  }

  async #round(): Promise<void> {
    let next = idle
    this.#steppedBack = false
    try {
      const sealing = await this.#notary.sealBatch()
      if (sealing.outcome === 'lost') {
        this.#steppedBack = true
        next = stepBack * (1 + 2 * Math.random())
      } else if (sealing.count === batchSize) next = 0
      else if (sealing.count > 0) next = soon
    } catch {
      // The database is away; whoever asks it for something is told so. Here the next round asks again.
      next = afterFault
    }
    this.#schedule(next)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    await this.#running
  }
}
