/**
 * Connections whose request was turned away. To say no costs a third of what a token does: whoever asks again at once,
 * against `Retry-After`, would keep the server busy with nothing else. So such a connection is read again when there is
 * room, and then one after the other; or after a moment, to be told no once more. What waited so long would be late if
 * it were let in then, and in the place of somebody who is not.
 */
import type { Socket } from 'node:net'

/** Milliseconds; so for all of these. */
export const retryAfter = 1_000
const longest = 300
const lookEvery = 25

export class RestingConnections {
  /** In the order in which they came, with when. */
  readonly #since = new Map<Socket, number>()
  readonly #turnedAwayAt = new WeakMap<Socket, number>()
  #timer: ReturnType<typeof setInterval> | null = null

  /** Whether it asks before the time that it was told is over. */
  isEarly(socket: Socket): boolean {
    const at = this.#turnedAwayAt.get(socket)
    return at !== undefined && performance.now() - at < retryAfter
  }

  rest(socket: Socket): void {
    const now = performance.now()
    this.#turnedAwayAt.set(socket, now)
    if (this.#since.has(socket)) return
    socket.pause()
    this.#since.set(socket, now)
    this.#timer ??= setInterval(() => this.#wakeOld(), lookEvery).unref()
  }

  /** Something is over: there is room for one. */
  wakeOne(): void {
    const first = this.#since.keys().next()
    if (first.done === false) this.#wake(first.value)
  }

  #wakeOld(): void {
    const now = performance.now()
    for (const [socket, since] of this.#since) {
      if (now - since < longest) return
      this.#wake(socket)
    }
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
  }

  #wake(socket: Socket): void {
    this.#since.delete(socket)
    socket.resume()
  }
}
