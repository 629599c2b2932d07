/** libfaketime, as Debian packages it: brought where that is possible, put in front of a server whose clock a test sets. */
import { execFileSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import type { Environment, Folder } from '../../interop/server.ts'

/** The one for programs with several threads; Debian has a folder for each machine. */
const library = (): string | undefined => globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')[0]

/** Null where it is there, or was put there; else why its tests are skipped. */
export function ensureFaketime(): string | null {
  if (library() !== undefined) return null
  const line = 'apt-get update && apt-get install -y --no-install-recommends libfaketime'
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return `libfaketime is not here; on Debian: ${line}`
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    execFileSync('sh', ['-c', line], { stdio: ['ignore', 'ignore', 'inherit'], env, timeout: 5 * 60_000 })
  } catch {
    return `libfaketime could not be installed by: ${line}`
  }
  return library() === undefined ? 'apt-get installed libfaketime, but it is not where Debian puts it' : null
}

export interface WallClock {
  /** For the process that has this clock. */
  readonly env: Environment
  /** Sets it so many seconds ahead of the real one, at once; the monotonic clock goes on as it was. */
  setAhead(seconds: number): void
}

export function wallClock(folder: Folder, ahead = 0): WallClock {
  const setAhead = (seconds: number) => folder.write('clock', `${seconds < 0 ? '' : '+'}${seconds}\n`)
  return {
    env: {
      LD_PRELOAD: library() ?? '',
      FAKETIME_TIMESTAMP_FILE: setAhead(ahead),
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
    },
    setAhead: (seconds) => void setAhead(seconds),
  }
}
