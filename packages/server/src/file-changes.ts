/** Calls back when one of a few files changed. Polls, as watchers miss how some editors and mounts replace files. */
import { stat } from 'node:fs/promises'

const lookEvery = 1_000

/**
 * A change counts only when two polls in a row find the files the same, so that files still being written are not read,
 * and a pair replaced one after the other is read as a pair. `files` is called at each poll. The returned function
 * stops.
 */
export function onFileChange(files: () => readonly string[], changed: () => Promise<void>): () => void {
  let known: string | null = null
  let seen = ''
  let busy = false
  const look = async (): Promise<void> => {
    const now = (await Promise.all(files().map(stateOf))).join('\n')
    const settled = now === seen
    seen = now
    if (known === null) known = now
    if (now === known || !settled) return
    // Recorded before the files are read, so that a change in the meantime is another change.
    known = now
    await changed()
  }
  const timer = setInterval(() => {
    if (busy) return
    busy = true
    void look().finally(() => (busy = false))
  }, lookEvery)
  timer.unref()
  void look()
  return () => clearInterval(timer)
}

/** The state of the file that a link leads to. `ctime` reveals even a copy that kept size and date. */
async function stateOf(file: string): Promise<string> {
  try {
    const { mtimeMs, ctimeMs, size, ino, dev } = await stat(file)
    return `${mtimeMs} ${ctimeMs} ${size} ${ino} ${dev}`
  } catch (cause) {
    return String((cause as NodeJS.ErrnoException).code)
  }
}
