/** SQLite: a writer thread that commits in groups, reads on the main thread, one server for each file. */
import { derivedKey, macOf } from '../../contract/chain.ts'
import type { AuditKeySource } from '../../contract/directory/audit-key.ts'
import { StoreUnavailable, type Store } from '../../contract/store.ts'
import type { SchemaRecord, UpgradeOptions } from '../../schema/schema-state.ts'
import { position } from '../../verbs/events.ts'
import { verbs } from '../../verbs/index.ts'
import { ChangeWatcher } from '../change-watcher.ts'
import { storeFromEngine } from '../engine-store.ts'
import type { Engine } from '../engine.ts'
import { backupSqlite } from './backup.ts'
import { connect, type Connection, isOutage, unavailable } from './connection.ts'
import { examineSqliteFile, prepareSqliteFile } from './examine-file.ts'
import { migrateSqlite, readSqliteSchema as readSchemaOf } from './migrate.ts'
import { lockForServer } from './server-lock.ts'
import { WriterQueue } from './writer-queue.ts'

export { examineSqliteFile } from './examine-file.ts'

/** For commits of other processes (milliseconds); our own are told at once. */
const pollEvery = 250

export interface SqliteOptions {
  readonly path: string
  /** Opens the key that seals the log. */
  readonly auditKey: AuditKeySource
  /** 'server' (default) refuses a file that another server uses; a 'command' does short work beside one. */
  readonly role?: 'server' | 'command'
  /** How its schema is brought up to date; by default only where a program of the version before may go on. */
  readonly upgrade?: UpgradeOptions
}

export interface SqliteStore extends Store {
  /** Writes a consistent copy while the server goes on; refuses to overwrite. */
  backup(path: string): Promise<void>
}

export async function openSqlite(options: SqliteOptions): Promise<SqliteStore> {
  const store = storeFromEngine(await sqliteEngine(options))
  return { ...store, backup: (to) => backupSqlite(options.path, to) }
}

/** What the file holds of migrations, without changing anything; null where there is no database of ours. */
export function readSqliteSchema(path: string): SchemaRecord | null {
  try {
    return examineSqliteFile(path) === 'ours' ? readSchemaOf(path) : null
  } catch (error) {
    throw isOutage(error) ? unavailable(error) : error
  }
}

export async function sqliteEngine({ path, role = 'server', ...options }: SqliteOptions): Promise<Engine> {
  prepareSqliteFile(path)
  let release = (): void => {}
  let reader: Connection | null = null
  let auditKey: Uint8Array
  try {
    if (role === 'server') release = lockForServer(path)
    // Who holds the file as a server knows that no other does.
    const alone = role === 'server' ? { olderNodesStopped: true } : {}
    auditKey = migrate(path, { ...options.upgrade, ...alone, auditKey: options.auditKey })
    reader = connect(path, 'read')
  } catch (error) {
    reader?.close()
    release()
    throw isOutage(error) ? unavailable(error) : error
  }
  const file = reader
  const watcher = new ChangeWatcher(async (verb) => file.read(verb), pollEvery)
  let closed = false
  const guarded = async <T>(read: () => T): Promise<T> => {
    if (closed) throw new StoreUnavailable('the store is closed')
    try {
      return read()
    } catch (error) {
      throw isOutage(error) ? unavailable(error) : error
    }
  }
  const queue = new WriterQueue({ path, auditKey }, () => watcher.announceEvents())

  return {
    run(name, args, breakAt = null) {
      const answer = queue.run({ kind: 'verb', name, args, breakAt }) as Promise<never>
      return verbs[name].touches === 'directory' ? answer.finally(() => watcher.checkNow()) : answer
    },
    read: (verb) => guarded(() => file.read(verb)),
    snapshot: (begin) => guarded(() => file.snapshot(begin())),
    position: () => guarded(() => file.read(position())),
    mac: (head, purpose) => macOf(auditKey, head, purpose),
    logParts: null,
    derive: (purpose) => derivedKey(auditKey, purpose),
    watchEvents: (wake) => watcher.watchEvents(wake),
    watchDirectory: (changed) => watcher.watchDirectory(changed),
    time: () => Promise.resolve(null),
    ping: () => guarded(() => void file.read(position())),
    // Nothing can be read before it is on the disk.
    untilDurable: () => Promise.resolve(),
    close: async () => {
      await watcher.close()
      await queue.close()
      if (closed) return
      closed = true
      file.close()
      release()
    },
  }
}

function migrate(path: string, upgrade: UpgradeOptions & Pick<SqliteOptions, 'auditKey'>): Uint8Array {
  const file = connect(path, 'write')
  try {
    return migrateSqlite(file, upgrade)
  } finally {
    file.close()
  }
}
