/**
 * Commits that were given up while the server waited for its standby. Their sessions hold a place among `max_connections`
 * until it confirms them, and a later commit is confirmed only after an earlier one: while one of them waits, a change
 * more could only fail, and hold one more.
 */
import { StoreUnavailable } from '../../../contract/store.ts'
import type { Queryable } from '../connection.ts'

/** Milliseconds between two looks at the server, however many ask. */
const lookEvery = 250

const stillWaiting = `select pid from pg_stat_activity where pid = any($1::int[]) and wait_event = 'SyncRep'`

export class Unconfirmed {
  readonly #on: Queryable
  /** Process ids at the server. */
  #sessions: readonly number[] = []
  #looking: Promise<void> | null = null
  #lookedAt = -Infinity

  constructor(on: Queryable) {
    this.#on = on
  }

  /** A session that did not answer in time, whatever it was at. */
  add(processId: number): void {
    this.#sessions = [...this.#sessions, processId]
    this.#lookedAt = -Infinity
  }

  /** Another server is the primary: what waits at the old one says nothing of it. */
  forget(): void {
    this.#sessions = []
  }

  /** Throws while one of them waits. */
  async check(): Promise<void> {
    if (this.#sessions.length === 0) return
    if (this.#looking !== null || performance.now() > this.#lookedAt + lookEvery)
      await (this.#looking ??= this.#look().finally(() => (this.#looking = null)))
    if (this.#sessions.length > 0)
      throw new StoreUnavailable('PostgreSQL: an earlier change still waits for a standby to confirm it')
  }

  async #look(): Promise<void> {
    const asked = this.#sessions
    const { rows } = await this.#on.query<{ readonly pid: number }>({ text: stillWaiting, values: [asked] })
    const waiting = new Set(rows.map(({ pid }) => pid))
    this.#sessions = this.#sessions.filter((pid) => waiting.has(pid) || !asked.includes(pid))
    this.#lookedAt = performance.now()
  }
}
