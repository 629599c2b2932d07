/**
 * The log inside the group commit: links entries as they come, writes and counts them at its end, and seals each tenant
 * once.
 */
import type { SQLInputValue } from 'node:sqlite'
import type { TenantId } from '@grantor/protocol/types'
import { chainHash, genesis, macOf } from '../../contract/chain.ts'
import type { Entry } from '../../verbs/entry.ts'
import { addToMinute, MinuteCounts } from '../../verbs/statistics.ts'
import { bytes, number } from '../../verbs/row.ts'
import type { Row } from '../../verbs/verb.ts'
import type { Connection } from './connection.ts'
import type { Head, WriterMemory } from './writer-memory.ts'

/** Rows per statement: a statement costs about as much as a row. */
const rowsAtOnce = 16
const insertions = Array.from({ length: rowsAtOnce + 1 }, (_, rows) => {
  const placeholders = Array.from({ length: rows }, () => '(?, ?, ?, ?, ?, ?, ?, ?, ?)').join(', ')
  return `insert or rollback into events (pos, tenant, seq, at, feed, subject, body, hash, mac) values ${placeholders}`
})
const lastLink = `select seq, hash from (
  select seq, hash from tenant_log where tenant = ?1 and exists (select 1 from logs where tenant = ?1)
  order by part desc, seq desc limit 1)
  union all select seq, hash from checkpoints where tenant = ?1 order by seq desc limit 1`

/** Positions per part; the same as in the schema (docs/decisions/0016). */
const partSize = 2_048
const partOf = (pos: number): number => Math.floor(pos / partSize)

/** An entry with its place in the chain. */
interface ChainedEntry {
  readonly entry: Entry
  readonly head: Head
  readonly seq: number
  readonly hash: Uint8Array
  /** The hash of the predecessor, so that one verb can be rolled back without copying the others. */
  readonly before: Uint8Array
}

export class GroupLog {
  readonly #file: Connection
  readonly #auditKey: Uint8Array
  /** Runs ahead of the file until the commit, so a failed group must be followed by a new memory. */
  readonly #memory: WriterMemory
  /**
   * Written at the end of the group, when the last entry of each tenant, which carries the seal, is known. No verb
   * reads entries before.
   */
  #chained: ChainedEntry[] = []
  #version = -1
  #startPos = 0
  /** The last part that is known to be listed in log_parts. */
  #part = -1

  constructor(file: Connection, auditKey: Uint8Array, memory: WriterMemory) {
    this.#file = file
    this.#auditKey = auditKey
    this.#memory = memory
  }

  /** Called at the beginning of a group: the memory is valid only if no other connection has committed since. */
  begin(): void {
    const row = this.#file.prepare('pragma data_version').get() as Row
    const version = number(row, 'data_version')
    this.#chained = []
    this.#memory.makeRoom()
    if (version === this.#version) return
    this.#memory.forgetAll()
    this.#part = -1
    this.#startPos = number(this.#file.prepare('select pos from log_position').get() as Row, 'pos')
    this.#version = version
  }

  append(entries: readonly Entry[]): void {
    for (const entry of entries) {
      const head = this.#head(entry.tenant)
      const before = head.hash
      head.seq += 1
      const { body, feed } = entry
      head.hash = chainHash(before, { body, feed, pos: this.#startPos + this.#chained.length + 1 })
      this.#chained.push({ entry, head, seq: head.seq, hash: head.hash, before })
    }
  }

  #head(tenant: TenantId): Head {
    const memory = this.#memory.of(tenant)
    if (memory.head !== null) return memory.head
    const row = this.#file.prepare(lastLink).get(tenant) as Row | undefined
    memory.head = row === undefined ? { seq: 0, hash: genesis } : { seq: number(row, 'seq'), hash: bytes(row, 'hash') }
    return memory.head
  }

  /** The present number of entries, for rollbackTo. */
  mark(): number {
    return this.#chained.length
  }

  rollbackTo(mark: number): void {
    for (const { head, before } of this.#chained.splice(mark).toReversed()) {
      head.seq -= 1
      head.hash = before
    }
  }

  /** Called at the end of a group: the last entry of each tenant gets the seal. Returns the number of entries. */
  seal(): number {
    const count = this.#chained.length
    if (count === 0) return 0
    for (let from = 0; from < count; from += rowsAtOnce) this.#write(from, Math.min(from + rowsAtOnce, count))
    this.#list(partOf(this.#startPos + count))
    const counts = new MinuteCounts()
    for (const { entry } of this.#chained) counts.add(entry)
    for (const row of counts.rows) this.#file.all(addToMinute(row))
    this.#file.prepare('update log_position set pos = ?').run(this.#startPos + count)
    return count
  }

  /** Lists the parts up to `last`, and removes those that retention has emptied. */
  #list(last: number): void {
    if (last === this.#part) return
    for (let part = partOf(this.#startPos + 1); part <= last; part++) {
      this.#file.prepare('insert or ignore into log_parts (part) values (?)').run(part)
    }
    this.#file.prepare('delete from log_parts where part < (select min(pos) >> 11 from events)').run()
  }

  #write(from: number, to: number): void {
    const values: SQLInputValue[] = []
    for (let n = from; n < to; n++) {
      const { entry, head, seq, hash } = this.#chained[n] as ChainedEntry
      const { tenant, at, feed, subject, body } = entry
      if (seq === 1) this.#file.prepare('insert or ignore into logs (tenant) values (?)').run(tenant)
      const mac = seq === head.seq ? macOf(this.#auditKey, { tenant, seq, hash }, 'seal') : null
      values.push(this.#startPos + n + 1, tenant, seq, at, feed, subject, body, hash, mac)
    }
    this.#file.prepare(insertions[to - from] as string).run(...values)
  }

  /** Called after the commit. */
  commit(): void {
    if (this.#chained.length === 0) return
    this.#startPos += this.#chained.length
    this.#part = partOf(this.#startPos)
  }
}
