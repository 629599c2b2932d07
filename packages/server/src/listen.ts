/** Opens the listeners of a composed deployment: listens, settles the issuer, watches the certificate, and drains at the end. */
import type { Server as HttpServer } from 'node:http'
import { type AddressInfo, Server as NetServer } from 'node:net'
import { Server as TlsServer } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { buildApp } from './http/app.ts'
import type { Deployment } from './compose.ts'
import { isLoopback, trustedList } from './config/addresses.ts'
import { speaksTls } from './config/conflicts.ts'
import { openLog } from './log.ts'
import { openManagement } from './management/listener.ts'
import { openMeters } from './metrics/meters.ts'
import type { HttpContext } from './http/http-context.ts'
import { themeFrom } from './config/theme.ts'
import { type Certificate, loadCertificate, tlsOptions } from './tls/certificate.ts'
import { StartError } from './start-error.ts'
import { healthOf } from './management/health.ts'
import { listenWithWorkers } from './workers/worker-pool.ts'

export interface RunningServer {
  readonly issuer: string
  readonly port: number
  readonly managementPort: number
  /** The certificate to trust, where a local CA made ours. */
  readonly caFile: string | null
  /** Stops accepting, finishes what is in flight, and closes the deployment. */
  close(): Promise<void>
}

/** Serves a deployment that was composed as a server. It is the server's from here on: closing closes it. */
export const listen = (deployment: Deployment): Promise<RunningServer> =>
  deployment.settings.workers > 1 ? listenWithWorkers(deployment) : listenAlone(deployment)

async function listenAlone(deployment: Deployment): Promise<RunningServer> {
  const log = openLog(deployment.settings)
  const meters = openMeters()
  const metrics = (): Promise<string> => meters.registry.metrics()
  const listener = await openListener(deployment, { meters, metrics, log })
  let draining = false
  try {
    const health = healthOf(deployment, metrics, () => draining)
    const management = await openManagement(deployment.settings.managementPort, health).catch((cause: unknown) => {
      throw bindError(cause, 'GRANTOR_MANAGEMENT_PORT', deployment.settings.managementPort)
    })
    log.info({ issuer: deployment.issuer.origin(), port: listener.port }, 'listening')
    if (listener.caFile !== null)
      log.info({ caFile: listener.caFile }, 'our certificate is signed by a local CA: clients must trust this file')
    return {
      issuer: deployment.issuer.origin(),
      port: listener.port,
      managementPort: management.port,
      caFile: listener.caFile,
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

export interface Listener {
  readonly port: number
  readonly caFile: string | null
  close(): Promise<void>
}

/** The public listener alone; a worker has this and nothing else. */
export async function openListener(
  deployment: Deployment,
  instruments: Pick<HttpContext, 'meters' | 'metrics' | 'log'>,
): Promise<Listener> {
  const { settings, issuer, authority, outbound } = deployment
  outbound.watch(({ host, outcome }) => {
    instruments.meters.outboundAttempt(outcome)
    instruments.log[outcome === 'ok' ? 'debug' : 'warn']({ host, outcome }, 'asked another server')
  })
  await authority.begin()
  const host = new URL(issuer.origin()).hostname
  const shown = speaksTls(settings) ? await loadCertificate(settings, host, Date.now()) : null
  let draining = false
  const context: HttpContext = {
    authority,
    issuer,
    ...instruments,
    proxies:
      settings.trustProxy === null ? null : { trusted: trustedList(settings.trustProxy), header: settings.proxyHeader },
    encrypted: shown !== null,
    strictTransport: !isLoopback(host),
    draining: () => draining,
    cursorSecret: deployment.cursorSecret,
    theme: themeFrom(settings),
  }
  const app = buildApp(context, shown)
  try {
    await app.listen({ host: settings.host.replace(/^\[|\]$/g, ''), port: settings.port })
  } catch (cause) {
    throw bindError(cause, 'GRANTOR_PORT', settings.port)
  }
  const { port } = app.server.address() as AddressInfo
  // Before the event loop turns again, so no request sees the issuer unsettled.
  issuer.setPort(port)
  const stopRenewal =
    shown === null ? () => {} : renewHourly(app.server, { settings, host, shown, log: instruments.log })
  return {
    port,
    caFile: shown?.caFile ?? null,
    async close() {
      draining = true
      stopRenewal()
      await drain(app)
    },
  }
}

/** Long enough for any request that its own limits allow to live; then the rest is cut. */
const drainPatience = 25_000

/** How long a connection between two requests may still make one; its answer then says that it was the last. */
const lastCall = 1_000

async function drain(app: FastifyInstance): Promise<void> {
  const { server } = app
  // The listener alone: http.Server.close would reset idle connections, and with them requests that are on their way.
  NetServer.prototype.close.call(server)
  await new Promise<void>((over) => {
    const timer = setTimeout(over, lastCall)
    server.once('close', () => {
      clearTimeout(timer)
      over()
    })
  })
  // Node closes idle connections once, when closing begins; one that answered its last request later is idle, too.
  const sweep = setInterval(() => server.closeIdleConnections(), 100)
  const cut = setTimeout(() => server.closeAllConnections(), drainPatience)
  await app.close()
  clearInterval(sweep)
  clearTimeout(cut)
}

interface Renewal {
  readonly settings: Deployment['settings']
  readonly host: string
  readonly shown: Certificate
  readonly log: Logger
}

/** A certificate that was renewed on disk (by us or by an ACME client) is shown from then on, without a restart. */
function renewHourly(server: HttpServer, { settings, host, shown, log }: Renewal): () => void {
  let current = shown
  const renew = async (): Promise<void> => {
    const next = await loadCertificate(settings, host, Date.now())
    if (next.cert === current.cert || !(server instanceof TlsServer)) return
    server.setSecureContext({ ...tlsOptions, cert: next.cert, key: next.key })
    current = next
    log.info('showing a new certificate')
  }
  const timer = setInterval(() => {
    renew().catch((cause: unknown) => log.error({ reason: String(cause) }, 'the certificate cannot be renewed'))
  }, 3_600_000)
  return () => clearInterval(timer)
}

function bindError(cause: unknown, setting: string, port: number): unknown {
  const code = (cause as NodeJS.ErrnoException).code
  if (code === 'EADDRINUSE') return new StartError(`port ${port} is taken: choose another with ${setting}`, { cause })
  if (code === 'EACCES') return new StartError(`port ${port} may not be opened by this user: ${setting}`, { cause })
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new StartError('GRANTOR_HOST is not an address of this machine', { cause })
  }
  return cause
}
