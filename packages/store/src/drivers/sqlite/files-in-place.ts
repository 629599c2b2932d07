/**
 * Whether the files that are written to still lie where they were opened. What goes into one that was moved away, removed
 * or replaced is on no path that the next start looks at, and in none at all once this process ends.
 */
import { statSync } from 'node:fs'

export class FilesInPlace {
  readonly #paths: readonly string[]
  readonly #known: readonly string[]

  /**
   * As they lie now: the database, the log beside it, and the index of that, on which whoever else opens the file takes
   * turns with us: by another one both would write at once. They are there from the first transaction on.
   */
  constructor(path: string) {
    this.#paths = [path, `${path}-wal`, `${path}-shm`]
    this.#known = this.#paths.map(identityOf)
  }

  /** Null where nothing is wrong. */
  get problem(): string | null {
    const moved = this.#paths.find((path, n) => identityOf(path) !== this.#known[n])
    return moved === undefined ? null : `${moved} was moved away, removed or replaced while it was open`
  }
}

function identityOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? 'absent' : `${found.dev} ${found.ino}`
}
