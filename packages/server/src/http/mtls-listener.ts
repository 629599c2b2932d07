/** The second listener, where clients are asked for certificates (RFC 8705): the same application, by the same handler. */
import cluster from 'node:cluster'
import type { Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { speaksTls } from '../config/conflicts.ts'
import type { Settings } from '../config/settings.ts'
import { bindError } from '../start-error.ts'
import { type Certificate, mtlsOptions } from '../tls/certificate.ts'
import { answerBrokenHttp } from './errors.ts'
import type { HttpContext } from './http-context.ts'
import { createHttpServer } from './server.ts'

const usualPort = 8445

/** The configured port, or the usual one; any free port (0) where the usual one is used by another listener of ours. */
export function wantedMtlsPort({ mtlsPort, ...settings }: PortSettings): number | 'off' {
  if (mtlsPort !== null) return mtlsPort
  const { port, managementPort, demo, demoPort, demoMtlsPort } = settings
  const others = [port, managementPort, ...(demo ? [demoPort, demoMtlsPort] : [])]
  return others.includes(usualPort) ? 0 : usualPort
}

type PortSettings = Pick<Settings, 'mtlsPort' | 'port' | 'managementPort' | 'demo' | 'demoPort' | 'demoMtlsPort'>

/** Null where the listener is off, or where this server does not speak TLS itself. */
export async function openMtlsListener(
  app: FastifyInstance,
  { certificates, connections, log }: Pick<HttpContext, 'certificates' | 'connections' | 'log'>,
  { settings, certificate }: { readonly settings: Settings; readonly certificate: Certificate | null },
): Promise<{ readonly server: Server; readonly port: number } | null> {
  const port = wantedMtlsPort(settings)
  if (certificate === null || port === 'off' || !speaksTls(settings)) return null
  const server = createHttpServer(app.requestListener, certificate, { connections, log, tls: mtlsOptions })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => answerBrokenHttp(error, socket as Socket))
  certificates.watch(server as unknown as Parameters<typeof certificates.watch>[0])
  const host = settings.host.replace(/^\[|\]$/g, '')
  try {
    await listen(server, host, port)
  } catch (cause) {
    // A default port may be replaced by a free one. Not in a worker, because all workers share one port.
    const mayMove =
      !cluster.isWorker &&
      (settings.mtlsPort === null || settings.demo) &&
      (cause as NodeJS.ErrnoException).code === 'EADDRINUSE'
    if (!mayMove) throw bindError(cause, 'GRANTOR_MTLS_PORT', port)
    await listen(server, host, 0)
    log.warn({ taken: port, setting: 'GRANTOR_MTLS_PORT' }, 'the port for client certificates is taken: using another')
  }
  return { server, port: (server.address() as AddressInfo).port }
}

const listen = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const listening = (): void => {
      server.off('error', failed)
      resolve()
    }
    const failed = (cause: Error): void => {
      server.off('listening', listening)
      reject(cause)
    }
    server.once('error', failed).once('listening', listening).listen({ host, port })
  })
