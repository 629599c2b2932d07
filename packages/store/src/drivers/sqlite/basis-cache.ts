/**
 * The writer's cache of bases (see ARCHITECTURE.md). Nobody else writes while a group is open, so a cached basis is
 * valid until a verb changes the directory or another connection commits. Most tokens do neither, so they cost no read.
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

  /** To be called when the directory was changed, or a change of it was rolled back. */
  forget(): void {
    this.#memory.forgetBases()
  }
}
