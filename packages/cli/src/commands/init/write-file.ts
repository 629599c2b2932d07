/** Writes the settings file: readable by its owner only, or with the group access of the file that it replaces. */
import { chmodSync, chownSync, linkSync, type Stats } from 'node:fs'
import { createPrivateFile, replacePrivateFile } from '@grantor/server'

/** False when the file exists already. */
export const createSettingsFile = createPrivateFile

/** Returns the name under which the old one is kept. */
export function replaceSettingsFile(file: string, text: string, before: Stats): string {
  const kept = `${file}.${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
  linkSync(file, kept)
  replacePrivateFile(file, text)
  // A service may read it by its group; others may not, because it holds secrets.
  if (process.getuid?.() === 0) chownSync(file, before.uid, before.gid)
  chmodSync(file, 0o600 | (before.mode & 0o060))
  return kept
}
