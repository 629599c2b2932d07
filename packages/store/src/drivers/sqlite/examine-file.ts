/** Determines whether a file is ours before anything is done with it: another program's file stays exactly as it is. */
import { closeSync, mkdirSync, openSync, readSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { StoreRefused } from '../../contract/store.ts'
import { busyTimeout, isOutage, unavailable } from './connection.ts'

/** 'empty' is a file without content, as an interrupted start leaves it. */
export type SqliteFileState = 'absent' | 'empty' | 'ours'

/** Throws StoreRefused where the file is not ours. Writes nothing and creates no file beside it. */
export function examineSqliteFile(path: string): SqliteFileState {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return 'absent'
  if (!found.isFile())
    throw new StoreRefused(`${path} is ${found.isDirectory() ? 'a folder' : 'no file'}, not a database`)
  if (found.size === 0) return 'empty'
  if (!beginsLikeSqlite(path)) throw foreign(path)
  const tables = tablesOf(path)
  if (tables.size === 0) return 'empty'
  if (!isOurs(tables)) throw foreign(path)
  return 'ours'
}

/** Makes sure that the file exists and is ours; throws otherwise. */
export function prepareSqliteFile(path: string): void {
  examineSqliteFile(path)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  // SQLite gives its side files the mode of the database file: only the owner may read any of them.
  closeSync(openSync(path, 'a', 0o600))
}

const foreign = (path: string): StoreRefused =>
  new StoreRefused(
    `${path} belongs to another program: it is no database of Grantor. Nothing was changed; ` +
      'move it away, or name another folder with GRANTOR_DATA',
  )

/** https://sqlite.org/fileformat2.html#magic_header_string */
const header = 'SQLite format 3\0'

function beginsLikeSqlite(path: string): boolean {
  const file = openSync(path, 'r')
  try {
    const start = Buffer.alloc(header.length)
    readSync(file, start, 0, header.length, 0)
    return start.toString('latin1') === header
  } finally {
    closeSync(file)
  }
}

/**
 * Reads the WAL only if the file alone does not prove to be ours: a checkpoint may have been interrupted by a full disk
 * or a kill, and without its WAL such a file is not a valid database.
 */
function tablesOf(path: string): ReadonlySet<string> {
  // As immutable: no lock is taken, no WAL is read, no file is created.
  const alone = pathToFileURL(path)
  alone.searchParams.set('immutable', '1')
  const hasLog = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
  try {
    const tables = hasLog ? tablesIfWhole(alone) : tableNames(alone)
    return !hasLog || isOurs(tables) ? tables : tableNames(pathToFileURL(path))
  } catch (error) {
    throw isOutage(error) ? unavailable(error) : error
  }
}

const isOurs = (tables: ReadonlySet<string>): boolean => tables.has('deployment') && tables.has('migrations')

function tablesIfWhole(file: URL): ReadonlySet<string> {
  try {
    return tableNames(file)
  } catch (error) {
    if (isOutage(error)) return new Set()
    throw error
  }
}

function tableNames(file: URL): ReadonlySet<string> {
  // Another process may be recovering the WAL, or creating the file, at this moment.
  const db = new DatabaseSync(file, { readOnly: true, timeout: busyTimeout.write })
  try {
    const rows = db.prepare(`select name from sqlite_schema where type = 'table'`).all()
    return new Set(rows.map(({ name }) => String(name)))
  } finally {
    db.close()
  }
}
