/** The master key: from the settings, or with SQLite generated once in the data folder. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { usesPostgres } from '../config/conflicts.ts'
import type { Settings } from '../config/settings.ts'
import { createPrivateFile, makePrivateFolder } from './private-file.ts'
import { StartError } from '../start-error.ts'
import type { MasterKey } from './vault.ts'

export const masterKeyFile = (settings: Settings): string => join(settings.data, 'master.key')

/**
 * Loads the master key, or makes one for a new folder. For a folder with a sealed database one is made only to replace the
 * previous key that is given: another key would not open the database.
 */
export function loadMasterKey(settings: Settings, isSealedThere = false): MasterKey {
  if (settings.masterKey !== null) return { text: settings.masterKey, from: 'GRANTOR_MASTER_KEY' }
  if (usesPostgres(settings)) throw new StartError('PostgreSQL needs GRANTOR_MASTER_KEY (or GRANTOR_MASTER_KEY_FILE)')
  const path = masterKeyFile(settings)
  if (isSealedThere && settings.masterKeyPrevious === null && !existsSync(path))
    throw new StartError(
      `${path} is missing: put the master key of this database back, or give it as GRANTOR_MASTER_KEY`,
    )
  makePrivateFolder(settings.data)
  if (!existsSync(path)) createPrivateFile(path, `${randomBytes(32).toString('base64url')}\n`)
  return { text: readMasterKey(path), from: path }
}

/** The master key that is being replaced, which may still open old seals. */
export const previousMasterKeys = ({ masterKeyPrevious }: Settings): readonly MasterKey[] =>
  masterKeyPrevious === null ? [] : [{ text: masterKeyPrevious, from: 'GRANTOR_MASTER_KEY_PREVIOUS' }]

/** A damaged file is refused, never replaced: it may be the only key that opens those in the database. */
function readMasterKey(path: string): string {
  const loose = process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0
  if (loose) throw new StartError(`${path} can be read by others: chmod 600 ${path}`)
  const text = readFileSync(path, 'utf8').trim()
  if (text.length < 32) throw new StartError(`${path} does not hold a master key: put the right one back`)
  return text
}
