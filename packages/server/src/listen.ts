/** Serves a composed deployment, alone or with workers. */
import { ClusterRegistry, type PrometheusContentType } from '@prometheus-io/client'
import type { Deployment } from './compose.ts'
import { openListener } from './http/listener.ts'
import { logFaults, openLog, reopenLog } from './log.ts'
import { healthOf } from './management/health.ts'
import { type Health, type Management, openManagement } from './management/listener.ts'
import { openMeters } from './metrics/meters.ts'
import { bindError } from './start-error.ts'
import { workersFor } from './workers/count.ts'
import { WorkerPool } from './workers/worker-pool.ts'

export interface RunningServer {
  readonly issuer: string
  readonly port: number
  /** The port where clients are asked for certificates; null where there is none. */
  readonly mtlsPort: number | null
  readonly managementPort: number
  /** The CA certificate that clients must trust, where a local CA issued the server's certificate; else null. */
  readonly caFile: string | null
  /** Reads the certificate again and reopens the log file, without effect on requests under way. */
  reload(): Promise<void>
  /** Stops accepting connections, finishes requests in flight, and closes the deployment. */
  close(): Promise<void>
}

/** Serves a deployment that was composed as a server. The server owns it from here on, and closes it. */
export const listen = (deployment: Deployment): Promise<RunningServer> =>
  workersFor(deployment.settings) > 1 ? listenWithWorkers(deployment) : listenAlone(deployment)

async function listenAlone(deployment: Deployment): Promise<RunningServer> {
  const log = openLog(deployment.settings)
  logFaults(deployment, log)
  const meters = openMeters()
  const metrics = (): Promise<string> => meters.registry.metrics()
  const listener = await openListener(deployment, { meters, metrics, log })
  let draining = false
  try {
    const health = healthOf(deployment, { metrics, log, closed: () => (draining ? 'this server is stopping' : null) })
    const management = await manage(deployment, health)
    log.info({ issuer: deployment.issuer.origin(), port: listener.port, mtlsPort: listener.mtlsPort }, 'listening')
    if (listener.caFile !== null)
      log.info({ caFile: listener.caFile }, 'our certificate is signed by a local CA: clients must trust this file')
    return {
      issuer: deployment.issuer.origin(),
      port: listener.port,
      mtlsPort: listener.mtlsPort,
      managementPort: management.port,
      caFile: listener.caFile,
      async reload() {
        reopenLog(deployment.settings, log)
        log.info('reloading')
        await listener.renewCertificate()
      },
      async close() {
        draining = true
        log.info('draining')
        await listener.close()
        await management.close()
        await deployment.close()
        log.info('closed')
      },
    }
  } catch (cause) {
    await listener.close()
    throw cause
  }
}

/**
 * Several processes on one port (PostgreSQL only): this one holds the port and management, its workers serve requests.
 */
async function listenWithWorkers(deployment: Deployment): Promise<RunningServer> {
  const log = openLog(deployment.settings)
  logFaults(deployment, log)
  const registry = new ClusterRegistry<PrometheusContentType>()
  ClusterRegistry.setRegistries([])
  const metrics = (): Promise<string> => registry.clusterMetrics()
  const pool = new WorkerPool(log, metrics)
  try {
    const { port, mtlsPort, caFile } = await pool.start(deployment.settings)
    deployment.issuer.setPort(port)
    if (mtlsPort !== null) deployment.issuer.setMtlsPort(mtlsPort)
    const health = healthOf(deployment, {
      metrics,
      log,
      closed: () => (pool.complete ? null : 'not all workers serve'),
    })
    const management = await manage(deployment, health)
    log.info(
      { issuer: deployment.issuer.origin(), port, mtlsPort, workers: workersFor(deployment.settings) },
      'listening',
    )
    return {
      issuer: deployment.issuer.origin(),
      port,
      mtlsPort,
      managementPort: management.port,
      caFile,
      async reload() {
        reopenLog(deployment.settings, log)
        log.info('reloading')
        pool.reload()
      },
      async close() {
        await pool.stop()
        await management.close()
        await deployment.close()
      },
    }
  } catch (cause) {
    await pool.stop()
    throw cause
  }
}

const manage = ({ settings: { managementHost, managementPort } }: Deployment, health: Health): Promise<Management> =>
  openManagement({ host: managementHost, port: managementPort }, health).catch((cause: unknown) => {
    throw bindError(cause, 'GRANTOR_MANAGEMENT_PORT', managementPort)
  })
