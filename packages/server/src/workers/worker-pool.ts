/** The worker processes of a server, managed by their parent: started, replaced when they die, and drained. */
import cluster, { type Worker } from 'node:cluster'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { Settings } from '../config/settings.ts'
import { StartError } from '../start-error.ts'
import { workersFor } from './count.ts'
import { sharedPorts } from './shared-ports.ts'

/**
 * Messages between parent and worker. Settings hold secrets, so they go by a pipe, which is private, not by variables.
 */
export type ToWorker =
  | { readonly kind: 'serve'; readonly settings: Settings }
  | { readonly kind: 'reload' }
  | { readonly kind: 'drain' }
  | { readonly kind: 'counted'; readonly metrics: string | null }
export type FromWorker =
  | {
      readonly kind: 'serving'
      readonly port: number
      readonly mtlsPort: number | null
      readonly caFile: string | null
    }
  /** `taken`: another program uses the port. */
  | { readonly kind: 'cannot start'; readonly why: string; readonly taken: boolean }
  /** Asks for the metrics of all workers; answered by 'counted'. */
  | { readonly kind: 'count' }

type Serving = Extract<FromWorker, { kind: 'serving' }>

/** Milliseconds before a worker that died is replaced, so that one that always fails does not use up the machine. */
const restartDelay = 1_000

const mostTries = 3

class PortTaken extends StartError {}

export class WorkerPool {
  readonly #log: Logger
  readonly #metrics: () => Promise<string>
  #wanted = 0
  #serving = 0
  #stopped = false

  constructor(log: Logger, metrics: () => Promise<string>) {
    this.#log = log
    this.#metrics = metrics
    cluster.setupPrimary({
      exec: fileURLToPath(new URL(`./worker${extname(import.meta.filename)}`, import.meta.url)),
      args: [],
      // Both write to our stderr; stdout is only for our ready line.
      stdio: ['ignore', 2, 2, 'ipc'],
      serialization: 'advanced',
    })
  }

  get complete(): boolean {
    return !this.#stopped && this.#serving === this.#wanted
  }

  async start(settings: Settings): Promise<Serving> {
    this.#wanted = workersFor(settings)
    // The first worker creates what all share (schema, certificate, keys).
    const { first, shared } = await this.#spawnFirst(settings)
    await Promise.all(Array.from({ length: this.#wanted - 1 }, () => this.#spawn(shared)))
    return first
  }

  async #spawnFirst(settings: Settings, tries = 1): Promise<{ readonly first: Serving; readonly shared: Settings }> {
    const { settings: shared, chosen } = await sharedPorts(settings, this.#log)
    try {
      return { first: await this.#spawn(shared), shared }
    } catch (cause) {
      // Another program may have taken the chosen port in the meantime.
      if (!chosen || !(cause instanceof PortTaken) || tries === mostTries || this.#stopped) throw cause
      return this.#spawnFirst(settings, tries + 1)
    }
  }

  reload(): void {
    for (const worker of workersNow()) {
      if (worker.isConnected()) worker.send({ kind: 'reload' } satisfies ToWorker, () => {})
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true
    const workers = workersNow()
    await Promise.all(
      workers.map(async (worker) => {
        const gone = new Promise((resolve) => worker.once('exit', resolve))
        // A worker that has just died needs no message; its exit event will come.
        if (worker.isConnected()) worker.send({ kind: 'drain' } satisfies ToWorker, () => {})
        if (!worker.isDead()) await gone
      }),
    )
  }

  #spawn(settings: Settings): Promise<Serving> {
    const worker = cluster.fork()
    worker.send({ kind: 'serve', settings } satisfies ToWorker, () => {})
    return new Promise((resolve, reject) => {
      let began = false
      worker.on('message', (message: FromWorker) => {
        if (message.kind === 'count') void this.#sendMetrics(worker)
        if (message.kind === 'cannot start')
          reject(message.taken ? new PortTaken(message.why) : new StartError(message.why))
        if (message.kind !== 'serving') return
        began = true
        this.#serving++
        resolve(message)
      })
      worker.once('exit', (code) => {
        if (!began) reject(new StartError(`a worker ended before it served (exit code ${code})`))
        else this.#onExit(worker, settings)
      })
    })
  }

  async #sendMetrics(worker: Worker): Promise<void> {
    const metrics = await this.#metrics().catch(() => null)
    worker.send({ kind: 'counted', metrics } satisfies ToWorker, () => {})
  }

  #onExit(worker: Worker, settings: Settings): void {
    this.#serving--
    if (this.#stopped) return
    this.#log.error({ worker: worker.process.pid }, 'a worker died; another takes its place')
    this.#replace(settings)
  }

  #replace(settings: Settings): void {
    setTimeout(() => {
      if (this.#stopped) return
      this.#spawn(settings).catch((cause: unknown) => {
        this.#log.error({ reason: String(cause) }, 'a worker could not start')
        this.#replace(settings)
      })
    }, restartDelay)
  }
}

const workersNow = (): readonly Worker[] =>
  Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
