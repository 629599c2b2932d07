/** The places for requests of one kind, and who gets them: first those who were not turned away a moment ago. */
import type { Socket } from 'node:net'
import { RestingConnections } from './resting-connections.ts'

/** Milliseconds. Answers go out together, so that for a moment every place may be free: only a longer while counts. */
const calmAfter = 100

export class Places {
  readonly #most: number
  readonly #turnedAway = new RestingConnections()
  #taken = 0
  #crowdedAt = -Infinity

  constructor(most: number) {
    this.#most = most
  }

  /** False: there is none for this one, and its connection rests. */
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

  /** Whether half of the places were taken at once lately. */
  #isCrowded(): boolean {
    const now = performance.now()
    if (this.#taken >= this.#most / 2) this.#crowdedAt = now
    return now - this.#crowdedAt < calmAfter
  }
}
