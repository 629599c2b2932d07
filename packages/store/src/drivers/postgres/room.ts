/**
 * Whether the disk of the server has room. The probe of the health page changes a row in its place, which a full disk
 * allows while it refuses every token; so now and then, and where something was refused for want of room, a file that is
 * new is asked for.
 */
import { StoreUnavailable } from '../../contract/store.ts'
import { run, sql, undo, type Verb } from '../../verbs/verb.ts'
import { isFullDisk } from './outage.ts'
import type { ConnectionPool } from './pool.ts'
import { runVerb } from './run-verb.ts'

/** Milliseconds. A table costs the catalogue a few rows, though it is never committed. */
const askEvery = 30_000

function* askForMegabyte(): Verb<void> {
  yield* run(sql`create temporary table room on commit drop as
    select repeat('x', 1000) as filler from generate_series(1, 1024)`)
  yield* undo()
}

export class Room {
  readonly #pool: ConnectionPool
  #isFull = false
  #askedAt = -Infinity

  constructor(pool: ConnectionPool) {
    this.#pool = pool
  }

  /** What the database refused: perhaps for want of room. */
  noteFault(error: unknown): void {
    if (isFullDisk(error)) this.#isFull = true
  }

  /** Throws where there is none. A role that may make no temporary tables is not told. */
  async check(): Promise<void> {
    if (!this.#isFull && performance.now() < this.#askedAt + askEvery) return
    this.#askedAt = performance.now()
    try {
      await runVerb(this.#pool, askForMegabyte)
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error
    }
    this.#isFull = false
  }
}
