/** Files that only their owner may read, written atomically; creating never overwrites an existing one. */
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { dirname } from 'node:path'

export const makePrivateFolder = (path: string): void => void mkdirSync(path, { recursive: true, mode: 0o700 })

/** False when the file exists already, perhaps written by another process: then that one is used. */
export function createPrivateFile(path: string, content: string): boolean {
  const draft = writeDraft(path, content)
  try {
    linkSync(draft, path) // Unlike a rename, a link refuses to replace.
    return true
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw cause
  } finally {
    rmSync(draft, { force: true })
    syncFolder(dirname(path))
  }
}

export function replacePrivateFile(path: string, content: string): void {
  renameSync(writeDraft(path, content), path)
  syncFolder(dirname(path))
}

function writeDraft(path: string, content: string): string {
  const draft = `${path}.${randomUUID()}`
  const file = openSync(draft, 'wx', 0o600)
  try {
    writeFileSync(file, content)
    fsyncSync(file)
  } catch (cause) {
    rmSync(draft, { force: true })
    // Errors about a descriptor have no path, so it is added for the reader of the message.
    throw Object.assign(cause as Error, { path })
  } finally {
    closeSync(file)
  }
  return draft
}

/** A new name is durable only once its folder is synced. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
