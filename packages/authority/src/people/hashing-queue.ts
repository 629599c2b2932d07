/**
 * Hashes passwords on dedicated threads, with bounds on the threads and on the waiting jobs. A hash takes a core and 19
 * MiB for some 20 ms: on Node's shared pool, a hundred sign-ins at once took every core from the token endpoint.
 */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'

export interface HashingCost {
  readonly algorithm: 2
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}

export type HashingJob =
  | { readonly password: string; readonly cost: HashingCost }
  | { readonly password: string; readonly stored: string }

export type HashingAnswer = { readonly value: string | boolean } | { readonly failure: string }

/** More jobs wait already than can be served soon; refused with 503, before any work is done. */
export class HashingBusy extends Error {
  override readonly name = 'HashingBusy'
  /** Seconds until the waiting jobs have been served. */
  readonly retryAfter: number

  constructor(retryAfter: number) {
    super(`too many passwords wait to be hashed, for about ${retryAfter} s`)
    this.retryAfter = retryAfter
  }
}

interface WaitingJob {
  readonly job: HashingJob
  readonly resolve: (value: string | boolean) => void
  readonly reject: (cause: Error) => void
}

export interface HashingBounds {
  /** How many are hashed at once. */
  readonly threads: number
  /** How many may wait for a thread. */
  readonly mostWaiting: number
}

/** Half of the cores, so that the other half always remains for serving requests. */
export const threadsFor = (cores: number): number => Math.max(1, Math.min(4, Math.floor(cores / 2)))

const threads = threadsFor(availableParallelism())
/** Enough waiting jobs for some ten seconds. */
const usual: HashingBounds = { threads, mostWaiting: 256 * threads }

// Source runs as .ts, the published package as .js.
const program = new URL(`./hashing-thread${import.meta.url.slice(-3)}`, import.meta.url)

export class HashingQueue {
  readonly #bounds: HashingBounds
  readonly #program: URL
  readonly #idle: Worker[] = []
  readonly #working = new Map<Worker, WaitingJob>()
  readonly #waiting: WaitingJob[] = []
  /** A moving average of the milliseconds per job; the initial value is a slow one. */
  #took = 50

  constructor(bounds: HashingBounds = usual, from: URL = program) {
    this.#bounds = bounds
    this.#program = from
  }

  run(job: HashingJob): Promise<string | boolean> {
    const { threads: most, mostWaiting } = this.#bounds
    if (this.#waiting.length >= mostWaiting) {
      const seconds = Math.ceil((this.#waiting.length * this.#took) / most / 1000)
      return Promise.reject(new HashingBusy(seconds))
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job, resolve, reject })
      this.#next()
    })
  }

  #next(): void {
    if (this.#waiting.length === 0) return
    if (this.#idle.length === 0 && this.#working.size >= this.#bounds.threads) return
    const thread = this.#idle.pop() ?? this.#begin()
    const work = this.#waiting.shift()
    if (work === undefined) return
    this.#working.set(thread, work)
    // A pending job keeps the process alive; an idle thread does not.
    thread.ref()
    const began = performance.now()
    thread.once('message', (answer: HashingAnswer) => {
      this.#took += (performance.now() - began - this.#took) / 8
      this.#working.delete(thread)
      this.#idle.push(thread)
      thread.unref()
      if ('failure' in answer) work.reject(new Error(answer.failure))
      else work.resolve(answer.value)
      this.#next()
    })
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    thread.postMessage(work.job)
  }

  #begin(): Worker {
    // The name is shown by `top -H`, which can thus tell hashing from serving.
    const thread = new Worker(this.#program, { name: 'hashing' })
    let cause: unknown = null
    thread.on('error', (error) => (cause = error))
    thread.on('exit', () => this.#lost(thread, cause))
    return thread
  }

  /** Rejects the thread's job; waiting jobs go to the next thread. */
  #lost(thread: Worker, cause: unknown): void {
    const at = this.#idle.indexOf(thread)
    if (at >= 0) this.#idle.splice(at, 1)
    this.#working.get(thread)?.reject(new Error('a hashing thread died', { cause }))
    this.#working.delete(thread)
    this.#next()
  }
}
