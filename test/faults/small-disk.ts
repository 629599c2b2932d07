/** A disk that can be filled: a tmpfs of its own where we may mount one, else a limit on how large files may grow. */
import { execFileSync } from 'node:child_process'
import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../../interop/server.ts'

export interface SmallDisk extends Disposable {
  readonly path: string
  /** Whether it is a volume of its own, full for every process, and not only a limit on one. */
  readonly mounted: boolean
  /** No further block is to be had by the process; on a volume of its own, but for so many bytes. */
  fill(pid?: number, but?: number): void
  free(pid?: number): void
}

const size = 48 * 2 ** 20

export function smallDisk(): SmallDisk {
  const folder = temporaryFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder.path], { stdio: 'ignore' })
  } catch {
    return limitedFiles(folder)
  }
  const ballast = join(folder.path, 'ballast')
  return {
    path: folder.path,
    mounted: true,
    fill(_pid, but = 0) {
      const { bavail, bsize } = statfsSync(folder.path)
      try {
        writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - but)))
      } catch (error) {
        // The server took some of it meanwhile; full is full.
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
    },
    free: () => rmSync(ballast, { force: true }),
    [Symbol.dispose]() {
      execFileSync('umount', ['-l', folder.path])
      folder[Symbol.dispose]()
    },
  }
}

/** Without the right to mount: no file of the process may grow beyond a page (EFBIG instead of ENOSPC). */
const limitedFiles = (folder: ReturnType<typeof temporaryFolder>): SmallDisk => ({
  path: folder.path,
  mounted: false,
  fill: (pid) => void execFileSync('prlimit', ['--pid', String(pid), '--fsize=4096:']),
  free: (pid) => void execFileSync('prlimit', ['--pid', String(pid), '--fsize=unlimited:']),
  [Symbol.dispose]: () => folder[Symbol.dispose](),
})
