/** The log inside the group commit: links entries as they come, writes them at its end, and seals each tenant once. */
import type { SQLInputValue } from 'node:sqlite'
import type { TenantId } from '@grantor/protocol'
import { fromLink, genesis, type Link, linkAfter, macOf, toLink } from '../log.ts'
import { bytes, number } from '../row.ts'
import type { Entry, Row } from '../verb.ts'
import type { Connection } from './sqlite-connection.ts'

/** Heads kept in memory; a tenant beyond them costs one read. */
const maxHeads = 20_000

/** Rows of one statement: a statement costs about as much as a row. */
const rowsAtOnce = 16
const insertions = Array.from({ length: rowsAtOnce + 1 }, (_, rows) => {
  const places = Array.from({ length: rows }, () => '(?, ?, ?, ?, ?, ?, ?, ?, ?)').join(', ')
  return `insert or rollback into events (pos, tenant, seq, at, feed, subject, body, hash, mac) values ${places}`
})
const lastLink = `select seq, hash from (select seq, hash from events where tenant = ?1 order by seq desc limit 1)
  union all select seq, hash from checkpoints where tenant = ?1 order by seq desc limit 1`

interface Head {
  readonly seq: number
  readonly link: Link
}

/** An entry with its place. */
interface Placed {
  readonly entry: Entry
  readonly head: Head
  /** The head it replaced within the group, so that one verb can be taken back without copying the rest. */
  readonly before: Head | undefined
}

const beginning: Head = { seq: 0, link: toLink(genesis) }

export class GroupLog {
  readonly #file: Connection
  readonly #auditKey: Uint8Array
  #committed = new Map<TenantId, Head>()
  #touched = new Map<TenantId, Head>()
  /** Written with the seals, when it is known which entry ends its tenant's part of the group. No verb reads them before. */
  #placed: Placed[] = []
  #version = -1
  #startPos = 0

  constructor(file: Connection, auditKey: Uint8Array) {
    this.#file = file
    this.#auditKey = auditKey
  }

  /** At the beginning of a group: what is remembered counts only if no other connection committed since. Says whether. */
  begin(): boolean {
    const row = this.#file.prepare('pragma data_version').get() as Row
    const version = number(row, 'data_version')
    this.#touched.clear()
    this.#placed = []
    if (version === this.#version) return true
    this.#committed.clear()
    this.#startPos = number(this.#file.prepare('select pos from log_position').get() as Row, 'pos')
    this.#version = version
    return false
  }

  append(entries: readonly Entry[]): void {
    for (const entry of entries) {
      const { tenant, body } = entry
      const before = this.#touched.get(tenant)
      const { seq, link } = before ?? this.#head(tenant)
      const head: Head = { seq: seq + 1, link: linkAfter(link, body) }
      this.#placed.push({ entry, head, before })
      this.#touched.set(tenant, head)
    }
  }

  #head(tenant: TenantId): Head {
    const known = this.#committed.get(tenant)
    if (known !== undefined) return known
    const row = this.#file.prepare(lastLink).get(tenant) as Row | undefined
    return row === undefined ? beginning : { seq: number(row, 'seq'), link: toLink(bytes(row, 'hash')) }
  }

  /** A point to go back to. */
  mark(): number {
    return this.#placed.length
  }

  back(mark: number): void {
    for (const { entry, before } of this.#placed.splice(mark).toReversed()) {
      if (before === undefined) this.#touched.delete(entry.tenant)
      else this.#touched.set(entry.tenant, before)
    }
  }

  /** At the end of a group: the last entry of each tenant carries its seal. Returns how many entries there were. */
  seal(): number {
    const count = this.#placed.length
    if (count === 0) return 0
    for (let from = 0; from < count; from += rowsAtOnce) this.#write(from, Math.min(from + rowsAtOnce, count))
    this.#file.prepare('update log_position set pos = ?').run(this.#startPos + count)
    return count
  }

  #write(from: number, to: number): void {
    const values: SQLInputValue[] = []
    for (let n = from; n < to; n++) {
      const { entry, head } = this.#placed[n] as Placed
      const { tenant, at, feed, subject, body } = entry
      const { seq } = head
      const hash = fromLink(head.link)
      const ends = this.#touched.get(tenant) === head
      const mac = ends ? macOf(this.#auditKey, { tenant, seq, hash }, 'seal') : null
      values.push(this.#startPos + n + 1, tenant, seq, at, feed, subject, body, hash, mac)
    }
    this.#file.prepare(insertions[to - from] as string).run(...values)
  }

  /** After the commit; until then nothing of the group is believed. */
  commit(): void {
    if (this.#committed.size > maxHeads) this.#committed.clear()
    for (const [tenant, head] of this.#touched) this.#committed.set(tenant, head)
    this.#startPos += this.#placed.length
  }
}
