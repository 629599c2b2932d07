/**
 * Connections whose request was refused for overload. A refusal costs a third of what a token does: clients that retry
 * at once, against `Retry-After`, could occupy the server with refusals alone. So such a connection is not read until
 * there is room, one connection after the other; or until a short time is over, and then its request is refused again:
 * after that wait it would be late anyway, and take the place of a newer request.
 */
import type { Socket } from 'node:net'

/** These three are in milliseconds. */
export const retryAfter = 1_000
const longest = 300
const lookEvery = 25

export class RestingConnections {
  /** Paused connections in order of arrival, with their times. */
  readonly #since = new Map<Socket, number>()
  readonly #turnedAwayAt = new WeakMap<Socket, number>()
  #timer: ReturnType<typeof setInterval> | null = null

  /** Whether the connection sends a request before `Retry-After` is over. */
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

  /** Called when a request has ended, so that there is room for one. */
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
