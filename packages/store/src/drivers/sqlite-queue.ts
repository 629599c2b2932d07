/** The main thread's end of the writer: one message a tick out, answers in order back, a new thread when one dies. */
import { Worker } from 'node:worker_threads'
import { StoreUnavailable } from '../contract/store.ts'
import type { Answers, Call } from './sqlite-group.ts'
import type { ToWriter, WriterData } from './sqlite-writer.ts'

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

// Source runs as .ts, the published package as .js.
const program = new URL(`./sqlite-writer${import.meta.url.slice(-3)}`, import.meta.url)

export class WriterQueue {
  readonly #data: WriterData
  readonly #sealed: () => void
  #thread: Worker | null = null
  #waiting: Waiting[] = []
  #batch: Call[] = []
  #closed = false

  constructor(data: WriterData, sealed: () => void) {
    this.#data = data
    this.#sealed = sealed
    this.#begin()
  }

  run(call: Call): Promise<unknown> {
    if (this.#closed) return Promise.reject(new StoreUnavailable('the store is closed'))
    return new Promise((resolve, reject) => {
      if (this.#batch.push(call) === 1) setImmediate(() => this.#flush())
      this.#waiting.push({ resolve, reject })
    })
  }

  #flush(): void {
    const batch = this.#batch
    if (batch.length === 0) return
    this.#batch = []
    const thread = this.#begin()
    // A caller that waits keeps the process alive; an idle writer does not.
    thread.ref()
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    thread.postMessage(batch satisfies ToWriter)
  }

  #begin(): Worker {
    if (this.#thread !== null) return this.#thread
    const thread = new Worker(program, { workerData: this.#data })
    this.#thread = thread
    thread.on('message', (answers: Answers | null) => {
      if (answers !== null) this.#answer(answers)
    })
    thread.on('error', (cause) => this.#lost(thread, cause))
    thread.on('exit', () => this.#lost(thread, null))
    thread.unref()
    return thread
  }

  #answer({ values, failures, sealed }: Answers): void {
    const count = Math.max(values.length, failures.length)
    const answered = this.#waiting.splice(0, count)
    let next = 0
    answered.forEach((caller, index) => {
      const failure = failures[next]
      if (failure?.[0] !== index) return caller.resolve(values[index])
      next += 1
      const [, outage, message] = failure
      return caller.reject(outage ? new StoreUnavailable(`SQLite: ${message}`) : new Error(message))
    })
    if (this.#waiting.length === 0) this.#thread?.unref()
    if (sealed > 0) this.#sealed()
  }

  /** Nobody knows what became of the calls on their way; the ones not yet sent go to the next thread. */
  #lost(thread: Worker, cause: unknown): void {
    if (this.#thread !== thread) return
    this.#thread = null
    const lost = this.#waiting.splice(0, this.#waiting.length - this.#batch.length)
    for (const caller of lost) caller.reject(new StoreUnavailable('the writer thread died', { cause }))
  }

  async close(): Promise<void> {
    this.#flush()
    this.#closed = true
    const thread = this.#thread
    if (thread === null) return
    await new Promise<void>((resolve) => {
      thread.ref()
      thread.once('exit', () => resolve())
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      thread.postMessage(null satisfies ToWriter)
    })
  }
}
