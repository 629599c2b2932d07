/** The second port of Orders, where clients are asked for certificates (RFC 8705 §3): the same API, by the same handler. */
import { constants, randomUUID } from 'node:crypto'
import type { IncomingMessage, Server as HttpServer } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { SecureContextOptions } from 'node:tls'

interface MtlsListenerOptions {
  readonly tls: SecureContextOptions
  readonly host: string
  readonly port: number
}

/** Of each connection its own handshake: a resumed session would show what another one proved. */
const options = {
  minVersion: 'TLSv1.2',
  requestCert: true,
  rejectUnauthorized: false,
  secureOptions: constants.SSL_OP_NO_TICKET,
  maxHeaderSize: 64 * 1024,
} as const

export interface MtlsListener {
  readonly server: Server
  readonly port: number
}

const interactionHeader = 'x-fapi-interaction-id'

/** FAPI 1.0 Baseline §6.2.1: what the client calls this interaction, or a new name for it. */
function interactionOf({ headers }: IncomingMessage): string {
  const named = String(headers[interactionHeader])
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(named) ? named : randomUUID()
}

/** A taken port becomes any free one: it is not part of the audience. */
export async function openMtlsListener(
  api: HttpServer,
  { tls, host, port }: MtlsListenerOptions,
): Promise<MtlsListener> {
  const server = createServer({ ...options, ...tls }, (request, response) => {
    response.setHeader(interactionHeader, interactionOf(request))
    api.emit('request', request, response)
  })
  server.maxConnections = api.maxConnections
  // What is no HTTP is answered as it is there.
  server.on('clientError', (error, socket) => api.emit('clientError', error, socket))
  try {
    await listen(server, host, port)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw cause
    await listen(server, host, 0)
  }
  return { server, port: (server.address() as AddressInfo).port }
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
