/** The log inside the group commit: gives entries their place and hash as they come, and seals each tenant once. */
import type { Instant, TenantId } from '@grantor/protocol'
import { chainHash, genesis, macOf } from '../log.ts'
import { bytes, instant, number } from '../row.ts'
import type { Entry, Row } from '../verb.ts'
import type { Connection } from './sqlite-connection.ts'

interface Head {
  readonly seq: number
  readonly hash: Uint8Array
  readonly at: Instant
}

/** Heads kept in memory; a tenant beyond them costs one read. */
const maxHeads = 20_000
const beginning: Head = { seq: 0, hash: genesis, at: 0 as Instant }

export class GroupLog {
  readonly #file: Connection
  readonly #auditKey: Uint8Array
  #committed = new Map<TenantId, Head>()
  #touched = new Map<TenantId, Head>()
  /** What each append of the group replaced, so that one verb can be taken back without copying the rest. */
  #journal: (readonly [TenantId, Head | undefined])[] = []
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
    this.#touched = new Map()
    this.#journal = []
    if (version === this.#version) return true
    this.#committed.clear()
    this.#startPos = number(this.#file.prepare('select pos from log_position').get() as Row, 'pos')
    this.#version = version
    return false
  }

  append(entries: readonly Entry[]): void {
    const insert = this.#file.prepare(
      'insert into events (pos, tenant, seq, at, feed, subject, body, hash) values (?, ?, ?, ?, ?, ?, ?, ?)',
    )
    for (const { tenant, at, feed, subject, body } of entries) {
      const before = this.#touched.get(tenant)
      const { seq, hash } = before ?? this.#head(tenant)
      const head: Head = { seq: seq + 1, hash: chainHash(hash, body), at }
      this.#journal.push([tenant, before])
      this.#touched.set(tenant, head)
      insert.run(this.#startPos + this.#journal.length, tenant, head.seq, at, feed, subject, body, head.hash)
    }
  }

  #head(tenant: TenantId): Head {
    const known = this.#committed.get(tenant)
    if (known !== undefined) return known
    const row = this.#file
      .prepare('select seq, hash, at from seals where tenant = ? order by seq desc limit 1')
      .get(tenant)
    if (row === undefined) return beginning
    return { seq: number(row as Row, 'seq'), hash: bytes(row as Row, 'hash'), at: instant(row as Row, 'at') }
  }

  /** A point to go back to. */
  mark(): number {
    return this.#journal.length
  }

  back(mark: number): void {
    for (const [tenant, before] of this.#journal.splice(mark).toReversed()) {
      if (before === undefined) this.#touched.delete(tenant)
      else this.#touched.set(tenant, before)
    }
  }

  /** At the end of a group: one seal for each tenant that got entries. Returns how many entries there were. */
  seal(): number {
    const count = this.#journal.length
    if (count === 0) return 0
    const insert = this.#file.prepare('insert into seals (tenant, seq, hash, mac, at) values (?, ?, ?, ?, ?)')
    for (const [tenant, { seq, hash, at }] of this.#touched) {
      insert.run(tenant, seq, hash, macOf(this.#auditKey, { tenant, seq, hash }, 'seal'), at)
    }
    this.#file.prepare('update log_position set pos = ?').run(this.#startPos + count)
    return count
  }

  /** After the commit; until then nothing of the group is believed. */
  commit(): void {
    if (this.#committed.size > maxHeads) this.#committed.clear()
    for (const [tenant, head] of this.#touched) this.#committed.set(tenant, head)
    this.#startPos += this.#journal.length
  }
}
