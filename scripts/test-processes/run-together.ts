/** Runs test files one after another in this process, each as a suite that is named by its path. */
import { describe, mock } from 'node:test'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

// A file that hangs fails, and the others go on: none takes a tenth of this, also on a busy machine.
const longest = 10 * 60_000

/** A file is loaded when those before it are done: what it changes or hooks into is over when the next begins. */
export async function runTogether(root: string, files: readonly string[]): Promise<void> {
  // A test may wait for a timer that keeps no process alive.
  const alive = setInterval(() => {}, longest)
  for (const file of files) {
    await describe(file, { timeout: longest }, async () => {
      await import(pathToFileURL(join(root, file)).href)
    })
    // A clock or function that a file replaced would go on being replaced, for the next one and for us.
    mock.reset()
  }
  clearInterval(alive)
}
