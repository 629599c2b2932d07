/** The process as the command line sees it; only main.ts hands in the real one. */
export interface World {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly stdin: Readable
  readonly stdout: Writable
  readonly stderr: Writable
  /** Resolves at the first SIGINT or SIGTERM; a second one ends the process at once. */
  stopped(): Promise<void>
}

export interface Readable extends AsyncIterable<Uint8Array | string> {
  readonly isTTY?: boolean
}

export interface Writable {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string, written?: (error?: Error | null) => void): boolean
}

/** Whoever read our output has closed it. */
export class ReaderGone extends Error {
  override readonly name = 'ReaderGone'
}

/** Waits until the text is handed on, so that a stream of a million events does not pile up in memory. */
export const written = (to: Writable, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    to.write(text, (error) => {
      if (error == null) resolve()
      else reject((error as NodeJS.ErrnoException).code === 'EPIPE' ? new ReaderGone() : error)
    })
  })

/** All of standard input, as text; bounded, because nobody pipes a declaration of gigabytes on purpose. */
export async function readAll(from: Readable, limit: number): Promise<string | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of from) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    size += bytes.length
    if (size > limit) return null
    chunks.push(bytes)
  }
  return Buffer.concat(chunks).toString('utf8')
}
