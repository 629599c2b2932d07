/**
 * What the writer has looked at. It alone writes while a group is open, so what it saw stands until it changes
 * something itself or another connection committed; most tokens change nothing but the log, and so cost no look.
 */
import type { LookStep, Row } from '../../verbs/verb.ts'
import type { Connection } from './connection.ts'
import type { Look, WriterMemory } from './writer-memory.ts'

export class Looks {
  readonly #file: Connection
  readonly #memory: WriterMemory
  /** By the text of a statement, of which there are as many as places in the source. */
  readonly #concerns = new Map<string, boolean>()

  constructor(file: Connection, memory: WriterMemory) {
    this.#file = file
    this.#memory = memory
  }

  at({ basis, statement }: LookStep): readonly Row[] {
    const { tenant, revision } = basis
    const client = basis.client === null ? null : basis.client.id
    const version = basis.client === null ? 0 : basis.client.version
    const { age } = this.#memory
    const stands = (look: Look): boolean => look.age === age && look.revision === revision && look.version === version
    const memory = this.#memory.of(tenant)
    const last = memory.last?.client === client ? memory.last : memory.looks.get(client)
    if (last !== null && last !== undefined && stands(last)) {
      memory.last = last
      return last.rows
    }
    const rows = this.#file.all(statement)
    this.#memory.keep(memory, { client, revision, version, rows, age })
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
    this.#memory.forgetLooks()
  }
}
