/** The HTTP application: Fastify with our limits, our errors and our routes. Nothing here listens yet. */
import { longestInteraction } from '@grantor/authority'
import { type FastifyInstance, fastify } from 'fastify'
import { createResponder } from './responder.ts'
import type { PageTheme, Theme } from '../pages/theme/theme.ts'
import { addIngressGuard, createIngressGuard } from './ingress-guard.ts'
import { answerBadUrl, answerBrokenHttp, handleErrors } from './errors.ts'
import { acceptForms, bodyLimit } from './form-body.ts'
import { FastPath } from './fast-path.ts'
import { acceptJson } from './json-body.ts'
import { apiResponders, mountApis } from '../mounted-apis.ts'
import { addRoutes } from './routing.ts'
import { jsonRoutes, routes } from '../routes/index.ts'
import type { HttpContext } from './http-context.ts'
import type { Certificate } from '../tls/certificate.ts'
import { createHttpServer } from './server.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** How our pages look. */
    theme: Theme
    /** What the front page lets one try. */
    demoSteps: HttpContext['demoSteps']
    /** The way in, for another server that has the same to serve. */
    requestListener: Parameters<typeof createHttpServer>[0]
  }
  interface FastifyRequest {
    /** How the pages of its tenant look, once that is known. */
    theme: PageTheme | null
  }
}

/** `certificate` is null for plain HTTP behind a trusted proxy. */
export function buildApp(context: HttpContext, certificate: Certificate | null): FastifyInstance {
  const responderAt = apiResponders(context, createResponder(context, { path: 'elsewhere', cors: false }))
  const guard = createIngressGuard(context)
  const fastPath = new FastPath(guard)
  let listener: FastifyInstance['requestListener'] = () => {}
  const app = fastify({
    serverFactory(handler) {
      listener = context.tracing.listener(fastPath.wrap(handler))
      return createHttpServer(listener, certificate, context)
    },
    bodyLimit,
    // Nothing reads a query through Fastify: what is read at all is read by the strict parser of the protocol.
    routerOptions: { querystringParser: () => ({}), maxParamLength: longestInteraction },
    // No route has a schema: what would compile them is not even loaded.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    // The drain lets requests in flight finish and says so by closing, rather than failing them.
    return503OnClosing: false,
    frameworkErrors: (_error, { raw }, reply) => answerBadUrl(reply, responderAt(raw.url ?? '')),
    clientErrorHandler: answerBrokenHttp,
  })
  app.decorate('theme', context.theme)
  app.decorate('demoSteps', context.demoSteps)
  app.decorate('requestListener', listener)
  app.decorateRequest('began', 0)
  app.decorateRequest('theme', null)
  app.decorateRequest('remote')
  acceptForms(app)
  handleErrors(app, responderAt)
  addIngressGuard(app, guard, responderAt)
  addRoutes(app, context, routes, fastPath)
  void app.register((inner, _options, done) => {
    acceptJson(inner)
    addRoutes(inner, context, jsonRoutes, fastPath)
    done()
  })
  mountApis(app, context)
  return app
}

const noSchemas = (): never => {
  throw new Error('a route of this server has no schema')
}
