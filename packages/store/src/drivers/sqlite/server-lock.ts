/**
 * One server per database file: an exclusive lock on a side file, held by an open connection. The operating system
 * releases it when the process ends in any way, so a stale lock cannot exist.
 */
import { realpathSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { StoreRefused } from '../../contract/store.ts'
import { isLocked } from './connection.ts'

export function lockForServer(path: string): () => void {
  // Beside the real file, so that a start by a symbolic link claims the same lock.
  const db = new DatabaseSync(`${realpathSync(path)}-claim`, { timeout: 0 })
  try {
    db.exec('begin exclusive')
  } catch (error) {
    db.close()
    if (!isLocked(error)) throw error
    throw new StoreRefused(
      `another Grantor server is using ${path}. One SQLite file serves one server: stop the other one first, ` +
        'or use PostgreSQL for several.',
    )
  }
  return () => db.close()
}
