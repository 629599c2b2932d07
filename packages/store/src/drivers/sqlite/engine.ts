/** SQLite: a writer thread that commits in groups, reads on the main thread, one server per file. */
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

/** Milliseconds; for commits of other processes. Commits of this process are announced at once. */
const pollEvery = 250

export interface SqliteOptions {
  readonly path: string
  /** Provides the key that seals the log. */
  readonly auditKey: AuditKeySource
  /** 'server' (default) refuses a file that another server uses; a 'command' works briefly beside a server. */
  readonly role?: 'server' | 'command'
  /** How the schema is migrated; by default only by migrations that a program of the previous version tolerates. */
  readonly upgrade?: UpgradeOptions
}

export interface SqliteStore extends Store {
  /** Writes a consistent copy while the server runs; refuses to overwrite. */
  backup(path: string): Promise<void>
}

export async function openSqlite(options: SqliteOptions): Promise<SqliteStore> {
  const store = storeFromEngine(await sqliteEngine(options))
  return { ...store, backup: (to) => backupSqlite(options.path, to) }
}

/** Reads the migration record without changing anything; null where there is no database of ours. */
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
    // The process that holds the file as a server knows that no other server does.
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
    // Only synced commits can be read.
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
