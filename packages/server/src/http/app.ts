/** The HTTP application: Fastify with our limits, our errors and our routes. Nothing here listens yet. */
import { createServer as createPlain, type RequestListener, type Server, type ServerOptions } from 'node:http'
import { createServer as createTls } from 'node:https'
import { type FastifyInstance, fastify } from 'fastify'
import { mountAdminApi } from '../admin/mount.ts'
import { createResponder } from './responder.ts'
import { closeIdle } from './idle.ts'
import type { Theme } from '../pages/theme/theme.ts'
import { addIngressGuard, createIngressGuard } from './ingress-guard.ts'
import { answerBadUrl, answerBrokenHttp, handleErrors } from './errors.ts'
import { acceptForms, bodyLimit } from './form-body.ts'
import { FastPath } from './fast-path.ts'
import { acceptJson } from './json-body.ts'
import { addRoutes } from './routing.ts'
import { jsonRoutes, routes } from '../routes/index.ts'
import type { HttpContext } from './http-context.ts'
import { type Certificate, tlsOptions } from '../tls/certificate.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** How our pages look. */
    theme: Theme
  }
}

const limits: ServerOptions = {
  maxHeaderSize: 16 * 1024,
  // A request that trickles in holds a socket, not a thread; these are how long.
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
  // Done by closeIdle.
  keepAliveTimeout: 0,
  // Node's own answer to a missing Host has no body; ours has.
  requireHostHeader: false,
}

/** `shown` is the certificate; null for plain HTTP behind a trusted proxy. */
export function buildApp(context: HttpContext, shown: Certificate | null): FastifyInstance {
  const unrouted = createResponder(context, { path: 'elsewhere', cors: false })
  const guard = createIngressGuard(context)
  const fastPath = new FastPath(guard)
  const app = fastify({
    serverFactory: (handler) => serverFor(withHost(fastPath.wrap(handler)), shown),
    bodyLimit,
    // Nothing reads a query through Fastify: what is read at all is read by the strict parser of the protocol.
    routerOptions: { querystringParser: () => ({}), maxParamLength: 200 },
    // No route has a schema: what would compile them is not even loaded.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    // The drain lets requests in flight finish and says so by closing, rather than failing them.
    return503OnClosing: false,
    frameworkErrors: (_error, _request, reply) => answerBadUrl(reply, unrouted),
    clientErrorHandler: answerBrokenHttp,
  })
  app.decorate('theme', context.theme)
  app.decorateRequest('began', 0)
  app.decorateRequest('caller')
  acceptForms(app)
  handleErrors(app, unrouted)
  addIngressGuard(app, guard, unrouted)
  addRoutes(app, context, routes, fastPath)
  void app.register((inner, _options, done) => {
    acceptJson(inner)
    addRoutes(inner, context, jsonRoutes, fastPath)
    done()
  })
  mountAdminApi(app, context)
  return app
}

const noSchemas = (): never => {
  throw new Error('a route of this server has no schema')
}

/** RFC 9110 §7.2: a request of HTTP/1.1 without a Host is answered 400; so is HTTP/0.9, which Node would still read. */
const withHost =
  (handler: RequestListener): RequestListener =>
  (request, response) => {
    const { httpVersion, headers } = request
    if (httpVersion === '1.0' || (httpVersion === '1.1' && headers.host !== undefined)) handler(request, response)
    else answerBrokenHttp({}, request.socket)
  }

function serverFor(handler: RequestListener, shown: Certificate | null): Server {
  const server =
    shown === null
      ? createPlain(limits, handler)
      : (createTls(
          { ...limits, ...tlsOptions, cert: shown.cert, key: shown.key, handshakeTimeout: 10_000 },
          handler,
        ) as unknown as Server) // Fastify types its server as one class; the two differ in nothing it uses.
  closeIdle(server, shown === null ? 'connection' : 'secureConnection')
  // RFC 9110 §10.1.1: who asks first whether the body is wanted is told so only when it is.
  server.on('checkContinue', (request, response) => {
    if (Number(request.headers['content-length'] ?? 0) <= bodyLimit) response.writeContinue()
    server.emit('request', request, response)
  })
  // §10.1.1: other expectations may be disregarded; Node's own 417 is told in no form of ours.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  return server
}
