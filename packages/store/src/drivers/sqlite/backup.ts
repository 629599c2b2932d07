/** A consistent copy of a SQLite file while it is being written: made from a snapshot, in a separate thread. */
import { randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isMainThread, Worker, workerData } from 'node:worker_threads'

interface BackupData {
  readonly from: string
  readonly to: string
  readonly backup: true
}

/** The copy gets its name only when it is complete and synced; an existing file is never overwritten. */
export async function backupSqlite(from: string, to: string): Promise<void> {
  // A unique name, so that two copies at once do not mix.
  const partial = `${to}.${randomUUID()}.partial`
  try {
    removeLeftovers(dirname(to))
    // Nobody else reads along while it is written.
    closeSync(openSync(partial, 'wx', 0o600))
    await copy({ from, to: partial, backup: true })
    sync(partial)
    linkSync(partial, to)
    sync(dirname(to))
  } finally {
    rmSync(partial, { force: true })
  }
}

/**
 * Milliseconds. A copy in the making is written to all the time, so an older partial file belongs to a killed backup.
 */
const unwritten = 60 * 60 * 1000

/** Removes the partial files that killed backups left in the folder. */
function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!/\.[\da-f-]{36}\.partial(-journal)?$/.test(name)) continue
    const written = statSync(join(folder, name), { throwIfNoEntry: false })
    if (written !== undefined && written.mtimeMs < Date.now() - unwritten) rmSync(join(folder, name), { force: true })
  }
}

const copy = (data: BackupData): Promise<void> =>
  new Promise((resolve, reject) => {
    const thread = new Worker(new URL(import.meta.url), { workerData: data })
    thread.on('error', reject)
    thread.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`the backup ended with ${code}`))))
  })

function sync(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

const data = workerData as BackupData | null
if (!isMainThread && data?.backup === true) {
  const db = new DatabaseSync(data.from, { timeout: 5_000 })
  // One read transaction throughout: the copy is the state of one commit, whatever is written meanwhile.
  db.prepare('vacuum into ?').run(data.to)
  db.close()
}
