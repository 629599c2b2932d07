/** A clock that moves only when told to. Wall and monotonic time can part, as they do when someone sets the clock. */
import type { Instant } from '@grantor/protocol/types'
import type { Time } from '../src/time.ts'

export class FakeTime implements Time {
  wall = Date.parse('2026-11-15T10:00:00Z')
  mono = 1_000_000
  #timers: { at: number; run: () => void }[] = []

  /** A double holds the time of day to a quarter of a microsecond: what is lost on the way is no millisecond less. */
  now = (): Instant => Math.floor(this.wall + 0.01) as Instant
  monotonic = (): number => this.mono

  after(milliseconds: number, run: () => void): () => void {
    const timer = { at: this.mono + milliseconds, run }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer)
    }
  }

  /** How much is still to come. */
  get waiting(): number {
    return this.#timers.length
  }

  /** Runs what falls due, in order, letting promises settle in between. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.mono + milliseconds
    for (let rounds = 0; rounds < 100_000; rounds += 1) {
      const [next] = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)
      if (next === undefined) break
      this.#timers = this.#timers.filter((timer) => timer !== next)
      this.#move(Math.max(next.at, this.mono))
      next.run()
      await settle()
    }
    this.#move(end)
    await settle()
  }

  #move(to: number): void {
    this.wall += to - this.mono
    this.mono = to
  }
}

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) {
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  }
}

/** Waits for real input and output to bring something about; fails, and says what, if it does not. */
export async function eventually(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const giveUp = performance.now() + 60_000
  while (!(await holds())) {
    if (performance.now() > giveUp) throw new Error(`Never came about: ${what}`)
    await new Promise((resolve) => {
      setTimeout(resolve, 2)
    })
  }
}
