/** The second port of Orders, which asks clients for certificates (RFC 8705 §3): the same API and the same handler. */
import { constants, randomUUID } from 'node:crypto'
import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { SecureContextOptions } from 'node:tls'

interface MtlsListenerOptions {
  readonly tls: SecureContextOptions
  readonly host: string
  readonly port: number
}

/** No session tickets: a resumed session would show the certificate of an earlier handshake. */
const options = {
  minVersion: 'TLSv1.2',
  requestCert: true,
  rejectUnauthorized: false,
  secureOptions: constants.SSL_OP_NO_TICKET,
  maxHeaderSize: 64 * 1024,
  handshakeTimeout: 10_000,
} as const

export interface MtlsListener {
  readonly server: Server
  readonly port: number
  /** Answers the requests in progress first. */
  close(): Promise<void>
}

const interactionHeader = 'x-fapi-interaction-id'

/** FAPI 1.0 Baseline §6.2.1: the interaction id that the client sent, or a new one. */
function interactionOf({ headers }: IncomingMessage): string {
  const named = String(headers[interactionHeader])
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(named) ? named : randomUUID()
}

/** If the port is taken, any free one is used, because this port is not part of the audience. */
export async function openMtlsListener(
  api: HttpServer,
  { tls, host, port }: MtlsListenerOptions,
): Promise<MtlsListener> {
  const underWay = new Set<ServerResponse>()
  const server = createServer({ ...options, ...tls }, (request, response) => {
    response.setHeader(interactionHeader, interactionOf(request))
    underWay.add(response)
    response.once('close', () => underWay.delete(response))
    api.emit('request', request, response)
  })
  server.maxConnections = api.maxConnections
  server.requestTimeout = api.requestTimeout
  // Malformed HTTP is answered in the same way as on the first port.
  server.on('clientError', (error, socket) => api.emit('clientError', error, socket))
  try {
    await listen(server, host, port)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw cause
    await listen(server, host, 0)
  }
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      // Keep-alive connections are closed after the answer in progress.
      for (const response of underWay) if (!response.headersSent) response.setHeader('connection', 'close')
      server.close(() => resolve())
    })
  return { server, port: (server.address() as AddressInfo).port, close }
}

const listen = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })

export const showMtlsCertificate = ({ server }: MtlsListener, tls: MtlsListenerOptions['tls']): void =>
  server.setSecureContext({ minVersion: options.minVersion, secureOptions: options.secureOptions, ...tls })
