/**
 * What the writer knows of bases. It alone writes while a group is open, so what it read stands until a verb touches the
 * directory or another connection committed; most tokens change nothing but the log, and so cost no read.
 */
import type { BasisStep, Row } from '../../verbs/verb.ts'
import type { Connection } from './connection.ts'
import type { WriterMemory } from './writer-memory.ts'

export class BasisCache {
  readonly #file: Connection
  readonly #memory: WriterMemory

  constructor(file: Connection, memory: WriterMemory) {
    this.#file = file
    this.#memory = memory
  }

  check({ basis, statement }: BasisStep): readonly Row[] {
    const { tenant, revision } = basis
    const client = basis.client === null ? null : basis.client.id
    const version = basis.client === null ? 0 : basis.client.version
    const { generation } = this.#memory
    const memory = this.#memory.of(tenant)
    const last = memory.last?.client === client ? memory.last : memory.bases.get(client)
    if (last?.generation === generation && last.revision === revision && last.version === version) {
      memory.last = last
      return last.rows
    }
    const rows = this.#file.all(statement)
    this.#memory.keep(memory, { client, revision, version, rows, generation })
    return rows
  }

  /** The directory was changed, or a change of it taken back. */
  forget(): void {
    this.#memory.forgetBases()
  }
}
