/**
 * What the writer has looked at. It alone writes while a group is open, so what it saw stands until it changes
 * something itself or another connection committed; most tokens change nothing but the log, and so cost no look.
 */
import type { LookStep, Row } from '../verb.ts'
import type { Connection } from './sqlite-connection.ts'

/** One for each client that is busy; when there are more, they are looked at anew. */
const maxSeen = 20_000

export class Looks {
  readonly #file: Connection
  readonly #seen = new Map<string, readonly Row[]>()

  constructor(file: Connection) {
    this.#file = file
  }

  at({ key, statement }: LookStep): readonly Row[] {
    const known = this.#seen.get(key)
    if (known !== undefined) return known
    const rows = this.#file.all(statement)
    if (this.#seen.size >= maxSeen) this.#seen.clear()
    this.#seen.set(key, rows)
    return rows
  }

  /** Whatever changes, and whatever is taken back, may be what was looked at. */
  forget(): void {
    if (this.#seen.size > 0) this.#seen.clear()
  }
}
