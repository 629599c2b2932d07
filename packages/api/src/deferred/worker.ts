/** Does deferred work: takes operations, renews their leases, finishes them. At least once, never twice at a time. */
import { randomUUID } from 'node:crypto'
import type { KeptAnswer } from '@grantor/protocol/http'
import type { Instant } from '@grantor/protocol/types'
import type { OperationEnd, OperationRecord, OperationStore, Progress } from './operation-store.ts'

export interface Job {
  /** Aborted when the work must stop: canceled, out of time, taken by another worker, or the process stops. */
  readonly signal: AbortSignal
  progress(done: number, total?: number | null, note?: string | null): void
}

export interface WorkerOptions {
  readonly store: OperationStore
  /** How many operations at once; 0 where this process leaves the work to others. */
  readonly concurrency: number
  /** The kinds of work that this process knows: during an upgrade, an older node leaves new kinds to newer nodes. */
  readonly kinds: readonly string[]
  /** Milliseconds. */
  readonly timing: WorkerTiming
  readonly now: () => Instant
  /** Does the work. Failures are answers; if it throws, onError is called. */
  run(operation: OperationRecord, job: Job): Promise<KeptAnswer>
  /** The answer of work that was given up: it took too long, was started too often, or its token was revoked. */
  abandoned(operation: OperationRecord, why: 'timeout' | 'attempts' | 'revoked'): KeptAnswer
  /** Whether the revocation state is known: before that no work is started. */
  mayWork(): boolean
  /** Whether the token of the caller who requested it was revoked since. */
  isRevoked(operation: OperationRecord): boolean
  onError(error: unknown, operation: OperationRecord | null): void
}

export interface WorkerTiming {
  /** How long a lease lasts; it is renewed long before its end. */
  readonly lease: number
  /** How often a lease is renewed, progress is stored and cancellation is checked. */
  readonly renew: number
  /** How long work may take to stop after it was told to. */
  readonly grace: number
  /** How long one attempt may take. */
  readonly timeout: number
  /** How often an idle worker looks for operations. */
  readonly poll: number
  /** How long an operation is kept after its end; at least as long as a key, or a late retry would start it anew. */
  readonly keep: number
}

export const usualTiming: WorkerTiming = {
  lease: 30_000,
  renew: 1_000,
  grace: 5_000,
  timeout: 3_600_000,
  poll: 1_000,
  keep: 24 * 3_600_000,
}

/** Work that crashes its process every time is not started for ever. */
const mostAttempts = 5

type StopReason = 'canceling' | 'lost' | 'timeout' | 'revoked' | 'closing'

export class DeferredWorker {
  readonly #options: WorkerOptions
  readonly #name = randomUUID()
  readonly #running = new Map<string, { readonly stop: (why: StopReason) => void; readonly over: Promise<void> }>()
  #timer: NodeJS.Timeout | undefined
  #taking = false
  #closed = false

  constructor(options: WorkerOptions) {
    this.#options = options
    this.#lookLater(0)
  }

  /** Looks for operations now: one was added. */
  wake(): void {
    void this.#takeAll()
  }

  /** Stops an operation that was canceled in this process, without waiting for the next renewal. */
  cancel(id: string): void {
    this.#running.get(id)?.stop('canceling')
  }

