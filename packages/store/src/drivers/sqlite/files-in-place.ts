/**
 * Checks that the open files still lie at their paths. Writes to a file that was moved, removed or replaced cannot be
 * found by the next start, and a removed file is gone when this process ends.
 */
import { statSync } from 'node:fs'

export class FilesInPlace {
  readonly #paths: readonly string[]
  readonly #known: readonly string[]

  /**
   * The files as they are now: the database, its write-ahead log, and the index of that log, by whose locks processes
   * take turns. With two indexes two processes would write at once. The files exist from the first transaction on.
   */
  constructor(path: string) {
    this.#paths = [path, `${path}-wal`, `${path}-shm`]
    this.#known = this.#paths.map(identityOf)
  }

  /** Null where all files are in place. */
  get problem(): string | null {
    const moved = this.#paths.find((path, n) => identityOf(path) !== this.#known[n])
    return moved === undefined ? null : `${moved} was moved away, removed or replaced while it was open`
  }
}

function identityOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? 'absent' : `${found.dev} ${found.ino}`
}
