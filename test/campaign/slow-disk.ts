/** A disk that takes its time: strace holds every write and flush of some processes back for a while. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'

/** Null where writes can be held back; else why not. */
export function slowDiskProblem(): string | null {
  try {
    execFileSync('strace', ['-qq', '-e', 'trace=none', 'true'], { stdio: 'ignore' })
    return null
  } catch {
    return 'strace is not here, or may not trace; on Debian: apt-get install -y --no-install-recommends strace'
  }
}

/** Returns what makes it quick again. */
export function slowDisk(pids: readonly number[], milliseconds: number): () => Promise<void> {
  const calls = 'fsync,fdatasync,pwrite64,pwritev'
  const strace = spawn(
    'strace',
    [
      '-f',
      '-qq',
      '-o',
      '/dev/null',
      '-e',
      `trace=${calls}`,
      '-e',
      `inject=${calls}:delay_enter=${milliseconds * 1000}`,
      ...pids.flatMap((pid) => ['-p', String(pid)]),
    ],
    { stdio: 'ignore' },
  )
  const ended = once(strace, 'exit')
  return async () => {
    // It lets go of the processes first.
    strace.kill('SIGINT')
    await ended
  }
}
