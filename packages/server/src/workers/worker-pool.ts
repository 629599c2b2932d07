/** Several processes on one port (PostgreSQL only): the parent holds port and management, its workers serve. */
import cluster, { type Worker } from 'node:cluster'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ClusterRegistry, type PrometheusContentType } from '@prometheus-io/client'
import type { Logger } from 'pino'
import type { House } from '../compose.ts'
import type { Settings } from '../config/settings.ts'
import type { Running } from '../listen.ts'
import { openLog } from '../log.ts'
import { openManagement } from '../management/listener.ts'
import { CannotStart } from '../start-error.ts'
import { vitalsOf } from '../management/health.ts'

/** What parent and worker say to each other. Settings hold secrets: a pipe is private, an environment is not. */
export type ToWorker =
  | { readonly say: 'serve'; readonly settings: Settings }
  | { readonly say: 'drain' }
  | { readonly say: 'counted'; readonly metrics: string | null }
export type FromWorker =
  | { readonly say: 'serving'; readonly port: number; readonly caFile: string | null }
  | { readonly say: 'cannot start'; readonly why: string }
  /** Asks for what all workers counted; answered by 'counted'. */
  | { readonly say: 'count' }

type Serving = Extract<FromWorker, { say: 'serving' }>

/** A worker that dies is replaced, but not faster than this: a worker that cannot live must not eat the machine. */
const rebirth = 1_000

export async function listenWithWorkers(house: House): Promise<Running> {
  const log = openLog(house.settings)
  const registry = new ClusterRegistry<PrometheusContentType>()
  ClusterRegistry.setRegistries([])
  const metrics = (): Promise<string> => registry.clusterMetrics()
  const crew = new Crew(log, metrics)
  try {
    const { port, caFile } = await crew.hire(house.settings)
    house.issuer.settle(port)
    const vitals = vitalsOf(house, metrics, () => !crew.complete)
    const management = await openManagement(house.settings.managementPort, vitals)
    log.info({ issuer: house.issuer.origin(), port, workers: house.settings.workers }, 'listening')
    return {
      issuer: house.issuer.origin(),
      port,
      managementPort: management.port,
      caFile,
      async close() {
        await crew.dismiss()
        await management.close()
        await house.close()
      },
    }
  } catch (cause) {
    await crew.dismiss()
    throw cause
  }
}

class Crew {
  readonly #log: Logger
  readonly #metrics: () => Promise<string>
  #wanted = 0
  #serving = 0
  #dismissed = false

  constructor(log: Logger, metrics: () => Promise<string>) {
    this.#log = log
    this.#metrics = metrics
    cluster.setupPrimary({
      exec: fileURLToPath(new URL(`./worker${extname(import.meta.filename)}`, import.meta.url)),
      args: [],
      // Its words go where ours go; stdout stays ours, for the ready line.
      stdio: ['ignore', 2, 2, 'ipc'],
      serialization: 'advanced',
    })
  }

  get complete(): boolean {
    return !this.#dismissed && this.#serving === this.#wanted
  }

  async hire(settings: Settings): Promise<Serving> {
    this.#wanted = settings.workers
    // The first one makes what all share (schema, certificate, keys); the others find it.
    const first = await this.#employ(settings)
    // All ask for the same port, 0 included: the cluster gives out one socket for one wish.
    await Promise.all(Array.from({ length: settings.workers - 1 }, () => this.#employ(settings)))
    return first
  }

  async dismiss(): Promise<void> {
    this.#dismissed = true
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
    await Promise.all(
      workers.map(async (worker) => {
        const gone = new Promise((resolve) => worker.once('exit', resolve))
        // One that died this moment needs no telling, and its exit is on its way.
        if (worker.isConnected()) worker.send({ say: 'drain' } satisfies ToWorker, () => {})
        if (!worker.isDead()) await gone
      }),
    )
  }

  #employ(settings: Settings): Promise<Serving> {
    const worker = cluster.fork()
    worker.send({ say: 'serve', settings } satisfies ToWorker, () => {})
    return new Promise((resolve, reject) => {
      let began = false
      worker.on('message', (message: FromWorker) => {
        if (message.say === 'count') void this.#count(worker)
        if (message.say === 'cannot start') reject(new CannotStart(message.why))
        if (message.say !== 'serving') return
        began = true
        this.#serving++
        resolve(message)
      })
      worker.once('exit', (code) => {
        if (!began) reject(new CannotStart(`a worker ended before it served (exit code ${code})`))
        else this.#lose(worker, settings)
      })
    })
  }

  async #count(worker: Worker): Promise<void> {
    const metrics = await this.#metrics().catch(() => null)
    worker.send({ say: 'counted', metrics } satisfies ToWorker, () => {})
  }

  #lose(worker: Worker, settings: Settings): void {
    this.#serving--
    if (this.#dismissed) return
    this.#log.error({ worker: worker.process.pid }, 'a worker died; another takes its place')
    this.#replace(settings)
  }

  #replace(settings: Settings): void {
    setTimeout(() => {
      if (this.#dismissed) return
      this.#employ(settings).catch((cause: unknown) => {
        this.#log.error({ reason: String(cause) }, 'a worker could not start')
        this.#replace(settings)
      })
    }, rebirth)
  }
}
