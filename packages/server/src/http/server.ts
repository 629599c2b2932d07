/** The HTTP server of Node under the application: its limits, TLS, and answers before any route is reached. */
import {
  createServer as createPlain,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
} from 'node:http'
import { createServer as createTls } from 'node:https'
import type { TlsOptions } from 'node:tls'
import { isPlainlyFramed, originForm } from '@grantor/protocol/http'
import { defaultSizes } from '@grantor/resource/http'
import type { Logger } from 'pino'
import { type Certificate, tlsOptions } from '../tls/certificate.ts'
import { isApiPath } from '../admin/api-path.ts'
import { answerBrokenHttp } from './errors.ts'
import { bodyLimit } from './form-body.ts'
import { readsItsOwnBody } from './overload/admission.ts'
import { type ConnectionLimits, limitConnections } from './overload/connection-limits.ts'
import { closeIdle } from './idle.ts'

const limits: ServerOptions = {
  // More than we accept, so that headers somewhat too long are refused by code that knows the form of the answer.
  maxHeaderSize: 64 * 1024,
  // How long a slow request may occupy its socket.
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
  // Done by closeIdle.
  keepAliveTimeout: 0,
  // Node's own answer to a missing Host would have no body.
  requireHostHeader: false,
}

interface ServedConnections {
  readonly connections: ConnectionLimits
  /** In addition to the TLS options of every listener. */
  readonly tls?: TlsOptions
  readonly log: Pick<Logger, 'warn'>
}

/** `certificate` is null for plain HTTP behind a trusted proxy. */
export function createHttpServer(
  handler: RequestListener,
  certificate: Certificate | null,
  { connections, log, tls = {} }: ServedConnections,
): Server {
  const listener = plainlyFramed(handler)
  const server =
    certificate === null
      ? createPlain(limits, listener)
      : (createTls(
          { ...limits, ...tlsOptions, ...tls, cert: certificate.cert, key: certificate.key, handshakeTimeout: 10_000 },
          listener,
        ) as unknown as Server) // Fastify types its server as one class; the two differ in nothing it uses.
  closeIdle(server, certificate === null ? 'connection' : 'secureConnection')
  limitConnections({ server, encrypted: certificate !== null, log }, connections)
  // RFC 9110 §10.1.1: 100 (Continue) is sent only if the body is not too large.
  server.on('checkContinue', (request, response) => {
    const most = readsItsOwnBody(request.url ?? '') ? defaultSizes.body : bodyLimit
    if (Number(request.headers['content-length'] ?? 0) <= most) response.writeContinue()
    server.emit('request', request, response)
  })
  // Without a listener for CONNECT, Node closes the connection without an answer.
  server.on('connect', (request, socket) => answerBrokenHttp({ path: request.url ?? '' }, socket))
  // §10.1.1: other expectations may be disregarded; Node's own 417 would not have our form of errors.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  return server
}

const longestHead = 16 * 1024

/** The API checks the sizes of its requests itself; too long URLs are refused by the guard. */
function hasLargeHead({ url = '', rawHeaders }: IncomingMessage): boolean {
  let size = 0
  for (const text of rawHeaders) size += text.length + 2
  return size > longestHead && !isApiPath(url)
}

/** RFC 9110 §7.2, RFC 9112 §3.2: answers 400 to ambiguous requests, and to HTTP/0.9, which Node would still accept. */
const plainlyFramed =
  (handler: RequestListener): RequestListener =>
  (request, response) => {
    const { httpVersion, url = '' } = request
    if ((httpVersion !== '1.0' && httpVersion !== '1.1') || !isPlainlyFramed(request))
      return answerBrokenHttp({ path: url }, request.socket)
    if (hasLargeHead(request)) return answerBrokenHttp({ code: 'HPE_HEADER_OVERFLOW', path: url }, request.socket)
    if (!url.startsWith('/')) request.url = originForm(url)
    return handler(request, response)
  }
