/** One worker process: gets its settings from the parent, and serves until told to drain or the parent is gone. */
import { ClusterRegistry } from '@prometheus-io/client'
import { compose } from '../compose.ts'
import { releaseMemory, switchOffPretenuring } from '../heap.ts'
import { openListener } from '../http/listener.ts'
import { logFaults, openLog, reopenLog } from '../log.ts'
import { openMeters } from '../metrics/meters.ts'
import type { Settings } from '../config/settings.ts'
import { StartError } from '../start-error.ts'
import type { FromWorker, ToWorker } from './worker-pool.ts'

// The parent decides when to stop; a Ctrl-C also reaches the workers, because a terminal signals the whole group.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
process.on('SIGHUP', () => {})

const send = (message: FromWorker): void => void process.send?.(message)

interface Serving {
  reload(): Promise<void>
  close(): Promise<void>
}

async function serve(settings: Settings): Promise<Serving> {
  const deployment = await compose(settings, 'server')
  try {
    const meters = openMeters()
    ClusterRegistry.setRegistries(meters.registry)
    void new ClusterRegistry() // Answers the parent when it collects.
    const log = openLog(settings)
    logFaults(deployment, log)
    const listener = await openListener(deployment, { meters, metrics: askForMetrics, log })
    switchOffPretenuring()
    send({ kind: 'serving', port: listener.port, mtlsPort: listener.mtlsPort, caFile: listener.caFile })
    releaseMemory()
    return {
      async reload() {
        reopenLog(settings, log)
        await listener.renewCertificate()
      },
      async close() {
        await listener.close()
        await deployment.close()
      },
    }
  } catch (cause) {
    await deployment.close()
    throw cause
  }
}

const waiting: ((metrics: string | null) => void)[] = []

/** Only the parent can add up the metrics of all workers. */
const askForMetrics = (): Promise<string> =>
  new Promise((resolve, reject) => {
    waiting.push((metrics) =>
      metrics === null ? reject(new Error('the counts could not be collected')) : resolve(metrics),
    )
    send({ kind: 'count' })
  })

const isTaken = (cause: unknown): boolean =>
  cause instanceof StartError && (cause.cause as NodeJS.ErrnoException | undefined)?.code === 'EADDRINUSE'

let serving: Promise<Serving> | null = null

function leave(): void {
  const closed = serving === null ? Promise.resolve() : serving.then((it) => it.close())
  closed.then(
    () => process.exit(0),
    () => process.exit(1),
  )
}

process.on('message', (message: ToWorker) => {
  if (message.kind === 'drain') return leave()
  // A worker that does not serve yet will read everything anyway.
  if (message.kind === 'reload') return void serving?.then((it) => it.reload()).catch(() => {})
  if (message.kind === 'counted') return waiting.shift()?.(message.metrics)
  if (message.kind !== 'serve') return
  serving = serve(message.settings)
  serving.catch((cause: unknown) => {
    send({ kind: 'cannot start', why: cause instanceof Error ? cause.message : String(cause), taken: isTaken(cause) })
    process.disconnect?.()
  })
})
process.once('disconnect', leave)
