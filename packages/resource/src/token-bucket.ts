/** A token bucket: limits how often strangers can make this process do something. */
import type { Time } from './time.ts'

export class TokenBucket {
  readonly #time: Pick<Time, 'monotonic'>
  readonly #burst: number
  readonly #interval: number
  #left: number
  #filledAt: number

  /** `burst` at once, then one per `interval` milliseconds. */
  constructor(time: Pick<Time, 'monotonic'>, burst: number, interval: number) {
    this.#time = time
    this.#burst = burst
    this.#interval = interval
    this.#left = burst
    this.#filledAt = time.monotonic()
  }

  tryTake(): boolean {
    this.#fill()
    if (this.#left <= 0) return false
    this.#left -= 1
    return true
  }

  /** Charges for work that is already done. The bucket may go into debt, by at most one burst. */
  spend(): void {
    this.#fill()
    this.#left = Math.max(-this.#burst, this.#left - 1)
  }

  /** Milliseconds until `tryTake` succeeds. */
  wait(): number {
    this.#fill()
    return this.#left > 0 ? 0 : this.#filledAt + (1 - this.#left) * this.#interval - this.#time.monotonic()
  }

  #fill(): void {
    const now = this.#time.monotonic()
    const earned = Math.floor((now - this.#filledAt) / this.#interval)
    if (earned > 0) {
      this.#left = Math.min(this.#burst, this.#left + earned)
      this.#filledAt += earned * this.#interval
    }
  }
}
