/** The clocks of the validator as a port: wall time judges tokens, monotonic time judges freshness and waits. */
import type { Instant } from '@grantor/protocol/types'

export interface Time {
  now(): Instant
  /** Milliseconds from an arbitrary start; never steps. This clock also runs while the process is stopped. */
  monotonic(): number
  /** Runs once after a while, unless cancelled by the returned function. Never keeps the process alive. */
  after(milliseconds: number, run: () => void): () => void
}

/** Read once, because the global `performance` is a getter, whose price a request would pay twice. */
const clock = performance

export const systemTime: Time = {
  now: () => Date.now() as Instant,
  monotonic: () => clock.now(),
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds)
    timer.unref()
    return () => clearTimeout(timer)
  },
}

/** A wait that ends early, without error, when the signal fires. */
export function pause(time: Time, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const done = () => {
      cancel()
      signal.removeEventListener('abort', done)
      resolve()
    }
    const cancel = time.after(milliseconds, done)
    signal.addEventListener('abort', done)
  })
}
