/** A connection to the SQLite file: its settings, its prepared statements, and which of its errors are outages. */
import { constants, DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { StoreUnavailable } from '../../contract/store.ts'
import { directoryColumns } from '../../verbs/directory/basis.ts'
import type { Row, Statement, Verb } from '../../verbs/verb.ts'

export interface Connection {
  readonly db: DatabaseSync
  all(statement: Statement): readonly Row[]
  prepare(text: string): StatementSync
  read<T>(verb: Verb<T>): T
  /** Reads by several statements on one snapshot. */
  snapshot<T>(verb: Verb<T>): T
  /** Whether that statement changes columns that a basis is checked against, according to SQLite's authorizer. */
  changesDirectory(text: string): boolean
  close(): void
}

/** Milliseconds to wait for another connection's short transaction. Reads block the event loop, so they wait less. */
export const busyTimeout = { write: 5_000, read: 500 }

/**
 * Maximum sizes, allocated as needed: with a million grants the inner pages of the indexes alone are some 30 MiB. The
 * writer caches fewer pages, because SQLite scans them all at each commit in which index pages were split and sorted.
 */
const cacheKibibytes = { write: 16_384, read: 65_536 }

export function connect(path: string, use: 'write' | 'read'): Connection {
  const db = new DatabaseSync(path, { timeout: busyTimeout[use], enableForeignKeyConstraints: true })
  db.exec('pragma journal_mode = wal')
  // FULL: an acknowledged verb survives a power failure, not only a crash of this process.
  db.exec('pragma synchronous = full')
  db.exec('pragma wal_autocheckpoint = 4000')
  db.exec('pragma journal_size_limit = 67108864')
  db.exec(`pragma cache_size = -${cacheKibibytes[use]}`)
  if (use === 'read') db.exec('pragma query_only = on')
  // SQLite calls the authorizer with the effects of a statement while it prepares it.
  let changesDirectory = false
  db.setAuthorizer((action, table, column) => {
    changesDirectory ||= isDirectoryChange(action, table ?? '', column ?? '')
    return constants.SQLITE_OK
  })
  const prepared = new Map<string, StatementSync>()
  const changing = new Set<string>()
  const prepare = (text: string): StatementSync => {
    let statement = prepared.get(text)
    if (statement === undefined) {
      changesDirectory = false
      prepared.set(text, (statement = db.prepare(text)))
      if (changesDirectory) changing.add(text)
    }
    return statement
  }
  const all = ({ text, values, counted }: Statement): readonly Row[] => {
    const [statement, inputs] = [prepare(text), values as readonly SQLInputValue[]]
    if (counted === true) return [{ changes: Number(statement.run(...inputs).changes) }]
    return statement.all(...inputs) as readonly Row[]
  }
  const read = <T>(verb: Verb<T>): T => {
    let step = verb.next()
    while (step.done !== true) {
      if (step.value.do !== 'sql') throw new Error('a read only reads')
      step = verb.next(all(step.value))
    }
    return step.value
  }
  return {
    db,
    prepare,
    all,
    read,
    snapshot(verb) {
      prepare('begin').run()
      try {
        return read(verb)
      } finally {
        prepare('commit').run()
      }
    },
    changesDirectory(text) {
      prepare(text)
      return changing.has(text)
    },
    close: () => db.close(),
  }
}

function isDirectoryChange(action: number, table: string, column: string): boolean {
  const columns = directoryColumns[table]
  if (columns === undefined) return false
  const { SQLITE_INSERT, SQLITE_DELETE, SQLITE_UPDATE } = constants
  return action === SQLITE_INSERT || action === SQLITE_DELETE || (action === SQLITE_UPDATE && columns.includes(column))
}

/**
 * Result codes (https://sqlite.org/rescode.html) of the environment, not of the statement: busy, locked, no memory,
 * read-only, interrupted, I/O, corrupt, full, cannot open, protocol, not a database.
 */
const outages: ReadonlySet<number> = new Set([5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 26])

export function isOutage(error: unknown): boolean {
  const code = resultCode(error)
  return code !== null && outages.has(code)
}

/** Another connection holds the file: busy, locked. */
export const isLocked = (error: unknown): boolean => [5, 6].includes(resultCode(error) ?? 0)

function resultCode(error: unknown): number | null {
  const code = (error as { readonly errcode?: unknown } | null)?.errcode
  return typeof code === 'number' ? code & 0xff : null
}

export const unavailable = (cause: unknown): StoreUnavailable =>
  new StoreUnavailable(`SQLite: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
