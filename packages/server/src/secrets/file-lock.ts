/** A lock for creating or refreshing a file: one process at a time does the work, and the others use the result. */
import { rmSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPrivateFile } from './private-file.ts'

const lookEvery = 50

/** `longest`: milliseconds that the work may take; a lock older than that was left by a process that died. */
export async function withFileLock<T>(path: string, longest: number, work: () => Promise<T>): Promise<T> {
  const lock = `${path}.lock`
  while (!createPrivateFile(lock, `${process.pid}\n`)) {
    if (isStale(lock, longest)) rmSync(lock, { force: true })
    else await sleep(lookEvery)
  }
  try {
    return await work()
  } finally {
    rmSync(lock, { force: true })
  }
}

function isStale(lock: string, longest: number): boolean {
  try {
    // Absolute, because a lock may seem to be from the future after the clock was set back.
    return Math.abs(Date.now() - statSync(lock).mtimeMs) > longest
  } catch {
    // The lock was released in the meantime.
    return false
  }
}
