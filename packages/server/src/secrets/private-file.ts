/** Files that only their owner may read: written whole or not at all, never over one that is already there. */
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { dirname } from 'node:path'

export const makePrivateFolder = (path: string): void => void mkdirSync(path, { recursive: true, mode: 0o700 })

/** False when the file exists already, written by another process: then that one counts. */
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
    // Of a descriptor the system names no path, and whoever reads this wants to know which.
    throw Object.assign(cause as Error, { path })
  } finally {
    closeSync(file)
  }
  return draft
}

/** The name is durable only when its folder is. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
