/**
 * The main thread's side of the writer: one group at a time is with the writer, and calls that arrive meanwhile form
 * the next. So a busy server pays for one wake-up per group, not per request; and a new thread is started when one
 * dies.
 */
import { Worker } from 'node:worker_threads'
import { StoreUnavailable } from '../../contract/store.ts'
import {
  type GroupAnswers,
  messageOf,
  monotonicNow,
  type ToWriter,
  type VerbCall,
  type WorkerMessage,
  type WriterData,
} from './worker-message.ts'

interface Caller {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

/** Bounds how long one transaction makes a command beside the server wait. */
const maxGroup = 2_000

/**
 * A group costs about as much as twenty of its verbs. So while every turn of the event loop adds calls, the next group
 * gathers this many; a turn without new calls sends it at once, so that nobody waits on a quiet server.
 */
const worthSending = 64

// Source runs as .ts, the published package as .js.
const writerProgram = new URL(`./writer-thread${import.meta.url.slice(-3)}`, import.meta.url)

export class WriterQueue {
  readonly #data: WriterData
  readonly #onSealed: () => void
  readonly #program: URL
  #thread: Worker | null = null
  #waiting: Caller[] = []
  /** Calls not sent yet, whose callers are the last of those that wait. */
  #batch: WorkerMessage[] = []
  /** The number of calls with the writer. */
  #sent = 0
  #closed = false
  #idle: () => void = () => {}

  constructor(data: WriterData, onSealed: () => void, program: URL = writerProgram) {
    this.#data = data
    this.#onSealed = onSealed
    this.#program = program
    this.#begin()
  }

  run(call: Omit<VerbCall, 'calledAt'>): Promise<unknown> {
    if (this.#closed) return Promise.reject(new StoreUnavailable('the store is closed'))
    return new Promise((resolve, reject) => {
      if (this.#batch.push(messageOf({ ...call, calledAt: monotonicNow() })) === 1 && this.#sent === 0) this.#gather()
      this.#waiting.push({ resolve, reject })
    })
  }

  #gather(): void {
    const before = this.#batch.length
    if (before >= worthSending) return this.#flush()
    setImmediate(() => (this.#batch.length > before ? this.#gather() : this.#flush()))
  }

  #flush(): void {
    if (this.#sent > 0 || this.#batch.length === 0) return
    const group = this.#batch.splice(0, maxGroup)
    this.#sent = group.length
    const thread = this.#begin()
    // A waiting caller keeps the process alive; an idle writer does not.
    thread.ref()
    try {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      thread.postMessage(group satisfies ToWriter)
    } catch (cause) {
      // An argument cannot be cloned. Nothing of the group was sent.
      const unsent = this.#waiting.splice(0, group.length)
      this.#sent = 0
      for (const caller of unsent) caller.reject(new Error('a verb cannot be sent to the writer', { cause }))
      if (this.#waiting.length === 0) this.#rest()
      else this.#flush()
    }
  }

  #begin(): Worker {
    if (this.#thread !== null) return this.#thread
    const thread = new Worker(this.#program, { workerData: this.#data })
    this.#thread = thread
    thread.on('message', (answers: GroupAnswers) => this.#answer(answers))
    thread.on('error', (cause) => this.#lost(thread, cause))
    thread.on('exit', () => this.#lost(thread, null))
    thread.unref()
    return thread
  }

  #answer({ values, failures, sealed }: GroupAnswers): void {
    const answered = this.#waiting.splice(0, this.#sent)
    this.#sent = 0
    const [refused] = failures
    // If a whole group failed because of an outage, the calls behind it have waited as long, and fail with it instead
    // of waiting for the next attempt.
    if (refused?.outage === true && failures.length === answered.length) this.#refuseUnsent(refused.message)
    // Sent before the answers are resolved, so that the disk works meanwhile.
    if (this.#batch.length > 0) this.#gather()
    let next = 0
    answered.forEach((caller, index) => {
      const failure = failures[next]
      if (failure?.index !== index) return caller.resolve(values[index])
      next += 1
      const { outage, message } = failure
      return caller.reject(outage ? new StoreUnavailable(`SQLite: ${message}`) : new Error(message))
    })
    if (this.#waiting.length === 0) this.#rest()
    if (sealed > 0) this.#onSealed()
  }

  #refuseUnsent(message: string): void {
    this.#batch = []
    for (const caller of this.#waiting.splice(0)) caller.reject(new StoreUnavailable(`SQLite: ${message}`))
  }

  /**
   * The outcome of the calls with the writer is unknown, so they fail; the calls not yet sent go to the next thread.
   */
  #lost(thread: Worker, cause: unknown): void {
    if (this.#thread !== thread) return
    this.#thread = null
    const lost = this.#waiting.splice(0, this.#sent)
    this.#sent = 0
    this.#flush()
    for (const caller of lost) caller.reject(new StoreUnavailable('the writer thread died', { cause }))
    if (this.#waiting.length === 0) this.#rest()
  }

  #rest(): void {
    this.#thread?.unref()
    this.#idle()
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#flush()
    // Accepted calls are answered before the thread is closed.
    if (this.#waiting.length > 0) await new Promise<void>((idle) => (this.#idle = idle))
    const thread = this.#thread
    if (thread === null) return
    await new Promise<void>((resolve) => {
      thread.ref()
      thread.once('exit', () => resolve())
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      thread.postMessage('close' satisfies ToWriter)
    })
  }
}
