/** The HTTP server of Node under the gateway: its limits, TLS, and how it ends. */
import { createServer as createPlain, type RequestListener, type Server, type ServerOptions } from 'node:http'
import { createServer as createTls } from 'node:https'
import { Server as NetServer } from 'node:net'
import type { Duplex } from 'node:stream'
import type { SecureContextOptions } from 'node:tls'
import type { LimitsPlan } from '../config/gateway-plan.ts'
import type { GatewayConfig } from '../config/referenced-files.ts'
import { isWebSocket } from '../proxy/upgrade.ts'

export interface ListenerHandlers {
  readonly request: RequestListener
  readonly upgrade: (request: Parameters<RequestListener>[0], socket: Duplex, head: Buffer) => void
  readonly syntaxError: (error: NodeJS.ErrnoException, socket: Duplex) => void
}

export interface ListenerOptions {
  readonly config: GatewayConfig
  /** Versions and ciphers. */
  readonly tls: SecureContextOptions
}

export function createListener({ config, tls }: ListenerOptions, handlers: ListenerHandlers): Server {
  const { request, upgrade, syntaxError } = handlers
  const options: ServerOptions = {
    // Node cannot change this limit later.
    maxHeaderSize: config.limits.headers,
    connectionsCheckingInterval: 5_000,
    keepAliveTimeout: 75_000,
    requireHostHeader: false,
    // Other upgrades, such as `Upgrade: h2c`, are ignored.
    shouldUpgradeCallback: isWebSocket,
  }
  const server =
    config.tls === null
      ? createPlain(options, request)
      : (createTls({ ...options, ...tls, ...config.tls, handshakeTimeout: 10_000 }, request) as unknown as Server)
  limitListener(server, config.limits)
  server.on('timeout', (socket: Duplex) => void socket.destroy())
  server.on('upgrade', upgrade)
  // RFC 9110 §10.1.1: the handlers send 100 (Continue) only once the body is wanted.
  server.on('checkContinue', request)
  server.on('checkExpectation', request)
  server.on('clientError', syntaxError)
  return server
}

/** Sets the limits that may change while it listens. A new idle timeout applies to new connections only. */
export function limitListener(server: Server, { request, connections, firstByte, idle }: LimitsPlan): void {
  server.requestTimeout = request * 1000
  server.headersTimeout = Math.min(10_000, server.requestTimeout)
  server.maxConnections = connections
  // A client that neither sends nor reads occupies a connection, and with it one to the API behind.
  server.timeout = (Math.max(firstByte, idle) + 5) * 1000
}

export function listenOn(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host.replace(/^\[|\]$/g, ''), () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** Milliseconds for answering requests under way; then all connections are closed. */
const drainTimeout = 25_000
/** Milliseconds in which an idle connection may still send a request, which is answered with `Connection: close`. */
const lastRequestGrace = 1_000

/** `cutStreams` is called repeatedly, because another stream may begin on a connection that is still open. */
export async function drainListener(server: Server, cutStreams: () => void): Promise<void> {
  const closed = new Promise<void>((over) => server.once('close', over))
  // Closes only the listener: http.Server.close would reset idle connections, and with them requests under way.
  NetServer.prototype.close.call(server)
  cutStreams()
  const { promise: graceOver, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, lastRequestGrace)
  await Promise.race([graceOver, closed])
  clearTimeout(timer)
  const sweep = setInterval(() => {
    cutStreams()
    server.closeIdleConnections()
  }, 100)
  const cut = setTimeout(() => server.closeAllConnections(), drainTimeout)
  await closed
  clearInterval(sweep)
  clearTimeout(cut)
}
