/** Calls back when one of a few files has changed: by looking, since editors and mounts replace files in ways that no watcher tells. */
import { stat } from 'node:fs/promises'

const lookEvery = 1_000

/**
 * Files that are still being written are left alone until two looks in a row find them the same, so a pair that is
 * replaced one after the other is read as a pair. `files` is asked anew each time. The returned function ends it.
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
    // Noted before they are read: what changes meanwhile is another change.
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

/** Of what a link leads to. The time of the last change of the inode tells of a copy that kept size and date, too. */
async function stateOf(file: string): Promise<string> {
  try {
    const { mtimeMs, ctimeMs, size, ino, dev } = await stat(file)
    return `${mtimeMs} ${ctimeMs} ${size} ${ino} ${dev}`
  } catch (cause) {
    return String((cause as NodeJS.ErrnoException).code)
  }
}
