/** Registers the routes in Fastify: at all their paths, with preflight, and 405 for every other method. */
import type { FastifyInstance } from 'fastify'
import { type Responder, createResponder } from './responder.ts'
import { addressesOf, type Route } from '../routes/route.ts'
import type { HttpContext } from './http-context.ts'
import type { FastPath } from './fast-path.ts'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'QUERY'] as const

export function addRoutes(
  app: FastifyInstance,
  context: HttpContext,
  routes: readonly Route[],
  fastPath: FastPath,
): void {
  for (const route of routes) {
    const responder = createResponder(context, route)
    const handle = context.tracing.handler(route.handler({ ...context, responder }))
    if (route.fastHandler !== undefined) {
      const serve = context.tracing.handler(route.fastHandler({ ...context, responder }))
      fastPath.add({ path: route.path, responder, serve })
    }
    for (const url of addressesOf(route)) {
      app.route({
        url,
        method: [...route.methods],
        config: { responder },
        handler(request, reply) {
          request.began = performance.now()
          return handle(request, reply)
        },
      })
      addPreflight(app, url, { route, responder })
      addRefusedMethods(app, url, { route, responder })
    }
  }
}

interface RoutedResponder {
  readonly route: Route
  readonly responder: Responder
}

const answering = ({ methods: own }: Route): readonly string[] => (own.includes('GET') ? [...own, 'HEAD'] : own)

/** Fetch §4.8: a preflight is answered from the list of routes alone. */
function addPreflight(app: FastifyInstance, url: string, { route, responder }: RoutedResponder): void {
  const allow = answering(route).join(', ')
  const headers = {
    allow: `${allow}, OPTIONS`,
    ...(route.cors
      ? {
          'access-control-allow-methods': allow,
          'access-control-allow-headers': 'Authorization, Content-Type, DPoP',
          'access-control-max-age': '86400',
        }
      : {}),
  }
  app.route({
    url,
    method: 'OPTIONS',
    config: { responder },
    handler: (_, reply) => responder.send(reply, 204, null, headers),
  })
}

/** Refused in onRequest, so that the body of a request to the wrong method is never read. */
function addRefusedMethods(app: FastifyInstance, url: string, { route, responder }: RoutedResponder): void {
  const own = answering(route)
  const allow = own.join(', ')
  app.route({
    url,
    method: methods.filter((method) => !own.includes(method)),
    exposeHeadRoute: false,
    config: { responder },
    onRequest(_request, reply) {
      reply.header('connection', 'close')
      responder.refuse(reply, { reason: 'method_not_allowed', allow })
    },
    handler: (_, reply) => reply,
  })
}
