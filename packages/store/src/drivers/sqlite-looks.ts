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
  /** By the text of a statement, of which there are as many as places in the source. */
  readonly #concerns = new Map<string, boolean>()

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

  /** Nobody looks at anything but these two tables, and nothing but a statement that names one changes it. */
  changedBy(text: string): void {
    let concerns = this.#concerns.get(text)
    if (concerns === undefined) this.#concerns.set(text, (concerns = /\b(?:tenants|clients)\b/.test(text)))
    if (concerns) this.forget()
  }

  /** Whatever is taken back may be what was looked at. */
  forget(): void {
    if (this.#seen.size > 0) this.#seen.clear()
  }
}
