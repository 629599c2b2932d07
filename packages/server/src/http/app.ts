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
    /** The look of our pages. */
    theme: Theme
    /** The steps that the front page offers in a demo. */
    demoSteps: HttpContext['demoSteps']
    /** The listener for requests, for a second server of the same application. */
    requestListener: Parameters<typeof createHttpServer>[0]
  }
  interface FastifyRequest {
    /** The look of its tenant's pages, once the tenant is known. */
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
    // Queries are not read through Fastify, but by the strict parser of the protocol package.
    routerOptions: { querystringParser: () => ({}), maxParamLength: longestInteraction },
    // No route has a schema, so the schema compilers are not even loaded.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    // While draining, requests in flight finish, with `connection: close`, rather than fail with 503.
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