  /** Stops running operations, which then wait for another worker. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    const all = [...this.#running.values()]
    for (const { stop } of all) stop('closing')
    await Promise.all(all.map(({ over }) => over))
  }

  #lookLater(milliseconds: number): void {
    clearTimeout(this.#timer)
    if (this.#closed || this.#options.concurrency === 0) return
    this.#timer = setTimeout(() => void this.#takeAll(), milliseconds).unref()
  }

  async #takeAll(): Promise<void> {
    if (this.#taking || this.#closed) return
    this.#taking = true
    const { store, concurrency, kinds, mayWork } = this.#options
    try {
      while (mayWork() && this.#running.size < concurrency && !this.#closed) {
        const operation = await store.take(this.#lease(), kinds)
        if (operation === null) break
        this.#begin(operation)
      }
    } catch (error) {
      this.#options.onError(error, null)
    } finally {
      this.#taking = false
      this.#lookLater(this.#options.timing.poll)
    }
  }

  #lease() {
    const now = this.#options.now()
    return { worker: this.#name, now, until: (now + this.#options.timing.lease) as Instant }
  }

  #begin(operation: OperationRecord): void {
    const stopped = Promise.withResolvers<StopReason>()
    const over = this.#work(operation, stopped.promise)
      .catch((error: unknown) => this.#options.onError(error, operation))
      .finally(() => {
        this.#running.delete(operation.id)
        this.wake()
      })
    this.#running.set(operation.id, { stop: stopped.resolve, over })
    if (this.#closed) stopped.resolve('closing')
  }

  async #work(operation: OperationRecord, stopped: Promise<StopReason>): Promise<void> {
    const { timing, run, abandoned, isRevoked } = this.#options
    let progress: Progress | null = null
    const finish = (status: OperationEnd['status'], outcome: KeptAnswer | null): Promise<void> =>
      this.#finish(operation, { status, outcome, progress })
    // Its previous worker died before it noticed the cancellation.
    if (operation.cancelRequestedAt !== null) return finish('canceled', null)
    if (operation.attempt > mostAttempts) return finish('failed', abandoned(operation, 'attempts'))
    if (isRevoked(operation)) return finish('failed', abandoned(operation, 'revoked'))
    const controller = new AbortController()
    const job: Job = {
      signal: controller.signal,
      progress: (done, total = null, note = null) => (progress = { done, total, note }),
    }
    const done = run(operation, job).then((outcome) => ({ outcome }))
    const renewal = this.#renewing(operation, () => progress)
    const timeout = after(timing.timeout, 'timeout' as const)
    const ended = await Promise.race([done, stopped, renewal.stopped, timeout.over]).finally(() => {
      renewal.end()
      timeout.cancel()
    })
    if (typeof ended === 'object') return finish(statusOf(ended.outcome), ended.outcome)
    controller.abort(new Error(`the work was given up: ${ended}`))
    // The work may still end by itself; if it ignores the signal, it is abandoned after this time.
    const grace = after(timing.grace, null)
    const late = await Promise.race([done.catch(() => null), grace.over])
    grace.cancel()
    // The work succeeded nevertheless: its outcome is stored, and no other worker starts it again.
    if (late !== null && ended !== 'revoked' && statusOf(late.outcome) === 'succeeded')
      return finish('succeeded', late.outcome)
    if (ended === 'canceling') return finish('canceled', null)
    if (ended === 'closing') return this.#options.store.release(operation.id, this.#name)
    if (ended !== 'lost') return finish('failed', abandoned(operation, ended))
  }

  /**
   * Renews the lease, and resolves when the work must stop. A failed renewal is retried for as long as the lease lasts.
   */
  #renewing(operation: OperationRecord, progress: () => Progress | null) {
    const { store, timing, isRevoked, onError } = this.#options
    const stopped = Promise.withResolvers<StopReason>()
    let timer: NodeJS.Timeout | undefined
    let { until } = this.#lease()
    const renew = async (): Promise<void> => {
      const lease = this.#lease()
      try {
        const held = await store.renew(operation.id, lease, progress())
        if (held !== 'held') return stopped.resolve(held)
        ;({ until } = lease)
        if (isRevoked(operation)) return stopped.resolve('revoked')
      } catch (error) {
        onError(error, operation)
        // By now another worker may have taken it.
        if (this.#options.now() >= until) return stopped.resolve('lost')
      }
      schedule()
    }
    let over = false
    const schedule = (): void => {
      if (!over) timer = setTimeout(() => void renew(), timing.renew).unref()
    }
    schedule()
    const end = (): void => {
      over = true
      clearTimeout(timer)
    }
    return { stopped: stopped.promise, end }
  }

  async #finish({ id }: OperationRecord, end: Omit<OperationEnd, 'at' | 'expiresAt'>): Promise<void> {
    const at = this.#options.now()
    const expiresAt = (at + this.#options.timing.keep) as Instant
    await this.#options.store.finish(id, this.#name, { ...end, at, expiresAt })
  }
}

const statusOf = ({ status }: KeptAnswer): 'succeeded' | 'failed' => (status < 400 ? 'succeeded' : 'failed')

function after<T>(milliseconds: number, value: T): { readonly over: Promise<T>; cancel(): void } {
  const { promise, resolve } = Promise.withResolvers<T>()
  const timer = setTimeout(() => resolve(value), milliseconds)
  timer.unref()
  return { over: promise, cancel: () => clearTimeout(timer) }
}
