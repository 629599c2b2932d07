/**
 * Remembers, next to the master key, which keys have sealed a database. If the database is missing although its key is
 * here, it was lost, moved or not mounted: a new one must not be created silently.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { usesPostgres } from '../config/conflicts.ts'
import type { Settings } from '../config/settings.ts'
import { loadMasterKey, masterKeyFile, previousMasterKeys } from './master-key.ts'
import { makePrivateFolder } from './private-file.ts'
import { type KeyedVault, openVault } from './vault.ts'

const markerFile = ({ data }: Pick<Settings, 'data'>): string => join(data, 'master.key.used')

/** Whether a database of this folder was sealed by some key, so that no other key may be made for it. */
export const wasSealed = (settings: Pick<Settings, 'data'>): boolean => existsSync(markerFile(settings))

/** Ids of keys, a line each: nothing secret. */
function keyIdsIn(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch {
    return []
  }
}

/** Why no new database may be created with these keys; null where they have sealed none, or the operator wants one. */
export function newDatabaseProblem(settings: Settings, vault: Pick<KeyedVault, 'keyIds'>): string | null {
  const file = markerFile(settings)
  const known = keyIdsIn(file)
  const sealed = vault.keyIds.find((id) => known.includes(id))
  if (settings.newDatabase || sealed === undefined) return null
  const missing = usesPostgres(settings)
    ? `the schema ${settings.databaseSchema} of the PostgreSQL database is empty`
    : `there is no database in ${settings.data}`
  return (
    `${missing}, but the master key (id ${sealed}) has sealed one before, as ${file} says: ` +
    'put it back (`grantor restore`), or begin a new one with --new-database'
  )
}

/** The same for commands that only read: does not generate a key. */
export function missingDatabaseProblem(settings: Settings): string | null {
  if (settings.masterKey === null && !existsSync(masterKeyFile(settings))) return null
  return newDatabaseProblem(settings, openVault(loadMasterKey(settings), previousMasterKeys(settings)))
}

/** Records that the key has sealed a database. If that cannot be written, the next start tries again. */
export function noteSealed(settings: Settings, { keyId }: Pick<KeyedVault, 'keyId'>): void {
  const file = markerFile(settings)
  if (keyIdsIn(file).includes(keyId)) return
  try {
    makePrivateFolder(settings.data)
    appendFileSync(file, `${keyId}\n`, { mode: 0o600 })
  } catch {
    // The folder is read-only or full.
  }
}
