/** One process at a time: whoever refreshes a login does it alone, and the others use what came of it. */
import { rmSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPrivateFile } from '@grantor/server'

/** Longer than a request may take: a lock this old was left by a process that died. */
const staleAfter = 30_000
const lookEvery = 50

export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const lock = `${path}.lock`
  while (!createPrivateFile(lock, `${process.pid}\n`)) {
    if (isStale(lock)) rmSync(lock, { force: true })
    else await sleep(lookEvery)
  }
  try {
    return await work()
  } finally {
    rmSync(lock, { force: true })
  }
}

function isStale(lock: string): boolean {
  try {
    return Date.now() - statSync(lock).mtimeMs > staleAfter
  } catch {
    // Given back meanwhile.
    return false
  }
}
