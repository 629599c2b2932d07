/** Calls back when one of a few files has changed: by looking, since editors and mounts replace files in ways that no watcher tells. */
import { stat } from 'node:fs/promises'

const lookEvery = 1_000

/** `files` is asked anew each time. The returned function ends it. */
export function onFileChange(files: () => readonly string[], changed: () => Promise<void>): () => void {
  let before: string | null = null
  let busy = false
  const look = async (): Promise<void> => {
    const now = (await Promise.all(files().map(stateOf))).join('\n')
    const differs = before !== null && before !== now
    before = now
    if (differs) await changed()
  }
  const timer = setInterval(() => {
    if (busy) return
    busy = true
    void look().finally(() => (busy = false))
  }, lookEvery)
  void look()
  return () => clearInterval(timer)
}

async function stateOf(file: string): Promise<string> {
  try {
    const { mtimeMs, size, ino } = await stat(file)
    return `${mtimeMs} ${size} ${ino}`
  } catch {
    return 'not there'
  }
}
