/**
 * Writes lines and never fails, because a log must not stop the server. Lines that cannot be written now wait in a
 * bounded buffer; those dropped beyond it are counted, and reported by the next line that can be written.
 */
import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs'

/** Bytes that may wait for a full disk or a reader that does not read. */
const mostWaiting = 1024 * 1024

/** Milliseconds until the next attempt, for a slow reader and after a fault. */
const slowReader = 50
const afterFault = 1_000

/** Milliseconds that the exit of the process waits for a reader. */
const atExit = 500

export interface LineWriterOptions {
  /** Makes the line that reports how many lines were dropped. */
  readonly dropped: (count: number) => string
  readonly write?: typeof writeSync
}

export class LineWriter {
  readonly #options: LineWriterOptions
  #fd: number
  #waiting: Buffer[] = []
  #size = 0
  /** How many bytes of the first waiting line are written already. */
  #written = 0
  #dropped = 0
  #timer: NodeJS.Timeout | undefined

  constructor(fd: number, options: LineWriterOptions) {
    this.#fd = fd
    this.#options = options
  }

  write(line: string): void {
    const bytes = Buffer.from(line)
    if (this.#size + bytes.length > mostWaiting) this.#dropped++
    else this.#add(bytes)
    if (this.#timer === undefined) this.#writeWaiting()
  }

  /** Writes to another file from now on; a line that was half written is repeated there in full. */
  moveTo(fd: number): void {
    const before = this.#fd
    this.#fd = fd
    this.#written = 0
    closeSync(before)
    this.#writeWaiting()
  }

  /** Writes the remaining lines synchronously, before the process ends. */
  writeRest(): void {
    const until = performance.now() + atExit
    while (this.#writeWaiting() === 'later' && performance.now() < until) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, slowReader)
    }
    clearTimeout(this.#timer)
  }

  #add(bytes: Buffer): void {
    this.#waiting.push(bytes)
    this.#size += bytes.length
  }

  #writeWaiting(): 'all' | 'later' | 'fault' {
    clearTimeout(this.#timer)
    this.#timer = undefined
    try {
      for (;;) {
        if (this.#waiting.length === 0 && this.#dropped > 0) {
          this.#add(Buffer.from(this.#options.dropped(this.#dropped)))
          this.#dropped = 0
        }
        const [first] = this.#waiting
        if (first === undefined) return 'all'
        const write = this.#options.write ?? writeSync
        this.#written += write(this.#fd, first, this.#written, first.length - this.#written)
        if (this.#written < first.length) continue
        this.#waiting.shift()
        this.#size -= first.length
        this.#written = 0
      }
    } catch (cause) {
      const slow = (cause as NodeJS.ErrnoException).code === 'EAGAIN'
      this.#timer = setTimeout(() => this.#writeWaiting(), slow ? slowReader : afterFault).unref()
      return slow ? 'later' : 'fault'
    }
  }
}

/**
 * Standard error as a non-blocking file descriptor. A pipe or a terminal is opened a second time, so that it is
 * non-blocking for this process alone; where that is not possible, Node's own stream makes it non-blocking.
 */
export function standardError(): number {
  const kind = fstatSync(2)
  if (kind.isFile()) return 2
  try {
    return openSync('/proc/self/fd/2', constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  } catch {
    void process.stderr
    return 2
  }
}
