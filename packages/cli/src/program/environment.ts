/** The process as the command line sees it; only main.ts hands in the real one. */
export interface Environment {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly stdin: ReadableInput
  readonly stdout: WritableOutput
  readonly stderr: WritableOutput
  /** Resolves at the first SIGINT or SIGTERM; a second one ends the process at once. */
  stopped(): Promise<void>
  /** Calls back at every SIGHUP from now on; without this call, SIGHUP ends the process. */
  onHangup(heard: () => void): void
}

export interface ReadableInput extends AsyncIterable<Uint8Array | string> {
  readonly isTTY?: boolean
}

export interface WritableOutput {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string, written?: (error?: Error | null) => void): boolean
}

/** Thrown if the reader of our output has closed the pipe. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed'
}

/** Resolves when the text is written, so that a stream of a million events does not fill the memory. */
export const writeText = (to: WritableOutput, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    to.write(text, (error) => {
      if (error == null) resolve()
      else reject((error as NodeJS.ErrnoException).code === 'EPIPE' ? new OutputClosed() : error)
    })
  })

/** Reads all of standard input up to a limit: nobody pipes a declaration of gigabytes on purpose. */
export async function readInput(from: ReadableInput, limit: number): Promise<Buffer | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of from) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    size += bytes.length
    if (size > limit) return null
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}
