/** The places for requests of one kind; connections that were not refused a moment ago take precedence. */
import type { Socket } from 'node:net'
import { RestingConnections } from './resting-connections.ts'

/** Milliseconds. Answers are sent in batches, so all places may be free for a moment; only a longer calm counts. */
const calmAfter = 100

export class Places {
  readonly #most: number
  readonly #turnedAway = new RestingConnections()
  #taken = 0
  #crowdedAt = -Infinity

  constructor(most: number) {
    this.#most = most
  }

  /** False: there is no place for this request, and its connection is paused. */
  take(socket: Socket): boolean {
    if (this.#taken < this.#most && !(this.#isCrowded() && this.#turnedAway.isEarly(socket))) {
      this.#taken += 1
      return true
    }
    this.#turnedAway.rest(socket)
    return false
  }

  free(): void {
    const crowded = this.#isCrowded()
    this.#taken -= 1
    if (!crowded) this.#turnedAway.wakeOne()
  }

  /** Whether half of the places were recently taken at once. */
  #isCrowded(): boolean {
    const now = performance.now()
    if (this.#taken >= this.#most / 2) this.#crowdedAt = now
    return now - this.#crowdedAt < calmAfter
  }
}
