/**
 * Writes lines and never fails: what cannot be written now waits, as much as there is room for, and what is dropped
 * beyond that is counted and told with the next line that can be written. A log must not stop what it speaks of.
 */
import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs'

/** Bytes that may wait for a disk with no room, or a reader that does not read. */
const mostWaiting = 1024 * 1024

/** Milliseconds until the next attempt: a reader is waited for, a fault is given time. */
const slowReader = 50
const afterFault = 1_000

/** How long the end of the process waits for a reader. */
const atExit = 500

export interface LineWriterOptions {
  /** The line that tells how many were dropped. */
  readonly dropped: (count: number) => string
  readonly write?: typeof writeSync
}

export class LineWriter {
  readonly #options: LineWriterOptions
  #fd: number
  #waiting: Buffer[] = []
  #size = 0
  /** How much of the first that waits is written already. */
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

  /** From here on into another file; a line that was half written is written whole there. */
  moveTo(fd: number): void {
    const before = this.#fd
    this.#fd = fd
    this.#written = 0
    closeSync(before)
    this.#writeWaiting()
  }

  /** Before the process ends: nothing can be waited for after that. */
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
 * Standard error as something that never makes us wait. A pipe or a terminal is opened a second time, so that only we
 * see it non-blocking; where that is not possible, Node's own stream makes it so.
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
