/**
 * Checks whether the server's disk is full. The probe of the health page updates a row in place, which a full disk
 * allows while it refuses every token; so now and then, and after a refusal for want of space, a new file is requested.
 */
import { StoreUnavailable } from '../../contract/store.ts'
import { run, sql, undo, type Verb } from '../../verbs/verb.ts'
import { isFullDisk } from './outage.ts'
import type { ConnectionPool } from './pool.ts'
import { runVerb } from './run-verb.ts'

/** Milliseconds. A table costs some rows in the catalogue, though it is never committed. */
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

  /** Records an error of the database, which may mean a full disk. */
  noteFault(error: unknown): void {
    if (isFullDisk(error)) this.#isFull = true
  }

  /** Throws if the disk is full. For a role that may not create temporary tables, nothing is checked. */
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
