/** The HTTP server of Node under the application: its limits, TLS, and what is answered before any route is asked. */
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
  // More than is taken: what is a little too long is told by those who know for whom and of what.
  maxHeaderSize: 64 * 1024,
  // A request that trickles in holds a socket, not a thread; these are how long.
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
  // Done by closeIdle.
  keepAliveTimeout: 0,
  // Node's own answer to a missing Host has no body; ours has.
  requireHostHeader: false,
}

interface ServedConnections {
  readonly connections: ConnectionLimits
  /** Beside what every listener has. */
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
  // RFC 9110 §10.1.1: who asks first whether the body is wanted is told so only when it is.
  server.on('checkContinue', (request, response) => {
    const most = readsItsOwnBody(request.url ?? '') ? defaultSizes.body : bodyLimit
    if (Number(request.headers['content-length'] ?? 0) <= most) response.writeContinue()
    server.emit('request', request, response)
  })
  // Node closes without a word where nobody listens for it.
  server.on('connect', (request, socket) => answerBrokenHttp({ path: request.url ?? '' }, socket))
  // §10.1.1: other expectations may be disregarded; Node's own 417 is told in no form of ours.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  return server
}

const longestHead = 16 * 1024

/** The API looks at the sizes of its requests itself; of an address that is too long the guard tells. */
function hasLargeHead({ url = '', rawHeaders }: IncomingMessage): boolean {
  let size = 0
  for (const text of rawHeaders) size += text.length + 2
  return size > longestHead && !isApiPath(url)
}

/** RFC 9110 §7.2, RFC 9112 §3.2: what two servers could read in two ways is answered 400; so is HTTP/0.9, which Node would still read. */
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
