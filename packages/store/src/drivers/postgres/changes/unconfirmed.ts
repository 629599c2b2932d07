/**
 * Commits that were given up while the server waited for its standby. Each holds a session of `max_connections` until
 * the standby confirms it. A standby confirms commits in order, so while one of them waits, a further change could only
 * fail and hold one more session.
 */
import { StoreUnavailable } from '../../../contract/store.ts'
import type { Queryable } from '../connection.ts'

/** Milliseconds between two looks at the server, however many changes ask for one. */
const lookEvery = 250

const stillWaiting = `select pid from pg_stat_activity where pid = any($1::int[]) and wait_event = 'SyncRep'`

export class Unconfirmed {
  readonly #on: Queryable
  /** The process ids of their sessions at the server. */
  #sessions: readonly number[] = []
  #looking: Promise<void> | null = null
  #lookedAt = -Infinity

  constructor(on: Queryable) {
    this.#on = on
  }

  /** Adds a session that did not answer in time, whatever it was doing. */
  add(processId: number): void {
    this.#sessions = [...this.#sessions, processId]
    this.#lookedAt = -Infinity
  }

  /** Forgets all sessions: another server is the primary, and those of the old one do not concern it. */
  forget(): void {
    this.#sessions = []
  }

  /** Throws StoreUnavailable while one of the commits still waits. */
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
