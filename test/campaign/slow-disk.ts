/** Simulates a slow disk: strace delays every write and flush of some processes. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'

/** Null if writes can be delayed; otherwise the reason why not. */
export function slowDiskProblem(): string | null {
  try {
    execFileSync('strace', ['-qq', '-e', 'trace=none', 'true'], { stdio: 'ignore' })
    return null
  } catch {
    return 'strace is not here, or may not trace; on Debian: apt-get install -y --no-install-recommends strace'
  }
}

/** Returns a function that ends the delay. */
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
    // On SIGINT strace detaches from the processes first.
    strace.kill('SIGINT')
    await ended
  }
}
