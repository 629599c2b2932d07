/** Puts the routes into Fastify: at all their addresses, with preflight, and 405 for every other method. */
import type { FastifyInstance } from 'fastify'
import { type Desk, openDesk } from './responder.ts'
import { addressesOf, type Route } from '../routes/route.ts'
import type { Surface } from './http-context.ts'
import type { Hatch } from './fast-path.ts'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'QUERY'] as const

export function addRoutes(app: FastifyInstance, surface: Surface, routes: readonly Route[], hatch: Hatch): void {
  for (const route of routes) {
    const desk = openDesk(surface, route)
    const handle = route.handler(desk)
    if (route.serve !== undefined) hatch.open({ path: route.path, desk, serve: route.serve(desk) })
    for (const url of addressesOf(route)) {
      app.route({
        url,
        method: [...route.methods],
        config: { desk },
        handler(request, reply) {
          request.began = performance.now()
          return handle(request, reply)
        },
      })
      addPreflight(app, url, { route, desk })
      addRefusedMethods(app, url, { route, desk })
    }
  }
}

interface Place {
  readonly route: Route
  readonly desk: Desk
}

const answering = ({ methods: own }: Route): readonly string[] => (own.includes('GET') ? [...own, 'HEAD'] : own)

/** Fetch §4.8: a preflight is answered from the table, before anything looks at the request. */
function addPreflight(app: FastifyInstance, url: string, { route, desk }: Place): void {
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
  app.route({ url, method: 'OPTIONS', config: { desk }, handler: (_, reply) => desk.send(reply, 204, null, headers) })
}

/** Refused in onRequest, so that the body of a request to the wrong method is never read. */
function addRefusedMethods(app: FastifyInstance, url: string, { route, desk }: Place): void {
  const own = answering(route)
  const allow = own.join(', ')
  app.route({
    url,
    method: methods.filter((method) => !own.includes(method)),
    exposeHeadRoute: false,
    config: { desk },
    onRequest(_request, reply) {
      reply.header('connection', 'close')
      desk.refuse(reply, { reason: 'method_not_allowed', allow })
    },
    handler: (_, reply) => reply,
  })
}
