/** One process at a time: whoever makes or refreshes what lies in a file does it alone, and the others use what came of it. */
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
    // One from the future was left before the clock was set back.
    return Math.abs(Date.now() - statSync(lock).mtimeMs) > longest
  } catch {
    // Given back meanwhile.
    return false
  }
}
